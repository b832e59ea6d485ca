"""Anatomy's release: quasi-identifiers as they are, sensitive values group by group, in two tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.models import GroupPromise
from kohort.recode.levels import level_column
from kohort.recode.problem import Problem
from kohort.recode.recoded import Apart, Recoded
from kohort.table import Column, Table

GROUP, COUNT = "group", "count"  # the columns that the two tables have beside those of the original


@dataclass(frozen=True, eq=False)
class Buckets:
    """Rows are put into groups; who is in a group and what occurs in it are told by separate tables.

    The quasi-identifiers are released as they are: metrics see no loss, and promises about tuples are those of the
    original. What is promised (`torn`) is about groups.
    """

    group_of: IntArray  # (n_rows) 1 … n_groups, numbers that tell nothing
    torn: GroupPromise

    def apply(self, problem: Problem) -> Recoded:
        """Return the quasi-identifiers as they are, and the sensitive column apart from them."""
        columns = tuple(level_column(h, 0, problem.codes[:, j]) for j, h in enumerate(problem.hierarchies))
        apart = Apart(self.torn.column, self.group_of)
        return Recoded(columns, np.ones(problem.n_rows, np.bool_), apart=apart)

    def facts(self, problem: Problem) -> dict[str, Any]:  # noqa: ARG002
        """Return the number of groups, the torn column and what is promised of it."""
        torn = self.torn
        groups = len(np.unique(self.group_of))
        return {"groups": groups, "column": torn.column, "l": torn.l, "least": torn.least}


def two_tables(released: Table, column: str, group_of: IntArray) -> dict[str, Table]:
    """Return the tables to release, from the released rows and the group of each.

    `table`: all columns but the torn one, in the order of the rows, and `group`. `sensitive`: `group`, the torn
    column and `count`, by group and value. Nothing but the group links the two: the order of the second
    follows from what it says. Values keep their types.
    """
    taken = sorted({GROUP, COUNT} & set(released.columns))
    if taken:
        raise InputError(
            f"tables joined by groups: the table has a column named {', '.join(map(repr, taken))}, which the released "
            "tables need for themselves; rename it"
        )
    numbers = Column.from_arrow(GROUP, pa.array(group_of))
    beside = (held for held in released if held.name != column)
    return {
        "table": Table.of((*beside, numbers), released.n_rows),
        "sensitive": _counted(released[column], group_of),
    }


def _counted(values: Column, group_of: IntArray) -> Table:
    """Return how often each value occurs in each group, by group and by the text of the value, missing last."""
    texts = values.texts
    by_text = np.array(sorted(range(len(texts)), key=lambda code: (texts[code] is None, texts[code])))
    rank = np.argsort(by_text)
    keys = group_of.astype(np.int64) * len(texts) + rank[values.codes]
    pairs, counts = np.unique(keys, return_counts=True)
    told = {
        GROUP: pa.array(pairs // len(texts)),
        values.name: values.values.take(pa.array(by_text[pairs % len(texts)])),
        COUNT: pa.array(counts),
    }
    return Table.from_arrow(pa.table(told))
