"""`Histogram`: counts per (class, value), stored by class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray


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
        n = len(class_of)
        starts = np.arange(n + 1)
        totals = np.ones(n, np.int64) if counts is None else counts
        return cls(starts, values, totals, size).merged(class_of, n_classes)

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
        from kohort.classes.histogram_kernels import tally

        starts, values, counts = tally(
            np.ascontiguousarray(self.starts, np.int64),
            np.ascontiguousarray(self.values, np.int32),
            np.ascontiguousarray(self.counts, np.int64),
            np.ascontiguousarray(class_of, np.int64),
            n_classes,
            self.size,
        )
        return Histogram(starts, values, counts, self.size)

    def kept(self, keep: IntArray | BoolArray) -> Histogram:
        """Return the histogram of the classes at the positions (or under the mask) `keep` only."""
        lengths = np.diff(self.starts)[keep]
        starts = np.zeros(len(lengths) + 1, np.int64)
        np.cumsum(lengths, out=starts[1:])
        entries = np.arange(starts[-1]) + np.repeat(self.starts[:-1][keep] - starts[:-1], lengths)
        return Histogram(starts, self.values[entries], self.counts[entries], self.size)
