"""`mingen`: every node of the lattice is judged (Sweeney's MinGen, full-domain)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.lattice.choice import best_of, infeasible, lattice_of, nearest_miss, solution_of
from kohort.algorithms.lattice.counted_nodes import refuted
from kohort.algorithms.lattice.lattice import Lattice, Vector
from kohort.algorithms.lattice.node_outcome import judge
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class MinGen:
    """The best of all nodes, by judging each of them from the base classes.

    Nothing is pruned and nothing is reused between nodes: this is the oracle that the faster searches
    are compared with.

    Complexity: nodes × distinct tuples.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("mingen")))
    >>> release.levels, release.suppressed
    ({'age': 1, 'zip': 1}, 0)

    References: Sweeney, L. Achieving k-anonymity privacy protection using generalization and suppression.
    IJUFKS 10(5), 2002. Ciriani et al., k-Anonymity, 2007, section 4.
    """

    card: ClassVar = Card(
        "mingen",
        "judges every level vector from the base; the oracle of the tests",
        guarantee="optimal where the search ends by itself",
        taxonomy="AG_TS",
        decides="class",
        paper="Sweeney 2002; Ciriani et al. 2007, section 4",
        bounds=("min_level", "max_level"),
        levels=True,
        every_node=True,
        heeds=("objective",),
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best node; ties as in `choice.best_of`."""
        watch = Watch.of(problem, progress)
        lattice = lattice_of(problem)
        candidates: list[tuple[float, int, Vector]] = []
        misses: list[tuple[int, Vector]] = []
        checked, best = 0, float("inf")
        for levels in _with_the_top_in_time(lattice, watch, candidates):
            checked += 1
            lost = refuted(problem, levels)
            if lost is not None:
                misses.append((lost, levels))
                continue
            judged = judge(problem, levels)
            if judged.feasible:
                candidates.append((judged.score, judged.suppressed, levels))
                best = min(best, judged.score)
            else:
                misses.append((judged.suppressed, levels))
            watch.tell("judging nodes", checked, len(lattice), best)
        if not candidates:
            nearest = nearest_miss(problem, np.array([lost for lost, _ in misses]), lambda i: misses[i][1])
            if watch.ended is not None:
                raise watch.unfinished("mingen", {"suppressed": nearest.suppressed})
            raise infeasible(problem, nearest, self.card)
        facts = {"nodes": len(lattice), "checked": checked, **watch.facts()}
        score, _, levels = best_of(candidates)
        return solution_of(problem, levels, optimal=watch.ended is None, facts=facts, score=score)


def _with_the_top_in_time(
    lattice: Lattice, watch: Watch, candidates: list[tuple[float, int, Vector]]
) -> Iterator[Vector]:
    """Return the nodes from the bottom up; where it is over before one of them holds, the top at last."""
    for levels in lattice:
        if watch.over:
            if not candidates:
                yield lattice.highest
            return
        yield levels
