"""Codes of several columns as few numbers of 64 bits, which Spark groups, joins and sorts fastest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.table.packing import LIMIT, Packing


@dataclass(frozen=True, eq=False)
class Digit:
    """What SQL calls a number of rows below `size`; which code each number stands for, where it is not the code itself."""

    sql: str
    size: int
    codes: IntArray | None = None
    view: str | None = None  # that rows are joined with for it

    def told(self, numbers: IntArray) -> IntArray:
        """Return the codes of numbers."""
        return numbers if self.codes is None else self.codes[numbers]

    def of(self, codes: IntArray) -> IntArray:
        """Return the numbers of codes; a code that no number stands for is nowhere, and its number no row's."""
        if self.codes is None:
            return codes
        number = np.full(
            max(int(self.codes.max(initial=0)), int(codes.max(initial=0))) + 1, self.size, np.int64
        )
        number[self.codes] = np.arange(self.size)
        return number[codes]


class Keys:
    """The keys of rows: each is a number in mixed radix, one digit per column, or one column where they are `apart`."""

    def __init__(self, digits: Sequence[Digit], apart: bool = False) -> None:
        self._digits = digits
        sizes = tuple(
            LIMIT if apart else digit.size + 1 for digit in digits
        )  # one more: a number that no row has
        self.packing = Packing(tuple(digit.sql for digit in digits), sizes)
        self._apart = apart

    @property
    def sql(self) -> list[str]:
        """What SQL calls each key."""
        told, packed = [], self.packing.keys()
        for positions in packed:
            key = self._digits[positions[0]].sql
            key = key if self._apart else f"CAST({key} AS BIGINT)"
            for j in positions[1:]:
                key = f"({key}) * {self.packing.sizes[j]} + {self._digits[j].sql}"
            told.append(key)
        return told

    def of(self, codes: IntArray) -> list[IntArray]:
        """Return the keys of codes, column by column."""
        numbers = [digit.of(codes[:, j]) for j, digit in enumerate(self._digits)]
        stacked = np.column_stack(numbers).astype(np.int64)
        packed = self.packing.packed(stacked)
        return [packed.column(name).to_numpy() for name in self.packing.names]

    def codes(self, keys: Sequence[IntArray]) -> list[IntArray]:
        """Return the codes of keys, column by column."""
        table = pa.table({name: pa.array(key) for name, key in zip(self.packing.names, keys, strict=True)})
        unpacked = self.packing.unpacked(table)
        return [digit.told(number) for digit, number in zip(self._digits, unpacked, strict=True)]
