"""What happened to each quasi-identifier: the levels of its hierarchy, the released one marked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, Step, table, text
from kohort.report.words import count, percent, short

EXAMPLE = 24  # characters of an example in a chain


def column_levels(facts: Mapping[str, Any]) -> list[Block]:
    """Return a table of the quasi-identifiers with their chains of levels."""
    columns = [column for column in facts["columns"] if column["role"] == "quasi"]
    rows = [
        (
            column["name"],
            _chain(column) if _has_levels(column) else _released_as(column, facts),
            f"{count(column['values'])} → {count(column['released_values'])}",
            percent(column["loss"]),
        )
        for column in columns
    ]
    said = (
        "From exact to nothing told, with the number of values at each level. The level that was released is framed, with its "
        "most frequent value as an example; levels finer than the release show none."
        if any(map(_has_levels, columns))
        else "Values of one column were not all treated alike: detail was given up only where a group needed it."
    )
    return [text(said), table(("column", "released as", "distinct values", "detail lost"), rows, (2, 3))]


def _has_levels(column: Mapping[str, Any]) -> bool:
    return column.get("level") is not None and bool(column.get("levels"))


def _chain(column: Mapping[str, Any]) -> list[Step]:
    return [
        Step(
            step["name"],
            "" if step["labels"] == 1 or height == column["level"] else count(step["labels"]),
            short(step["example"], EXAMPLE) if step["example"] and height == column["level"] else "",
            height == column["level"],
        )
        for height, step in enumerate(column["levels"])
    ]


def _released_as(column: Mapping[str, Any], facts: Mapping[str, Any]) -> str:
    what = (
        "as ranges or sets of values"
        if facts["algorithm"]["truthful"]
        else f"as the {facts.get('aggregates', {}).get(column['name'], 'average')} of each group"
    )
    example = column.get("example")
    return f"{what}; the most frequent is {short(example, 40)}" if example else what
