"""Where keys of several numbers stand among some that are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import IntArray

_DENSE = 1 << 24  # numbers for which a place each is kept


class Places:
    """The places of known keys, none of which is there twice."""

    def __init__(self, words: Sequence[IntArray]) -> None:
        self._steps = []
        number = np.zeros(len(words[0]), np.int64)
        for word in words:
            values = np.unique(word)
            number = number * len(values) + np.searchsorted(values, word)
            among = np.unique(number)
            number = np.searchsorted(among, number)
            self._steps.append((_Ranks(values), len(values), _Ranks(among)))
        self._place = np.argsort(number)

    def of(self, words: Sequence[IntArray]) -> IntArray:
        """Return the place of each key, -1 for one that is not known."""
        number, known = np.zeros(len(words[0]), np.int64), np.ones(len(words[0]), np.bool_)
        for word, (values, size, among) in zip(words, self._steps, strict=True):
            rank = values.of(word)
            known &= rank >= 0
            number = among.of(number * size + rank)
            known &= number >= 0
        if not len(self._place):
            return np.full(len(number), -1)
        found: IntArray = np.where(known, self._place[number], -1)
        return found


class _Ranks:
    """The ranks of numbers in order."""

    def __init__(self, numbers: IntArray) -> None:
        self._numbers = numbers
        self._table: IntArray | None = None
        most = int(numbers[-1]) if len(numbers) else -1
        if most < _DENSE:
            self._table = np.full(most + 2, -1, np.int32)
            self._table[numbers] = np.arange(len(numbers))

    def of(self, numbers: IntArray) -> IntArray:
        """Return the rank of each number, -1 for one that is not there."""
        if self._table is not None:  # the last place is of numbers that are larger than all
            place: IntArray = np.clip(numbers, -1, len(self._table) - 1)
            return self._table[place].astype(np.int64)
        rank = np.searchsorted(self._numbers, numbers)
        rank[rank == len(self._numbers)] = 0
        found: IntArray = np.where(self._numbers[rank] == numbers, rank, -1)
        return found
