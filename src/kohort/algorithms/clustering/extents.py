"""What groups of rows span and what that costs, group by group, in vector operations.

The kernels keep the same figures tuple by tuple; this is the view of finished groups, for merging and for
the facts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.algorithms.clustering.cluster_kernels import Costs
from kohort.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Extents:
    """The spans of groups 0, 1, …: least and greatest code, and the level of the lowest common ancestor."""

    costs: Costs
    sizes: IntArray  # (groups)
    least: IntArray  # (groups, q)
    greatest: IntArray  # (groups, q)
    level: IntArray  # (groups, q)

    @classmethod
    def of(cls, costs: Costs, codes: IntArray, group_of: IntArray) -> Extents:
        """Return the extents of groups of rows; every group holds at least one row."""
        order = np.argsort(group_of, kind="stable")
        sizes = np.bincount(group_of)
        starts = np.cumsum(sizes) - sizes
        codes = codes[order]
        level = np.zeros((len(sizes), codes.shape[1]), np.int64)
        for above in costs.above:
            labels = above[codes]
            level += np.minimum.reduceat(labels, starts) != np.maximum.reduceat(labels, starts)
        least, greatest = np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
        return cls(costs, sizes, least, greatest, level)

    def losses(self) -> FloatArray:
        """Return the cost per tuple of every group (Truta et al., Definition 9, without the factor |cl|)."""
        return _priced(self.costs, self.least, self.greatest, self.level)

    def nearest(self, group: int) -> int:
        """Return the other group whose union with this one raises the information loss least."""
        least = np.minimum(self.least, self.least[group])
        greatest = np.maximum(self.greatest, self.greatest[group])
        apart = np.zeros_like(self.level)
        for above in self.costs.above:
            apart += above[self.least] != above[self.least[group]]
        level = np.maximum(np.maximum(self.level, self.level[group]), apart)
        losses = self.losses()
        united = (self.sizes + self.sizes[group]) * _priced(self.costs, least, greatest, level)
        rise = united - self.sizes * losses - self.sizes[group] * losses[group]
        rise[group] = np.inf
        return int(rise.argmin())


def _priced(costs: Costs, least: IntArray, greatest: IntArray, level: IntArray) -> FloatArray:
    wide = np.minimum(costs.weights, costs.high[greatest] - costs.low[least])
    wide = np.where(least == greatest, 0.0, wide)
    high = np.take_along_axis(costs.steps, level.T, axis=1).T
    total: FloatArray = np.where(costs.numeric, wide, high).sum(axis=1)
    return total
