"""`meyerson-williams`: rows covered greedily by sets of small diameter, the cover made a partition."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cells.cost import CellCost, cell_cost, numbered
from kohort.algorithms.cells.forest import with_rest
from kohort.algorithms.cells.order import by_value
from kohort.algorithms.cells.polish import polished
from kohort.algorithms.cells.repair import demand_rows
from kohort.algorithms.cells.settle import settle
from kohort.algorithms.watch import Watch
from kohort.arrays import BoolArray, IntArray
from kohort.card import Card
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class MeyersonWilliams:
    """Greedy set cover by sets of k to 2k − 1 rows, each weighing its radius; then every row in one set only.

    The sets of a best recoding cover the table with a sum of diameters of at most OPT/k. The greedy cover
    has at most H(2k − 1) times the least sum of radii (H the harmonic number), the diameters are at most
    twice the radii, the partition keeps the sum of diameters, and a set of at most 2k − 1 rows costs at
    most (2k − 1)(2k − 2) times its diameter. So the cost is at most (2k − 1)(2k − 2)·2·H(2k − 1)/k, that is
    O(k log k), times the least; for k-anonymity alone.

    The paper runs the greedy choice over all subsets, n to the power 2k − 1 of them, or over whole balls,
    with a factor that grows with the table. Weighing a set by its radius (the least r such that a ball of
    radius r about some row holds it) instead of its diameter makes the greedy choice over all subsets easy:
    the best subset of a ball takes as many rows not covered yet as it may.

    Complexity: O(n² log n) per row covered at worst; in practice about n evaluations of O(n log n), because
    a ball's bid can only get worse and is looked at again only when it leads.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("meyerson-williams")))
    >>> counted(release.table)
    {('*', '*'): 2, ('*', '94138'): 2, ('*', '94142'): 2}

    References: Meyerson, A. and Williams, R. On the complexity of optimal k-anonymity. PODS 2004.
    """

    generalize: bool = False
    polish: bool = True

    card: ClassVar = Card(
        "meyerson-williams",
        "groups from a greedy cover of near rows; cells that differ are suppressed, or generalized",
        guarantee="within O(k log k) of the fewest suppressed cells or generalization steps under k-anonymity alone, "
        "where it ends by itself and no group is merged for another promise",
        taxonomy="_CS, CG_",
        decides="row",
        paper="Meyerson & Williams 2004",
        bounds=("min_level",),
        heeds=("weight",),
        leaves_out=False,
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the recoding of the partition."""
        watch = Watch.of(problem, progress)
        with watch.or_unfinished(self.card.name):
            return by_value(problem, lambda rows: self._solve(rows, watch))

    def _solve(self, problem: Problem, watch: Watch) -> Solution:
        k = problem.least_size
        demand_rows(problem, k)
        cost = cell_cost(problem, self.generalize)
        cover = greedy_cover(cost, k, watch)
        parts = partition_of(cover, k)
        rest = sorted(set(range(problem.n_rows)).difference(*parts))
        group_of = numbered(with_rest(parts, rest, k), problem.n_rows)
        if self.polish:
            group_of = polished(cost, group_of, k, watch)
        return settle(problem, cost, group_of, {"cover": len(cover), **watch.facts()})


def greedy_cover(cost: CellCost, k: int, watch: Watch) -> list[list[int]]:
    """Return sets of k to 2k − 1 rows that cover all rows, least radius per newly covered row first.

    When it is over before, some rows are in none.
    """
    n = cost.n_rows
    uncovered = np.ones(n, np.bool_)
    bids = [(0.0, -2 * k, centre) for centre in range(n)]  # no bid is better than these
    cover: list[list[int]] = []
    while uncovered.any():
        watch.update("covering rows", n - int(uncovered.sum()), n)
        while True:
            if watch.over:
                return cover
            _, _, centre = bids[0]
            order, end, bid = _best_bid(cost, uncovered, centre, k)
            heapq.heapreplace(bids, (*bid, centre))
            if bids[0] >= (*bid, centre):
                break
        chosen = _members(order[: end + 1], uncovered, k)
        uncovered[chosen] = False
        cover.append(chosen)
    return cover


def _best_bid(
    cost: CellCost, uncovered: BoolArray, centre: int, k: int
) -> tuple[IntArray, int, tuple[float, int]]:
    """Return the rows by distance from the centre, where the best ball ends, and its bid.

    A bid is (radius per newly covered row, minus the rows newly covered).
    """
    distances = cost.distances(centre)
    order = np.argsort(distances, kind="stable")
    newly = np.minimum(np.cumsum(uncovered[order]), 2 * k - 1)[k - 1 :]
    radius = distances[order[k - 1 :]]
    ratio = np.full(len(newly), np.inf)
    np.divide(radius, newly, out=ratio, where=newly > 0)
    best = int(np.lexsort((-newly, ratio))[0])
    return order, best + k - 1, (float(ratio[best]), -int(newly[best]))


def _members(ball: IntArray, uncovered: BoolArray, k: int) -> list[int]:
    """Return up to 2k − 1 uncovered rows of the ball, filled up to k with its nearest covered ones."""
    new = ball[uncovered[ball]][: 2 * k - 1]
    old = ball[~uncovered[ball]][: max(k - len(new), 0)]
    return [int(row) for row in np.concatenate([new, old])]


def partition_of(cover: list[list[int]], k: int) -> list[list[int]]:
    """Return the cover with every row in one set, the sum of diameters no larger.

    A row in two sets leaves the one that can spare it; two sets of exactly k rows that share a row become
    one, of at most 2k − 1 rows.
    """
    sets = [set(rows) for rows in cover]
    owner: dict[int, int] = {}
    waiting = list(range(len(sets)))
    while waiting:
        i = waiting.pop()
        for row in sorted(sets[i]):
            j = owner.get(row, i)
            if j == i or row not in sets[j]:
                owner[row] = i
            elif len(sets[i]) > k:
                sets[i].discard(row)
            elif len(sets[j]) > k:
                sets[j].discard(row)
                owner[row] = i
            else:
                sets[i] |= sets[j]
                sets[j] = set()
                waiting.append(i)
                break
    return [sorted(rows) for rows in sets if rows]
