"""`annealing`: simulated annealing over cut sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cuts.descent import Moves, descend, offer_coarsest
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.space import space_of
from kohort.algorithms.cuts.walker import Walker
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy import Label
from kohort.recode import Problem, Solution
from kohort.typed import Named

HEATS = (1.0, 0.3, 0.1)  # of `hot`, by turns: which heat suits best differs between metrics and tables
HOTTEST, COLDEST = (
    1e9,
    1e-9,
)  # of hot and cold: beyond, a temperature would be infinite, or a division by zero
PRICE = 0.03  # of a record suppressed beyond the limit, as a share of the starting temperature


@dataclass(frozen=True)
class Annealing:
    """The best set seen while cooling random walks over cut sets; no guarantee, good sets within seconds.

    A step proposes to flip one cut, or to shift it by one place, and takes the proposal with probability
    exp(-rise / temperature) (Metropolis). Only the tuples between the cut and its neighbours are counted again, so a
    hundred thousand steps a second are usual. The temperature falls geometrically from `hot` to `cold`, in units
    of the typical rise: the lower quartile of what single flips add to the cost of a first local optimum. Many short
    coolings serve better than a long one: three begin at the most general set, from different heats, a fourth at the
    best set so far, from less; each is ended by a descent. During a cooling a record suppressed beyond the limit has a price of
    a few hundredths of the starting temperature, so that the walk can cross sets which are not allowed; they are
    never returned. Where a hierarchy is respected, a step flips a group of cuts.

    Complexity: `coolings` × `steps` × cuts, each step counting again the distinct tuples between the cut and its
    neighbours.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("annealing", objective="discernibility", seed=1)))
    >>> counted(release.table)
    {('[20, 34]', '*'): 2, ('[35, 53]', '*'): 2, ('[54, 79]', '*'): 2}

    References: Winkler, W. Using simulated annealing for k-anonymity. U.S. Census Bureau, Research Report
    Statistics 2002-7. Kirkpatrick, S., Gelatt, C. and Vecchi, M. Optimization by simulated annealing. Science 1983.
    """

    card: ClassVar = Card(
        "annealing",
        "a random walk over sets of cuts in the ordered domains, cooled slowly",
        guarantee="none: the best set seen",
        taxonomy="AG_TS",
        decides="class",
        work=90,
        paper="Winkler 2002",
        bounds=("min_level", "max_level"),
        keeps="sizes",
        respondents="nobody",
        heeds=("objective", "seed"),
    )

    coolings: int = 16  # without a time limit; with one, coolings go on until the time is up
    steps: int = 100  # moves proposed in one cooling, per cut
    hot: float = 1.2  # temperatures, in units of the typical rise
    cold: float = 0.002
    order: Mapping[Named, Sequence[Label]] = field(
        default_factory=dict
    )  # column -> its ground values in order
    respect_hierarchy: bool = False  # only cuts that keep the labels of the hierarchy whole

    def __post_init__(self) -> None:
        if not HOTTEST >= self.hot >= self.cold >= COLDEST:
            raise InputError(
                f"annealing: hot is {self.hot}, cold is {self.cold}; {HOTTEST:g} >= hot >= cold >= {COLDEST:g} is needed",
                code="algorithm.wrong-option",
                algorithm="annealing",
                option="hot",
                value=self.hot,
            )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best set seen."""
        watch = Watch.of(problem, progress)
        space = space_of(problem, self.order, self.respect_hierarchy, self.card.name)
        incumbent = Incumbent(space, watch)
        offer_coarsest(space, incumbent)
        moves = Moves(space)
        generator = np.random.default_rng(problem.seed)
        coolings = 0
        walker = Walker(moves, incumbent, generator)
        rise = typical_rise(moves, incumbent)
        while not incumbent.late and (problem.time_limit is not None or coolings < self.coolings):
            self._cool(walker, rise, coolings)
            coolings += 1
            incumbent.tell(f"cooling {coolings}")
            if space.n_cuts == 0:
                break
        return incumbent.solution(False, coolings=coolings, checked=moves.evaluations)

    def _cool(self, walker: Walker, rise: float, turn: int) -> None:
        """Cool one walk, then descend from where it ends."""
        moves, incumbent = walker.moves, walker.incumbent
        rounds, place = divmod(turn, len(HEATS) + 1)
        start, heat = moves.empty(), HEATS[place % len(HEATS)]
        if place == len(HEATS) and incumbent.included is not None:
            start, heat = incumbent.included, HEATS[rounds % len(HEATS)] / 3
        hot = rise * self.hot * heat
        count = self.steps * moves.space.n_cuts
        fall = min(1.0, rise * self.cold / hot)
        walker.go_to(start)
        walker.take(hot * fall ** (np.arange(count) / max(1, count)), PRICE * hot)
        descend(moves, walker.included, incumbent)


def typical_rise(moves: Moves, incumbent: Incumbent) -> float:
    """Return the lower quartile of what single moves add to the cost of a local optimum, any suppression allowed.

    Where time is up before, it is that of the set reached by then; 1 where no move adds anything.
    """
    unlimited = Moves(replace(moves.space, limit=moves.space.n_rows))
    cost, lost, around = unlimited.around(descend(unlimited, unlimited.empty(), incumbent))
    rises = around[np.isfinite(around)] - unlimited.value(cost, lost)  # moves of fixed cuts stand at infinity
    rises = rises[rises > 0]
    return float(np.quantile(rises, 0.25)) if rises.size else 1.0
