"""`column_levels`: the hierarchy of a plan's column over the values of a table, with the rows that every label holds.

It reads the data: whoever sees it sees what the table holds, so it is for the holder of the table alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.hierarchy import UNTOLD, Hierarchy, Label, build_hierarchy
from kohort.plan import Plan
from kohort.preparation.sources import read_source


@dataclass(frozen=True, eq=False)
class ColumnLevels:
    """A hierarchy, the distinct values of its column and how many rows have each."""

    hierarchy: Hierarchy
    texts: tuple[Label, ...]
    counts: IntArray

    def rows_at(self, level: int) -> IntArray:
        """Return how many rows every label of a level holds."""
        ground = self.hierarchy.encode(self.texts, self.counts)
        held = self.hierarchy.levels[level].of_ground[ground]
        rows = np.bincount(held, self.counts, minlength=len(self.hierarchy.levels[level].labels))
        return rows.astype(np.int64)

    def told(self) -> list[dict[str, Any]]:
        """Return every level, from the ground up, with its labels, their rows and their ground values."""
        return [
            {
                "level": height,
                "name": name,
                "labels": [
                    {"label": label, "rows": rows, "values": values}
                    for label, rows, values in zip(
                        level.labels, self.rows_at(height).tolist(), level.leaves.tolist(), strict=True
                    )
                ],
            }
            for height, (name, level) in enumerate(
                zip(self.hierarchy.level_names(), self.hierarchy.levels, strict=True)
            )
        ]


def column_levels(plan: Plan | Mapping[str, Any], column: str, source: Any = None) -> ColumnLevels:
    """Return the levels that a plan declares for a column, over a table: a frame, a path, or the one that the plan names.

    >>> import pyarrow as pa
    >>> asked = {"columns": {"zip": {"role": "quasi", "hierarchy": {"kind": "prefix", "lengths": [3]}}},
    ...          "require": [{"model": "k-anonymity", "k": 2}]}
    >>> found = column_levels(asked, "zip", pa.table({"zip": ["94138", "94139", "94138"]}))
    >>> found.hierarchy.levels[1].labels, found.rows_at(1).tolist()
    (('941*',), [3])
    """
    asked = Plan.of(plan)
    if column not in asked.columns:
        raise InputError(
            f"the plan has no column {column!r}; its columns are: {', '.join(asked.columns) or '(none)'}",
            code="plan.unknown-column",
            column=column,
            allowed=list(asked.columns),
        )
    table, _ = read_source(_place(asked) if source is None else source, asked, (column,))
    held = table[column]
    spec, counts = asked.columns[column].hierarchy or UNTOLD, held.counts()
    return ColumnLevels(
        build_hierarchy(column, spec, held.texts, counts.tolist(), asked.base), held.texts, counts
    )


def _place(plan: Plan) -> Any:
    if plan.input.path is None:
        raise InputError(
            "the plan does not say where the table is; name it under [input] path",
            code="plan.no-path",
            option="path",
        )
    return plan.base / plan.input.path
