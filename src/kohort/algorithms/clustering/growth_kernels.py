"""Clusters that grow one after another, and tuples that are dispersed among finished ones."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.clustering.cluster_kernels import (
    Clustering,
    Clusters,
    Diversity,
    Pool,
    Prices,
    all_alive,
    cheapest,
    compact,
    forget,
    join,
    load_gain,
    loss,
    loss_with,
    place,
    prices_of,
    refresh,
    start_anew,
    take_back,
)
from kohort.arrays import BoolArray, IntArray
from kohort.compiling import inner, kernel


@inner
def _furthest(pool: Pool, prices: Prices, n: int) -> int:
    """Return the first item of greatest cost without a barred value, or -1."""
    alive, table, barred = prices.alive, prices.table, prices.barred
    greatest, found = -1.0, -1
    for i in range(n):
        t = alive[i]
        cost = 0.0
        for j in range(pool.codes.shape[1]):
            cost += table[pool.codes[t, j]]
        if cost > greatest:
            free = True
            for j in range(pool.values.shape[1]):
                free = free and not barred[pool.values[t, j]]
            if free:
                greatest, found = cost, t
    return found


@inner
def bar(
    diversity: Diversity, clusters: Clusters, c: int, stock: IntArray, later: int, barred: BoolArray
) -> None:
    """Mark the sensitive values that cluster c must leave to the `later` clusters still to be made.

    For one attribute m clusters of p values can be made of a stock f iff Σ min(f, m) ≥ p·m; what exceeds it
    is slack. A tuple whose value is held by at most m tuples costs one unit of it, another none. Cluster c
    may take a value as long as the slack left covers the scarce values that it must still take itself.
    """
    for i in range(len(diversity.p)):
        slack, plenty = -diversity.p[i] * later, 0
        for value in range(diversity.offsets[i], diversity.offsets[i + 1]):
            slack += min(stock[value], later)
            plenty += stock[value] > later
            barred[value] = False
        held = clusters.held[c, i, : clusters.distinct[c, i]]
        for value in held:
            plenty -= stock[value] > later
        missing = diversity.p[i] - clusters.distinct[c, i]
        for value in range(diversity.offsets[i], diversity.offsets[i + 1]):
            barred[value] = slack - (stock[value] <= later) < max(
                0, missing - 1 - plenty + (stock[value] > later)
            )
        for value in held:
            barred[value] = slack - (stock[value] <= later) < max(0, missing - plenty)


@kernel
def grow(
    state: Clustering, k: int, target: int, made: int, placed: int, last: int, limit: int
) -> tuple[int, int, int, int, bool]:
    """Grow up to `limit` clusters, one after another, each from the item furthest from the last one placed.

    A cluster first takes the cheapest tuple that adds diversity until it is diverse, then the cheapest
    until it has k. With a `target` above 0 every choice leaves enough sensitive values for the clusters that
    the target still asks for; it is lowered by one where no choice does.

    Returns (clusters made, tuples placed, last item, target, whether more can be grown). The last cluster is
    taken back where the pool cannot make it diverse: then no other could be made either, since the pool
    and the cluster together lack the values.
    """
    costs, pool, diversity, clusters = state
    prices = prices_of(state)
    alive = prices.alive
    n = all_alive(pool, alive)
    stock = np.zeros(diversity.offsets[-1], np.int64)
    remaining = 0
    for i in range(n):
        remaining += pool.left[alive[i]]
        for j in range(len(diversity.p)):
            stock[pool.values[alive[i], j]] += pool.left[alive[i]]
    lone = np.empty((len(costs.weights), 2), np.int32)
    reserving = target > 0
    for c in range(made, made + limit):
        if remaining < k or (reserving and made == target):
            return made, placed, last, target, False
        start_anew(prices)
        while True:
            diversify = load_gain(diversity, clusters, c, prices.gain) > 0.0
            if clusters.sizes[c] >= k and not diversify:
                break
            if reserving:
                bar(diversity, clusters, c, stock, target - made - 1, prices.barred)
            if clusters.sizes[c] == 0:
                join(costs, lone, 0, pool.codes[last])
                refresh(costs, lone, prices.known, prices.table)
                t = _furthest(pool, prices, n)
            else:
                refresh(costs, clusters.ends[c], prices.known, prices.table)
                t = cheapest(pool, prices, n, loss(costs, clusters.ends[c]), diversify)
            if t >= 0:
                placed = place(state, placed, t, c)
                remaining -= 1
                last = t
                for j in range(len(diversity.p)):
                    stock[pool.values[t, j]] -= 1
            elif reserving and target > made + 1:
                target -= 1
            else:
                take_back(pool, clusters, placed, c)
                return made, forget(clusters, placed), last, target, False
        made += 1
        n = compact(pool, alive, n)
    return made, placed, last, target, remaining >= k


@kernel
def disperse(state: Clustering, order: IntArray, placed: int) -> int:
    """Put every tuple left into the cluster of `order` whose information loss rises least."""
    costs, pool, _, clusters = state
    losses = np.empty(len(clusters.sizes), np.float64)
    for c in order:
        losses[c] = loss(costs, clusters.ends[c])
    for t in range(len(pool.left)):
        while pool.left[t] > 0:
            best, found = np.inf, -1
            for c in order:
                # (s + 1)·with − s·without ≥ without, because `with` is at least `without`
                if losses[c] >= best:
                    continue
                size = clusters.sizes[c]
                rise = (size + 1) * loss_with(costs, clusters.ends[c], pool.codes[t]) - size * losses[c]
                if rise < best:
                    best, found = rise, c
            placed = place(state, placed, t, found)
            losses[found] = loss(costs, clusters.ends[found])
    return placed
