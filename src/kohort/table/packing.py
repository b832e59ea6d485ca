"""Codes of several columns as few 64-bit numbers, which DuckDB groups and joins fastest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.table.whole_numbers import whole

LIMIT = 2**62


@dataclass(frozen=True)
class Packing:
    """Which columns share a key: each key is a number in mixed radix, one digit per column."""

    columns: tuple[str, ...]
    sizes: tuple[int, ...]  # number of codes of each column

    def keys(self) -> list[list[int]]:
        """Return the positions of the columns in each key; a key is filled before the next is begun."""
        found: list[list[int]] = [[]]
        room = LIMIT
        for j, size in enumerate(self.sizes):
            if found[-1] and size > room:
                found.append([])
                room = LIMIT
            found[-1].append(j)
            room //= max(size, 1)
        return found

    @property
    def is_ordered(self) -> bool:
        """Whether keys stand in the order of the codes."""
        return True

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the keys."""
        return tuple(f"k{i}" for i in range(len(self.keys())))

    def expressions(self) -> list[str]:
        """Return the SQL of each key over the columns, under its name."""
        return [f"{key} AS {name}" for name, key in self.sql().items()]

    def sql(self) -> dict[str, str]:
        """Return the SQL of each key over the columns, by its name."""
        told = {}
        for name, positions in zip(self.names, self.keys(), strict=True):
            key = f"{self.columns[positions[0]]}::BIGINT"
            for j in positions[1:]:
                key = f"({key}) * {self.sizes[j]} + {self.columns[j]}"
            told[name] = key
        return told

    def digits(self) -> list[str]:
        """Return the SQL of every column over the keys, under its name."""
        told = {}
        for name, positions in zip(self.names, self.keys(), strict=True):
            unit = 1
            for j in reversed(positions):
                told[j] = f"({name} // {unit} % {self.sizes[j]})::INTEGER AS {self.columns[j]}"
                unit *= self.sizes[j]
        return [told[j] for j in sorted(told)]

    def packed(self, codes: IntArray) -> pa.Table:
        """Return the keys of codes, a row for each."""
        if not self.sizes:
            return pa.table({"k0": np.zeros(len(codes), np.int64)})
        words = self.words([codes[:, j] for j in range(len(self.sizes))])
        return pa.table(dict(zip(self.names, words, strict=True)))

    def words(self, codes: Sequence[IntArray]) -> list[IntArray]:
        """Return the keys of codes that are told column by column."""
        told = []
        for positions in self.keys():
            key: IntArray = codes[positions[0]].astype(np.int64)
            for j in positions[1:]:
                key = key * self.sizes[j] + codes[j]
            told.append(key)
        return told

    def unpacked(self, table: pa.Table) -> list[IntArray]:
        """Return the codes of every column from the keys."""
        codes: list[IntArray] = []
        for name, positions in zip(self.names, self.keys(), strict=True):
            rest = whole(table, name).copy()
            digits = []
            for j in reversed(positions):
                digits.append((rest % self.sizes[j]).astype(np.int32))
                rest //= self.sizes[j]
            codes += reversed(digits)
        return codes
