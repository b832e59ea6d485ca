"""`annealing`: simulated annealing over cut sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cuts.descent import Moves, descend, offer_coarsest
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.space import CutSet, space_of
from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy import Label
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class Annealing:
    """The best set seen while cooling a random walk over cut sets; no guarantee.

    One pass over the tuples tells what every move would cost, so the walk needs no rejections: each step draws
    the next set among all neighbours with probability proportional to exp(-rise / temperature). The temperature
    falls geometrically from `hot` to `cold` times the cost at the start; a descent ends each cooling. Most
    coolings begin at the best set shaken, every eighth at the best of some descents from random sets.

    References: Winkler, W. Using simulated annealing for k-anonymity. U.S. Census Bureau, Research Report
    Statistics 2002-7.
    """

    card: ClassVar = Card(
        "annealing",
        "a random walk over sets of cuts in the ordered domains, cooled slowly",
        guarantee="none: the best set seen",
        taxonomy="AG_TS",
        paper="Winkler 2002",
    )

    coolings: int = 8  # without a time limit; with one, coolings go on until the time is up
    steps: int = 200  # moves in one cooling
    starts: int = 8  # descents of which the best begins a cooling
    hot: float = 0.01
    cold: float = 0.00003
    order: Mapping[str, Sequence[Label]] = field(default_factory=dict)  # column -> its ground values in order
    respect_hierarchy: bool = False  # only cuts that keep the labels of the hierarchy whole

    def __post_init__(self) -> None:
        if not (self.hot >= self.cold > 0):
            raise InputError(f"annealing: hot is {self.hot}, cold is {self.cold}; hot >= cold > 0 is needed")

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best set seen."""
        space = space_of(problem, self.order, self.respect_hierarchy, self.card.name)
        incumbent = Incumbent(space, progress, problem.time_limit)
        offer_coarsest(space, incumbent)
        moves = Moves(space)
        generator = np.random.default_rng(problem.seed)
        coolings = 0
        try:
            while coolings < self.coolings or (problem.time_limit is not None and not incumbent.late):
                if coolings % 8 == 0 or incumbent.included is None:
                    start = self._start(moves, incumbent, generator)
                else:
                    start = moves.shaken(incumbent.included, generator)
                self._cool(moves, start, incumbent, generator)
                coolings += 1
                incumbent.tell(f"cooling {coolings}")
                if space.n_cuts == 0 or incumbent.late:
                    break
        except KeyboardInterrupt:
            incumbent.tell("interrupted")
        return incumbent.solution(False, coolings=coolings, checked=moves.evaluations)

    def _start(self, moves: Moves, incumbent: Incumbent, generator: np.random.Generator) -> CutSet:
        """Return the best of some local optima: one bad valley must not decide the answer."""
        starts = [moves.empty(), *(moves.random(generator) for _ in range(self.starts))]
        return min((descend(moves, start, incumbent) for start in starts), key=lambda found: found[0])[1]

    def _cool(
        self, moves: Moves, included: CutSet, incumbent: Incumbent, generator: np.random.Generator
    ) -> None:
        scale = max(1.0, abs(incumbent.cost)) if np.isfinite(incumbent.cost) else float(moves.space.n_rows)
        for step in range(self.steps):
            if incumbent.late:
                return
            cost, lost, around = moves.around(included)
            incumbent.offer(cost, lost, included)
            temperature = scale * self.hot * (self.cold / self.hot) ** (step / max(1, self.steps - 1))
            if not np.isfinite(around).any():  # nowhere to go
                return
            chances = np.exp(-(around - around.min()) / temperature)
            included = moves.flip(int(generator.choice(len(chances), p=chances / chances.sum())), included)
            if step % 50 == 0:
                incumbent.tell(f"step {step:,} of {self.steps:,}")
        descend(moves, included, incumbent)
