"""The table as the clusterings see it: distinct tuples with counts, and what generalizing them costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kohort.algorithms.clustering.cluster_kernels import Clustering, Clusters, Costs, Diversity, Pool
from kohort.algorithms.clustering.demands import Need
from kohort.arrays import FloatArray, IntArray
from kohort.classes import group
from kohort.hierarchy import Hierarchy
from kohort.recode import Problem
from kohort.recode.on_grid import demand_declared_ends, on_grid


@dataclass(frozen=True, eq=False)
class Tuples:
    """Distinct combinations of quasi-identifiers and watched sensitive values.

    Rows that agree in all of them are interchangeable for a clustering, so that working on counts is exact.
    Items are in ascending order of their codes, whatever the order of the rows.
    """

    costs: Costs
    codes: IntArray  # int32 (items, q), numbered over all attributes side by side
    values: IntArray  # int32 (items, r), numbered over all sensitive attributes side by side
    counts: IntArray  # int64 (items)
    item_of: IntArray  # (n_rows)
    diversity: Diversity

    @classmethod
    def of(cls, problem: Problem, needs: Sequence[Need], weights: FloatArray, tight: bool) -> Tuples:
        """Return the tuples of a problem; `weights` weigh the needs, `tight` is as in `measure`."""
        if tight:
            demand_declared_ends(problem)
        costs, flat = measure(problem, tight)
        sizes = [need.size for need in needs]
        offsets = np.cumsum([0, *sizes], dtype=np.int64)
        values = np.empty((problem.n_rows, len(needs)), np.int32)
        for i, need in enumerate(needs):
            values[:, i] = need.values + offsets[i]
        items, item_of = group(np.hstack([flat, values]))
        q = flat.shape[1]
        return cls(
            costs=costs,
            codes=np.ascontiguousarray(items[:, :q], np.int32),
            values=np.ascontiguousarray(items[:, q:], np.int32),
            counts=np.bincount(item_of, minlength=len(items)).astype(np.int64),
            item_of=item_of,
            diversity=Diversity(offsets, np.array([need.p for need in needs], np.int64), weights),
        )

    def clustering(self, most: int) -> Clustering:
        """Return all tuples, none of them placed, and room for that many clusters."""
        pool = Pool(self.codes, self.values, self.counts.copy())
        return Clustering(self.costs, pool, self.diversity, self._no_clusters(most))

    def _no_clusters(self, most: int) -> Clusters:
        n, r = len(self.item_of), len(self.diversity.p)
        deepest = int(self.diversity.p.max(initial=0))
        return Clusters(
            ends=np.zeros((most, self.codes.shape[1], 2), np.int32),
            sizes=np.zeros(most, np.int64),
            distinct=np.zeros((most, r), np.int64),
            held=np.zeros((most, r, deepest), np.int32),
            item=np.zeros(n, np.int64),
            cluster=np.zeros(n, np.int64),
        )

    def with_rest(self, pool: Pool, clusters: Clusters, placed: int, rest: int) -> IntArray:
        """Return the cluster of every row, once so many tuples are placed: the others are the cluster `rest`."""
        clusters.item[placed:] = np.repeat(np.arange(len(pool.left)), pool.left)
        clusters.cluster[placed:] = rest
        return self.cluster_of_rows(clusters)

    def cluster_of_rows(self, clusters: Clusters) -> IntArray:
        """Return the cluster of every row, once every tuple is placed.

        Of an item's rows, the first goes where the item was placed first, and so on.
        """
        cluster_of = np.empty(len(self.item_of), np.int64)
        placements = np.argsort(clusters.item, kind="stable")
        cluster_of[np.argsort(self.item_of, kind="stable")] = clusters.cluster[placements]
        return cluster_of


def measure(problem: Problem, tight: bool) -> tuple[Costs, IntArray]:
    """Return what generalizing costs (Truta et al., Definition 9) and the rows' codes it speaks of.

    Numbers with a grid cost the width of their interval, as a share of the whole table's; other values the level of
    their lowest common ancestor, as a share of the height; each times the attribute's weight. Intervals end
    at the group's own values if `tight`, otherwise at the ends of the labels of level 1. A missing value
    beside numbers costs as much as the whole range.
    """
    problem.proportions.told(
        problem.n_rows * float(problem.weight.sum())
    )  # or refuses: no search for what cannot be told
    problem, _ = on_grid(problem)
    present = [np.unique(problem.codes[:, j]) for j in range(len(problem.names))]
    offsets = np.cumsum([0, *(len(codes) for codes in present)], dtype=np.int64)
    numeric = np.array([_is_measured(h) for h in problem.hierarchies], np.bool_)
    top = max((h.height for h in problem.hierarchies), default=0)
    low, high = np.zeros(offsets[-1]), np.zeros(offsets[-1])
    above = np.zeros((top + 1, offsets[-1]), np.int32)
    steps = np.zeros((len(present), top + 1))
    flat = np.empty((problem.n_rows, len(present)), np.int32)
    for j, (hierarchy, codes) in enumerate(zip(problem.hierarchies, present, strict=True)):
        here = slice(offsets[j], offsets[j + 1])
        flat[:, j] = offsets[j] + np.searchsorted(codes, problem.codes[:, j])
        if numeric[j]:
            low[here], high[here] = _ends(hierarchy, codes, problem.weight[j], tight)
        for level, domain in enumerate(hierarchy.levels):
            above[level, here] = domain.of_ground[codes]
            steps[j, level] = problem.weight[j] * level / max(hierarchy.height, 1)
    weights = np.ascontiguousarray(problem.weight, np.float64)
    return Costs(offsets, numeric, weights, low, high, above, steps), flat


def _is_measured(hierarchy: Hierarchy) -> bool:
    return hierarchy.numbers is not None and hierarchy.days is None and hierarchy.grid is not None


def _ends(hierarchy: Hierarchy, codes: IntArray, weight: float, tight: bool) -> tuple[FloatArray, FloatArray]:
    """Return where intervals from and to each code start and end, such that the whole range is `weight`."""
    grid = hierarchy.grid if tight else hierarchy.wide_grid
    assert grid is not None
    told = grid.cell_of[codes] < len(grid.bounds)
    first, last = (np.append(ends, 0.0)[grid.cell_of[codes]] for ends in grid.ends())
    start = first[told].min() if told.any() else 0.0
    width = (last[told].max() - start) if told.any() else 0.0
    scale = weight / width if width > 0 else 0.0
    return (
        np.where(told, (first - start) * scale, 0.0),
        np.where(told, (last - start) * scale, np.inf),
    )
