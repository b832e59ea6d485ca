"""`samarati`: the heights of the lattice are bisected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.lattice.choice import best_of, infeasible, solution_of
from kohort.algorithms.lattice.distance import DistanceMatrix
from kohort.algorithms.lattice.lattice import Vector
from kohort.algorithms.lattice.minimal import all_minimal
from kohort.algorithms.lattice.probe import Probe, require_monotone
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.metrics import Adds
from kohort.recode import Problem, Solution

Holds = Callable[[Vector], bool]


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

    One departure: a node that would suppress every record is not taken for a solution. When it is over early, a vector that
    held at the least height tried so far is returned, or the top.

    Complexity: the logarithm of the lattice's height many heights, each up to all of its nodes × distinct tuples;
    with `all_minimal` up to all nodes, with `matrix` the square of the distinct tuples.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("samarati")))
    >>> release.levels, release.suppressed
    ({'age': 1, 'zip': 1}, 0)

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6),
    2001, sections 5 and 6.
    """

    matrix: bool = False
    all_minimal: bool = False

    card: ClassVar = Card(
        "samarati",
        "bisects the heights of the lattice for a k-minimal generalization",
        guarantee="k-minimal and of least height where the search ends by itself",
        taxonomy="AG_TS",
        decides="class",
        paper="Samarati 2001",
        bounds=("min_level", "max_level"),
        levels=True,
        keeps="monotone",
        heeds=("objective",),
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the preferred of the minimal vectors found."""
        watch = Watch.of(problem, progress)
        require_monotone(problem, "samarati")
        probe = Probe(problem)
        matrix = DistanceMatrix.of(problem) if self.matrix else None
        asked: set[Vector] = set()

        def holds(levels: Vector) -> bool:
            asked.add(levels)
            return probe.holds(levels) if matrix is None else matrix.holds(levels)

        facts: dict[str, Any] = {"nodes": len(probe.lattice)}
        if self.all_minimal:
            found = list(all_minimal(probe.lattice, holds, watch))
            facts["minimal"] = [list(levels) for levels in found]
        else:
            height, visited, met = _least_height(probe, holds, watch)
            found = [] if met is None else [met]
            if watch.ended is None:
                found = list(_holding(probe, holds, height, watch)) or found
            facts |= {"height": height, "visited": visited}
        if not found and watch.ended is not None and holds(probe.lattice.highest):
            found = [probe.lattice.highest]
        if not found:
            raise infeasible(problem, probe.outcome(probe.lattice.highest), self.card)
        facts["checked"] = len(asked)
        scored = [(probe.score(levels), probe.suppressed(levels), levels) for levels in found]
        proved = _by_height(problem) and watch.ended is None
        facts |= watch.facts()
        score, _, levels = best_of(scored)
        return solution_of(problem, levels, optimal=proved, facts=facts, score=score)


def _by_height(problem: Problem) -> bool:
    """Whether the least height is the least score: the objective counts steps, and all of them alike."""
    form = problem.form
    return form.adds is Adds.STEPS and len({form.step(hierarchy) for hierarchy in problem.hierarchies}) == 1


def _least_height(probe: Probe, holds: Holds, watch: Watch) -> tuple[int, list[int], Vector | None]:
    """Return the least height at which some vector holds (or the top), the heights tried, and the vector met there.

    Where it is over before, the least height known so far.
    """
    low, high = 0, probe.lattice.height
    visited: list[int] = []
    met = None
    while low < high and not watch.over:
        tried = (low + high) // 2
        visited.append(tried)
        watch.update(f"trying height {tried}", len(visited), None)
        first = next(_holding(probe, holds, tried, watch), None)
        if first is not None:
            high, met = tried, first
        elif watch.ended is None:
            low = tried + 1
    return high, visited, met


def _holding(probe: Probe, holds: Holds, height: int, watch: Watch) -> Iterator[Vector]:
    """Return the vectors of a height that hold, until it is over."""
    return (levels for levels in probe.lattice.at(height) if not watch.over and holds(levels))
