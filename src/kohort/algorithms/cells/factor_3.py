"""`factor-3`: groups of three to five from a minimum-weight 2-factor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cells.cost import cell_cost
from kohort.algorithms.cells.factor import minimum_factor
from kohort.algorithms.cells.factor_2 import demand_k, from_factor, from_forest, nearest_bound, two_valued
from kohort.algorithms.cells.order import by_value
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class Factor3:
    """3-anonymity from the lightest cover of the rows by disjoint cycles.

    A cycle through a group of the best recoding crosses each of its a varying columns; on average over the
    cycles, and so on the best one, at most 2, 8/3 and 3 times in groups of three, four and five rows if the
    columns hold two values: the cover weighs at most 2/3 of the optimum. With more values a group's cycle
    crosses each column at most once per row: the cover weighs at most the optimum. A cycle of weight W is
    left whole up to five rows, at a cost of at most 5·W/2 (every varying column is crossed twice or more),
    and otherwise cut into pieces of three to five rows; over its rotations pieces of three and four cost
    3W at most on average, and the cheapest cut is taken.

    Guarantee: cost at most 2 times the least where every attribute (with `generalize`, every level) has two
    values, at most 3 times otherwise; for k = 3 and k-anonymity alone. Needs the extra `solve`, as
    `factor-2` does.

    Complexity: that of the integer program; tables up to 2,000 rows.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("factor-3", k=3)))
    >>> counted(release.table)
    {('*', '*'): 6}

    References: Aggarwal, G. et al. Approximation algorithms for k-anonymity. Journal of Privacy Technology,
    2005.
    """

    generalize: bool = False
    polish: bool = True

    card: ClassVar = Card(
        "factor-3",
        "k = 3: groups of three to five rows from a minimum-weight 2-factor",
        guarantee="within 2 of the fewest suppressed cells for two-valued attributes, 3 for others, under 3-anonymity alone, "
        "where the search ends by itself with its factor proved minimal, and no group is merged for another promise",
        taxonomy="_CS, CG_",
        decides="row",
        paper="Aggarwal et al. 2005",
        bounds=("min_level",),
        heeds=("weight",),
        leaves_out=False,
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the recoding of groups of three to five."""
        watch = Watch.of(problem, progress)
        with watch.or_unfinished(self.card.name):
            return by_value(problem, lambda rows: self._solve(rows, watch))

    def _solve(self, problem: Problem, watch: Watch) -> Solution:
        demand_k(self.card.name, problem, 3)
        cost = cell_cost(problem, self.generalize)
        watch.update("finding a minimum-weight factor")
        distances = cost.matrix()
        factor = minimum_factor(distances, 2, 2, self.card.name, watch, cost.step)
        if factor is None:
            return from_forest(problem, cost, 3, nearest_bound(distances, 3), watch)
        share = 1.5 if two_valued(cost) else 1.0  # OPT is at least this times the factor's weight
        bound = max(share * factor.bound, nearest_bound(distances, 3))
        return from_factor(problem, cost, factor, 3, bound, self.polish, watch)
