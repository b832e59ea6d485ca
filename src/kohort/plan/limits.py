"""What the sections of every plan may say beyond what their types tell."""

from __future__ import annotations

from kohort.errors import InputError
from kohort.plan.sections import OutputPlan, RecodePlan
from kohort.table.catalog import check_target
from kohort.table.formats import WRITERS


def check_recode(recode: RecodePlan) -> None:
    """Refuse a share that is none, and a time in which nothing can be done."""
    limit = recode.max_suppression
    if not limit >= 0 or (isinstance(limit, float) and limit > 1):  # nan is neither
        raise InputError(
            f"[recode] max_suppression is {limit}; it must be a share from 0.0 to 1.0 or a whole number of rows",
            code="plan.wrong-value",
            section="recode",
            option="max_suppression",
            value=limit,
        )
    if recode.time_limit is not None and not recode.time_limit > 0:
        raise InputError(
            f"[recode] time_limit is {recode.time_limit}; it must be more than 0 seconds",
            code="plan.wrong-value",
            section="recode",
            option="time_limit",
            value=recode.time_limit,
        )


def check_output(output: OutputPlan) -> None:
    """Refuse a format that there is not, and a table that cannot be."""
    if output.table is not None:
        check_target(output.table)
    formats = [suffix.removeprefix(".") for suffix in sorted(WRITERS)]
    if output.format not in formats:
        raise InputError(
            f"[output] format is {output.format!r}; it must be one of: {', '.join(formats)}",
            code="plan.wrong-value",
            section="output",
            option="format",
            value=output.format,
            allowed=formats,
        )
