# mypy: disable-error-code="no-any-return"
"""Shortest paths along the spine: an interval is an arc from the place it begins at to the place it ends before.

Intervals are sorted by end, so one pass over them finds all shortest paths.
"""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cuts.region_kernels import Arcs, Costs
from kohort.arrays import FloatArray, IntArray
from kohort.compiling import inner


@inner
def promising(arcs: Arcs, length: FloatArray, places: int, room: float) -> IntArray:
    """Return the intervals that lie on some path no longer than `room`."""
    begins, ends = arcs
    ahead, behind = both_ways(arcs, length, places)
    kept = np.empty(len(begins), np.int64)
    count = 0
    for i in range(len(begins)):
        if ahead[begins[i]] + length[i] + behind[ends[i]] <= room:
            kept[count] = i
            count += 1
    return kept[:count]


@inner
def both_ways(arcs: Arcs, length: FloatArray, places: int) -> tuple[FloatArray, FloatArray]:
    """Return the shortest way from the first place to every place, and from every place to the last."""
    begins, ends = arcs
    ahead = np.full(places + 1, np.inf)
    behind = np.full(places + 1, np.inf)
    ahead[0], behind[places] = 0.0, 0.0
    for i in range(len(begins)):  # sorted by end: all ways to the beginning are known
        ahead[ends[i]] = min(ahead[ends[i]], ahead[begins[i]] + length[i])
    for i in range(len(begins) - 1, -1, -1):
        behind[begins[i]] = min(behind[begins[i]], behind[ends[i]] + length[i])
    return ahead, behind


@inner
def shortest(arcs: Arcs, base: FloatArray, places: int, more: FloatArray, bound: FloatArray) -> float:
    """Return the length of the shortest path, and fill what it is with more[:, v] added to every interval."""
    begins, ends = arcs
    n_cuts = more.shape[1]
    plain = np.full(places + 1, np.inf)
    ahead = np.empty((places + 1, n_cuts))
    plain[0] = 0.0
    for a in range(places + 1):
        for v in range(n_cuts):
            ahead[a, v] = np.inf if a > 0 else 0.0
    for i in range(len(begins)):
        a, b = begins[i], ends[i]
        plain[b] = min(plain[b], plain[a] + base[i])
        for v in range(n_cuts):
            ahead[b, v] = min(ahead[b, v], ahead[a, v] + base[i] + more[i, v])
    for v in range(n_cuts):
        bound[v] = ahead[places, v]
    return plain[places]


@inner
def cheapest(
    arcs: Arcs, cost: FloatArray, lost: IntArray, places: int, costs: Costs, slack: float, best: float
) -> tuple[float, IntArray]:
    """Return the least cost of a path that suppresses no more than the limit, and the path.

    `slack` is what suppressing anything at all saves.
    """
    begins, ends = arcs
    limit, price = costs.limit, costs.price
    free = limit >= costs.n
    ahead = np.full(places + 1, np.inf)
    gone = np.zeros(places + 1, np.int64)
    before = np.zeros(places + 1, np.int64)
    ahead[0] = 0.0
    for i in range(len(begins)):
        a, b = begins[i], ends[i]
        if ahead[a] + cost[i] < ahead[b]:
            ahead[b] = ahead[a] + cost[i]
            gone[b] = gone[a] + lost[i]
            before[b] = a
    least = ahead[places]
    if (gone[places] <= limit and slack == 0) or not least - slack < best:
        return (least if gone[places] <= limit else np.inf), before
    most = np.int64(1) if free else limit
    if price > 0 and best < np.inf:
        most = min(most, np.int64(best / price))
    within = np.empty((places + 1, most + 1))  # of place and records suppressed on the way there
    for a in range(places + 1):
        for x in range(most + 1):
            within[a, x] = np.inf
    last = np.zeros((places + 1, most + 1), np.int64)  # the interval taken
    from_ = np.zeros((places + 1, most + 1), np.int64)  # records suppressed before it
    within[0, 0] = 0.0
    for i in range(len(begins)):
        a, b = begins[i], ends[i]
        for x in range(most + 1):
            y = min(x + lost[i], most) if free else x + lost[i]
            if y <= most and within[a, x] + cost[i] < within[b, y]:
                within[b, y] = within[a, x] + cost[i]
                last[b, y] = i
                from_[b, y] = x
    x = 0
    for y in range(1, most + 1):
        within[places, y] -= slack
        if within[places, y] < within[places, x]:
            x = y
    found = within[places, x]
    b = places
    while b > 0 and found < np.inf:
        i = last[b, x]
        x = from_[b, x]
        before[b] = begins[i]
        b = begins[i]
    return found, before
