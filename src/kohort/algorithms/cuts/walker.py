"""`Walker`: a random walk over cut sets that can be stopped, and remembers the best set it saw."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.descent import Moves
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.move_kernels import Groups, Proposals, step_through
from kohort.algorithms.cuts.space import Space
from kohort.algorithms.cuts.walk import walk_of
from kohort.arrays import BoolArray, FloatArray, IntArray

SHIFTS = np.array([0, 0, 0, 0, -1, 1])  # a third of the moves of a cut that is in shift it
VISITS = 20_000_000  # tuples that may be visited before the clock is looked at


class Walker:
    """A random walk: proposes moves, and takes those that its temperature allows.

    The walk runs in portions after which the clock is looked at; their length depends on the table alone, so that
    the same seed gives the same walk.
    """

    def __init__(self, moves: Moves, incumbent: Incumbent, generator: np.random.Generator) -> None:
        self.moves = moves
        self.incumbent = incumbent
        self.generator = generator
        self.walk = walk_of(moves.space)
        self.groups = Groups(moves.movable, *_group_cuts(moves.space))
        self.steps = int(np.clip(VISITS // max(1, len(moves.space.codes)), 1, 4096))

    @property
    def included(self) -> CutSet:
        """The set where the walk stands."""
        return self.walk.included.copy()

    def go_to(self, included: CutSet) -> None:
        """Stand at the set."""
        self._step(Proposals(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)), 0.0, included.copy())

    def take(self, temperatures: FloatArray, price: float) -> None:
        """Take a step at each temperature, until the time is up; a record suppressed beyond the limit costs `price`.

        Moves are drawn at random, and taken with probability exp(-rise / temperature).
        """
        for begin in range(0, len(temperatures), self.steps):
            own = temperatures[begin : begin + self.steps]
            moves = self.generator.integers(0, len(self.moves.space.parent), len(own))
            self._propose(moves, self.generator.exponential(1.0, len(own)) * own, price)
            if self.incumbent.late:
                return

    def improve(self, passes: int) -> tuple[float, CutSet]:
        """Propose every move once in each pass, take those that do no harm; return value and set of where it ends."""
        for _ in range(passes):
            moves = self.generator.permutation(len(self.moves.space.parent))
            for begin in range(0, len(moves), self.steps):
                own = moves[begin : begin + self.steps]
                self._propose(own, np.zeros(len(own)), self.moves.price)
                if self.incumbent.late:
                    break
        cost, lost = self.moves.cost(self.included)
        self.incumbent.offer(cost, lost, self.included)
        return self.moves.value(cost, lost), self.included

    def _propose(self, moves: IntArray, rises: FloatArray, price: float) -> None:
        """Propose the moves in turn, each allowed its rise; offer the best set on the way."""
        best = self.included
        shifts = SHIFTS[self.generator.integers(0, len(SHIFTS), len(moves))]
        found = self._step(Proposals(moves, shifts, rises), price, best)
        self.moves.evaluations += len(moves)
        if found < self.incumbent.cost:
            self.incumbent.offer(*self.moves.cost(best), best)

    def _step(self, proposals: Proposals, price: float, best: CutSet) -> float:
        limit, cost = self.moves.space.limit, float(self.incumbent.cost)
        return step_through(self.walk, proposals, self.groups, limit, float(price), best, cost)


def _group_cuts(space: Space) -> tuple[BoolArray, BoolArray]:
    """Return, per group, the cuts that go in with it and those that go out with it; no rows without groups."""
    if not space.grouped:
        return np.zeros((0, space.n_cuts), np.bool_), np.zeros((0, space.n_cuts), np.bool_)
    above = np.zeros((len(space.parent), len(space.parent)), np.bool_)
    for g in range(len(space.parent)):
        other = g
        while other >= 0:
            above[g, other] = True
            other = int(space.parent[other])
    # contiguous, so that the kernel is compiled once for both cases
    return np.ascontiguousarray(above[:, space.group]), np.ascontiguousarray(above.T[:, space.group])
