"""The two phases of hill climbing over cut sets, and the moves all stochastic searches share."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.neighbour_kernels import Goal, Records, group_neighbours, neighbours
from kohort.algorithms.cuts.space import Space
from kohort.arrays import BoolArray, FloatArray


class Moves:
    """What one move makes of a cut set: a move flips a cut, or a group of cuts where a hierarchy is respected.

    Values are costs, plus a price above any cost for every record suppressed beyond the limit, so that less
    value is better and a set within the limit beats any other.
    """

    def __init__(self, space: Space) -> None:
        self.space = space
        self.price = float(space.n_rows) * max(space.n_rows, 2)
        size = len(space.parent)
        self._cost = np.zeros(size, np.int64)
        self._lost = np.zeros(size, np.int64)
        self.movable = np.zeros(size, np.bool_)
        self.movable[space.group[space.start == 0]] = True
        self.evaluations = 0
        self._records = Records(space.codes, space.weights, space.labels, space.first)
        self._goal = Goal(space.metric, space.k, space.n_rows)

    def empty(self) -> CutSet:
        """Return the most general set: only what is fixed in."""
        return np.asarray(self.space.start == 1, np.uint8)

    def random(self, generator: np.random.Generator) -> CutSet:
        """Return a random set, each attribute at its own density of cuts, closed under what must go together."""
        included = self.empty()
        for j in range(len(self.space.alphabets)):
            included = self.redrawn(j, generator.random() ** 3, included, generator)
        return included

    def redrawn(self, j: int, density: float, included: CutSet, generator: np.random.Generator) -> CutSet:
        """Return the set with the cuts of attribute j drawn anew."""
        a, b = int(self.space.first[j]), int(self.space.first[j + 1])
        changed = included.copy()
        changed[a:b] = self.space.start[a:b] == 1
        for v in a + np.flatnonzero((generator.random(b - a) < density) & (self.space.start[a:b] == 0)):
            self.make(int(self.space.group[v]), changed)
        return changed

    def shaken(self, included: CutSet, generator: np.random.Generator) -> CutSet:
        """Return the set with a few moves made; one time in three, two attributes are cleared and redrawn."""
        movable = np.flatnonzero(self.movable)
        if not movable.size:
            return included.copy()
        if generator.random() < 0.35:
            return self.two_redrawn(included, generator)
        for g in generator.choice(movable, min(1 + generator.geometric(0.2), movable.size), replace=False):
            included = self.flip(int(g), included)
        return included

    def two_redrawn(self, included: CutSet, generator: np.random.Generator) -> CutSet:
        """Return the set with one attribute cleared and another drawn anew."""
        for j, density in zip(
            generator.permutation(len(self.space.alphabets))[:2], (0.0, generator.random()), strict=False
        ):
            included = self.redrawn(int(j), float(density), included, generator)
        return included

    def make(self, g: int, included: CutSet) -> None:
        """Put in the cuts of a group and of all groups above it."""
        while g >= 0:
            included[self.space.group == g] = 1
            g = int(self.space.parent[g])

    def flip(self, g: int, included: CutSet) -> CutSet:
        """Return the set with one group flipped, with those it needs or those that need it."""
        changed = included.copy()
        if not self.space.grouped:
            changed[g] ^= 1
        elif not included[self.space.group == g].any():
            self.make(g, changed)
        else:
            for other in range(len(self.space.parent)):
                above = other
                while above >= 0 and above != g:
                    above = int(self.space.parent[above])
                if above == g:
                    changed[self.space.group == other] = 0
        return changed

    def made(self, included: CutSet) -> BoolArray:
        """Return, per move, whether its cuts are in."""
        made = np.zeros(len(self.space.parent), np.bool_)
        made[self.space.group[included == 1]] = True
        return made

    def cost(self, included: CutSet) -> tuple[int, int]:
        """Return cost and suppressed records of a set."""
        self.evaluations += 1
        return neighbours(self._records, self._goal, included, 0, self._cost, self._lost)

    def value(self, cost: int, lost: int) -> float:
        """Return the value of a set."""
        return cost + self.price * max(0, lost - self.space.limit)

    def around(
        self, included: CutSet, additions: bool = True, removals: bool = True
    ) -> tuple[int, int, FloatArray]:
        """Return cost and suppressed records of a set, and the value each move would lead to.

        Moves that are not asked for stand at infinity, as those of fixed cuts do.
        """
        s = self.space
        self.evaluations += 1
        asked = (self._records, self._goal, included)
        if s.grouped:
            cost, lost = group_neighbours(*asked, s.group, s.parent, self._cost, self._lost)
        else:
            cost, lost = neighbours(*asked, additions + 2 * removals, self._cost, self._lost)
        values = self._cost + self.price * np.maximum(0, self._lost - s.limit)
        made = self.made(included)
        usable = self.movable & ((made & removals) | (~made & additions))
        return cost, lost, np.where(usable, values, np.inf)


def descend(moves: Moves, included: CutSet, incumbent: Incumbent) -> CutSet:
    """Climb down in two phases until neither improves: remove the best cut, then add the best cut.

    Returns the local optimum, or where it was stopped; the incumbent is offered every set on the way and may stop it.
    """
    improved = True
    while improved and not incumbent.late:
        improved = False
        for removing in (True, False):
            while not incumbent.late:
                cost, lost, around = moves.around(included, additions=not removing, removals=removing)
                value = moves.value(cost, lost)
                incumbent.offer(cost, lost, included)
                if not around.size or around.min() >= value:
                    break
                included = moves.flip(int(around.argmin()), included)
                improved = True
    return included


def offer_coarsest(space: Space, incumbent: Incumbent) -> None:
    """Offer the set of fewest cuts: however short the time, an anytime search has something to return."""
    moves = Moves(space)
    incumbent.offer(*moves.cost(moves.empty()), moves.empty())
