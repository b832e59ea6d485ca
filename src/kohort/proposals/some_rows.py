"""`SomeRows`: some rows of several columns, which show of most columns at once that another one does not follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.table import Column

ROWS = 256  # that are looked at, spread over the table
_OFFSETS = (2, 4, 8, 16)  # pairs are a half, a fourth … of the rows apart in the order of a column


@dataclass(frozen=True, eq=False)
class SomeRows:
    """Some rows of the columns: their codes, and their numbers, not-a-number where there is none.

    What two rows show is exact: no column is ruled out that the other follows from.
    """

    rows: IntArray
    codes: IntArray  # (columns, rows)
    numbers: FloatArray  # the same
    is_number: BoolArray  # per column

    @classmethod
    def of(cls, columns: Sequence[tuple[Column, FloatArray | None]]) -> SomeRows:
        """Return those of columns, and of their numbers, by row, where they have them."""
        n = len(columns[0][0].codes) if columns else 0
        rows = np.unique(np.linspace(0, max(n - 1, 0), min(n, ROWS)).astype(np.int64))
        shape = len(columns), len(rows)
        unknown = np.full(len(rows), np.nan)
        return cls(
            rows,
            np.array([column.codes[rows] for column, _ in columns]).reshape(shape),
            np.array([unknown if own is None else own[rows] for _, own in columns]).reshape(shape),
            np.array([own is not None for _, own in columns], np.bool_),
        )

    def may_settle(self, column: Column) -> BoolArray:
        """Mark the columns that have no two rows alike in which this one differs."""
        one, other = _pairs(column.codes[self.rows].astype(np.float64))
        return np.asarray((self.codes[:, one] != self.codes[:, other]).all(axis=1))

    def may_rise_with(self, numbers: FloatArray) -> BoolArray:
        """Mark the columns of numbers that always rise, or always fall, where this one rises."""
        low, high = _pairs(numbers[self.rows])
        first, second = self.numbers[:, low], self.numbers[:, high]
        rises, falls = (first < second).any(axis=1), (first > second).any(axis=1)
        return np.asarray(self.is_number & ~(first == second).any(axis=1) & ~(rises & falls))


def _pairs(values: FloatArray) -> tuple[IntArray, IntArray]:
    """Return pairs of rows of which the first has less of a column than the second."""
    order = np.argsort(values, kind="stable")[: int((~np.isnan(values)).sum())]
    steps = [len(order) // part for part in _OFFSETS if len(order) >= part]
    low = np.concatenate([order[: len(order) - step] for step in steps] or [order[:0]])
    high = np.concatenate([order[step:] for step in steps] or [order[:0]])
    apart = values[low] < values[high]
    return low[apart], high[apart]
