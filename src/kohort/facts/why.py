"""Why rows were left out, and what keeps columns from being told more finely. Private."""

from __future__ import annotations

from kohort.facts.fact import Count, Fact


class BrokenPromises(Fact, frozen=True):
    """Rows that were left out because their classes would break the same promises."""

    promises: tuple[str, ...]  # none: their classes would keep all, and the search gave them up all the same
    rows: Count


class CoarserColumn(Fact, frozen=True):
    """What one more level of a column would have saved."""

    column: str
    level: str  # the next coarser one
    rows: Count  # of those left out, whose classes would keep every promise then


class FinerColumn(Fact, frozen=True):
    """What one level less of a column would take, all others as they are."""

    column: str
    level: str  # the next finer one
    left_out: Count  # rows that would have to be
    allowed: bool  # whether as many may be, and somebody would be left


class Why(Fact, frozen=True):
    """Why rows were left out: by the classes they would be in."""

    by_levels: bool  # classes at the released levels; else those of the rows as exact as the plan allows
    broken: tuple[BrokenPromises, ...] = ()
    coarser: tuple[CoarserColumn, ...] = ()
    finer: tuple[FinerColumn, ...] = ()  # where whole columns were released at one level
    skipped: bool = False  # the table has too many classes to try other levels when it is written
