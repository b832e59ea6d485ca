"""What is told of one record of the original, and of what a column costs. Private."""

from __future__ import annotations

from typing import Literal

from kohort.facts.fact import Count, Fact
from kohort.facts.figures import Score

Fate = Literal[
    "released", "left out", "blank"
]  # blank: it stands in the table, with nothing told of its quasi-identifiers


class PromiseOfClass(Fact, frozen=True):
    """Whether a class keeps a promise, and what it achieves."""

    promise: str
    kept: bool
    achieved: Score  # the best parameter that the class meets; null where that is not finite


class CoarserStep(Fact, frozen=True):
    """The class of a row with one column told more coarsely, all others as they are."""

    column: str
    level: str
    steps: Count  # levels further up
    people: Count
    kept: bool  # whether it keeps every promise


class RowExplained(Fact, frozen=True):
    """Why a row of the original is, or is not, in the release."""

    row: Count  # the first of the table is 1
    fate: Fate
    by_levels: bool  # its class is that of the released levels; else of rows that share its values as exactly as is allowed
    people: Count  # in that class
    rows: Count
    promises: tuple[PromiseOfClass, ...]
    coarser: tuple[
        CoarserStep, ...
    ] = ()  # where it was left out: the first step of each column that is enough, else the last


class ColumnCost(Fact, frozen=True):
    """What the release would be without a column: the plan's own search, run again without it."""

    column: str
    others: float  # mean detail lost of the other columns, as released
    without: float | None = None  # the same without the column; null where that was not found
    left_out: Count | None = None  # rows
    stopped: bool = False  # at the time limit: a longer search may lose less
    because: str = ""  # why it was not found
