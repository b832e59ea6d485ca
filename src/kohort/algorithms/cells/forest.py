"""`forest`: cells suppressed or generalized within a factor O(k) of the optimum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cells.cost import CellCost, cell_cost, numbered
from kohort.algorithms.cells.decompose import Tree, decompose
from kohort.algorithms.cells.order import by_value
from kohort.algorithms.cells.polish import polished
from kohort.algorithms.cells.repair import demand_rows
from kohort.algorithms.cells.settle import settle
from kohort.algorithms.watch import Watch
from kohort.arrays import IntArray
from kohort.card import Card
from kohort.recode import Problem, Solution

_LOOK = 64  # rows between two looks at the clock


@dataclass(frozen=True)
class Forest:
    """Trees of at least k near rows, large ones cut up; the rows of a tree are released alike.

    Rows are the vertices of a complete graph, weighted by the cells in which two rows differ (with
    `generalize`, by the generalization steps that make them equal). While a component is smaller than k its
    root, the one vertex without an edge going out, gets an edge to the nearest vertex outside. Among the
    k − 1 nearest of a row some are outside, so each row's edge costs no more than that row pays in the best
    recoding: the forest weighs at most the optimum, and the parts of at most max(2k − 1, 3k − 5) rows cost
    at most that many times its weight. `polish` then moves single rows where that saves cells, which can
    only improve on it.

    Guarantee: cost at most max(2k − 1, 3k − 5) times the least, for k-anonymity alone; with further models
    groups that fail are merged, and there is none. `facts["lower_bound"]` is a proof for the instance:
    every row pays at least its distance to its (k − 1)-th nearest row.

    Complexity: O(n² · steps) time, O(n) memory beside the table.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("forest")))
    >>> counted(release.table)
    {('*', '*'): 2, ('*', '94138'): 2, ('*', '94142'): 2}

    References: Aggarwal, G. et al. Approximation algorithms for k-anonymity. Journal of Privacy Technology,
    2005; Ciriani, V. et al. k-Anonymity, 2007, section 5.
    """

    generalize: bool = False
    polish: bool = True

    card: ClassVar = Card(
        "forest",
        "groups grown from nearest rows; cells that differ are suppressed, or generalized",
        guarantee="within max(2k − 1, 3k − 5) of the fewest suppressed cells or generalization steps under k-anonymity alone, "
        "where it ends by itself and no group is merged for another promise",
        taxonomy="_CS, CG_",
        way="single cells",
        decides="row",
        paper="Aggarwal et al. 2005",
        bounds=("min_level",),
        heeds=("weight",),
        leaves_out=False,
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the recoding of the forest's parts."""
        watch = Watch.of(problem, progress)
        with watch.or_unfinished(self.card.name):
            return by_value(problem, lambda rows: self._solve(rows, watch))

    def _solve(self, problem: Problem, watch: Watch) -> Solution:
        k = problem.least_size
        demand_rows(problem, k)
        cost = cell_cost(problem, self.generalize)
        group_of, bound = forest_groups(cost, np.arange(problem.n_rows), k, watch)
        if self.polish:
            group_of = polished(cost, group_of, k, watch)
        return settle(problem, cost, group_of, {"lower_bound": cost.told_bound(bound), **watch.facts()})


def forest_groups(cost: CellCost, rows: IntArray, k: int, watch: Watch) -> tuple[IntArray, float]:
    """Return the group of each of `rows` (at least k, or none) and a lower bound on what any grouping costs.

    Ties go to the row that comes first. When it is over, the rows that are in no tree of k yet make a group, and the bound is of
    those that were looked at.
    """
    n = len(rows)
    component = np.arange(n)
    held = [[i] for i in range(n)]
    root = list(range(n))
    tree: Tree = {i: set() for i in range(n)}
    bound = 0.0
    measured = np.zeros(n, np.bool_)
    for start in range(n):
        if start % _LOOK == 0:
            watch.update("growing trees", start, n)
            if watch.over:
                break
        while len(held[here := int(component[start])]) < k:
            u = root[here]
            away = cost.distances(int(rows[u]), rows)
            bound += float(np.partition(away, k - 1)[k - 1])
            measured[u] = True
            away[held[here]] = np.inf
            v = int(np.argmin(away))
            there = int(component[v])
            tree[u].add(v)
            tree[v].add(u)
            small, large = sorted((here, there), key=lambda c: len(held[c]))
            component[held[small]] = large
            held[large] += held[small]
            held[small] = []
            root[large] = root[there]
    for last in rows[~measured] if k > 1 else ():
        if watch.over:
            break
        bound += float(np.partition(cost.distances(int(last), rows), k - 1)[k - 1])
    grown = [vertices for vertices in held if len(vertices) >= k]
    parts = [part for vertices in grown for part in decompose(tree, sorted(vertices), k)]
    return numbered(
        with_rest(parts, [v for vertices in held if len(vertices) < k for v in vertices], k), n
    ), bound


def with_rest(parts: list[list[int]], rest: list[int], k: int) -> list[list[int]]:
    """Return the parts and the rows left over: a part of their own, or of another where they are fewer than k."""
    if not rest:
        return parts
    return [*parts, rest] if len(rest) >= k or not parts else [*parts[:-1], [*parts[-1], *rest]]
