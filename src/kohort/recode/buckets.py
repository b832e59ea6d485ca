"""Anatomy's release: quasi-identifiers as they are, sensitive values group by group, in two tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.recode.levels import level_column
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded

GROUP, COUNT = "group", "count"  # the columns that the two tables have beside those of the original


@dataclass(frozen=True, eq=False)
class Buckets:
    """Rows are put into groups; who is in a group and what occurs in it are told by separate tables.

    What is released is `tables`: one with every column but the sensitive one, exact, and the group of each
    row; one with how often each sensitive value occurs in each group. `apply` describes the quasi-identifiers
    of the first table, which are ground values: metrics see no loss, and models judged on its classes see the
    original tuples. The promise of this release is about groups and is judged from the two tables
    (`kohort.verification.anatomy`).
    """

    group_of: IntArray  # (n_rows) 1 … n_groups, numbers that tell nothing
    column: str  # the sensitive column that is torn off
    l: int  # noqa: E741 - no value is more than 1/l of its group

    def apply(self, problem: Problem) -> Recoded:
        """Return the quasi-identifiers as they are."""
        columns = tuple(level_column(h, 0, problem.codes[:, j]) for j, h in enumerate(problem.hierarchies))
        return Recoded(columns, np.ones(problem.n_rows, np.bool_))

    def facts(self, problem: Problem) -> dict[str, Any]:  # noqa: ARG002
        """Return the number of groups, the sensitive column and its diversity."""
        return {"groups": len(np.unique(self.group_of)), "column": self.column, "l": self.l}

    def tables(self, columns: Mapping[str, pa.Array], order: IntArray | None = None) -> dict[str, pa.Table]:
        """Return the two tables to release, from the decoded columns of the original (without identifiers).

        `quasi`: all columns but the sensitive one, and `group`; rows in the order given, else by group and
        in random order within.
        `sensitive`: `group`, the sensitive column and `count`, by group and value. Nothing but the group
        links the two; values and types are those of the columns given.
        """
        taken = sorted({GROUP, COUNT} & set(columns))
        if taken:
            raise InputError(
                f"anatomy: the table has a column named {', '.join(map(repr, taken))}, which the released tables "
                "need for themselves; rename it"
            )
        if order is None:
            order = np.lexsort((np.random.default_rng().random(len(self.group_of)), self.group_of))
        rows = pa.array(order)
        quasi = {name: values.take(rows) for name, values in columns.items() if name != self.column}
        return {
            "quasi": pa.table({**quasi, GROUP: pa.array(self.group_of[order])}),
            "sensitive": self._counted(columns[self.column]),
        }

    def _counted(self, values: pa.Array) -> pa.Table:
        coded = values.dictionary_encode(null_encoding="encode")
        if isinstance(coded, pa.ChunkedArray):
            coded = coded.unify_dictionaries().combine_chunks()
        names = coded.dictionary
        by_text = np.argsort(np.array([str(name) for name in names.to_pylist()], dtype=object), kind="stable")
        rank = np.empty(len(names), np.int64)
        rank[by_text] = np.arange(len(names))
        keys, counts = np.unique(
            self.group_of.astype(np.int64) * len(names) + rank[np.asarray(coded.indices)], return_counts=True
        )
        held = names.take(pa.array(by_text[keys % len(names)]))
        return pa.table({GROUP: pa.array(keys // len(names)), self.column: held, COUNT: pa.array(counts)})
