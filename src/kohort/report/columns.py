"""What happened to each quasi-identifier: the levels of its hierarchy, the released one marked."""

from __future__ import annotations

from kohort.facts import ReleaseFacts
from kohort.facts.columns import Generalized
from kohort.report.blocks import Block, Step, table, text
from kohort.report.words import count, percent, short

EXAMPLE = 24  # characters of an example in a chain


def column_levels(facts: ReleaseFacts) -> list[Block]:
    """Return a table of the quasi-identifiers with their chains of levels."""
    columns = generalized(facts)
    rows = [
        (
            name,
            _chain(column) if _has_levels(column) else _released_as(column, facts),
            f"{count(column.values)} → {count(column.released_values)}",
            percent(column.loss),
        )
        for name, column in columns.items()
    ]
    lost = " Of a suppressed row all detail is lost." if facts.suppressed else ""
    said = (
        "From exact to nothing told, with the number of labels that the hierarchy has at each level, whether they occur or not. "
        "The level that was released is framed, with the released value that most rows hold as an example, missing values apart; "
        "levels finer than the release show none."
        if any(map(_has_levels, columns.values()))
        else "No column was released at one level as a whole. Of each is told what the released values are."
    )
    return [
        text(said + lost),
        table(("column", "released as", "values that occur", "detail lost"), rows, (2, 3)),
    ]


def generalized(facts: ReleaseFacts) -> dict[str, Generalized]:
    """Return what happened to each quasi-identifier, by name."""
    return {c.name: c.generalized for c in facts.columns if c.generalized is not None}


def released_levels(facts: ReleaseFacts) -> dict[str, str]:
    """Return the name of the level by which each column is released that is released by one."""
    found = generalized(facts).items()
    return {name: c.levels[c.level].name for name, c in found if c.level is not None and _has_levels(c)}


def _has_levels(column: Generalized) -> bool:
    return column.level is not None and bool(column.levels)


def _chain(column: Generalized) -> list[Step]:
    return [
        Step(
            step.name,
            "" if step.labels == 1 or height == column.level else count(step.labels),
            short(step.example, EXAMPLE) if step.example and height == column.level else "",
            height == column.level,
        )
        for height, step in enumerate(column.levels)
    ]


def _released_as(column: Generalized, facts: ReleaseFacts) -> str:
    what = (
        "as values, ranges or sets of values"
        if facts.algorithm.truthful
        else f"as the {column.told_by or 'value'} that stands for each group"
    )
    return (
        f"{what}; the most frequent, missing values apart, is {short(column.example, 40)}"
        if column.example
        else what
    )
