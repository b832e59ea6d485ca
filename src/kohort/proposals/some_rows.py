"""`SomeRows`: some rows of several columns, which show of most columns at once that another one does not follow from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.table import Column

ROWS = 256  # that are looked at, spread over the table
_FEW = 16  # pairs that are looked at before the others
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

    def may_settle(self, column: Column, among: IntArray) -> IntArray:
        """Return those columns `among` some that have no two rows alike in which this one differs."""
        for one, other in _pairs(column.codes[self.rows].astype(np.float64)):
            if not len(among):
                break
            codes = self.codes[among]
            among = among[(codes[:, one] != codes[:, other]).all(axis=1)]
        return among

    def may_rise_with(self, numbers: FloatArray, among: IntArray) -> IntArray:
        """Return those columns of numbers `among` some that always rise, or always fall, where this one rises."""
        among = among[self.is_number[among]]
        for low, high in _pairs(numbers[self.rows]):
            if not len(among):
                break
            own = self.numbers[among]
            first, second = own[:, low], own[:, high]
            rises, falls = (first < second).any(axis=1), (first > second).any(axis=1)
            among = among[~((first == second).any(axis=1) | (rises & falls))]
        return among


def _pairs(values: FloatArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield pairs of rows of which the first has less of a column than the second: few first, which rule out most."""
    order = np.argsort(values, kind="stable")[: int((~np.isnan(values)).sum())]
    steps = [len(order) // part for part in _OFFSETS if len(order) >= part]
    low = np.concatenate([order[: len(order) - step] for step in steps] or [order[:0]])
    high = np.concatenate([order[step:] for step in steps] or [order[:0]])
    apart = values[low] < values[high]
    low, high = low[apart], high[apart]
    some = np.arange(len(low)) % max(len(low) // _FEW, 1) == 0
    yield low[some], high[some]
    yield low[~some], high[~some]
