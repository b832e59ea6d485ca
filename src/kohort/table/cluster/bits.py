"""Codes of several columns in few numbers of 64 bits, for rows on their way to Spark: what it holds of a row is then small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kohort.arrays import IntArray

BITS = 62


@dataclass(frozen=True)
class Bits:
    """How many bits the codes of each column take; a number is filled before the next is begun."""

    widths: tuple[int, ...]

    @classmethod
    def of(cls, sizes: Sequence[int]) -> Bits:
        """Return the bits of columns that have so many codes."""
        return cls(tuple(max(int(size) - 1, 1).bit_length() for size in sizes))

    @property
    def n_words(self) -> int:
        """How many numbers there are."""
        return len(self._words())

    def packed(self, codes: Sequence[IntArray]) -> list[IntArray]:
        """Return the numbers of rows, from the codes of every column."""
        told = []
        for word in self._words():
            number = np.zeros(len(codes[0]), np.int64)
            for j, shift in word.items():
                number |= codes[j].astype(np.int64) << shift
            told.append(number)
        return told

    def sql(self, words: Sequence[str]) -> list[str]:
        """Return the SQL of the code of every column, from what the numbers are called."""
        found = {
            j: f"CAST(shiftright({name}, {shift}) & {(1 << self.widths[j]) - 1} AS INT)"
            for name, word in zip(words, self._words(), strict=True)
            for j, shift in word.items()
        }
        return [found[j] for j in sorted(found)]

    def _words(self) -> list[Mapping[int, int]]:
        """Return, for every number, by how many bits each of its columns is shifted."""
        words: list[dict[int, int]] = []
        used = BITS
        for j, width in enumerate(self.widths):
            if used + width > BITS:
                words.append({})
                used = 0
            words[-1][j] = used
            used += width
        return list(words)
