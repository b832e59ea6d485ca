"""Anatomy's release: quasi-identifiers as they are, sensitive values group by group, in two tables."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.classes import Classes, classes_of_rows
from kohort.errors import InputError
from kohort.facts.figures import Sizes
from kohort.facts.head import Apart
from kohort.metrics import Outcome
from kohort.models import GroupPromise
from kohort.recode.levels import level_column
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded
from kohort.table import Column, Table

GROUP, COUNT = "group", "count"  # the columns that the two tables have beside those of the original


@dataclass(frozen=True, eq=False)
class Buckets:
    """Rows are put into groups; who is in a group and what occurs in it are told by separate tables.

    The quasi-identifiers are released as they are: metrics see no loss, and promises about tuples are those of the
    original. What is promised is about groups.
    """

    group_of: IntArray  # (n_rows) 1 … n_groups, numbers that tell nothing
    promise: GroupPromise

    def apply(self, problem: Problem) -> Recoded:
        """Return the quasi-identifiers as they are, and the sensitive column apart from them."""
        columns = tuple(level_column(h, 0, problem.codes[:, j]) for j, h in enumerate(problem.hierarchies))
        in_groups = InGroups(self.promise, self.group_of)
        return Recoded(columns, np.ones(problem.n_rows, np.bool_), publication=in_groups)

    def facts(self, problem: Problem) -> dict[str, Any]:  # noqa: ARG002
        """Return the number of groups, the column that stands apart and what is promised of it."""
        groups = len(np.unique(self.group_of))
        return {"groups": groups, **asdict(self.promise)}


@dataclass(frozen=True, eq=False)
class InGroups:
    """A sensitive column that is told by groups, in a table of its own."""

    promise: GroupPromise
    group_of: IntArray  # (n_rows)

    def tables(self, released: Table, rows: IntArray) -> dict[str, Table]:
        """Return the rows with their groups, and the values of the groups."""
        return two_tables(released, self.promise.column, self.group_of[rows])

    def told(self, problem: Problem, outcome: Outcome) -> Classes:  # noqa: ARG002
        """Return the groups, each with its sensitive values."""
        sizes = {name: histogram.size for name, histogram in problem.base.sensitive.items()}
        sensitive = {name: (codes, sizes[name]) for name, codes in problem.sensitive.items()}
        return classes_of_rows(self.group_of[:, None].astype(np.int32), sensitive, problem.respondents)[0]

    def facts(self, sizes: tuple[Sizes, ...]) -> Apart:
        """Return which column is told by how many groups, what is promised of them, and how large they are."""
        groups, promise = len(np.unique(self.group_of)), self.promise
        return Apart(promise.column, promise.l, promise.least, groups, sizes)


def two_tables(released: Table, column: str, group_of: IntArray) -> dict[str, Table]:
    """Return the tables to release, from the released rows and the group of each.

    `table`: all columns but the one apart, in the order of the rows, and `group`. `sensitive`: `group`, that
    column and `count`, by group and value. Nothing but the group links the two: the order of the second
    follows from what it says. Values keep their types.
    """
    taken = sorted({GROUP, COUNT} & set(released.columns))
    if taken:
        raise InputError(
            f"tables joined by groups: the table has a column named {', '.join(map(repr, taken))}, which the released "
            "tables need for themselves; rename it",
            code="table.reserved-name",
            columns=taken,
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
