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


class Start(NamedTuple):
    """What is known of a node before its classes are looked into."""

    order: IntArray  # rows by head class
    starts: IntArray
    along: IntArray  # (classes, places + 1, 1 + t): prefix sums along the spine
    cost: float
    path: IntArray
    room: float  # no path beyond it is looked for
    bound: float
    kept: IntArray  # the intervals that may be part of a better path, none where there is no such path
    arcs: Arcs  # those intervals


@kernel
def evaluate_sizes(rows: Rows, arcs: Arcs, costs: Costs, status: CutSet, best: float) -> Evaluation:
    """Return what is found of the node `status` by those who know a set that costs `best`."""
    node = _start(rows, arcs, costs, status, best)
    bounds = _nothing(node, len(status))
    sums = np.empty((rows.places + 1, len(status) + rows.codes.shape[1]), np.int64)
    for c in range(len(node.starts) - 1):
        members = node.order[node.starts[c] : node.starts[c + 1]]
        if not _suppressed(node.along[c], costs, node.arcs, bounds):
            add_sizes(rows, members, status, node.along[c], node.arcs, costs, sums, bounds)
    return _conclude(rows, costs, status, node, bounds)


@kernel
def evaluate_labels(rows: Rows, arcs: Arcs, costs: Costs, status: CutSet, best: float) -> Evaluation:
    """As `evaluate_sizes`, for the classification metric: only one of both is ever compiled for a search."""
    node = _start(rows, arcs, costs, status, best)
    bounds = _nothing(node, len(status))
    sums = np.empty((rows.places + 1, len(status) + rows.codes.shape[1]), np.int64)
    for c in range(len(node.starts) - 1):
        members = node.order[node.starts[c] : node.starts[c + 1]]
        if not _suppressed(node.along[c], costs, node.arcs, bounds):
            add_labels(rows, members, status, node.along[c], node.arcs, costs, sums, bounds)
    return _conclude(rows, costs, status, node, bounds)


@inner
def _start(rows: Rows, arcs: Arcs, costs: Costs, status: CutSet, best: float) -> Start:
    """Return the head classes of a node, the best path along the spine, and the intervals worth a look."""
    places = rows.places
    head, quick, cost, path = _head(rows, arcs, costs, status, best)
    order, starts, along = head
    room = min(min(best, cost) - 1 + 1e-6, NEVER / 2) + _slack(costs)
    ahead, _ = both_ways(arcs, quick, places)
    kept = promising(arcs, quick, places, room)
    if ahead[places] > room:
        kept, starts = kept[:0], starts[:1]
    some = Arcs(_at(arcs.begins, kept), _at(arcs.ends, kept))
    return Start(order, starts, along, cost, path, room, ahead[places], kept, some)


@inner
def _nothing(node: Start, n_cuts: int) -> Bounds:
    """Return bounds to which no class has been added."""
    count = len(node.kept)
    return Bounds(
        np.zeros(count), np.zeros((count, n_cuts)), np.zeros((count, n_cuts)), np.zeros(n_cuts, np.uint8)
    )


@inner
def _suppressed(along: IntArray, costs: Costs, arcs: Arcs, bounds: Bounds) -> bool:
    """Tell whether a head class is too small to be released; if so, add what it costs."""
    if along[-1, 0] >= costs.k:
        return False
    for i in range(len(arcs.begins)):
        bounds.base[i] += costs.own[along[arcs.ends[i], 0] - along[arcs.begins[i], 0]]
    return True


@inner
def _conclude(rows: Rows, costs: Costs, status: CutSet, node: Start, bounds: Bounds) -> Evaluation:
    """Return what follows from the bounds of all classes."""
    places, slack = rows.places, _slack(costs)
    with_bound, without_bound = np.full(len(status), np.inf), np.full(len(status), np.inf)
    bound, kept = node.bound, node.kept
    if bound <= node.room:
        bound = shortest(node.arcs, bounds.base, places, bounds.with_cut, with_bound)
        shortest(node.arcs, bounds.base, places, bounds.without_cut, without_bound)
        for v in range(len(status)):
            open = status[v] == OPEN
            with_bound[v] = with_bound[v] - slack if open else np.inf
            without_bound[v] = without_bound[v] - slack if open else np.inf
        kept = _at(kept, promising(node.arcs, bounds.base, places, node.room))
    return Evaluation(bound - slack, with_bound, without_bound, bounds.useful, node.cost, node.path, kept)


@kernel
def head_cost(rows: Rows, arcs: Arcs, costs: Costs, status: CutSet, best: float) -> tuple[float, IntArray]:
    """Return cost and path of the cuts that are in, as `evaluate_sizes` does, and no bounds."""
    _, _, cost, path = _head(rows, arcs, costs, status, best)
    return cost, path


@inner
def _head(
    rows: Rows, arcs: Arcs, costs: Costs, status: CutSet, best: float
) -> tuple[tuple[IntArray, IntArray, IntArray], FloatArray, float, IntArray]:
    """Return the head classes of a node, a quick bound of every interval, and cost and path of the best set."""
    head = _head_classes(rows, status)
    quick, exact, lost = _whole_classes(head[2], arcs, costs)
    cost, path = cheapest(arcs, exact, lost, rows.places, costs, _slack(costs), best)
    return head, quick, cost, path


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
