"""`GroupContents`: what the two tables of a release in groups say, read from nothing but their cells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram
from kohort.errors import InputError
from kohort.models import Attribute
from kohort.table import Column, Table
from kohort.verification.judges.definitions import Counted, counted_lines
from kohort.verification.judges.promises import codes_in

GROUP, COUNT = "group", "count"


@dataclass(frozen=True, eq=False)
class GroupContents:
    """The group of every record by the one table, and values with counts by group from the other."""

    group_of: IntArray  # per record, a place among the groups of both tables
    owner_of: IntArray  # the same per line of the second table
    values: Column  # per line
    counts: IntArray  # per line; what exceeds all records is told as one more than these
    n_groups: int
    stands_apart: bool  # the torn column is in the second table only, and nothing else is

    @classmethod
    def of(cls, rows: Table, values: Table, column: str) -> GroupContents:
        """Read the two tables; raises InputError where they are not such."""
        for table, needed in ((rows, [GROUP]), (values, [GROUP, column, COUNT])):
            missed = [name for name in needed if name not in table.columns]
            if missed:
                raise InputError(
                    f"tables joined by groups: a released table misses the column {', '.join(map(repr, missed))}",
                    code="release.document",
                    columns=missed,
                )
        one, other = _numbers(rows[GROUP]), _numbers(values[GROUP])
        names = np.union1d(one, other)
        return cls(
            np.searchsorted(names, one),
            np.searchsorted(names, other),
            values[column],
            np.clip(_numbers(values[COUNT]), 0, rows.n_rows + 1),
            len(names),
            column not in rows.columns and set(values.columns) == {GROUP, column, COUNT},
        )

    @cached_property
    def sizes(self) -> IntArray:
        """The records of each group by the first table."""
        return np.bincount(self.group_of, minlength=self.n_groups)

    @cached_property
    def counted(self) -> IntArray:
        """The records of each group by the second table."""
        return np.bincount(self.owner_of, self.counts, minlength=self.n_groups).astype(np.int64)

    @cached_property
    def most(self) -> IntArray:
        """The count of the most frequent value of each group."""
        most = np.zeros(self.n_groups, np.int64)
        np.maximum.at(most, self.owner_of, self.counts)
        return most

    @property
    def once(self) -> bool:
        """Whether each (group, value) stands once, with a count above zero."""
        pairs = self.owner_of * (len(self.values.values) + 1) + self.values.codes
        return len(np.unique(pairs)) == len(pairs) and bool((self.counts > 0).all())

    @property
    def totals(self) -> IntArray:
        """The records of each value in all groups."""
        told = np.bincount(self.values.codes, self.counts, minlength=len(self.values.values))
        return told.astype(np.int64)

    def histogram(self, codes: IntArray, size: int) -> Histogram:
        """Return how many records of each group hold each value, where line i tells of value `codes[i]`."""
        return Histogram.of(self.owner_of, codes.astype(np.int32), self.n_groups, size, self.counts)

    def classes(self, attribute: Attribute) -> Classes:
        """Return the groups as classes, their values coded as in `attribute`; groups without values are left out."""
        codes, some = codes_in(self.values, attribute)[self.values.codes], self.counts > 0
        held = Histogram.of(
            self.owner_of[some],
            codes[some].astype(np.int32),
            self.n_groups,
            len(attribute.labels),
            self.counts[some],
        )
        whole = Classes(
            np.arange(self.n_groups, dtype=np.int32)[:, None],
            (0,),
            self.counted,
            self.counted,
            {attribute.name: held},
        )
        return whole.kept(np.flatnonzero(self.counted > 0))

    def counted_by(self, attribute: Attribute) -> Counted:
        """Return the groups as the definitions count them, their values coded as in `attribute`."""
        codes = codes_in(self.values, attribute)[self.values.codes]
        return counted_lines(attribute.name, self.owner_of, codes, self.counts)


def _numbers(column: Column) -> IntArray:
    """Return a column of whole numbers row by row."""
    try:
        numbers = np.array([int(str(text)) for text in column.texts], np.int64)
    except (ValueError, OverflowError):
        raise InputError(
            f"tables joined by groups: the column {column.name!r} of a released table must hold whole numbers",
            code="release.document",
            column=column.name,
        ) from None
    return np.asarray(numbers[column.codes])
