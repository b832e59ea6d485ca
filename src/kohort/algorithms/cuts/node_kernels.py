"""The bounds of a search node: its head classes, summed over the intervals of every path along the spine."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.label_kernels import add_labels, label_cost
from kohort.algorithms.cuts.path_kernels import both_ways, cheapest, promising, shortest
from kohort.algorithms.cuts.region_kernels import (
    IN,
    NEVER,
    OPEN,
    Arcs,
    Costs,
    Rows,
    blocks_of,
    group_rows,
)
from kohort.algorithms.cuts.size_kernels import Bounds, add_sizes
from kohort.arrays import FloatArray, IntArray
from kohort.compiling import inner, kernel


class Evaluation(NamedTuple):
    """What is found of a node.

    The path holds, for each place an interval ends before, where that interval begins; cost is inf where no path
    keeps the limit or costs less than the best known. Bounds are for sets that cost less than that and less than
    the head set: others are left aside.
    """

    bound: float
    with_cut: FloatArray  # bound with each cut in
    without_cut: FloatArray  # with each cut out
    useful: CutSet  # whether each cut is valid anywhere
    cost: float  # of the head set with the best path along the spine
    path: IntArray
    kept: IntArray  # the intervals that may still be part of a better path


@kernel
def evaluate(rows: Rows, arcs: Arcs, costs: Costs, status: CutSet, best: float) -> Evaluation:
    """Return what is found of the node `status` by those who know a set that costs `best`."""
    first, places, k, metric = rows.first, rows.places, costs.k, costs.metric
    n_cuts = first[-1]
    with_bound = np.full(n_cuts, np.inf)
    without_bound = np.full(n_cuts, np.inf)
    useful = np.zeros(n_cuts, np.uint8)
    order, starts, along = _head_classes(rows, status)
    quick, exact, lost = _whole_classes(along, arcs, costs)
    slack = _slack(costs)
    cost, path = cheapest(arcs, exact, lost, places, costs, slack, best)
    room = min(min(best, cost) - 1 + 1e-6, NEVER / 2) + slack
    ahead, _ = both_ways(arcs, quick, places)
    if ahead[places] > room:
        nothing = np.empty(0, np.int64)
        return Evaluation(ahead[places] - slack, with_bound, without_bound, useful, cost, path, nothing)
    kept = promising(arcs, quick, places, room)
    count = len(kept)
    some = Arcs(_at(arcs.begins, kept), _at(arcs.ends, kept))
    bounds = Bounds(np.zeros(count), np.zeros((count, n_cuts)), np.zeros((count, n_cuts)), useful)
    sums = np.empty((places + 1, first[-1] + rows.codes.shape[1]), np.int64)
    for c in range(len(starts) - 1):
        members = order[starts[c] : starts[c + 1]]
        if along[c, places, 0] < k:
            for i in range(count):
                bounds.base[i] += costs.own[along[c, some.ends[i], 0] - along[c, some.begins[i], 0]]
        elif metric == 1:
            add_labels(rows, members, status, along[c], some, costs, sums, bounds)
        else:
            add_sizes(rows, members, status, along[c], some, costs, sums, bounds)
    bound = shortest(some, bounds.base, places, bounds.with_cut, with_bound)
    shortest(some, bounds.base, places, bounds.without_cut, without_bound)
    for v in range(n_cuts):
        open = status[v] == OPEN
        with_bound[v] = with_bound[v] - slack if open else np.inf
        without_bound[v] = without_bound[v] - slack if open else np.inf
    kept = _at(kept, promising(some, bounds.base, places, room))
    return Evaluation(bound - slack, with_bound, without_bound, useful, cost, path, kept)


@kernel
def head_cost(rows: Rows, arcs: Arcs, costs: Costs, status: CutSet, best: float) -> tuple[float, IntArray]:
    """Return cost and path of the cuts that are in, as `evaluate` does, and no bounds."""
    _, _, along = _head_classes(rows, status)
    _, exact, lost = _whole_classes(along, arcs, costs)
    return cheapest(arcs, exact, lost, rows.places, costs, _slack(costs), best)


@inner
def _slack(costs: Costs) -> float:
    """Return what suppressing anything saves: the suppressed count as one class more."""
    return 1.0 if costs.metric == 2 and costs.limit > 0 else 0.0


@inner
def _at(values: IntArray, places: IntArray) -> IntArray:
    found = np.empty(len(places), np.int64)
    for i in range(len(places)):
        found[i] = values[places[i]]
    return found


@inner
def _head_classes(rows: Rows, status: CutSet) -> tuple[IntArray, IntArray, IntArray]:
    """Return the rows sorted by head class, where each starts, and its prefix sums along the spine.

    The prefix sums count records, then those of every label.
    """
    codes, place, weights, labels, first, places = rows
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


@inner
def _whole_classes(along: IntArray, arcs: Arcs, costs: Costs) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return of every interval a quick bound, the cost and the records suppressed if no class is parted."""
    begins, ends = arcs
    own, least, metric, k = costs.own, costs.least, costs.metric, costs.k
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
