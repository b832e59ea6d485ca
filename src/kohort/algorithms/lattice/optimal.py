"""`optimal`: the best full-domain recoding, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Any, ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.lattice.best_first import BestFirst, len_of
from kohort.algorithms.lattice.choice import best_of, infeasible, lattice_of, slack, solution_of
from kohort.algorithms.lattice.counting import Counting
from kohort.algorithms.lattice.judgement import judge
from kohort.algorithms.lattice.judging import Judging
from kohort.algorithms.lattice.lattice import Lattice
from kohort.algorithms.lattice.marks import blank_marks
from kohort.algorithms.lattice.packing import Packing, pack
from kohort.algorithms.lattice.terms import by_sizes, columns_of, terms_of
from kohort.card import Card
from kohort.recode import Problem, Solution

Examiner = Counting | Judging

FEW = 64  # nodes below which a first good score is not worth looking for
BUDGET = 4_000_000  # classes read between two looks at the clock


@dataclass(frozen=True)
class Optimal:
    """The best node of the lattice for any objective and any list of models."""

    memory: int = 1 << 28  # bytes for counted prefixes
    nodes: int = 5_000_000  # larger lattices are searched best first, without marking every node
    patience: float = 60.0  # seconds for these where the problem sets no time limit

    card: ClassVar = Card(
        "optimal",
        "the level vector of least loss within the suppression limit",
        guarantee="optimal",
        taxonomy="AG_TS",
        paper="after Kohlmayer et al. 2012 (Flash) and El Emam et al. 2009 (OLA)",
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best node; ties as in `choice.best_of`."""
        lattice_of(problem)
        packing = pack(problem)
        limit = problem.time_limit
        if len_of(packing) > self.nodes:
            deadline = monotonic() + (self.patience if limit is None else limit)
            return BestFirst(packing, self.memory).run(deadline, progress)
        return search(packing, self.memory, None if limit is None else monotonic() + limit, progress)


def search(packing: Packing, memory: int, deadline: float | None, progress: Progress) -> Solution:
    """Return the best node of a packing."""
    examiner = examiner_of(packing, memory)
    done = False
    try:
        if len(packing.lattice) > FEW:
            descend(packing.lattice, examiner)
        done = complete(examiner, len(packing.lattice), deadline, progress)
    except KeyboardInterrupt:
        pass
    return conclude(packing, examiner, done=done)


def examiner_of(packing: Packing, memory: int) -> Examiner:
    """Return who examines the nodes of a problem."""
    from kohort.algorithms.lattice.sweep_kernels import OTHER

    columns = columns_of(packing)
    terms = terms_of(packing, columns)
    marks = blank_marks(packing, terms, handed=True)
    kind = Judging if by_sizes(packing) is None or terms.kind == OTHER else Counting
    return kind(packing, terms, columns, marks, memory)


def descend(lattice: Lattice, examiner: Examiner) -> None:
    """Walk down from the top to the best specialization, as long as that is better: a first good score."""
    node = len(lattice) - 1
    score = examiner.examine(node)
    while True:
        below = [lattice.index(vector) for vector in lattice.below(lattice.vector(node))]
        if not below:
            return
        best, node = min((examiner.examine(lower), lower) for lower in below)
        if not best < score:
            return
        score = best


def complete(examiner: Examiner, nodes: int, deadline: float | None, progress: Progress) -> bool:
    """Sweep to the end (True) or until the deadline has passed (False)."""
    while not examiner.advance(BUDGET):
        progress.update("searching the lattice", nodes - examiner.position, nodes)
        if deadline is not None and monotonic() > deadline:
            return False
    return True


def conclude(packing: Packing, examiner: Examiner, *, done: bool) -> Solution:
    """Return the winner among the nodes examined, with what is proved about it."""
    problem, marks = packing.problem, examiner.marks
    facts: dict[str, Any] = {"nodes": len(packing.lattice), "checked": examiner.checked, "search": "sweep"}
    best = float(examiner.best[0])
    if not np.isfinite(best):
        counted = np.flatnonzero(marks.lost >= 0)[::-1]  # of equal misses the coarsest
        nearest = int(counted[np.argmin(marks.lost[counted])])
        raise infeasible(problem, judge(problem, packing.vector(nearest)))
    tied = np.flatnonzero(marks.score <= best + slack(best))
    winner = best_of((marks.score[i], int(marks.lost[i]), packing.vector(int(i))) for i in tied)
    if not done:
        facts |= gap_of(examiner)
    return solution_of(problem, winner[2], optimal=done, facts=facts)


def gap_of(examiner: Examiner) -> dict[str, float]:
    """Return the least score that an unexamined node can have, and how far the best is above it."""
    from kohort.algorithms.lattice.sweep_kernels import scan

    best = float(examiner.best[0])
    lowest = np.array([np.inf, 1.0])
    vector = np.empty(len(examiner.frame.sizes), np.int64)
    scan(examiner.frame, examiner.marks, examiner.terms, examiner.state, vector, best, lowest)
    bound = min(best, float(lowest[0]))
    return {"bound": bound, "gap": best - bound}
