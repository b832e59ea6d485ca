"""`factor-2`: pairs and triples from a minimum-weight [1,2]-factor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cells.cost import CellCost, cell_cost, numbered
from kohort.algorithms.cells.factor import Factor, components, minimum_factor
from kohort.algorithms.cells.forest import forest_groups
from kohort.algorithms.cells.order import by_value
from kohort.algorithms.cells.polish import polished
from kohort.algorithms.cells.repair import demand_rows
from kohort.algorithms.cells.segments import cheapest_segments
from kohort.algorithms.cells.settle import settle
from kohort.algorithms.taxonomy import USUAL_CELLS
from kohort.algorithms.watch import Watch, unwatched
from kohort.arrays import FloatArray
from kohort.card import Card
from kohort.errors import InputError
from kohort.recode import Problem, Solution

MOST_ROWS = 2000  # all distances stand in one matrix, and the integer program has a row for each


@dataclass(frozen=True)
class Factor2:
    """2-anonymity from the lightest spanning subgraph in which every row has one or two edges.

    Its components are paths and cycles, cut into pairs and triples along their edges: a group costs at most
    3 times the weight of its edges. A pair of the best recoding that differs in d cells pays 2d and can be
    joined by an edge of weight d. A triple that differs in a columns pays 3a; each such column separates two
    of the three pairs if it holds two values, so the two lighter edges weigh at most 4a/3; three pairs if
    it holds three, then at most 2a.

    Guarantee: cost at most 1.5 times the least where every attribute (with `generalize`, every level) has
    two values, at most 2 times otherwise; for k = 2 and k-anonymity alone. `facts["lower_bound"]` is what
    factor and nearest rows prove for the instance. Needs the extra `solve`: the factor is found as an integer
    program, not by matching. It is proved minimal (`facts["proved"]`) unless `time_limit` stops it, or the weights are in
    no ratio of whole numbers below 100,000, so that costs differ by less than the solver can tell: then the bound is lowered
    by that.

    Complexity: that of the integer program, of which the relaxation is nearly integral; tables up to 2,000
    rows.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("factor-2")))
    >>> counted(release.table)
    {('*', '*'): 2, ('*', '94138'): 2, ('*', '94142'): 2}

    References: Aggarwal, G. et al. Approximation algorithms for k-anonymity. Journal of Privacy Technology,
    2005.
    """

    generalize: bool = False
    polish: bool = True

    card: ClassVar = Card(
        "factor-2",
        "k = 2: pairs and triples of rows from a minimum-weight [1,2]-factor",
        guarantee="within 1.5 of the fewest suppressed cells for two-valued attributes, 2 for others, under 2-anonymity alone, "
        "where the search ends by itself with its factor proved minimal, and no group is merged for another promise",
        taxonomy="_CS, CG_",
        decides="row",
        paper="Aggarwal et al. 2005",
        bounds=("min_level",),
        heeds=("weight",),
        leaves_out=False,
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the recoding of pairs and triples."""
        watch = Watch.of(problem, progress)
        with watch.or_unfinished(self.card.name):
            return by_value(problem, lambda rows: self._solve(rows, watch))

    def _solve(self, problem: Problem, watch: Watch) -> Solution:
        demand_k(self.card.name, problem, 2)
        cost = cell_cost(problem, self.generalize)
        watch.update("finding a minimum-weight factor")
        distances = cost.matrix()
        factor = minimum_factor(distances, 1, 2, self.card.name, watch, cost.step)
        if factor is None:
            return from_forest(problem, cost, 2, nearest_bound(distances, 2), watch)
        share = 2.0 if two_valued(cost) else 1.5  # OPT is at least this times the factor's weight
        bound = max(share * factor.bound, nearest_bound(distances, 2))
        return from_factor(problem, cost, factor, 2, bound, self.polish, watch)


def demand_k(name: str, problem: Problem, k: int) -> None:
    """Raise where the problem is not one of k or too large."""
    if problem.least_size != k:
        raise InputError(
            f"{name} serves k = {k}, and {problem.least_size} is asked for: choose {USUAL_CELLS!r}",
            code="algorithm.cannot-keep",
            algorithm=name,
        )
    if problem.n_rows > MOST_ROWS:
        raise InputError(
            f"{name} serves tables of up to {MOST_ROWS:,} rows, and this one has {problem.n_rows:,}: "
            f"choose {USUAL_CELLS!r}",
            code="algorithm.too-large",
            algorithm=name,
            rows=problem.n_rows,
            most=MOST_ROWS,
        )
    demand_rows(problem, k)


def from_forest(problem: Problem, cost: CellCost, k: int, bound: float, watch: Watch) -> Solution:
    """Return the recoding by `forest`, where it was over before there was a factor."""
    group_of, _ = forest_groups(cost, np.arange(problem.n_rows), k, unwatched())
    return settle(
        problem, cost, group_of, {"proved": False, "lower_bound": cost.told_bound(bound), **watch.facts()}
    )


def two_valued(cost: CellCost) -> bool:
    """Whether no step holds more than two values."""
    return all(len(np.unique(step)) <= 2 for step in cost.steps)


def nearest_bound(distances: FloatArray, k: int) -> float:
    """Return what all rows pay at least: each its distance to its (k − 1)-th nearest row."""
    return float(np.partition(distances, k - 1, axis=1)[:, k - 1].sum())


def from_factor(
    problem: Problem, cost: CellCost, factor: Factor, k: int, bound: float, polish: bool, watch: Watch
) -> Solution:
    """Return the recoding whose groups are pieces of the factor's paths and cycles."""
    degree = np.bincount(factor.edges.reshape(-1), minlength=problem.n_rows)
    groups = [
        group
        for walk in components(factor.edges, problem.n_rows)
        for group in cheapest_segments(cost, walk, bool((degree[walk] == 2).all()), k)
    ]
    group_of = numbered(groups, problem.n_rows)
    if polish:
        group_of = polished(cost, group_of, k, watch)
    facts = {
        "factor_weight": cost.told(factor.weight),
        "proved": factor.proved and cost.proportions.kept,
        "lower_bound": cost.told_bound(bound),
        **watch.facts(),
    }
    return settle(problem, cost, group_of, facts)
