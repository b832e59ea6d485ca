"""`levels-and-cells`: full-domain levels with cells suppressed instead of tuples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cells.cost import CellCost, cost_above
from kohort.algorithms.cells.order import by_value
from kohort.algorithms.cells.outliers import outlier_groups
from kohort.algorithms.cells.repair import demand_rows
from kohort.algorithms.cells.settle import settle
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.errors import InfeasibleError
from kohort.metrics import Adds
from kohort.recode import Levels, Problem, Solution

Node = tuple[int, ...]


@dataclass(frozen=True)
class LevelsAndCells:
    """The best level vector found when failing rows lose single cells instead of being left out.

    At a node, rows in classes that keep the promises are released as they are; the others are grouped by
    `forest` and lose the cells in which their group differs, each cell weighed by what it still tells at its
    level. A lattice of up to `exhaustive` nodes is searched whole. In a larger one the search starts at the
    best node for tuple suppression without limit (`optimal`), goes to the best of the nodes one step away as
    long as that improves the objective, and stops at a node better than all its neighbours. A node whose
    levels alone lose as much as the best node so far is skipped, for `loss` and `precision`.

    Guarantee: none beyond the promises kept; never worse than suppressing the failing rows of the start
    cell by cell, for objectives such as `loss` that count a suppressed row as all its cells. min_levels and
    max_levels bound the levels; a suppressed cell is `*` all the same.

    Complexity: nodes visited × O(f² · attributes), f the failing rows of a node.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("levels-and-cells")))
    >>> release.levels, release.suppressed
    ({'age': 1, 'zip': 1}, 0)

    References: the model AG_CS of Ciriani, V. et al. k-Anonymity, 2007, section 3, for which they know of no
    algorithm.
    """

    exhaustive: int = 200

    card: ClassVar = Card(
        "levels-and-cells",
        "one level per attribute, and single cells suppressed in the rows that would fail",
        guarantee="none",
        taxonomy="AG_CS",
        way="whole columns, then single cells",
        decides="row",
        paper="the model of Ciriani et al. 2007",
        bounds=("min_level",),
        heeds=("objective", "weight"),
        leaves_out=False,
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best node visited; the best so far at the time limit or an interrupt."""
        watch = Watch.of(problem, progress)
        with watch.or_unfinished(self.card.name):
            return by_value(problem, lambda rows: self._solve(rows, watch))

    def _solve(self, problem: Problem, watch: Watch) -> Solution:
        from kohort.algorithms.lattice.choice import lattice_of

        demand_rows(problem, problem.least_size)
        lattice = lattice_of(problem)
        search = _Search(problem, watch)
        whole = len(lattice) <= self.exhaustive
        if whole:
            search.visit(lattice)
        else:
            here = _start(problem, watch)
            if not search.visit([here]):  # nothing keeps the promises there, but all rows alike may
                here = lattice.highest
                search.visit([here])
            while search.visit([*lattice.below(here), *lattice.above(here)]):
                here = search.node
        if search.best is None:
            assert search.missed is not None
            raise search.missed
        facts = {
            **search.best.facts,
            "levels": {name: int(level) for name, level in zip(problem.names, search.node, strict=True)},
            "nodes": len(lattice),
            "checked": len(search.seen),
            "skipped": len(search.skipped),
            **watch.facts(),
        }
        return replace(search.best, facts=facts)


class _Search:
    """The nodes seen and the best of them; ties go to the lower and then the earlier node."""

    def __init__(self, problem: Problem, watch: Watch) -> None:
        self.problem = problem
        self.watch = watch
        self.seen: set[Node] = set()
        self.best: Solution | None = None
        self.node: Node = ()
        self.skipped: set[Node] = set()
        self.missed: InfeasibleError | None = None  # the last node at which nothing keeps the promises

    def visit(self, nodes: Iterable[Node]) -> bool:
        """Look at the nodes not seen yet; whether one of them is the best now."""
        improved = False
        for node in nodes:
            if self.best is not None and self.watch.over:
                return False
            if node in self.seen or self._hopeless(node):
                continue
            self.seen.add(node)
            try:
                found = solution_at(self.problem, node, self.watch)
            except InfeasibleError as missed:
                self.missed = missed
                if self.watch.over:
                    return False
                continue
            best = found.score if self.best is None else min(found.score, self.best.score)
            self.watch.tell("suppressing cells", len(self.seen), best=best)
            if self.best is None or (found.score, sum(node), node) < (
                self.best.score,
                sum(self.node),
                self.node,
            ):
                self.best, self.node, improved = found, node, True
        return improved

    def _hopeless(self, node: Node) -> bool:
        """Whether the levels alone lose as much as the best node does with its suppressed cells.

        Known only of objectives that add up what each cell loses.
        """
        if self.best is None or self.problem.form.adds not in (Adds.PRODUCT, Adds.MEAN):
            return False
        levels = Levels(node, np.ones(len(self.problem.base), np.bool_))
        least = self.problem.objective.score(levels.apply(self.problem).outcome(self.problem))
        if least < self.best.score:
            return False
        self.skipped.add(node)
        return True


def solution_at(problem: Problem, levels: Node, watch: Watch) -> Solution:
    """Return the recoding to `levels` with cells suppressed where promises fail."""
    cost = _telling(problem, cost_above(problem, levels, generalize=False))
    return settle(problem, cost, outlier_groups(problem, cost, watch))


def _telling(problem: Problem, cost: CellCost) -> CellCost:
    """Return the cost with each cell at the share of its domain that it rules out, on average."""
    told = []
    for j, hierarchy in enumerate(problem.hierarchies):
        leaves = hierarchy.levels[int(cost.base[j])].leaves[cost.steps[j]]
        told.append(max(1 - float(leaves.mean()) / hierarchy.size, 1e-6))
    return replace(cost, weights=cost.weights * np.array(told))


def _start(problem: Problem, watch: Watch) -> Node:
    """Return the best node where failing rows may be left out without limit, or the best so far after half the time."""
    from kohort.algorithms.lattice.optimal import Optimal

    half = None if watch.left is None else watch.left / 2
    free = replace(problem, max_suppressed=problem.n_rows, time_limit=half)
    decision = Optimal().solve(free, watch).decision
    return tuple(decision.levels)  # type: ignore[attr-defined]
