"""Exchanges between finished clusters."""

from __future__ import annotations

from functools import partial

import numpy as np

from kohort.algorithms.clustering import polish_kernels as kernels
from kohort.algorithms.clustering.tuples import Tuples
from kohort.algorithms.watch import Watch
from kohort.arrays import IntArray

_BATCH = 512  # tuples looked at between two reports of progress
_RARE = 200  # a round that betters less than one tuple in so many is the last


def polished(tuples: Tuples, cluster_of: IntArray, size: int, passes: int, watch: Watch) -> IntArray:
    """Return the clusters with tuples moved and exchanged wherever that lowers the information loss.

    No cluster falls below `size` tuples or below p distinct values, and a tuple moves only to a smaller
    cluster, so the number of clusters stays and DM never rises. Up to `passes` rounds over all
    tuples, each O(n·(m + n)) look-ups at worst; a round that betters very few is the last,
    and no exchange is looked for when it is over.
    """
    if watch.over:
        return cluster_of
    item = np.sort(tuples.item_of)
    order = np.argsort(tuples.item_of, kind="stable")
    n, m = len(item), int(cluster_of.max()) + 1
    q, r = tuples.codes.shape[1], tuples.values.shape[1]
    cluster = cluster_of[order]
    after, before, first = _linked(cluster, m)
    members = kernels.Members(
        item=item,
        cluster=cluster,
        after=after,
        before=before,
        rest=np.zeros((n, q, 2), np.int32),
        spared=np.zeros(n),
        critical=np.zeros((n, r), np.bool_),
        first=first,
        sizes=np.bincount(cluster, minlength=m).astype(np.int64),
        ends=np.zeros((m, q, 2), np.int32),
        shares=np.zeros((m, q)),
        losses=np.zeros(m),
        slack=np.zeros(m),
        stale=np.append(np.arange(m), 0),  # room for two, be there only one
        n_stale=np.array([m]),
    )
    look = partial(
        kernels.exchange, tuples.costs, tuples.codes, tuples.values, tuples.diversity, members, size
    )
    for round_ in range(passes):
        better = 0
        for start in range(0, n, _BATCH):
            if watch.over:
                break
            watch.update(f"exchanges, round {round_ + 1}", start, n)
            better += look(start, min(start + _BATCH, n))
        if watch.over or better * _RARE < n:
            break
    polished_of = np.empty(n, np.int64)
    polished_of[order] = members.cluster
    return polished_of


def _linked(cluster: IntArray, m: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return the tuple after each in its cluster, the one before it, and the first of each cluster; -1 for none."""
    order = np.argsort(cluster, kind="stable")
    same = cluster[order][1:] == cluster[order][:-1]
    after, before, first = np.full(len(cluster), -1), np.full(len(cluster), -1), np.full(m, -1)
    after[order[:-1][same]] = order[1:][same]
    before[order[1:][same]] = order[:-1][same]
    first[cluster[order[::-1]]] = order[::-1]
    return after, before, first
