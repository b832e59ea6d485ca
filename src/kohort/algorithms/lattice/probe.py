"""`Probe`: asks one node after another, counting how many."""

from __future__ import annotations

from math import isfinite

from kohort.algorithms.lattice.choice import lattice_of
from kohort.algorithms.lattice.lattice import Lattice, Vector
from kohort.algorithms.lattice.node_outcome import NodeOutcome, judge
from kohort.algorithms.lattice.optimal import examiner_of
from kohort.algorithms.lattice.packing import pack
from kohort.algorithms.nothing_found import merging_helps
from kohort.algorithms.taxonomy import USUAL
from kohort.errors import InputError
from kohort.recode import Problem

MEMORY = 1 << 28


class Probe:
    """Tells of each node whether it holds and what it scores; nodes are rolled up from finer ones."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.lattice: Lattice = lattice_of(problem)
        self.packing = pack(problem)
        self.examiner = examiner_of(self.packing, MEMORY)
        self.asked = 0  # questions put by `holds`, repeated ones included

    @property
    def checked(self) -> int:
        """The number of different nodes asked."""
        return self.examiner.checked

    def score(self, levels: Vector) -> float:
        """Return the objective's score of a node, inf where it is not feasible."""
        return self.examiner.examine(self.packing.node(levels))

    def holds(self, levels: Vector) -> bool:
        """Whether the promises hold within the suppression limit and something is released."""
        self.asked += 1
        return isfinite(self.score(levels))

    def suppressed(self, levels: Vector) -> int:
        """Return the records that a node suppresses."""
        node = self.packing.node(levels)
        self.examiner.examine(node)
        return int(self.examiner.marks.lost[node])

    def outcome(self, levels: Vector) -> NodeOutcome:
        """Judge a node from the base."""
        return judge(self.problem, levels)


def require_monotone(problem: Problem, algorithm: str) -> None:
    """Raise InputError where generalizing a node that holds could break a promise or the limit."""
    for model in problem.models:
        if not merging_helps(model, problem.max_suppressed):
            raise InputError(
                f"[recode] algorithm: {algorithm} relies on promises that stay kept when a table is "
                f"generalized further, which {model.label} does not"
                f"{' while records may be suppressed' if merging_helps(model, 0) else ''}; "
                f"use the algorithm {USUAL!r}{_or_none_left_out(problem)}",
                code="algorithm.cannot-keep",
                algorithm=algorithm,
                models=[model.label],
            )


def _or_none_left_out(problem: Problem) -> str:
    """Return the advice to leave nothing out, where that would do for every promise."""
    if all(merging_helps(model, 0) for model in problem.models):
        return ", or set max_suppression = 0 where that is enough"
    return ""
