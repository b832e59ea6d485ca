"""The classes of nodes where the bottom is too much to hold: somebody counts them, or proves that they are not needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kohort.algorithms.lattice.lattice import Vector
from kohort.algorithms.lattice.packing import Packing
from kohort.arrays import IntArray
from kohort.classes import Classes
from kohort.recode import Problem

if TYPE_CHECKING:
    from kohort.algorithms.lattice.sweep_kernels import Marks, Terms


class CountedNodes:
    """Asks for a node only where no count of class sizes alone rules it out, with all its specializations."""

    def __init__(self, packing: Packing, terms: Terms, marks: Marks, state: IntArray) -> None:
        self.packing, self.terms, self.marks, self.state = packing, terms, marks, state

    def classes(self, node: int) -> Classes | None:
        """Return the classes of a node; None where too many of its records are in classes that are too small."""
        from kohort.algorithms.lattice.sweep_kernels import WORK

        self.state[WORK] += 1
        levels = self.packing.vector(node)
        lost = refuted(self.packing.problem, levels)
        if lost is None:
            return self.packing.problem.at(levels)
        self.marks.lost[node] = lost
        self.marks.least[node] = max(int(self.marks.least[node]), self.terms.limit + 1)
        return None

    def beaten(self, node: int, cutoff: float) -> bool:  # noqa: ARG002
        """Say that no prefix proves anything: none is counted."""
        return False


def refuted(problem: Problem, levels: Vector) -> int | None:
    """Return how many records a node loses at least, where that alone rules out it and all its specializations.

    None where it takes a look at its classes, or these are at hand anyway.
    """
    if problem.nodes is None:
        return None
    return problem.nodes.refuted(levels, problem.least_size, min(problem.max_suppressed, problem.n_rows - 1))
