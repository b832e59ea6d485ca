"""`datafly`: generalize the attribute with most distinct values until few enough outliers are left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.lattice.choice import infeasible, lattice_of, solution_of
from kohort.algorithms.lattice.counted_nodes import refuted
from kohort.algorithms.lattice.lattice import Vector
from kohort.algorithms.lattice.node_outcome import NodeOutcome, judge
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class Datafly:
    """A generalization found greedily: fast, neither minimal nor best.

    While more records fail than may be suppressed, the attribute with the most distinct values in the
    generalized table climbs one level (of several, the first in the table). At most Σ heights steps, each
    rolled up from the one before. When it is over before that, the top is taken at once.

    Complexity: at most Σ heights roll-ups, each of the classes of the node before.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("datafly")))
    >>> release.levels, release.suppressed
    ({'age': 1, 'zip': 1}, 0)

    References: Sweeney, L. Guaranteeing anonymity when sharing medical data, the Datafly system. AMIA 1997.
    Samarati 2001, section 7.
    """

    card: ClassVar = Card(
        "datafly",
        "climbs the attribute with most distinct values until few enough outliers are left",
        guarantee="none: neither minimal nor optimal",
        taxonomy="AG_TS",
        decides="class",
        paper="Sweeney 1997",
        bounds=("min_level", "max_level"),
        levels=True,
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the first node on the greedy path that holds."""
        watch = Watch.of(problem, progress)
        lattice = lattice_of(problem)
        path = [lattice.lowest]
        judged = _judged(problem, lattice.lowest, None)
        while judged is None or not judged.feasible:
            watch.update("climbing", len(path), lattice.height + 1)
            levels = path[-1]
            free = [j for j, level in enumerate(levels) if level < lattice.highest[j]]
            if not free:
                with watch.or_unfinished(self.card.name):
                    raise infeasible(problem, judged or judge(problem, levels), self.card)
            if watch.over:
                path.append(lattice.highest)
                judged = _judged(problem, lattice.highest, judged)
                continue
            chosen = max(free, key=lambda j: (_distinct(problem, j, levels[j]), -j))
            path.append((*levels[:chosen], levels[chosen] + 1, *levels[chosen + 1 :]))
            judged = _judged(problem, path[-1], judged)
        facts = {"nodes": len(lattice), "checked": len(path), "path": [list(levels) for levels in path]}
        facts |= watch.facts()
        return solution_of(problem, path[-1], optimal=False, facts=facts)


def _judged(problem: Problem, levels: Vector, before: NodeOutcome | None) -> NodeOutcome | None:
    """Judge a node, rolled up from the one before where that was judged; None where sizes alone rule it out."""
    if refuted(problem, levels) is not None:
        return None
    return judge(problem, levels, None if before is None else before.classes)


def _distinct(problem: Problem, j: int, level: int) -> int:
    """Return how many values an attribute has in the table at a level."""
    occurring = problem.hierarchies[j].levels[level].of_ground[problem.totals[j] > 0]
    return len(np.unique(occurring))
