"""What leaving a column out would do to the risk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kohort.classes import Classes
from kohort.risk.reidentification import prosecutor
from kohort.risk.uniques import Projection


@dataclass(frozen=True)
class LeftOut:
    """The table without one column."""

    column: str
    classes: int
    k: int
    unique: int  # people alone in their class
    average_risk: float


def leaving_out(classes: Classes, names: Sequence[str]) -> tuple[LeftOut, ...]:
    """Return, per column, how the table would stand without it."""
    told = []
    for name, merged in zip(names, Projection(classes).without_each(), strict=True):
        risk = prosecutor(merged)
        alone = risk.at_highest if risk.highest == 1 else 0
        k = round(1 / risk.highest) if risk.people else 0
        told.append(LeftOut(name, len(merged), k, alone, risk.average))
    return tuple(told)
