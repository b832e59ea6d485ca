"""Counting: which rows are alike, and how many of each class hold what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray

_MOST = 2**62  # keys stay below
_CELLS = 2**17  # of a matrix that is looked at at once


@dataclass(frozen=True, eq=False)
class Entries:
    """How many of each class hold each value: by class, then by value, each pair once and above zero."""

    owner: IntArray  # the class
    value: IntArray
    count: IntArray

    @property
    def starts(self) -> IntArray:
        """Where the entries of each class begin; every class has some."""
        return _starts(self.owner)

    @property
    def sums(self) -> IntArray:
        """The counts of each class together."""
        return self.summed(self.count)

    def per_class(self) -> IntArray:
        """Return how many values each class has."""
        return np.bincount(self.owner).astype(np.int64)

    def summed(self, amounts: IntArray) -> IntArray:
        """Return the sum of some amounts, one per entry, for each class."""
        return np.asarray(np.add.reduceat(amounts, self.starts)) if len(amounts) else amounts

    def greatest(self, amounts: IntArray) -> IntArray:
        """Return the greatest of some amounts, one per entry, for each class."""
        return np.asarray(np.maximum.reduceat(amounts, self.starts)) if len(amounts) else amounts

    def descending(self) -> Entries:
        """Return the entries of each class from its most frequent value to its rarest."""
        order = np.lexsort((-self.count, self.owner))
        return Entries(self.owner, self.value[order], self.count[order])

    def places(self) -> IntArray:
        """Return the place of each entry among those of its class, from 0."""
        lengths = np.bincount(self.owner)
        return np.arange(len(self.owner)) - np.repeat(np.cumsum(lengths) - lengths, lengths)

    def matrices(self, size: int) -> Iterator[tuple[slice, IntArray]]:
        """Yield the counts as matrices of classes × `size` values, some classes at a time."""
        ends = np.append(self.starts, len(self.owner))
        step = max(1, _CELLS // max(size, 1))
        for first in range(0, len(ends) - 1, step):
            last = min(first + step, len(ends) - 1)
            these = slice(ends[first], ends[last])
            matrix = np.zeros((last - first, size), np.int64)
            matrix[self.owner[these] - first, self.value[these]] = self.count[these]
            yield slice(first, last), matrix


def numbered(columns: Sequence[IntArray]) -> tuple[IntArray, int]:
    """Return a number for each row, the same for rows that are alike in all columns, and how many there are.

    Numbers are given in the order in which rows that differ come.
    """
    keys, span = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        width = int(column.max(initial=0)) + 1
        if span * width >= _MOST:
            keys, distinct = _dense(keys)
            span = len(distinct)
        keys, span = keys * width + column, span * width
    number, distinct = _dense(keys)
    return number, len(distinct)


def tally(owner: IntArray, value: IntArray, count: IntArray | None = None) -> Entries:
    """Return how often each (class, value) occurs, or how much of `count` it has."""
    width = int(value.max(initial=0)) + 1
    keys = owner.astype(np.int64) * width + value
    if count is None:
        keys = np.sort(keys)
        starts = _starts(keys)
        counts = np.diff(starts, append=len(keys))
    else:
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        starts = _starts(keys)
        counts = np.add.reduceat(count[order], starts) if len(keys) else np.zeros(0, np.int64)
    own, held = np.divmod(keys[starts], width)
    return Entries(own, held, counts.astype(np.int64))


def _starts(ascending: IntArray) -> IntArray:
    """Return where another number begins."""
    return np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1])[: len(ascending)])


def _dense(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Return the place of each key among the distinct ones, and these."""
    encoded = pa.array(keys, pa.int64()).dictionary_encode()
    place, distinct = (part.to_numpy(zero_copy_only=False) for part in (encoded.indices, encoded.dictionary))
    return place.astype(np.int64), distinct.astype(np.int64)
