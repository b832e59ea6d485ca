"""`Histogram`: counts per (class, value), stored by class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Histogram:
    """How many records of each class hold each value: entries of class i stand at starts[i]:starts[i+1]."""

    starts: IntArray  # int64 (n_classes + 1)
    values: IntArray  # int32, ascending within a class, each at most once
    counts: IntArray  # int64, > 0
    size: int  # number of values in the domain

    @classmethod
    def of(
        cls, class_of: IntArray, values: IntArray, n_classes: int, size: int, counts: IntArray | None = None
    ) -> Histogram:
        """Count entries (class, value), each once or `counts` times."""
        keys = class_of.astype(np.int64) * max(size, 1) + values
        distinct, inverse = np.unique(keys, return_inverse=True)
        totals = np.bincount(inverse, counts, minlength=len(distinct)).astype(np.int64)
        owners = distinct // max(size, 1)
        starts = np.zeros(n_classes + 1, np.int64)
        np.cumsum(np.bincount(owners, minlength=n_classes), out=starts[1:])
        return cls(starts, (distinct % max(size, 1)).astype(np.int32), totals, size)

    @property
    def owners(self) -> IntArray:
        """The class of each entry."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def distinct(self) -> IntArray:
        """Return the number of distinct values in each class."""
        return np.diff(self.starts)

    def totals(self) -> IntArray:
        """Return the number of records of each value over all classes."""
        return np.bincount(self.values, self.counts, minlength=self.size).astype(np.int64)

    def dense(self) -> IntArray:
        """Return the counts as a matrix (n_classes, size)."""
        matrix = np.zeros((len(self.starts) - 1, self.size), np.int64)
        matrix[self.owners, self.values] = self.counts
        return matrix

    def shares(self) -> FloatArray:
        """Return each entry's share of its class."""
        totals = np.bincount(self.owners, self.counts, minlength=len(self.starts) - 1)
        return self.counts / totals[self.owners]

    def merged(self, class_of: IntArray, n_classes: int) -> Histogram:
        """Return the histogram after class i has become part of class `class_of[i]`."""
        return Histogram.of(class_of[self.owners], self.values, n_classes, self.size, self.counts)

    def kept(self, keep: IntArray) -> Histogram:
        """Return the histogram of the classes at the positions (or under the mask) `keep` only."""
        positions = np.arange(len(self.starts) - 1)[keep]
        new = np.full(len(self.starts) - 1, -1, np.int64)
        new[positions] = np.arange(len(positions))
        owners = new[self.owners]
        held = owners >= 0
        return Histogram.of(owners[held], self.values[held], len(positions), self.size, self.counts[held])
