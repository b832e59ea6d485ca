"""The loop that k-member and greedy-pk share: one cluster after another, then the rest dispersed."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.clustering import growth_kernels as kernels
from kohort.algorithms.clustering.tuples import Tuples
from kohort.algorithms.watch import Watch
from kohort.arrays import IntArray
from kohort.plurals import many

_BATCH = 32  # clusters grown between two reports of progress


def grown(tuples: Tuples, k: int, target: int, seed: int | None, watch: Watch) -> IntArray:
    """Return the cluster of every row: clusters of k (and diverse) tuples, the rest dispersed.

    The first cluster starts at the tuple furthest from a random one, every other at the one furthest from
    the tuple placed last. With a `target` above 0, choices leave what that many clusters need. When it is over, what is left
    is a cluster of its own.
    """
    n = len(tuples.item_of)
    state = tuples.clustering(max(n // k, 1))
    row = int(np.random.default_rng(seed).integers(n))
    last = int(np.searchsorted(np.cumsum(tuples.counts), row, side="right"))
    made, placed, more = 0, 0, True
    while more and not watch.over:
        made, placed, last, target, more = kernels.grow(state, k, target, made, placed, last, _BATCH)
        watch.update(many(made, "group"), placed, n)
    if more:
        return tuples.with_rest(state.pool, state.clusters, placed, made)
    if made == 0:
        return np.zeros(n, np.int64)  # no two clusters can be made: the table is one
    kernels.disperse(state, np.arange(made), placed)
    watch.update(many(made, "group"), n, n)
    return tuples.cluster_of_rows(state.clusters)
