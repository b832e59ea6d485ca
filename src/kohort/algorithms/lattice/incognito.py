"""`incognito`: minimal nodes of ever larger sets of attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product, takewhile
from typing import ClassVar

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.lattice.choice import best_of, infeasible, lattice_of, solution_of
from kohort.algorithms.lattice.lattice import Vector, minimal
from kohort.algorithms.lattice.probe import Probe, require_monotone
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.plurals import many
from kohort.recode import Problem, Solution

Subset = tuple[int, ...]


@dataclass(frozen=True)
class Incognito:
    """All minimal nodes, by the subset property; the objective chooses among them.

    If a table generalized on some attributes breaks a promise, so does every table generalized the same
    way on more of them. So nodes over i attributes are candidates only if all their projections to i − 1
    survived; candidates are gone through breadth first from the bottom, a node that holds passes that on
    to all its generalizations unasked, and nodes are counted by roll-up. Promises must be monotone.

    A projection is asked as the node with the other attributes at their roots, which is the same table; so
    projections with an attribute at its root were counted before. `checked` are the nodes counted,
    `asked` includes those whose answer was there.

    Complexity: at most the nodes of the lattices of all subsets of attributes × distinct tuples; of a projection
    that was counted before, nothing.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("incognito")))
    >>> release.levels, release.suppressed
    ({'age': 1, 'zip': 1}, 0)

    References: LeFevre, K., DeWitt, D. and Ramakrishnan, R. Incognito: efficient full-domain k-anonymity.
    SIGMOD 2005. Ciriani et al., k-Anonymity, 2007, section 4.3.
    """

    card: ClassVar = Card(
        "incognito",
        "finds all minimal level vectors by the subset property, the objective chooses among them",
        guarantee="k-minimal where the search ends by itself",
        taxonomy="AG_TS",
        decides="class",
        work=50,
        paper="LeFevre et al. 2005",
        bounds=("min_level", "max_level"),
        levels=True,
        keeps="monotone",
        heeds=("objective",),
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best of all minimal nodes."""
        watch = Watch.of(problem, progress)
        require_monotone(problem, "incognito")
        lattice = lattice_of(problem)
        probe = Probe(replace(problem, max_levels=()))
        found = survivors(probe, problem.lowest, problem.highest, watch)
        nodes = minimal(found.get(tuple(range(len(problem.names))), ()))
        if watch.ended is not None and not nodes and probe.holds(lattice.highest):
            nodes = (lattice.highest,)
        if not nodes:
            raise infeasible(problem, probe.outcome(lattice.highest), self.card)
        checked = probe.checked
        scored = [(probe.score(levels), probe.suppressed(levels), levels) for levels in nodes]
        facts = {
            "nodes": len(lattice),
            "checked": checked,
            "asked": probe.asked,
            "survivors": [
                sum(len(held) for subset, held in found.items() if len(subset) == size)
                for size in range(1, len(lattice.shape) + 1)
            ],
            **watch.facts(),
        }
        if watch.ended is None:
            facts["minimal"] = [list(levels) for levels in nodes]
        score, _, levels = best_of(scored)
        return solution_of(problem, levels, optimal=False, facts=facts, score=score)


def survivors(
    probe: Probe, lowest: Vector, highest: Vector, watch: Watch
) -> dict[Subset, tuple[Vector, ...]]:
    """Return, for every set of attributes, the level vectors over it that hold; for the first ones where it is over early."""
    roots = tuple(h.height for h in probe.problem.hierarchies)
    m = len(roots)
    found: dict[Subset, set[Vector]] = {}
    for size in range(1, m + 1):
        for done, subset in enumerate(combinations(range(m), size)):
            watch.update(f"sets of {many(size, 'attribute')}", done, None)

            def holds(levels: Vector, subset: Subset = subset) -> bool:
                whole = list(roots)
                for j, level in zip(subset, levels, strict=True):
                    whole[j] = level
                return probe.holds(tuple(whole))

            candidates = _candidates(subset, found, lowest, highest)
            ordered = sorted(candidates, key=lambda v: (sum(v), v))
            survived = set(_holding(takewhile(lambda _: not watch.over, ordered), holds))
            if watch.ended is not None:
                return {earlier: tuple(sorted(vectors)) for earlier, vectors in found.items()}
            found[subset] = survived
    return {subset: tuple(sorted(vectors)) for subset, vectors in found.items()}


def _candidates(
    subset: Subset, found: dict[Subset, set[Vector]], lowest: Vector, highest: Vector
) -> Iterator[Vector]:
    """Return the vectors over `subset` all of whose projections to one attribute less survived."""
    last = subset[-1]
    rungs = range(lowest[last], highest[last] + 1)
    if len(subset) == 1:
        yield from ((level,) for level in rungs)
        return
    others = [(drop, found[subset[:drop] + subset[drop + 1 :]]) for drop in range(len(subset) - 1)]
    for head, level in product(found[subset[:-1]], rungs):
        vector = (*head, level)
        if all(vector[:drop] + vector[drop + 1 :] in held for drop, held in others):
            yield vector


def _holding(candidates: Iterable[Vector], holds: Callable[[Vector], bool]) -> Iterator[Vector]:
    """Return the candidates, lowest first, that hold; those above one that holds are not asked."""
    held: set[Vector] = set()
    for vector in candidates:
        below = ((*vector[:j], level - 1, *vector[j + 1 :]) for j, level in enumerate(vector) if level)
        if any(lower in held for lower in below) or holds(vector):
            held.add(vector)
            yield vector
