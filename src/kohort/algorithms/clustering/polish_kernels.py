"""The kernel that exchanges tuples between finished clusters where that lowers the information loss."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.algorithms.clustering.cluster_kernels import (
    Costs,
    Diversity,
    cost_with,
    join,
    load,
    loss,
    loss_with,
)
from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.compiling import inner, kernel

_LEAST = 1e-12  # of what two clusters lose: gains below it are rounding


class Members(NamedTuple):
    """The tuples one by one, each in the doubly linked list of its cluster's members.

    What a cluster would be without one of its members is kept for each member, and brought up to date for
    the two clusters of every exchange.
    """

    item: IntArray  # int64 (tuples)
    cluster: IntArray  # int64 (tuples)
    after: IntArray  # int64 (tuples): the next member, -1 after the last
    before: IntArray  # int64 (tuples): the member before, -1 before the first
    rest: IntArray  # int32 (tuples, q, 2): the ends of the cluster without the tuple
    spared: FloatArray  # float64 (tuples): the cost per tuple of the cluster without it
    critical: BoolArray  # bool (tuples, r): without it the cluster would hold too few values of the attribute
    first: IntArray  # int64 (clusters)
    sizes: IntArray  # int64 (clusters)
    ends: IntArray  # int32 (clusters, q, 2), as in `Clusters`
    shares: FloatArray  # float64 (clusters, q): cost per tuple, attribute by attribute
    losses: FloatArray  # float64 (clusters): their sum
    slack: FloatArray  # float64 (clusters): the most that the cluster saves when one member is replaced
    stale: IntArray  # int64 (clusters): those of which all this must be found anew, the last first
    n_stale: IntArray  # int64 (1)


@inner
def _link(members: Members, u: int, c: int) -> None:
    """Make tuple u the first member of cluster c."""
    first = members.first[c]
    members.cluster[u] = c
    members.before[u], members.after[u] = -1, first
    if first >= 0:
        members.before[first] = u
    members.first[c] = u
    members.sizes[c] += 1


@inner
def _unlink(members: Members, u: int) -> None:
    before, after, c = members.before[u], members.after[u], members.cluster[u]
    if before >= 0:
        members.after[before] = after
    else:
        members.first[c] = after
    if after >= 0:
        members.before[after] = before
    members.sizes[c] -= 1


@inner
def _unite(costs: Costs, ends: IntArray, others: IntArray) -> None:
    """Widen the ends of one cluster by those of another."""
    for j in range(len(costs.weights)):
        if costs.numeric[j]:
            ends[j, 0] = min(ends[j, 0], others[j, 0])
            ends[j, 1] = max(ends[j, 1], others[j, 1])
        else:
            level = max(ends[j, 1], others[j, 1])
            while costs.above[level, ends[j, 0]] != costs.above[level, others[j, 0]]:
                level += 1
            ends[j, 1] = level


@inner
def _copy(ends: IntArray, to: IntArray) -> None:
    for j in range(len(ends)):
        to[j, 0], to[j, 1] = ends[j, 0], ends[j, 1]


@inner
def _renew(
    costs: Costs,
    codes: IntArray,
    values: IntArray,
    diversity: Diversity,
    members: Members,
    c: int,
    counts: IntArray,
) -> None:
    """Bring all that is kept of cluster c and its members up to date, in time linear in its size.

    The ends without a member are those of the members before it, met on the way forth, united with those of
    the members after it, met on the way back. `counts` holds 0 for every sensitive value.
    """
    ends = members.ends[c]
    n, last = 0, -1
    distinct = np.zeros(len(diversity.p), np.int64)
    u = members.first[c]
    while u >= 0:
        _copy(ends, members.rest[u])
        join(costs, ends, n, codes[members.item[u]])
        for i in range(len(diversity.p)):
            value = values[members.item[u], i]
            distinct[i] += counts[value] == 0
            counts[value] += 1
        n, last = n + 1, u
        u = members.after[u]
    members.losses[c] = loss(costs, ends)
    for j in range(len(costs.weights)):
        members.shares[c, j] = cost_with(costs, j, ends[j, 0], ends[j, 1], ends[j, 0])
    members.slack[c] = 0.0
    behind = np.empty((len(costs.weights), 2), np.int32)
    u, back = last, 0
    while u >= 0:
        if back == n - 1:
            _copy(behind, members.rest[u])
        elif back > 0:
            _unite(costs, members.rest[u], behind)
        join(costs, behind, back, codes[members.item[u]])
        back += 1
        members.spared[u] = loss(costs, members.rest[u])
        members.slack[c] = max(members.slack[c], n * (members.losses[c] - members.spared[u]))
        for i in range(len(diversity.p)):
            members.critical[u, i] = distinct[i] <= diversity.p[i] and counts[values[members.item[u], i]] == 1
        u = members.before[u]
    u = last
    while u >= 0:
        for i in range(len(diversity.p)):
            counts[values[members.item[u], i]] = 0
        u = members.before[u]


@inner
def _rise(costs: Costs, members: Members, c: int, codes: IntArray, limit: float) -> float:
    """Return what a tuple that joins adds to the cost per tuple of cluster c; inf from `limit` on."""
    rise = 0.0
    for j in range(len(costs.weights)):
        ends = members.ends[c, j]
        rise += cost_with(costs, j, ends[0], ends[1], codes[j]) - members.shares[c, j]
        if rise >= limit:
            return np.inf
    return rise


@inner
def _holds(values: IntArray, members: Members, c: int, i: int, value: int) -> bool:
    u = members.first[c]
    while u >= 0:
        if values[members.item[u], i] == value:
            return True
        u = members.after[u]
    return False


@kernel
def exchange(
    costs: Costs,
    codes: IntArray,
    values: IntArray,
    diversity: Diversity,
    members: Members,
    size: int,
    start: int,
    stop: int,
) -> int:
    """Try to place each of the tuples start … stop - 1 better; return how many were.

    A tuple t of cluster a either moves to a smaller cluster b, where a keeps `size` tuples, or is exchanged
    for a tuple u of b. The cost is submodular: t costs b without u at least what it costs all of b, less
    what b saves without u. So a cluster, and then a tuple of it, is passed over by one comparison where
    that bound outweighs what a saves.
    """
    stale, n_stale = members.stale, members.n_stale
    table = np.empty(costs.offsets[-1], np.float64)
    counts = np.zeros(diversity.offsets[-1], np.int64)
    held_by_a = np.full(diversity.offsets[-1], -1, np.int64)
    held_by_b = np.empty(len(diversity.p), np.bool_)
    better = 0
    for t in range(start, stop + 1):
        while n_stale[0] > 0:
            n_stale[0] -= 1
            _renew(costs, codes, values, diversity, members, stale[n_stale[0]], counts)
        if t == stop:
            break
        a = members.cluster[t]
        n_a, without = members.sizes[a], members.spared[t]
        if n_a < 2 or members.losses[a] == 0.0:
            continue
        saved = n_a * (members.losses[a] - without)
        movable = n_a > size
        for i in range(len(diversity.p)):
            movable = movable and not members.critical[t, i]
        if saved <= 0.0 and not movable:
            continue
        own = members.item[t]
        mine = codes[own]
        u = members.first[a]
        while u >= 0:
            for i in range(len(diversity.p)):
                held_by_a[values[members.item[u], i]] = t
            u = members.after[u]
        load(costs, members.rest[t], n_a - 1, table)
        best, partner, target = 0.0, -1, -1
        for b in range(len(members.sizes)):
            n_b = members.sizes[b]
            if b == a or n_b < 2:
                continue
            outlay = saved + max(members.slack[b], without if movable else 0.0)
            rise = _rise(costs, members, b, mine, (outlay - best) / n_b)
            if rise == np.inf:
                continue
            least = _LEAST * (n_a * members.losses[a] + n_b * members.losses[b])
            if movable and n_b < n_a:
                gain = saved + without - n_b * rise - rise - members.losses[b]
                if gain > best and gain > least:
                    best, partner, target = gain, -1, b
            if saved <= 0.0 or saved + members.slack[b] - n_b * rise <= best:
                continue
            for i in range(len(diversity.p)):
                held_by_b[i] = _holds(values, members, b, i, values[own, i])
            u = members.first[b]
            while u >= 0:
                s = members.item[u]
                # A critical value is its tuple's alone: the newcomer has it too or brings one that is new.
                stays = True
                for i in range(len(diversity.p)):
                    if values[s, i] != values[own, i]:
                        stays = stays and not (members.critical[t, i] and held_by_a[values[s, i]] == t)
                        stays = stays and not (members.critical[u, i] and held_by_b[i])
                if stays:
                    cost = 0.0
                    for j in range(len(costs.weights)):
                        cost += table[codes[s, j]]
                    gain = saved - n_a * (cost - without)
                    if gain - n_b * (rise - members.losses[b] + members.spared[u]) > best:
                        gain -= n_b * (loss_with(costs, members.rest[u], mine) - members.losses[b])
                        if gain > best and gain > least:
                            best, partner, target = gain, u, b
                u = members.after[u]
        if target >= 0:
            _unlink(members, t)
            _link(members, t, target)
            if partner >= 0:
                _unlink(members, partner)
                _link(members, partner, a)
            stale[0], stale[1], n_stale[0] = target, a, 2
            better += 1
    return better
