"""Regions that are known by the counts of their attributes alone, laid out as the kernels take them.

Which cut a region is offered follows from the counts of each attribute by itself. So any tuples that have these counts are cut as
the region's own would be, and those are taken that are fewest: all attributes ascend together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.algorithms.partition.regions import Regions
from kohort.arrays import IntArray

Marginals = Sequence[
    tuple[IntArray, IntArray]
]  # of each attribute: codes, ascending, and the records of each


def coupled(marginals: Marginals) -> tuple[IntArray, IntArray]:
    """Return tuples that have these counts in every attribute, and the records of each.

    >>> coupled([(np.array([3, 5]), np.array([2, 2])), (np.array([0, 9]), np.array([1, 3]))])[0].tolist()
    [[3, 0], [3, 9], [5, 9]]
    """
    ends = [np.cumsum(counts) for _, counts in marginals]
    steps = np.unique(np.concatenate(ends))
    codes = [own[np.searchsorted(end, steps)] for (own, _), end in zip(marginals, ends, strict=True)]
    return np.column_stack(codes).astype(np.int32), np.diff(np.append(0, steps)).astype(np.int64)


def coupled_regions(counted: Sequence[Marginals], low: IntArray, high: IntArray) -> Regions:
    """Return regions with these counts and boxes."""
    found = [coupled(marginals) for marginals in counted]
    codes = np.concatenate([codes for codes, _ in found])
    weights = np.concatenate([weights for _, weights in found])
    ends = np.cumsum([len(weights) for _, weights in found]).astype(np.int64)
    ids = np.arange(len(weights))
    return Regions(np.ascontiguousarray(codes), weights, ids, ends, low, high, ids)
