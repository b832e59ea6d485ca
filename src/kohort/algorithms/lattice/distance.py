"""Distance vectors between tuples, and the matrix of them (Samarati, section 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.algorithms.lattice.lattice import Vector
from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.plurals import many
from kohort.recode import Problem

LARGEST = 1 << 28  # entries of the matrix


def joins(hierarchy: Hierarchy, left: IntArray, right: IntArray) -> IntArray:
    """Return, for every two ground codes, the level at which they generalize to the same value."""
    level = np.zeros((len(left), len(right)), np.int8)
    for domain in hierarchy.levels[:-1]:
        level += domain.of_ground[left][:, None] != domain.of_ground[right][None, :]
    return level


def distance_vectors(problem: Problem, rows: IntArray, columns: IntArray) -> IntArray:
    """Return the distance vectors between base classes, (rows, columns, attributes)."""
    codes = problem.base.codes
    return np.stack(
        [joins(h, codes[rows, j], codes[columns, j]) for j, h in enumerate(problem.hierarchies)], axis=-1
    )


@dataclass(frozen=True, eq=False)
class DistanceMatrix:
    """VT: a row for each outlier, a column for each distinct tuple.

    At a vector, the tuples whose distance from x is at most the vector fall into x's class, so class
    sizes follow without generalizing anything.
    """

    vectors: IntArray  # (outliers, tuples, attributes)
    outliers: IntArray  # occurrences of each outlier
    counts: IntArray  # occurrences of each tuple
    k: int
    limit: int

    @classmethod
    def of(cls, problem: Problem) -> DistanceMatrix:
        """Compare every tuple that occurs fewer than k times with every tuple."""
        k = problem.crowd
        if not problem.by_size or k < 2:
            raise InputError(
                "[recode.options] matrix: distance vectors decide k-anonymity over records only; "
                "leave matrix out to count each generalization",
                code="algorithm.wrong-option",
                option="matrix",
            )
        rows = np.flatnonzero(problem.base.rows < k)
        entries = len(rows) * len(problem.base) * len(problem.names)
        if entries > LARGEST:
            raise InputError(
                f"[recode.options] matrix: {many(len(rows), 'outlier')} times {many(len(problem.base), 'tuple')} make a "
                f"matrix of {many(entries, 'entry', 'entries')}; at most {LARGEST:,} are allowed: leave matrix out",
                code="algorithm.too-large",
                option="matrix",
                found=entries,
                most=LARGEST,
            )
        vectors = distance_vectors(problem, rows, np.arange(len(problem.base)))
        counts = problem.base.rows
        return cls(vectors, counts[rows], counts, k, problem.max_suppressed)

    def suppressed(self, levels: Vector) -> int:
        """Return the minimal required suppression at a vector."""
        joined = (self.vectors <= np.array(levels, np.int8)).all(axis=-1)
        return int(self.outliers[joined @ self.counts < self.k].sum())

    def holds(self, levels: Vector) -> bool:
        """Whether the vector holds within the limit and leaves something to release."""
        lost = self.suppressed(levels)
        return lost <= self.limit and lost < self.counts.sum()
