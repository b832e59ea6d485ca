"""The steps of EnhancedPKClustering: tuples dealt to all clusters, diversity completed, clusters filled."""

from __future__ import annotations

import numpy as np
from numba import njit

from kohort.algorithms.clustering.cluster_kernels import (
    all_alive,
    cheapest,
    compact,
    forget,
    load,
    load_gain,
    loss,
    place,
    refresh,
    take_back,
)


@njit(cache=True)
def _most_diverse(pool, candidates, n, table, gain):  # type: ignore[no-untyped-def]
    """Return (item, diversity, cost): the most diverse candidate, the cheapest of those, the first of those."""
    most, best, found = -1.0, np.inf, -1
    for i in range(n):
        t = candidates[i]
        if pool.left[t] == 0:
            continue
        diversity = 0.0
        for j in range(pool.values.shape[1]):
            diversity += gain[pool.values[t, j]]
        if diversity < most:
            continue
        cost = 0.0
        for j in range(pool.codes.shape[1]):
            cost += table[pool.codes[t, j]]
        if diversity > most or cost < best:
            most, best, found = diversity, cost, t
    return found, most, best


@njit(cache=True, nogil=True)
def deal(costs, pool, diversity, clusters, m, members, starts, values, quota, placed):  # type: ignore[no-untyped-def]
    """Deal the tuples of `values` to the m clusters in a circle until `quota` are dealt; return those placed.

    The items of value v stand at members[starts[v]:starts[v + 1]]. A value gives at most m tuples, so no
    cluster gets it twice (Truta et al., Property 2, holds by the cap).
    """
    table = np.empty(costs.offsets[-1], np.float64)
    gain = np.zeros(diversity.offsets[-1], np.float64)
    dealt = 0
    for v in values:
        candidates = members[starts[v] : starts[v + 1]]
        for _ in range(m):
            if dealt == quota:
                return placed
            c = dealt % m
            load(costs, clusters.ends[c], clusters.sizes[c], table)
            load_gain(diversity, clusters, c, gain)
            t = _most_diverse(pool, candidates, len(candidates), table, gain)[0]
            if t < 0:
                break
            placed = place(costs, pool, diversity, clusters, placed, t, c)
            dealt += 1
    return placed


@njit(cache=True, nogil=True)
def match(costs, pool, diversity, clusters, m, candidates, placed):  # type: ignore[no-untyped-def]
    """Give each of the m clusters one tuple of the candidates, the best pair first; return those placed.

    Best: most diverse, then least rise of the information loss. A cluster's choice can only get worse
    while others choose, so its last known choice is a bound, looked up again only when it comes to the top.
    """
    table = np.empty(costs.offsets[-1], np.float64)
    gain = np.zeros(diversity.offsets[-1], np.float64)
    choice = np.full(m, -1, np.int64)
    most = np.full(m, np.inf, np.float64)
    rise = np.full(m, -np.inf, np.float64)
    open_ = np.arange(m)
    n = m
    while n > 0:
        at = 0
        for i in range(1, n):
            c, d = open_[i], open_[at]
            if most[c] > most[d] or (most[c] == most[d] and rise[c] < rise[d]):
                at = i
        c = open_[at]
        if choice[c] >= 0 and pool.left[choice[c]] > 0:
            placed = place(costs, pool, diversity, clusters, placed, choice[c], c)
            for i in range(at, n - 1):
                open_[i] = open_[i + 1]
            n -= 1
            continue
        size = clusters.sizes[c]
        load(costs, clusters.ends[c], size, table)
        load_gain(diversity, clusters, c, gain)
        t, best, cost = _most_diverse(pool, candidates, len(candidates), table, gain)
        choice[c], most[c] = t, best
        rise[c] = (size + 1) * cost - (size * loss(costs, clusters.ends[c]) if size > 0 else 0.0)
    return placed


@njit(cache=True, nogil=True)
def diversify(costs, pool, diversity, clusters, order, placed):  # type: ignore[no-untyped-def]
    """Make the clusters of `order` diverse, one after another, with the tuples left.

    Where no tuple left adds diversity, the last cluster of the order is taken back and its tuples are used;
    the cluster itself where it is the last. Returns (clusters of the order that stand, tuples placed).
    """
    table = np.empty(costs.offsets[-1], np.float64)
    gain = np.zeros(diversity.offsets[-1], np.float64)
    alive = np.empty(len(pool.left), np.int64)
    n = all_alive(pool, alive)
    standing, h = len(order), 0
    while h < standing:
        c = order[h]
        while load_gain(diversity, clusters, c, gain) > 0.0:
            load(costs, clusters.ends[c], clusters.sizes[c], table)
            t, added, _ = _most_diverse(pool, alive, n, table, gain)
            if t < 0 or added <= 0.0:
                break
            placed = place(costs, pool, diversity, clusters, placed, t, c)
        if load_gain(diversity, clusters, c, gain) == 0.0:
            h += 1
        else:
            standing -= 1
            take_back(pool, clusters, placed, order[standing])
        placed = forget(clusters, placed)
        n = all_alive(pool, alive)
    return standing, placed


@njit(cache=True, nogil=True)
def release(pool, clusters, dropped, placed):  # type: ignore[no-untyped-def]
    """Take the clusters `dropped` back; return how many placements remain."""
    for c in dropped:
        take_back(pool, clusters, placed, c)
    return forget(clusters, placed)


@njit(cache=True, nogil=True)
def fill(costs, pool, diversity, clusters, order, k, placed):  # type: ignore[no-untyped-def]
    """Fill the clusters of `order` to k tuples, each with the cheapest left; return the tuples placed."""
    table = np.empty(costs.offsets[-1], np.float64)
    gain = np.zeros(diversity.offsets[-1], np.float64)
    barred = np.zeros(diversity.offsets[-1], np.bool_)
    bound = np.zeros(len(pool.left), np.float64)
    alive = np.empty(len(pool.left), np.int64)
    known = np.empty((len(costs.weights), 2), np.int32)
    n = all_alive(pool, alive)
    for c in order:
        bound[:] = 0.0
        known[:] = -1
        while clusters.sizes[c] < k:
            refresh(costs, clusters.ends[c], known, table)
            floor = loss(costs, clusters.ends[c])
            t = cheapest(pool, alive, n, table, gain, barred, bound, floor, False)
            placed = place(costs, pool, diversity, clusters, placed, t, c)
        n = compact(pool, alive, n)
    return placed
