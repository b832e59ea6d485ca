"""What is told of a column: to the holder what happened to it, in public what stands in it."""

from __future__ import annotations

from kohort.facts.fact import Count, Fact, Free


class LevelFacts(Fact, frozen=True):
    """One level of a hierarchy."""

    name: str
    labels: Count  # that it has, whether they occur or not
    example: str | None  # a label that enough people share; of the released level and above


class Generalized(Fact, frozen=True):
    """What happened to a quasi-identifier."""

    hierarchy: str | None  # the kind that was declared
    height: Count
    level: Count | None  # where the whole column was released at one
    levels: tuple[LevelFacts, ...]
    domain: Count  # ground values
    values: Count  # that occur in the original
    released_values: Count
    example: str | None  # the released value that most records hold, missing ones apart, if enough people do
    loss: float  # 0 as exact as before, 1 nothing told
    told_by: str | None = None  # what stands for a group, where values are perturbed: `mean`, `median`, …


class ColumnFacts(Fact, frozen=True, omit_defaults=True):
    """A column of the original, for its holder."""

    name: str
    role: str
    released: bool
    generalized: Generalized | None = None  # of quasi-identifiers
    told: str = ""  # how coarsely, in words, where the plan has it told so in every row


class Shown(Fact, frozen=True):
    """A value, and how many released rows hold it."""

    value: str | None
    rows: Count


class ReleasedColumn(Fact, frozen=True, omit_defaults=True):
    """A column as it stands in the release; of a quasi-identifier also which values most rows share."""

    name: str
    role: str
    values: Count | None = None  # how many there are, where they are counted
    hierarchy: Free | None = None  # as it was declared
    declared: str = ""  # the same in words
    shown: tuple[Shown, ...] | None = None  # the most frequent values, if enough rows share them
    others: Count | None = None  # rows with other values
