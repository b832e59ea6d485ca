"""The five steps of EnhancedPKClustering over the kernels."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.clustering import growth_kernels, spread_kernels
from kohort.algorithms.clustering.cluster_kernels import Clusters
from kohort.algorithms.clustering.demands import Demands
from kohort.algorithms.clustering.tuples import Tuples
from kohort.algorithms.watch import Watch
from kohort.arrays import FloatArray, IntArray
from kohort.plurals import many


def spread(tuples: Tuples, demands: Demands, watch: Watch) -> IntArray:
    """Return the cluster of every row; the first need is the hardest.

    When it is over before clusters are diverse, the table is one; after that, what is left is a cluster of its own.
    """
    n = len(tuples.item_of)
    m = demands.most_clusters(n)
    state = tuples.clustering(m)
    clusters = state.clusters

    members, starts, order = _by_value(tuples)
    frequencies = demands.needs[0].frequencies()[order]
    p = demands.needs[0].p
    frequent = min(int((frequencies >= m).sum()), p - 1)
    placed = spread_kernels.deal(
        state, m, members, starts, np.ascontiguousarray(order[frequent:][::-1]), (p - frequent) * m, 0
    )
    for value in order[:frequent][::-1]:
        watch.update(f"{many(m, 'group')}: diversity of the hardest attribute", placed, n)
        placed = spread_kernels.match(state, m, members[starts[value] : starts[value + 1]], placed)

    watch.update(f"{many(m, 'group')}: diversity of every attribute", placed, n)
    diverse_first = np.argsort(_homogeneity(tuples, clusters), kind="stable")
    if watch.over:
        return np.zeros(n, np.int64)
    standing, placed = spread_kernels.diversify(state, diverse_first, placed)
    if standing == 0 or watch.over:
        return np.zeros(n, np.int64)  # not even one cluster without all tuples: the table is one

    kept, dropped = _fillable(clusters, diverse_first[:standing], demands.size, n)
    placed = spread_kernels.release(state.pool, clusters, dropped, placed)
    watch.update(f"{many(len(kept), 'group')}: filling up to k", placed, n)
    placed = spread_kernels.fill(state, kept, demands.size, placed)
    if watch.over:
        return tuples.with_rest(state.pool, clusters, placed, m)
    growth_kernels.disperse(state, kept, placed)
    watch.update(many(len(kept), "group"), n, n)
    return tuples.cluster_of_rows(clusters)


def _by_value(tuples: Tuples) -> tuple[IntArray, IntArray, IntArray]:
    """Return the items by their value of the hardest attribute, where each value starts, and the values by frequency."""
    values = tuples.values[:, 0]
    size = int(tuples.diversity.offsets[1])
    starts = np.concatenate([[0], np.cumsum(np.bincount(values, minlength=size))])
    frequencies = np.bincount(values, tuples.counts, minlength=size)
    return np.argsort(values, kind="stable"), starts, np.argsort(-frequencies, kind="stable")


def _homogeneity(tuples: Tuples, clusters: Clusters) -> FloatArray:
    return np.asarray((tuples.diversity.p - clusters.distinct) @ tuples.diversity.weights, np.float64)


def _fillable(clusters: Clusters, standing: IntArray, size: int, n: int) -> tuple[IntArray, IntArray]:
    """Return the clusters, the largest first, that can all be filled, and those that must be dissolved."""
    sizes = clusters.sizes[standing]
    order = standing[np.argsort(-sizes, kind="stable")]
    full = sizes >= size
    possible = int(full.sum()) + (n - int(sizes[full].sum())) // size
    return order[:possible], order[possible:]
