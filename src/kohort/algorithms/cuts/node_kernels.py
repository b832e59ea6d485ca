"""The bounds of a search node: its head classes, summed over the intervals of the spine, and shortest paths."""

from __future__ import annotations

import numpy as np
from numba import njit

from kohort.algorithms.cuts.label_kernels import add_labels, label_cost
from kohort.algorithms.cuts.region_kernels import IN, NEVER, OPEN, blocks_of, group_rows
from kohort.algorithms.cuts.size_kernels import add_sizes


@njit(cache=True, nogil=True)
def evaluate(  # type: ignore[no-untyped-def]
    codes, place, weights, labels, first, begins, ends, places, own, least, metric, k, n, limit, price,
    status, best,
):  # fmt: skip
    """Return the bounds of the node `status`, and the cost of its head set with the best path along the spine.

    (bound, bound with each cut in, with each cut out, whether each cut is valid anywhere, cost, path). The path
    holds, for each place an interval ends before, where that interval begins; cost is inf where no path keeps
    the limit. Paths that cannot cost less than `best` are left aside.
    """
    n_cuts = first[-1]
    t = labels.shape[1]
    with_bound = np.full(n_cuts, np.inf)
    without_bound = np.full(n_cuts, np.inf)
    useful = np.zeros(n_cuts, np.uint8)
    order, starts = group_rows(codes, np.arange(len(codes)), first, blocks_of(first, status, IN))
    n_classes = len(starts) - 1
    along = np.zeros((n_classes, places + 1, 1 + t), np.int64)
    for c in range(n_classes):
        for q in range(starts[c], starts[c + 1]):
            i = order[q]
            along[c, place[i] + 1, 0] += weights[i]
            for y in range(t):
                along[c, place[i] + 1, 1 + y] += labels[i, y]
        for a in range(places):
            for y in range(1 + t):
                along[c, a + 1, y] += along[c, a, y]
    n_intervals = len(begins)
    quick = np.zeros(n_intervals)
    exact = np.zeros(n_intervals)
    lost = np.zeros(n_intervals, np.int64)
    for c in range(n_classes):
        for i in range(n_intervals):
            s = along[c, ends[i], 0] - along[c, begins[i], 0]
            if s < k:
                quick[i] += own[s]
                exact[i] += own[s]
                lost[i] += s
            elif metric == 1:
                cost = label_cost(along[c], begins[i], ends[i], s)
                exact[i] += cost
                if s < 2 * k:
                    quick[i] += cost
            else:
                exact[i] += own[s]
                quick[i] += least[s]
    slack = 1.0 if metric == 2 and limit > 0 else 0.0  # the suppressed count as one class more
    cost, before = _cheapest(begins, ends, exact, lost, places, limit, limit >= n, price, slack, best)
    room = min(min(best, cost) - 1 + 1e-6, NEVER / 2) + slack
    ahead, behind = _both_ways(begins, ends, quick, places)
    if ahead[places] > room:
        return ahead[places] - slack, with_bound, without_bound, useful, cost, before
    count = 0
    kept = np.empty(n_intervals, np.int64)
    for i in range(n_intervals):
        if ahead[begins[i]] + quick[i] + behind[ends[i]] <= room:
            kept[count] = i
            count += 1
    kept = kept[:count]
    some_begins, some_ends = begins[kept], ends[kept]
    base = np.zeros(count)
    with_cut = np.zeros((count, n_cuts))
    without_cut = np.zeros((count, n_cuts))
    sums = np.empty((places + 1, first[-1] + codes.shape[1]), np.int64)
    for c in range(n_classes):
        rows = order[starts[c] : starts[c + 1]]
        size = along[c, places, 0]
        if size < k:
            for i in range(count):
                base[i] += own[along[c, some_ends[i], 0] - along[c, some_begins[i], 0]]
        elif metric == 1:
            add_labels(
                codes, place, weights, labels, rows, first, status, along[c], some_begins, some_ends, own, k,
                sums, base, with_cut, without_cut, useful,
            )  # fmt: skip
        else:
            add_sizes(
                codes, place, weights, rows, first, status, along[c, :, 0].copy(), some_begins, some_ends, own,
                least, metric == 0, k, n, metric == 0 and limit > 0, sums, base, with_cut, without_cut, useful,
            )  # fmt: skip
    bound = _shortest(some_begins, some_ends, base, places, with_cut, with_bound)
    _shortest(some_begins, some_ends, base, places, without_cut, without_bound)
    for v in range(n_cuts):
        open = status[v] == OPEN
        with_bound[v] = with_bound[v] - slack if open else np.inf
        without_bound[v] = without_bound[v] - slack if open else np.inf
    return bound - slack, with_bound, without_bound, useful, cost, before


@njit(cache=True, nogil=True)
def _both_ways(begins, ends, length, places):  # type: ignore[no-untyped-def]
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
def _shortest(begins, ends, base, places, more, bound):  # type: ignore[no-untyped-def]
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
def _cheapest(  # type: ignore[no-untyped-def]
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
    x = np.argmin(within[places])
    found = within[places, x]
    b = places
    while b > 0 and found < np.inf:
        i = last[b, x]
        x = from_[b, x]
        before[b] = begins[i]
        b = begins[i]
    return found, before
