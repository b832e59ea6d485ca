"""The kernels of the clusterings: clusters grow, are matched, filled and dispersed on distinct tuples.

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

_INFINITE = np.inf


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
def _refresh(costs, ends, known, table):  # type: ignore[no-untyped-def]
    """Bring the table up to date where the ends are no longer those it was filled for."""
    for j in range(len(costs.weights)):
        first, second = ends[j, 0], ends[j, 1]
        if first == known[j, 0] and second == known[j, 1]:
            continue
        known[j, 0], known[j, 1] = first, second
        for code in range(costs.offsets[j], costs.offsets[j + 1]):
            table[code] = cost_with(costs, j, first, second, code)


@njit(cache=True)
def _load_gain(diversity, clusters, c, gain):  # type: ignore[no-untyped-def]
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
def _place(costs, pool, diversity, clusters, placed, t, c):  # type: ignore[no-untyped-def]
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
def _take_back(pool, clusters, placed, c):  # type: ignore[no-untyped-def]
    """Return the tuples of cluster c to the pool."""
    for i in range(placed):
        if clusters.cluster[i] == c:
            clusters.cluster[i] = -1
            pool.left[clusters.item[i]] += 1
    clusters.sizes[c] = 0
    clusters.distinct[c, :] = 0


@njit(cache=True)
def _compact(pool, alive, n):  # type: ignore[no-untyped-def]
    """Drop the items that are used up from the first n of `alive`, in order; return how many remain."""
    kept = 0
    for i in range(n):
        if pool.left[alive[i]] > 0:
            alive[kept] = alive[i]
            kept += 1
    return kept


@njit(cache=True)
def _all_alive(pool, alive):  # type: ignore[no-untyped-def]
    for i in range(len(alive)):
        alive[i] = i
    return _compact(pool, alive, len(alive))


@njit(cache=True)
def _cheapest(pool, alive, n, table, gain, barred, bound, floor, diversify):  # type: ignore[no-untyped-def]
    """Return the first item of least cost without a barred value (that adds diversity, if asked), or -1.

    `bound` holds what each item cost at least; `floor` is the cluster's own cost, below which none falls.
    """
    best, found = _INFINITE, -1
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


@njit(cache=True)
def _furthest(pool, alive, n, table, barred):  # type: ignore[no-untyped-def]
    """Return the first item of greatest cost without a barred value, or -1."""
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


@njit(cache=True)
def bar(diversity, clusters, c, stock, later, barred):  # type: ignore[no-untyped-def]
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


@njit(cache=True)
def _most_diverse(pool, candidates, n, table, gain):  # type: ignore[no-untyped-def]
    """Return (item, diversity, cost): the most diverse candidate, the cheapest of those, the first of those."""
    most, best, found = -1.0, _INFINITE, -1
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
def grow(costs, pool, diversity, clusters, k, target, made, placed, last, limit):  # type: ignore[no-untyped-def]
    """Grow up to `limit` clusters, one after another, each from the item furthest from the last one placed.

    A cluster first takes the cheapest tuple that adds diversity until it is diverse, then the cheapest
    until it has k. With a `target` above 0 every choice leaves enough sensitive values for the clusters that
    the target still asks for; it is lowered by one where no choice does.

    Returns (clusters made, tuples placed, last item, target, whether more can be grown). The last cluster is
    taken back where the pool cannot make it diverse: then no other could be made either, since the pool
    and the cluster together lack the values.
    """
    alive = np.empty(len(pool.left), np.int64)
    n = _all_alive(pool, alive)
    table = np.empty(costs.offsets[-1], np.float64)
    gain = np.zeros(diversity.offsets[-1], np.float64)
    barred = np.zeros(diversity.offsets[-1], np.bool_)
    stock = np.zeros(diversity.offsets[-1], np.int64)
    remaining = 0
    for i in range(n):
        remaining += pool.left[alive[i]]
        for j in range(len(diversity.p)):
            stock[pool.values[alive[i], j]] += pool.left[alive[i]]
    bound = np.empty(len(pool.left), np.float64)
    lone = np.empty((len(costs.weights), 2), np.int32)
    known = np.empty((len(costs.weights), 2), np.int32)
    reserving = target > 0
    for c in range(made, made + limit):
        if remaining < k or (reserving and made == target):
            return made, placed, last, target, False
        bound[:] = 0.0
        known[:] = -1
        while True:
            diversify = _load_gain(diversity, clusters, c, gain) > 0.0
            if clusters.sizes[c] >= k and not diversify:
                break
            if reserving:
                bar(diversity, clusters, c, stock, target - made - 1, barred)
            if clusters.sizes[c] == 0:
                join(costs, lone, 0, pool.codes[last])
                _refresh(costs, lone, known, table)
                t = _furthest(pool, alive, n, table, barred)
            else:
                _refresh(costs, clusters.ends[c], known, table)
                floor = loss(costs, clusters.ends[c])
                t = _cheapest(pool, alive, n, table, gain, barred, bound, floor, diversify)
            if t >= 0:
                placed = _place(costs, pool, diversity, clusters, placed, t, c)
                remaining -= 1
                last = t
                for j in range(len(diversity.p)):
                    stock[pool.values[t, j]] -= 1
            elif reserving and target > made + 1:
                target -= 1
            else:
                _take_back(pool, clusters, placed, c)
                return made, _forget(clusters, placed), last, target, False
        made += 1
        n = _compact(pool, alive, n)
    return made, placed, last, target, remaining >= k


@njit(cache=True, nogil=True)
def disperse(costs, pool, diversity, clusters, order, placed):  # type: ignore[no-untyped-def]
    """Put every tuple left into the cluster of `order` whose information loss rises least."""
    losses = np.empty(len(clusters.sizes), np.float64)
    for c in order:
        losses[c] = loss(costs, clusters.ends[c])
    for t in range(len(pool.left)):
        while pool.left[t] > 0:
            best, found = _INFINITE, -1
            for c in order:
                # (s + 1)·with − s·without ≥ without, because `with` is at least `without`
                if losses[c] >= best:
                    continue
                size = clusters.sizes[c]
                rise = (size + 1) * loss_with(costs, clusters.ends[c], pool.codes[t]) - size * losses[c]
                if rise < best:
                    best, found = rise, c
            placed = _place(costs, pool, diversity, clusters, placed, t, found)
            losses[found] = loss(costs, clusters.ends[found])
    return placed


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
            _load_gain(diversity, clusters, c, gain)
            t = _most_diverse(pool, candidates, len(candidates), table, gain)[0]
            if t < 0:
                break
            placed = _place(costs, pool, diversity, clusters, placed, t, c)
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
    most = np.full(m, _INFINITE, np.float64)
    rise = np.full(m, -_INFINITE, np.float64)
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
            placed = _place(costs, pool, diversity, clusters, placed, choice[c], c)
            for i in range(at, n - 1):
                open_[i] = open_[i + 1]
            n -= 1
            continue
        size = clusters.sizes[c]
        load(costs, clusters.ends[c], size, table)
        _load_gain(diversity, clusters, c, gain)
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
    n = _all_alive(pool, alive)
    standing, h = len(order), 0
    while h < standing:
        c = order[h]
        while _load_gain(diversity, clusters, c, gain) > 0.0:
            load(costs, clusters.ends[c], clusters.sizes[c], table)
            t, added, _ = _most_diverse(pool, alive, n, table, gain)
            if t < 0 or added <= 0.0:
                break
            placed = _place(costs, pool, diversity, clusters, placed, t, c)
        if _load_gain(diversity, clusters, c, gain) == 0.0:
            h += 1
        else:
            standing -= 1
            _take_back(pool, clusters, placed, order[standing])
        placed = _forget(clusters, placed)
        n = _all_alive(pool, alive)
    return standing, placed


@njit(cache=True)
def _forget(clusters, placed):  # type: ignore[no-untyped-def]
    """Drop the placements that were taken back from the log, in order; return how many remain."""
    kept = 0
    for i in range(placed):
        if clusters.cluster[i] >= 0:
            clusters.item[kept] = clusters.item[i]
            clusters.cluster[kept] = clusters.cluster[i]
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def release(pool, clusters, dropped, placed):  # type: ignore[no-untyped-def]
    """Take the clusters `dropped` back; return how many placements remain."""
    for c in dropped:
        _take_back(pool, clusters, placed, c)
    return _forget(clusters, placed)


@njit(cache=True, nogil=True)
def fill(costs, pool, diversity, clusters, order, k, placed):  # type: ignore[no-untyped-def]
    """Fill the clusters of `order` to k tuples, each with the cheapest left; return the tuples placed."""
    table = np.empty(costs.offsets[-1], np.float64)
    gain = np.zeros(diversity.offsets[-1], np.float64)
    barred = np.zeros(diversity.offsets[-1], np.bool_)
    bound = np.zeros(len(pool.left), np.float64)
    alive = np.empty(len(pool.left), np.int64)
    known = np.empty((len(costs.weights), 2), np.int32)
    n = _all_alive(pool, alive)
    for c in order:
        bound[:] = 0.0
        known[:] = -1
        while clusters.sizes[c] < k:
            _refresh(costs, clusters.ends[c], known, table)
            floor = loss(costs, clusters.ends[c])
            t = _cheapest(pool, alive, n, table, gain, barred, bound, floor, False)
            placed = _place(costs, pool, diversity, clusters, placed, t, c)
        n = _compact(pool, alive, n)
    return placed
