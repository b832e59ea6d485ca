"""What a plan says of columns that are told more coarsely than they were read, and what it may not."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from kohort.errors import InputError
from kohort.hierarchy.calendar import PERIODS, date_pattern
from kohort.hierarchy.coarse import Coarse
from kohort.plan.sections import ColumnPlan

if TYPE_CHECKING:
    from kohort.plan.plan import Plan

NUMBERS, DATES = ("round", "bottom", "top"), ("unit", "format", "last_year")
KEYS = (*NUMBERS, *DATES)


def coarse_columns(plan: Plan) -> dict[str, Coarse]:
    """Return how columns are told, by name, as far as the plan says so."""
    return {name: _coarse(told) for name, told in plan.columns.items() if _said(told)}


def _said(column: ColumnPlan) -> list[str]:
    return [key for key in KEYS if getattr(column, key) is not None]


def _coarse(column: ColumnPlan) -> Coarse:
    numbers = {key: Decimal(str(told)) for key in NUMBERS if (told := getattr(column, key)) is not None}
    return Coarse(**numbers, unit=column.unit, format=column.format, last_year=column.last_year)


def check_coarse(name: str, column: ColumnPlan) -> None:
    """Refuse what no value can be told by: no width, ends that are crossed or no multiples, an unknown unit."""
    said = _said(column)
    if not said:
        return
    if column.unit is not None and column.unit not in PERIODS:
        raise _refusal(name, "unit", f"there is no {column.unit!r}; it must be one of: {', '.join(PERIODS)}")
    mixed = [key for key in said if key in NUMBERS]
    if mixed and column.unit is not None:
        raise _conflict(name, mixed[0], "it is about numbers, and unit about dates; leave one of them out")
    if column.format is not None:
        _check_format(name, column)
    _check_last_year(name, column)
    if column.round is not None and not column.round > 0:
        raise _refusal(name, "round", f"it is {column.round}; it must be above 0")
    _check_ends(name, _coarse(column))


def _check_format(name: str, column: ColumnPlan) -> None:
    if column.unit is None:
        raise _conflict(name, "format", "it says how dates are written, and no unit says how they are told")
    if date_pattern(str(column.format)) is None:
        wanted = '%Y or %y, %m (or %b, a name) and %d, each once, and perhaps %H, %M, %S, such as "%d.%m.%Y"'
        raise _refusal(name, "format", f"it does not tell a date; it is made of {wanted}")


def _check_last_year(name: str, column: ColumnPlan) -> None:
    """Refuse years of two digits of which nobody says the century: 45 would be told as 2045, and be untrue."""
    short = "%y" in (column.format or "")
    if short and column.last_year is None:
        why = "years of two digits, %y in format, need the year up to which they are read, such as 2026"
        raise _conflict(name, "last_year", why)
    if column.last_year is not None and not short:
        raise _conflict(
            name, "last_year", "it is about years of two digits, and format has no %y; leave it out"
        )


def _check_ends(name: str, coarse: Coarse) -> None:
    if coarse.bottom is not None and coarse.top is not None and coarse.bottom >= coarse.top:
        raise _conflict(name, "bottom", f"it is {coarse.bottom} and must be below top, {coarse.top}")
    for key, end in (("bottom", coarse.bottom), ("top", coarse.top)):
        if end is not None and coarse.round is not None and Fraction(end) % Fraction(coarse.round):
            raise _conflict(name, key, f"it is {end} and must be a multiple of round, {coarse.round}")


def _conflict(name: str, option: str, why: str) -> InputError:
    return InputError(f"[columns] {name}: {option}: {why}", code="plan.conflict", column=name, option=option)


def _refusal(name: str, option: str, why: str) -> InputError:
    return InputError(
        f"[columns] {name}: {option}: {why}", code="plan.wrong-value", column=name, option=option
    )
