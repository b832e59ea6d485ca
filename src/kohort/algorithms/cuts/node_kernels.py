"""The bounds of a search node: its head classes, summed over the intervals of every path along the spine."""

from __future__ import annotations

import numpy as np
from numba import njit

from kohort.algorithms.cuts.label_kernels import add_labels, label_cost
from kohort.algorithms.cuts.path_kernels import both_ways, cheapest, promising, shortest
from kohort.algorithms.cuts.region_kernels import IN, NEVER, OPEN, blocks_of, group_rows
from kohort.algorithms.cuts.size_kernels import add_sizes


@njit(cache=True, nogil=True)
def evaluate(  # type: ignore[no-untyped-def]
    codes, place, weights, labels, first, begins, ends, places, own, least, metric, k, n, limit, price,
    status, best,
):  # fmt: skip
    """Return the bounds of the node `status`, and the cost of its head set with the best path along the spine.

    (bound, bound with each cut in, with each cut out, whether each cut is valid anywhere, cost, path, the
    intervals that may still be part of a better path). The path holds, for each place an interval ends before,
    where that interval begins; cost is inf where no path keeps the limit or costs less than `best`. Bounds are
    for sets that cost less than `best` and less than the head set: others are left aside.
    """
    n_cuts = first[-1]
    with_bound = np.full(n_cuts, np.inf)
    without_bound = np.full(n_cuts, np.inf)
    useful = np.zeros(n_cuts, np.uint8)
    order, starts, along = _head_classes(codes, place, weights, labels, first, places, status)
    n_classes = len(starts) - 1
    quick, exact, lost = _whole_classes(along, begins, ends, own, least, metric, k)
    slack = 1.0 if metric == 2 and limit > 0 else 0.0  # the suppressed count as one class more
    cost, before = cheapest(begins, ends, exact, lost, places, limit, limit >= n, price, slack, best)
    room = min(min(best, cost) - 1 + 1e-6, NEVER / 2) + slack
    ahead, _ = both_ways(begins, ends, quick, places)
    if ahead[places] > room:
        return ahead[places] - slack, with_bound, without_bound, useful, cost, before, np.empty(0, np.int64)
    kept = promising(begins, ends, quick, places, room)
    count = len(kept)
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
    bound = shortest(some_begins, some_ends, base, places, with_cut, with_bound)
    shortest(some_begins, some_ends, base, places, without_cut, without_bound)
    for v in range(n_cuts):
        open = status[v] == OPEN
        with_bound[v] = with_bound[v] - slack if open else np.inf
        without_bound[v] = without_bound[v] - slack if open else np.inf
    kept = kept[promising(some_begins, some_ends, base, places, room)]
    return bound - slack, with_bound, without_bound, useful, cost, before, kept


@njit(cache=True, nogil=True)
def head_cost(  # type: ignore[no-untyped-def]
    codes, place, weights, labels, first, begins, ends, places, own, least, metric, k, n, limit, price,
    status, best,
):  # fmt: skip
    """Return cost and path of the cuts that are in, as `evaluate` does, and no bounds."""
    _, _, along = _head_classes(codes, place, weights, labels, first, places, status)
    _, exact, lost = _whole_classes(along, begins, ends, own, least, metric, k)
    slack = 1.0 if metric == 2 and limit > 0 else 0.0
    return cheapest(begins, ends, exact, lost, places, limit, limit >= n, price, slack, best)


@njit(cache=True, nogil=True)
def _head_classes(codes, place, weights, labels, first, places, status):  # type: ignore[no-untyped-def]
    """Return the rows sorted by head class, where each starts, and its prefix sums along the spine.

    The prefix sums count records, then those of every label.
    """
    t = labels.shape[1]
    order, starts = group_rows(codes, np.arange(len(codes)), first, blocks_of(first, status, IN))
    along = np.zeros((len(starts) - 1, places + 1, 1 + t), np.int64)
    for c in range(len(along)):
        for q in range(starts[c], starts[c + 1]):
            i = order[q]
            along[c, place[i] + 1, 0] += weights[i]
            for y in range(t):
                along[c, place[i] + 1, 1 + y] += labels[i, y]
        for a in range(places):
            for y in range(1 + t):
                along[c, a + 1, y] += along[c, a, y]
    return order, starts, along


@njit(cache=True, nogil=True)
def _whole_classes(along, begins, ends, own, least, metric, k):  # type: ignore[no-untyped-def]
    """Return of every interval a quick bound, the cost and the records suppressed if no class is parted."""
    quick = np.zeros(len(begins))
    exact = np.zeros(len(begins))
    lost = np.zeros(len(begins), np.int64)
    for c in range(len(along)):
        for i in range(len(begins)):
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
    return quick, exact, lost
