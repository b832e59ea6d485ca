"""`Walker`: a random walk over cut sets that can be stopped, and remembers the best set it saw."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cuts.descent import Moves
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.move_kernels import step_through
from kohort.algorithms.cuts.space import CutSet, Space
from kohort.algorithms.cuts.walk_kernels import put, walk_of
from kohort.arrays import BoolArray, FloatArray

SHIFTS = np.array([0, 0, 0, 0, -1, 1])  # a third of the moves of a cut that is in shift it
VISITS = 20_000_000  # tuples that may be visited before the clock is looked at


class Walker:
    """A walk over cut sets."""

    def __init__(self, moves: Moves, incumbent: Incumbent, generator: np.random.Generator) -> None:
        self.moves = moves
        self.incumbent = incumbent
        self.generator = generator
        self.walk = walk_of(moves.space)
        self.make, self.clear = _group_cuts(moves.space)
        self.steps = int(np.clip(VISITS // max(1, len(moves.space.codes)), 1, 4096))

    @property
    def included(self) -> CutSet:
        """The set where the walk stands."""
        return self.walk.included.copy()

    def go_to(self, included: CutSet) -> None:
        """Stand at the set."""
        put(self.walk, included)

    def take(self, temperatures: FloatArray, price: float) -> None:
        """Take one step at each temperature (Metropolis); stop when time is up.

        A record suppressed beyond the limit costs `price`.
        """
        for begin in range(0, len(temperatures), self.steps):
            if self.incumbent.late:
                return
            self._take(temperatures[begin : begin + self.steps], price)

    def _take(self, temperatures: FloatArray, price: float) -> None:
        count, space = len(temperatures), self.moves.space
        best = self.walk.included.copy()
        found = step_through(
            self.walk,
            self.generator.integers(0, len(space.parent), count),
            SHIFTS[self.generator.integers(0, len(SHIFTS), count)],
            self.generator.exponential(1.0, count) * temperatures,
            self.moves.movable,
            self.make,
            self.clear,
            space.limit,
            price,
            best,
            self.incumbent.cost,
        )
        self.moves.evaluations += count
        if found < self.incumbent.cost:
            self.incumbent.offer(*self.moves.cost(best), best)


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
    return above[:, space.group], above.T[:, space.group]
