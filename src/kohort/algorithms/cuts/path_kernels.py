"""Shortest paths along the spine: an interval is an arc from the place it begins at to the place it ends before.

Intervals are sorted by end, so one pass over them finds all shortest paths.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def promising(begins, ends, length, places, room):  # type: ignore[no-untyped-def]
    """Return the intervals that lie on some path no longer than `room`."""
    ahead, behind = both_ways(begins, ends, length, places)
    kept = np.empty(len(begins), np.int64)
    count = 0
    for i in range(len(begins)):
        if ahead[begins[i]] + length[i] + behind[ends[i]] <= room:
            kept[count] = i
            count += 1
    return kept[:count]


@njit(cache=True, nogil=True)
def both_ways(begins, ends, length, places):  # type: ignore[no-untyped-def]
    """Return the shortest way from the first place to every place, and from every place to the last."""
    ahead = np.full(places + 1, np.inf)
    behind = np.full(places + 1, np.inf)
    ahead[0], behind[places] = 0.0, 0.0
    for i in range(len(begins)):  # sorted by end: all ways to the beginning are known
        ahead[ends[i]] = min(ahead[ends[i]], ahead[begins[i]] + length[i])
    for i in range(len(begins) - 1, -1, -1):
        behind[begins[i]] = min(behind[begins[i]], behind[ends[i]] + length[i])
    return ahead, behind


@njit(cache=True, nogil=True)
def shortest(begins, ends, base, places, more, bound):  # type: ignore[no-untyped-def]
    """Return the length of the shortest path, and fill what it is with more[:, v] added to every interval."""
    n_cuts = more.shape[1]
    plain = np.full(places + 1, np.inf)
    ahead = np.full((places + 1, n_cuts), np.inf)
    plain[0] = 0.0
    ahead[0] = 0.0
    for i in range(len(begins)):
        a, b = begins[i], ends[i]
        plain[b] = min(plain[b], plain[a] + base[i])
        for v in range(n_cuts):
            ahead[b, v] = min(ahead[b, v], ahead[a, v] + base[i] + more[i, v])
    for v in range(n_cuts):
        bound[v] = ahead[places, v]
    return plain[places]


@njit(cache=True, nogil=True)
def cheapest(  # type: ignore[no-untyped-def]
    begins, ends, cost, lost, places, limit, free, price, slack, best
):
    """Return the least cost of a path that suppresses no more than the limit, and the path.

    `slack` is what suppressing anything at all saves; `free` where no limit binds.
    """
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
    within = np.full((places + 1, most + 1), np.inf)  # of place and records suppressed on the way there
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
    within[places, 1:] -= slack
    x = int(np.argmin(within[places]))
    found = within[places, x]
    b = places
    while b > 0 and found < np.inf:
        i = last[b, x]
        x = from_[b, x]
        before[b] = begins[i]
        b = begins[i]
    return found, before
