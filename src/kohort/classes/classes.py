"""`Classes`: equivalence classes, the narrow waist between tables and everything that judges them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes.grouping import group, group_columns
from kohort.classes.histogram import Histogram
from kohort.classes.holders import Holders
from kohort.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class Classes:
    """Equivalence classes: how many records share each generalized QI tuple.

    The table itself is the `Classes` at the bottom of the lattice. `sizes` counts respondents: rows,
    unless a respondent column is named; then `respondents` holds who is in which class, and a person
    with rows in two classes that are merged is counted once. `rows` counts records always.

    `sensitive` counts records too. `people_holding` counts people, and is what promises are judged by: where some
    people have several rows, `holders` knows who holds what; where nobody has, records are people.
    """

    codes: IntArray  # int32 (n_classes, n_qi), at `levels`
    levels: tuple[int, ...]
    sizes: IntArray  # int64, respondents per class
    rows: IntArray  # int64, records per class; the same array as `sizes` without a respondent column
    sensitive: Mapping[str, Histogram] = field(default_factory=dict)  # (class, value) -> records
    respondents: Histogram | None = None  # (class, person) -> records
    holders: Mapping[str, Holders] = field(
        default_factory=dict
    )  # of sensitive columns; empty: a row is a person

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def n_rows(self) -> int:
        """The number of records in all classes."""
        return int(self.rows.sum())

    def people_holding(self, column: str) -> Histogram:
        """Return how many people of each class hold each value of a sensitive column, in any of their rows."""
        held = self.holders.get(column)
        return self.sensitive[column] if held is None else held.people

    def alone(self) -> int:
        """Return how many people are the only ones in some class; records, where a record is a person."""
        own = self.sizes == 1
        if self.respondents is None:
            return int(own.sum())
        return len(np.unique(self.respondents.kept(own).values))

    def rollup(self, hierarchies: Sequence[Hierarchy], levels: Sequence[int]) -> Classes:
        """Return the coarser classes at `levels`, merged from these and never from rows."""
        return self.rolled_up(hierarchies, levels)[0]

    def rolled_up(self, hierarchies: Sequence[Hierarchy], levels: Sequence[int]) -> tuple[Classes, IntArray]:
        """Return the coarser classes at `levels`, and which of them each of these is in."""
        if any(low > high for low, high in zip(self.levels, levels, strict=True)):
            raise AssertionError(
                f"classes at levels {self.levels} tell nothing of finer ones, {tuple(levels)}"
            )
        mapped = np.empty_like(self.codes)
        for j, (hierarchy, low, high) in enumerate(zip(hierarchies, self.levels, levels, strict=True)):
            mapped[:, j] = hierarchy.step(low, high)[self.codes[:, j]]
        codes, class_of = group(mapped)
        return self.merged(codes, class_of, levels=tuple(levels)), class_of

    def merged(self, codes: IntArray, class_of: IntArray, levels: tuple[int, ...] | None = None) -> Classes:
        """Return these classes merged: class i becomes part of class `class_of[i]`, whose codes are given."""
        n = len(codes)
        rows = np.bincount(class_of, self.rows, minlength=n).astype(np.int64)
        people = None if self.respondents is None else self.respondents.merged(class_of, n)
        return Classes(
            codes=codes,
            levels=self.levels if levels is None else levels,
            sizes=rows if people is None else people.distinct(),
            rows=rows,
            sensitive={name: h.merged(class_of, n) for name, h in self.sensitive.items()},
            respondents=people,
            holders={name: h.merged(class_of, n) for name, h in self.holders.items()},
        )

    def kept(self, keep: IntArray | BoolArray) -> Classes:
        """Return only the classes at the positions (or under the mask) `keep`."""
        return Classes(
            codes=self.codes[keep],
            levels=self.levels,
            sizes=self.sizes[keep],
            rows=self.rows[keep],
            sensitive={name: h.kept(keep) for name, h in self.sensitive.items()},
            respondents=None if self.respondents is None else self.respondents.kept(keep),
            holders={name: h.kept(keep) for name, h in self.holders.items()},
        )


Watched = Mapping[str, tuple[IntArray, int]]  # value code per row, and the number of values


def classes_of_rows(
    codes: IntArray, sensitive: Watched | None = None, respondents: IntArray | None = None
) -> tuple[Classes, IntArray]:
    """Reduce rows to the classes of equal `codes`, and tell the class of every row.

    `sensitive` maps a name to (value code per row, number of values); `respondents` is a person code
    per row. Rows of `codes` may be at any level; the result says level 0 for all.
    """
    return _counted(*group(codes), sensitive or {}, respondents)


def classes_of_columns(
    columns: Sequence[IntArray], sensitive: Watched | None = None, respondents: IntArray | None = None
) -> tuple[Classes, IntArray]:
    """Reduce rows that lie column by column, as those of tables do, without laying them side by side."""
    return _counted(*group_columns(columns), sensitive or {}, respondents)


def _counted(
    distinct: IntArray, class_of: IntArray, sensitive: Watched, respondents: IntArray | None
) -> tuple[Classes, IntArray]:
    n = len(distinct)
    rows = np.bincount(class_of, minlength=n).astype(np.int64)
    people, holders = None, {}
    if respondents is not None:
        people = Histogram.of(class_of, respondents, n, int(respondents.max(initial=-1)) + 1)
        if np.bincount(respondents, minlength=1).max() > 1:
            holders = {
                name: Holders.of(class_of, respondents, values, n, size)
                for name, (values, size) in sensitive.items()
            }
    return Classes(
        codes=distinct,
        levels=(0,) * distinct.shape[1],
        sizes=rows if people is None else people.distinct(),
        rows=rows,
        sensitive={name: Histogram.of(class_of, v, n, size) for name, (v, size) in sensitive.items()},
        respondents=people,
        holders=holders,
    ), class_of
