"""Where the table of a plan is, for the commands that are given a plan alone."""

from __future__ import annotations

from pathlib import Path

from kohort.errors import InputError
from kohort.plan import Plan


def source_of(plan: Plan, plan_path: Path) -> Path:
    """Return where a plan says that its table is; refuse one that does not say it."""
    if plan.input.path is None:
        raise InputError(
            f'{plan_path}: [input] has no path; say where the table is, as path = "patients.csv"',
            code="plan.no-path",
            plan=plan_path,
        )
    return plan.base / plan.input.path
