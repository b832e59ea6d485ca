"""`CountedColumn`: a column of which the values and their counts are known, while the rows are elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.table.table import Column


@dataclass(frozen=True, eq=False)
class CountedColumn(Column):
    """Distinct values and how many rows hold each; `codes` is empty."""

    totals: IntArray

    @classmethod
    def of(cls, name: str, values: pa.Array, totals: IntArray) -> CountedColumn:
        """Return the column of these values, in this order."""
        return cls(name, np.zeros(0, np.int32), values, totals)

    def counts(self) -> IntArray:
        """Return how many rows hold each distinct value."""
        return self.totals
