# mypy: disable-error-code="no-any-return"
"""What the kernels of the clusterings share: clusters on distinct tuples, and how a tuple joins one.

A cluster is known by its extents: per attribute the least and greatest code (`ends` 0 and 1) of numbers, one
member's code and the level of the lowest common ancestor of other values. In a tree the level above a set is
the greatest level above one fixed member and each of the others, so both kinds are updated in one step.

While one cluster grows, `table[code]` holds what the attribute of that code would cost if the code joined, so
a candidate costs one look-up per attribute; `gain[value]` likewise holds what a sensitive value would add to
the diversity. Costs never fall while a cluster grows: a candidate's cost of an earlier scan bounds its cost
now, and most candidates are passed over by one comparison.

Ties go to the first item, then to the first cluster.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.compiling import inner


class Costs(NamedTuple):
    """What generalizing costs, over the codes of all attributes side by side."""

    offsets: IntArray  # int64 (q + 1): the codes of attribute j are offsets[j] … offsets[j + 1] - 1
    numeric: BoolArray  # bool (q)
    weights: FloatArray  # float64 (q): the greatest cost of each attribute
    low: FloatArray  # float64 (codes): where an interval that starts at the code starts, scaled
    high: FloatArray  # float64 (codes): where an interval that ends at the code ends, scaled
    above: IntArray  # int32 (levels, codes): the label of each code at each level
    steps: FloatArray  # float64 (q, levels): the cost of each level


class Pool(NamedTuple):
    """The tuples still to be placed."""

    codes: IntArray  # int32 (items, q)
    values: IntArray  # int32 (items, r): sensitive values, numbered over all attributes side by side
    left: IntArray  # int64 (items): tuples not in a cluster


class Diversity(NamedTuple):
    """What is asked of the sensitive attributes."""

    offsets: IntArray  # int64 (r + 1)
    p: IntArray  # int64 (r)
    weights: FloatArray  # float64 (r)


class Clusters(NamedTuple):
    """The clusters so far, and the log of placements."""

    ends: IntArray  # int32 (clusters, q, 2)
    sizes: IntArray  # int64 (clusters)
    distinct: IntArray  # int64 (clusters, r): distinct sensitive values, counted up to p
    held: IntArray  # int32 (clusters, r, p): those values
    item: IntArray  # int64 (tuples): the item placed
    cluster: IntArray  # int64 (tuples): where; -1 where it was taken back


class Clustering(NamedTuple):
    """All that a clustering reads and writes."""

    costs: Costs
    pool: Pool
    diversity: Diversity
    clusters: Clusters


class Prices(NamedTuple):
    """What is known of the items while one cluster grows."""

    alive: IntArray  # int64 (items): those with tuples left stand first
    table: FloatArray  # float64 (codes): what each code would cost the cluster
    gain: FloatArray  # float64 (values): what each sensitive value would add to its diversity
    barred: BoolArray  # bool (values): what it must leave to other clusters
    bound: FloatArray  # float64 (items): what each item costs at least
    known: IntArray  # int32 (q, 2): the ends for which the table was filled


@inner
def prices_of(state: Clustering) -> Prices:
    """Return room for prices, nothing barred and nothing gained."""
    values = state.diversity.offsets[-1]
    return Prices(
        np.empty(len(state.pool.left), np.int64),
        np.empty(state.costs.offsets[-1], np.float64),
        np.zeros(values, np.float64),
        np.zeros(values, np.bool_),
        np.zeros(len(state.pool.left), np.float64),
        np.empty((len(state.costs.weights), 2), np.int32),
    )


@inner
def start_anew(prices: Prices) -> None:
    """Forget what was known of the items for another cluster."""
    for t in range(len(prices.bound)):
        prices.bound[t] = 0.0
    for j in range(len(prices.known)):
        prices.known[j, 0] = prices.known[j, 1] = -1


@inner
def cost_with(costs: Costs, j: int, first: int, second: int, code: int) -> float:
    """Return the cost of attribute j in a cluster with these ends once `code` has joined."""
    if costs.numeric[j]:
        low, high = min(first, code), max(second, code)
        if low == high:
            return 0.0
        return min(costs.weights[j], costs.high[high] - costs.low[low])
    level = second
    while costs.above[level, first] != costs.above[level, code]:
        level += 1
    return costs.steps[j, level]


@inner
def loss(costs: Costs, ends: IntArray) -> float:
    """Return the cost per tuple of a cluster with these ends."""
    total = 0.0
    for j in range(len(costs.weights)):
        total += cost_with(costs, j, ends[j, 0], ends[j, 1], ends[j, 0])
    return total


@inner
def loss_with(costs: Costs, ends: IntArray, codes: IntArray) -> float:
    """Return the cost per tuple of a cluster with these ends once a tuple has joined."""
    total = 0.0
    for j in range(len(costs.weights)):
        total += cost_with(costs, j, ends[j, 0], ends[j, 1], codes[j])
    return total


@inner
def join(costs: Costs, ends: IntArray, size: int, codes: IntArray) -> None:
    """Widen the ends of a cluster of `size` tuples by one tuple."""
    for j in range(len(costs.weights)):
        code = codes[j]
        if size == 0:
            ends[j, 0] = code
            ends[j, 1] = code if costs.numeric[j] else 0
        elif costs.numeric[j]:
            ends[j, 0] = min(ends[j, 0], code)
            ends[j, 1] = max(ends[j, 1], code)
        else:
            while costs.above[ends[j, 1], ends[j, 0]] != costs.above[ends[j, 1], code]:
                ends[j, 1] += 1


@inner
def load(costs: Costs, ends: IntArray, size: int, table: FloatArray) -> None:
    """Fill the table of what each code would cost the cluster."""
    for j in range(len(costs.weights)):
        for code in range(costs.offsets[j], costs.offsets[j + 1]):
            table[code] = 0.0 if size == 0 else cost_with(costs, j, ends[j, 0], ends[j, 1], code)


@inner
def refresh(costs: Costs, ends: IntArray, known: IntArray, table: FloatArray) -> None:
    """Bring the table up to date where the ends are no longer those it was filled for."""
    for j in range(len(costs.weights)):
        first, second = ends[j, 0], ends[j, 1]
        if first == known[j, 0] and second == known[j, 1]:
            continue
        known[j, 0], known[j, 1] = first, second
        for code in range(costs.offsets[j], costs.offsets[j + 1]):
            table[code] = cost_with(costs, j, first, second, code)


@inner
def load_gain(diversity: Diversity, clusters: Clusters, c: int, gain: FloatArray) -> float:
    """Fill the table of what each sensitive value would add to the diversity; return the homogeneity."""
    homogeneity = 0.0
    for i in range(len(diversity.p)):
        missing = (diversity.p[i] - clusters.distinct[c, i]) * diversity.weights[i]
        homogeneity += missing
        for value in range(diversity.offsets[i], diversity.offsets[i + 1]):
            gain[value] = missing
        for held in range(clusters.distinct[c, i]):
            gain[clusters.held[c, i, held]] = 0.0
    return homogeneity


@inner
def place(state: Clustering, placed: int, t: int, c: int) -> int:
    """Put one tuple of item t into cluster c, and log it as number `placed`."""
    costs, pool, diversity, clusters = state
    join(costs, clusters.ends[c], clusters.sizes[c], pool.codes[t])
    clusters.sizes[c] += 1
    for i in range(len(diversity.p)):
        distinct = clusters.distinct[c, i]
        if distinct == diversity.p[i]:
            continue
        new = True
        for held in range(distinct):
            new = new and clusters.held[c, i, held] != pool.values[t, i]
        if new:
            clusters.held[c, i, distinct] = pool.values[t, i]
            clusters.distinct[c, i] += 1
    pool.left[t] -= 1
    clusters.item[placed] = t
    clusters.cluster[placed] = c
    return placed + 1


@inner
def take_back(pool: Pool, clusters: Clusters, placed: int, c: int) -> None:
    """Return the tuples of cluster c to the pool."""
    for i in range(placed):
        if clusters.cluster[i] == c:
            clusters.cluster[i] = -1
            pool.left[clusters.item[i]] += 1
    clusters.sizes[c] = 0
    for i in range(clusters.distinct.shape[1]):
        clusters.distinct[c, i] = 0


@inner
def forget(clusters: Clusters, placed: int) -> int:
    """Drop the placements that were taken back from the log, in order; return how many remain."""
    kept = 0
    for i in range(placed):
        if clusters.cluster[i] >= 0:
            clusters.item[kept] = clusters.item[i]
            clusters.cluster[kept] = clusters.cluster[i]
            kept += 1
    return kept


@inner
def compact(pool: Pool, alive: IntArray, n: int) -> int:
    """Drop the items that are used up from the first n of `alive`, in order; return how many remain."""
    kept = 0
    for i in range(n):
        if pool.left[alive[i]] > 0:
            alive[kept] = alive[i]
            kept += 1
    return kept


@inner
def all_alive(pool: Pool, alive: IntArray) -> int:
    """Write the items with tuples left to `alive`, in order; return how many there are."""
    for i in range(len(alive)):
        alive[i] = i
    return compact(pool, alive, len(alive))


@inner
def cheapest(pool: Pool, prices: Prices, n: int, floor: float, diversify: bool) -> int:
    """Return the first item of least cost without a barred value (that adds diversity, if asked), or -1.

    `floor` is the cluster's own cost, below which none falls.
    """
    alive, table, gain, barred, bound, _ = prices
    best, found = np.inf, -1
    q, r = pool.codes.shape[1], pool.values.shape[1]
    for i in range(n):
        t = alive[i]
        if bound[t] >= best or pool.left[t] == 0:
            continue
        adds, free = not diversify, True
        for j in range(r):
            adds = adds or gain[pool.values[t, j]] > 0.0
            free = free and not barred[pool.values[t, j]]
        if not adds or not free:
            continue
        cost = 0.0
        for j in range(q):
            cost += table[pool.codes[t, j]]
        bound[t] = cost
        if cost < best:
            best, found = cost, t
            if cost <= floor:
                break
    return found
