"""The distinct values of a column that is read piece by piece."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.arrays import IntArray
from kohort.table.counted import CountedColumn
from kohort.table.table import Column
from kohort.table.value_room import ValueRoom
from kohort.table.whole_numbers import plain_numbers


class Dictionary:
    """Codes every piece of a column by one list of values, which grows as new values are met."""

    def __init__(self, name: str, kind: pa.DataType, room: ValueRoom | None = None) -> None:
        self._name, self._room = name, room
        self._values = pa.array([], kind)
        self._totals: IntArray = np.zeros(0, np.int64)

    def encode(self, piece: Column) -> IntArray:
        """Return the code of every row of a piece; O(rows + values)."""
        codes: IntArray = self.count(piece)[piece.codes]
        return codes

    def count(self, piece: Column) -> IntArray:
        """Return the code of every value of a piece."""
        at = pc.index_in(piece.values, value_set=self._values)
        if at.null_count:
            self._values = pa.concat_arrays([self._values, piece.values.filter(at.is_null())])
            if self._room is not None:
                self._room.hold(self._name, len(self._values), self._values.nbytes)
            at = pc.index_in(piece.values, value_set=self._values)
        code_of: IntArray = plain_numbers(at)
        totals = np.zeros(len(self._values), np.int64)
        totals[: len(self._totals)] = self._totals
        np.add.at(totals, code_of, piece.counts())
        self._totals = totals
        return code_of

    def __len__(self) -> int:
        return len(self._values)

    def column(self) -> CountedColumn:
        """Return the values met so far, with their counts."""
        return CountedColumn.of(self._name, self._values, self._totals)
