"""`samarati`: the heights of the lattice are bisected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.lattice.choice import best_of, infeasible, solution_of
from kohort.algorithms.lattice.distance import DistanceMatrix
from kohort.algorithms.lattice.lattice import Vector
from kohort.algorithms.lattice.minimal import all_minimal
from kohort.algorithms.lattice.probe import Probe, require_monotone
from kohort.card import Card
from kohort.metrics import MinAbsoluteDistance
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class Samarati:
    """A k-minimal generalization of least height, by binary search on heights (Find_vector).

    A height at which no vector holds rules out all heights below it, because what must be suppressed only
    shrinks when a table is generalized further; so the promises must be monotone. Each height tried is
    asked vector by vector until one holds.

    The paper returns whichever vector of the least height it meets first; here all vectors of that height
    are compared, and the objective chooses (ties as in `choice.best_of`). With `all_minimal` the objective
    chooses among all k-minimal vectors of any height, as the preference policies of section 6 do.
    `matrix` decides by the distance vectors between tuples (section 5) instead of counting each
    generalization: the same answers, memory growing with the square of the distinct tuples.

    One departure: a node that would suppress every record is not taken for a solution.

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6),
    2001, sections 5 and 6.
    """

    matrix: bool = False
    all_minimal: bool = False

    card: ClassVar = Card(
        "samarati",
        "bisects the heights of the lattice for a k-minimal generalization",
        guarantee="k-minimal, of least height",
        taxonomy="AG_TS",
        decides="class",
        paper="Samarati 2001",
        bounds=("min_level", "max_level"),
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the preferred of the minimal vectors found."""
        require_monotone(problem, "samarati")
        probe = Probe(problem)
        matrix = DistanceMatrix.of(problem) if self.matrix else None
        asked: set[Vector] = set()

        def holds(levels: Vector) -> bool:
            asked.add(levels)
            return probe.holds(levels) if matrix is None else matrix.holds(levels)

        facts: dict[str, Any] = {"nodes": len(probe.lattice)}
        if self.all_minimal:
            found = all_minimal(probe.lattice, holds)
            facts["minimal"] = [list(levels) for levels in found]
        else:
            height, visited = _least_height(probe, holds, progress)
            found = tuple(levels for levels in probe.lattice.at(height) if holds(levels))
            facts |= {"height": height, "visited": visited}
        if not found:
            raise infeasible(problem, probe.outcome(probe.lattice.highest))
        facts["checked"] = len(asked)
        scored = [(probe.score(levels), probe.suppressed(levels), levels) for levels in found]
        proved = isinstance(problem.objective, MinAbsoluteDistance)
        score, _, levels = best_of(scored)
        return solution_of(problem, levels, optimal=proved, facts=facts, score=score)


def _least_height(probe: Probe, holds: Any, progress: Progress) -> tuple[int, list[int]]:
    """Return the least height at which some vector holds (or the top), and the heights tried."""
    low, high = 0, probe.lattice.height
    visited = []
    while low < high:
        tried = (low + high) // 2
        visited.append(tried)
        progress.update(f"trying height {tried}", len(visited), None)
        if any(map(holds, probe.lattice.at(tried))):
            high = tried
        else:
            low = tried + 1
    return high, visited
