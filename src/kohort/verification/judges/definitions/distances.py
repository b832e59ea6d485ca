"""The earth mover's distance of a class from the whole table, as Li et al. (2007) define it for three ground distances.

With c of n in a class and C of N in the table holding a value, what the class has too much of it is c·N − C·n, of n·N. All
distances are told as numerators and denominators in whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from kohort.arrays import IntArray
from kohort.verification.judges.definitions.exact import whole as reckoned
from kohort.verification.judges.definitions.order import ranks
from kohort.verification.judges.definitions.tally import Entries
from kohort.verification.judges.definitions.whole import Whole

Ratio: TypeAlias = tuple[IntArray, IntArray]
Distance: TypeAlias = Callable[[Entries, IntArray, Whole], Ratio]  # of classes, from totals by value


def equal(classes: Entries, totals: IntArray, column: Whole) -> Ratio:  # noqa: ARG001
    """Every two values are 1 apart: half the sum of |q − p|; of values that a class lacks that is p."""
    N, most = int(totals.sum()), 4 * int(totals.sum()) * int(classes.sums.max())
    n, C = reckoned(classes.sums, most), reckoned(totals[classes.value], most)
    present = np.abs(reckoned(classes.count, most) * N - C * n[classes.owner])
    lacking = N - classes.summed(C)
    return classes.summed(present) + lacking * n, 2 * n * N


def ordered(classes: Entries, totals: IntArray, column: Whole) -> Ratio:
    """Values are |i − j|/(m − 1) apart: the mean absolute difference of what stands up to each place."""
    m, N, rank = len(totals), int(totals.sum()), ranks(column)
    most = 2 * m * N * int(classes.sums.max())
    n, up_to = reckoned(classes.sums, most), np.cumsum(reckoned(totals[np.argsort(rank)], most))
    work = np.zeros_like(n)
    for these, counts in Entries(classes.owner, rank[classes.value], classes.count).matrices(m):
        apart = np.cumsum(reckoned(counts, most), axis=1) * N - up_to * n[these, None]
        work[these] = np.abs(apart).sum(axis=1)
    return work, n * (N * max(m - 1, 1))


def hierarchical(classes: Entries, totals: IntArray, column: Whole) -> Ratio:
    """Values are as far apart as their lowest common ancestor is high, of the height H of the hierarchy.

    Below a node of height h, the lesser of what its children have too much and too little is moved at a cost of h/H.
    """
    nodes = [np.arange(len(totals)), *column.ancestors()[1:]]
    nodes = nodes if len(nodes) > 1 else [*nodes, np.zeros_like(nodes[0])]
    order = np.lexsort(nodes)  # by the root first: what lies under a node stands together
    N, height, place = int(totals.sum()), len(nodes) - 1, np.argsort(order)
    most = 2 * height * N * int(classes.sums.max())
    n, C = reckoned(classes.sums, most), reckoned(totals[order], most)
    work = np.zeros_like(n)
    for these, counts in Entries(classes.owner, place[classes.value], classes.count).matrices(len(totals)):
        extra = reckoned(counts, most) * N - C * n[these, None]
        for h in range(1, height + 1):
            children = _firsts(nodes[h - 1][order])
            owed = np.add.reduceat(extra, children, axis=1)
            parents = _firsts(nodes[h][order][children])
            much = np.add.reduceat(np.maximum(owed, 0), parents, axis=1)
            little = np.add.reduceat(np.maximum(-owed, 0), parents, axis=1)
            work[these] += h * np.minimum(much, little).sum(axis=1)
    return work, n * (N * height)


DISTANCES: dict[str, Distance] = {"equal": equal, "ordered": ordered, "hierarchical": hierarchical}


def _firsts(nodes: IntArray) -> IntArray:
    """Return where another node begins."""
    return np.flatnonzero(np.append(True, nodes[1:] != nodes[:-1]))
