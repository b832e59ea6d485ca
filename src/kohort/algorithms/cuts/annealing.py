"""`annealing`: simulated annealing over cut sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cuts.descent import Moves, descend, offer_coarsest
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.space import CutSet, space_of
from kohort.algorithms.cuts.walker import Walker
from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy import Label
from kohort.recode import Problem, Solution

import os
MODE=os.environ.get("MODE","a")

@dataclass(frozen=True)
class Annealing:
    card: ClassVar = Card(
        "annealing",
        "a random walk over sets of cuts in the ordered domains, cooled slowly",
        guarantee="none: the best set seen",
        taxonomy="AG_TS",
        paper="Winkler 2002",
    )

    coolings: int = 8  # without a time limit; with one, coolings go on until the time is up
    steps: int = 300  # moves proposed in one cooling, per cut
    hot: float = 0.6
    cold: float = 0.002
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
            walker = Walker(moves, incumbent, generator)
            scale = self._scale(moves, incumbent)
            while not incumbent.late and (problem.time_limit is not None or coolings < self.coolings):
                self._cool(walker, coolings, scale)
                coolings += 1
                incumbent.tell(f"cooling {coolings}")
                if space.n_cuts == 0:
                    break
        except KeyboardInterrupt:
            incumbent.tell("interrupted")
        return incumbent.solution(False, coolings=coolings, checked=moves.evaluations)

    def _scale(self, moves, incumbent):
        loose = Moves(replace(moves.space, limit=moves.space.n_rows))
        value, included = descend(loose, loose.empty(), incumbent)
        rises = loose.around(included)[2] - value
        rises = rises[np.isfinite(rises) & (rises > 0)]
        return float(np.quantile(rises, 0.25)) if rises.size else 1.0

    def _cool(self, walker, turn, scale):
        inc=walker.incumbent
        if MODE=="a":  # all fresh, cycle of heats
            start=walker.moves.empty(); hot=(self.hot,self.hot/3,self.hot/10)[turn%3]; length=1
        elif MODE=="b": # fresh / best alternating
            fresh=turn%2==0 or inc.included is None
            start=walker.moves.empty() if fresh else inc.included
            hot=(self.hot,self.hot/3,self.hot/10)[(turn//2)%3]*(1 if fresh else .3); length=1
        elif MODE=="c": # as b, growing
            fresh=turn%2==0 or inc.included is None
            start=walker.moves.empty() if fresh else inc.included
            hot=(self.hot,self.hot/3,self.hot/10)[(turn//2)%3]*(1 if fresh else .3); length=1.1**turn*.5
        elif MODE=="d": # from best always but every 4th
            fresh=turn%4==0 or inc.included is None
            start=walker.moves.empty() if fresh else inc.included
            hot=(self.hot,self.hot/3,self.hot/10,self.hot/30)[turn%4]; length=1
        n = int(self.steps * max(1, walker.moves.space.n_cuts)*length)
        heat = scale * hot * (min(1,self.cold / hot)) ** (np.arange(n) / n)
        walker.go_to(start)
        walker.take(heat, 0.03 * scale * hot)
        descend(walker.moves, walker.walk.included.copy(), inc)
