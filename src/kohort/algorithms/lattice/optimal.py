"""`optimal`: the best full-domain recoding, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.lattice.choice import best_of, infeasible, lattice_of, solution_of
from kohort.algorithms.lattice.judgement import judge
from kohort.card import Card
from kohort.models import Monotone
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class Optimal:
    """The best node of the lattice for any objective and any list of models."""

    card: ClassVar = Card(
        "optimal",
        "the level vector of least loss within the suppression limit",
        guarantee="optimal",
        taxonomy="AG_TS",
        paper="after Kohlmayer et al. 2012 (Flash) and El Emam et al. 2009 (OLA)",
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best node; ties as in `choice.best_of`."""
        lattice = lattice_of(problem)
        settled = all(Monotone.SUPPRESSION in model.monotone for model in problem.models)
        lost: set[tuple[int, ...]] = set()  # nodes with too much suppression, where that is monotone
        candidates = []
        nearest = None
        checked = 0
        for done, height in enumerate(range(lattice.height, -1, -1)):
            progress.update("judging nodes", done, lattice.height + 1)
            for levels in lattice.at(height):
                if settled and any(upper in lost for upper in lattice.above(levels)):
                    lost.add(levels)
                    continue
                checked += 1
                judged = judge(problem, levels)
                if judged.feasible:
                    candidates.append((judged.score, judged.suppressed, levels))
                    continue
                lost.add(levels)
                if nearest is None or judged.suppressed < nearest.suppressed:
                    nearest = judged
        if not candidates:
            assert nearest is not None
            raise infeasible(problem, nearest)
        facts = {"nodes": len(lattice), "checked": checked}
        return solution_of(problem, best_of(candidates)[2], optimal=True, facts=facts)
