"""`mingen`: every node of the lattice is judged (Sweeney's MinGen, full-domain)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.lattice.choice import best_of, infeasible, lattice_of, solution_of
from kohort.algorithms.lattice.node_outcome import judge
from kohort.card import Card
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class MinGen:
    """The best of all nodes, by judging each of them from the base classes.

    Nothing is pruned and nothing is reused between nodes: this is the oracle that the faster searches
    are compared with. Complexity: nodes × distinct tuples.

    References: Sweeney, L. Achieving k-anonymity privacy protection using generalization and suppression.
    IJUFKS 10(5), 2002. Ciriani et al., k-Anonymity, 2007, section 4.
    """

    card: ClassVar = Card(
        "mingen",
        "judges every level vector from the base; the oracle of the tests",
        guarantee="optimal",
        taxonomy="AG_TS",
        decides="class",
        paper="Sweeney 2002; Ciriani et al. 2007, section 4",
        bounds=("min_level", "max_level"),
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best node; ties as in `choice.best_of`."""
        lattice = lattice_of(problem)
        candidates = []
        nearest = None
        for done, levels in enumerate(lattice):
            progress.update("judging nodes", done, len(lattice))
            judged = judge(problem, levels)
            if judged.feasible:
                candidates.append((judged.score, judged.suppressed, levels))
            elif nearest is None or judged.suppressed <= nearest.suppressed:
                nearest = judged
        if not candidates:
            assert nearest is not None
            raise infeasible(problem, nearest)
        facts = {"nodes": len(lattice), "checked": len(lattice)}
        score, _, levels = best_of(candidates)
        return solution_of(problem, levels, optimal=True, facts=facts, score=score)
