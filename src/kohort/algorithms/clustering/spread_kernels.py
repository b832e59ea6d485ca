"""The steps of EnhancedPKClustering: tuples dealt to all clusters, diversity completed, clusters filled."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.clustering.cluster_kernels import (
    Clustering,
    Clusters,
    Pool,
    all_alive,
    cheapest,
    compact,
    forget,
    load,
    load_gain,
    loss,
    place,
    prices_of,
    refresh,
    start_anew,
    take_back,
)
from kohort.arrays import FloatArray, IntArray
from kohort.compiling import inner, kernel


@inner
def _most_diverse(
    pool: Pool, candidates: IntArray, n: int, table: FloatArray, gain: FloatArray
) -> tuple[int, float, float]:
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


@kernel
def deal(
    state: Clustering, m: int, members: IntArray, starts: IntArray, values: IntArray, quota: int, placed: int
) -> int:
    """Deal the tuples of `values` to the m clusters in a circle until `quota` are dealt; return those placed.

    The items of value v stand at members[starts[v]:starts[v + 1]]. A value gives at most m tuples, so no
    cluster gets it twice (Truta et al., Property 2, holds by the cap).
    """
    costs, pool, diversity, clusters = state
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
            placed = place(state, placed, t, c)
            dealt += 1
    return placed


@kernel
def match(state: Clustering, m: int, candidates: IntArray, placed: int) -> int:
    """Give each of the m clusters one tuple of the candidates, the best pair first; return those placed.

    Best: most diverse, then least rise of the information loss. A cluster's choice can only get worse
    while others choose, so its last known choice is a bound, looked up again only when it comes to the top.
    """
    costs, pool, diversity, clusters = state
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
            placed = place(state, placed, choice[c], c)
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


@kernel
def diversify(state: Clustering, order: IntArray, placed: int) -> tuple[int, int]:
    """Make the clusters of `order` diverse, one after another, with the tuples left.

    Where no tuple left adds diversity, the last cluster of the order is taken back and its tuples are used;
    the cluster itself where it is the last. Returns (clusters of the order that stand, tuples placed).
    """
    costs, pool, diversity, clusters = state
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
            placed = place(state, placed, t, c)
        if load_gain(diversity, clusters, c, gain) == 0.0:
            h += 1
        else:
            standing -= 1
            take_back(pool, clusters, placed, order[standing])
        placed = forget(clusters, placed)
        n = all_alive(pool, alive)
    return standing, placed


@kernel
def release(pool: Pool, clusters: Clusters, dropped: IntArray, placed: int) -> int:
    """Take the clusters `dropped` back; return how many placements remain."""
    for c in dropped:
        take_back(pool, clusters, placed, c)
    return forget(clusters, placed)


@kernel
def fill(state: Clustering, order: IntArray, k: int, placed: int) -> int:
    """Fill the clusters of `order` to k tuples, each with the cheapest left; return the tuples placed."""
    costs, pool, _, clusters = state
    prices = prices_of(state)
    n = all_alive(pool, prices.alive)
    for c in order:
        start_anew(prices)
        while clusters.sizes[c] < k:
            refresh(costs, clusters.ends[c], prices.known, prices.table)
            t = cheapest(pool, prices, n, loss(costs, clusters.ends[c]), False)
            placed = place(state, placed, t, c)
        n = compact(pool, prices.alive, n)
    return placed
