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

from typing import Any, NamedTuple

import numpy as np
from numba import njit


class Costs(NamedTuple):
    """What generalizing costs, over the codes of all attributes side by side."""

    offsets: Any  # int64 (q + 1): the codes of attribute j are offsets[j] … offsets[j + 1] - 1
    numeric: Any  # bool (q)
    weights: Any  # float64 (q): the greatest cost of each attribute
    low: Any  # float64 (codes): where an interval that starts at the code starts, scaled
    high: Any  # float64 (codes): where an interval that ends at the code ends, scaled
    above: Any  # int32 (levels, codes): the label of each code at each level
    steps: Any  # float64 (q, levels): the cost of each level


class Pool(NamedTuple):
    """The tuples still to be placed."""

    codes: Any  # int32 (items, q)
    values: Any  # int32 (items, r): sensitive values, numbered over all attributes side by side
    left: Any  # int64 (items): tuples not in a cluster


class Diversity(NamedTuple):
    """What is asked of the sensitive attributes."""

    offsets: Any  # int64 (r + 1)
    p: Any  # int64 (r)
    weights: Any  # float64 (r)


class Clusters(NamedTuple):
    """The clusters so far, and the log of placements."""

    ends: Any  # int32 (clusters, q, 2)
    sizes: Any  # int64 (clusters)
    distinct: Any  # int64 (clusters, r): distinct sensitive values, counted up to p
    held: Any  # int32 (clusters, r, p): those values
    item: Any  # int64 (tuples): the item placed
    cluster: Any  # int64 (tuples): where; -1 where it was taken back


@njit(cache=True)
def cost_with(costs, j, first, second, code):  # type: ignore[no-untyped-def]
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


@njit(cache=True)
def loss(costs, ends):  # type: ignore[no-untyped-def]
    """Return the cost per tuple of a cluster with these ends."""
    total = 0.0
    for j in range(len(costs.weights)):
        total += cost_with(costs, j, ends[j, 0], ends[j, 1], ends[j, 0])
    return total


@njit(cache=True)
def loss_with(costs, ends, codes):  # type: ignore[no-untyped-def]
    """Return the cost per tuple of a cluster with these ends once a tuple has joined."""
    total = 0.0
    for j in range(len(costs.weights)):
        total += cost_with(costs, j, ends[j, 0], ends[j, 1], codes[j])
    return total


@njit(cache=True)
def join(costs, ends, size, codes):  # type: ignore[no-untyped-def]
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


@njit(cache=True)
def load(costs, ends, size, table):  # type: ignore[no-untyped-def]
    """Fill the table of what each code would cost the cluster."""
    for j in range(len(costs.weights)):
        for code in range(costs.offsets[j], costs.offsets[j + 1]):
            table[code] = 0.0 if size == 0 else cost_with(costs, j, ends[j, 0], ends[j, 1], code)


@njit(cache=True)
def refresh(costs, ends, known, table):  # type: ignore[no-untyped-def]
    """Bring the table up to date where the ends are no longer those it was filled for."""
    for j in range(len(costs.weights)):
        first, second = ends[j, 0], ends[j, 1]
        if first == known[j, 0] and second == known[j, 1]:
            continue
        known[j, 0], known[j, 1] = first, second
        for code in range(costs.offsets[j], costs.offsets[j + 1]):
            table[code] = cost_with(costs, j, first, second, code)


@njit(cache=True)
def load_gain(diversity, clusters, c, gain):  # type: ignore[no-untyped-def]
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


@njit(cache=True)
def place(costs, pool, diversity, clusters, placed, t, c):  # type: ignore[no-untyped-def]
    """Put one tuple of item t into cluster c, and log it as number `placed`."""
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


@njit(cache=True)
def take_back(pool, clusters, placed, c):  # type: ignore[no-untyped-def]
    """Return the tuples of cluster c to the pool."""
    for i in range(placed):
        if clusters.cluster[i] == c:
            clusters.cluster[i] = -1
            pool.left[clusters.item[i]] += 1
    clusters.sizes[c] = 0
    clusters.distinct[c, :] = 0


@njit(cache=True)
def forget(clusters, placed):  # type: ignore[no-untyped-def]
    """Drop the placements that were taken back from the log, in order; return how many remain."""
    kept = 0
    for i in range(placed):
        if clusters.cluster[i] >= 0:
            clusters.item[kept] = clusters.item[i]
            clusters.cluster[kept] = clusters.cluster[i]
            kept += 1
    return kept


@njit(cache=True)
def compact(pool, alive, n):  # type: ignore[no-untyped-def]
    """Drop the items that are used up from the first n of `alive`, in order; return how many remain."""
    kept = 0
    for i in range(n):
        if pool.left[alive[i]] > 0:
            alive[kept] = alive[i]
            kept += 1
    return kept


@njit(cache=True)
def all_alive(pool, alive):  # type: ignore[no-untyped-def]
    """Write the items with tuples left to `alive`, in order; return how many there are."""
    for i in range(len(alive)):
        alive[i] = i
    return compact(pool, alive, len(alive))


@njit(cache=True)
def cheapest(pool, alive, n, table, gain, barred, bound, floor, diversify):  # type: ignore[no-untyped-def]
    """Return the first item of least cost without a barred value (that adds diversity, if asked), or -1.

    `bound` holds what each item cost at least; `floor` is the cluster's own cost, below which none falls.
    """
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
