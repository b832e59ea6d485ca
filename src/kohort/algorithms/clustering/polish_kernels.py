"""The kernel that exchanges tuples between finished clusters where that lowers the information loss."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from kohort.algorithms.clustering.kernels import cost_with, join, load, loss


class Members(NamedTuple):
    """The tuples one by one, each in the doubly linked ring of its cluster's members."""

    item: Any  # int64 (tuples)
    cluster: Any  # int64 (tuples)
    after: Any  # int64 (tuples): the next member, -1 after the last
    before: Any  # int64 (tuples): the member before, -1 before the first
    first: Any  # int64 (clusters)
    sizes: Any  # int64 (clusters)
    ends: Any  # int32 (clusters, q, 2), as in `Clusters`
    shares: Any  # float64 (clusters, q): cost per tuple, attribute by attribute
    losses: Any  # float64 (clusters): their sum


@njit(cache=True)
def _price(costs, codes, members, c):  # type: ignore[no-untyped-def]
    """Bring ends and costs of cluster c up to date."""
    ends = members.ends[c]
    members.losses[c] = _ends_without(costs, codes, members, c, -1, ends)
    for j in range(len(costs.weights)):
        members.shares[c, j] = cost_with(costs, j, ends[j, 0], ends[j, 1], ends[j, 0])


@njit(cache=True)
def _rise(costs, members, c, codes, limit):  # type: ignore[no-untyped-def]
    """Return what a tuple that joins adds to the cost per tuple of cluster c; anything from `limit` on is inf."""
    rise = 0.0
    for j in range(len(costs.weights)):
        ends = members.ends[c, j]
        rise += cost_with(costs, j, ends[0], ends[1], codes[j]) - members.shares[c, j]
        if rise >= limit:
            return np.inf
    return rise


@njit(cache=True)
def _ends_without(costs, codes, members, c, skipped, ends):  # type: ignore[no-untyped-def]
    """Write the ends of cluster c without one of its members (-1: with all of them); return its cost."""
    size = 0
    u = members.first[c]
    while u >= 0:
        if u != skipped:
            join(costs, ends, size, codes[members.item[u]])
            size += 1
        u = members.after[u]
    return loss(costs, ends)


@njit(cache=True)
def _stays_diverse(diversity, values, members, c, leaving, joining):  # type: ignore[no-untyped-def]
    """Whether cluster c still holds p values of every attribute after one member left and one item joined.

    An item of -1 joins nothing. The cluster was diverse before, so only a value that leaves with its last
    holder matters.
    """
    gone = values[members.item[leaving]]
    for i in range(len(diversity.p)):
        if joining >= 0 and values[joining, i] == gone[i]:
            continue
        last, new = True, joining >= 0
        u = members.first[c]
        while u >= 0:
            if u != leaving:
                value = values[members.item[u], i]
                last = last and value != gone[i]
                new = new and value != values[joining, i]
            u = members.after[u]
        if last and not new and _distinct(values, members, c, i, diversity.p[i] + 1) <= diversity.p[i]:
            return False
    return True


@njit(cache=True)
def _distinct(values, members, c, i, enough):  # type: ignore[no-untyped-def]
    """Return the number of distinct values of attribute i in cluster c, counted up to `enough`."""
    seen = np.empty(enough, np.int64)
    distinct = 0
    u = members.first[c]
    while u >= 0 and distinct < enough:
        value = values[members.item[u], i]
        new = True
        for s in range(distinct):
            new = new and seen[s] != value
        if new:
            seen[distinct] = value
            distinct += 1
        u = members.after[u]
    return distinct


@njit(cache=True)
def link(members, u, c):  # type: ignore[no-untyped-def]
    """Make tuple u the first member of cluster c."""
    first = members.first[c]
    members.cluster[u] = c
    members.before[u], members.after[u] = -1, first
    if first >= 0:
        members.before[first] = u
    members.first[c] = u
    members.sizes[c] += 1


@njit(cache=True)
def _unlink(members, u):  # type: ignore[no-untyped-def]
    before, after, c = members.before[u], members.after[u], members.cluster[u]
    if before >= 0:
        members.after[before] = after
    else:
        members.first[c] = after
    if after >= 0:
        members.before[after] = before
    members.sizes[c] -= 1


@njit(cache=True, nogil=True)
def gather(costs, codes, members):  # type: ignore[no-untyped-def]
    """Link every tuple to its cluster and fill ends and losses."""
    for u in range(len(members.item) - 1, -1, -1):
        link(members, u, members.cluster[u])
    for c in range(len(members.sizes)):
        _price(costs, codes, members, c)


@njit(cache=True, nogil=True)
def exchange(costs, codes, values, diversity, members, size, start, stop):  # type: ignore[no-untyped-def]
    """Try to place each of the tuples start … stop - 1 better; return how many were.

    A tuple t of cluster a either moves to a smaller cluster b, where a keeps `size` tuples, or is exchanged
    for a tuple u of b. What b pays is bounded by its cost with both t and u, so a cluster is passed over
    by one comparison where that alone outweighs what a saves.
    """
    table = np.empty(costs.offsets[-1], np.float64)
    rest = np.empty((len(costs.weights), 2), np.int32)
    paid = np.empty(len(members.sizes), np.float64)
    better = 0
    for t in range(start, stop):
        a = members.cluster[t]
        if members.losses[a] == 0.0 or members.sizes[a] == 1:
            continue
        without = _ends_without(costs, codes, members, a, t, rest)
        n_a = members.sizes[a]
        saved = n_a * (members.losses[a] - without)
        if saved <= 0.0 and n_a <= size:
            continue
        moving = saved + without
        load(costs, rest, n_a - 1, table)
        mine = codes[members.item[t]]
        limit = moving if n_a > size else saved
        movable = n_a > size and _stays_diverse(diversity, values, members, a, t, -1)
        best, partner, target = 0.0, -1, -1
        for b in range(len(members.sizes)):
            if b == a or members.sizes[b] == 0:
                continue
            n_b = members.sizes[b]
            rise = _rise(costs, members, b, mine, limit / n_b)
            paid[b] = n_b * rise
            gain = moving - paid[b] - rise - members.losses[b]
            if movable and n_b < n_a and gain > best:
                best, partner, target = gain, -1, b
        for b in range(len(members.sizes)):
            if b == a or members.sizes[b] == 0 or saved - paid[b] <= best:
                continue
            u = members.first[b]
            while u >= 0:
                s = members.item[u]
                cost = 0.0
                for j in range(len(costs.weights)):
                    cost += table[codes[s, j]]
                gain = saved - paid[b] - n_a * (cost - without)
                if (
                    gain > best
                    and _stays_diverse(diversity, values, members, a, t, s)
                    and _stays_diverse(diversity, values, members, b, u, members.item[t])
                ):
                    best, partner, target = gain, u, b
                u = members.after[u]
        if best > 1e-9:
            _unlink(members, t)
            link(members, t, target)
            if partner >= 0:
                _unlink(members, partner)
                link(members, partner, a)
            _price(costs, codes, members, a)
            _price(costs, codes, members, target)
            better += 1
    return better
