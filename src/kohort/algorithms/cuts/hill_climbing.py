"""`hill-climbing`: iterated two-phase stochastic descent over cut sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.descent import Moves, descend, offer_coarsest
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.space import space_of
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.hierarchy import Label
from kohort.recode import Problem, Solution
from kohort.typed import Named


@dataclass(frozen=True)
class HillClimbing:
    """The best local optimum that repeated two-phase descents find; no guarantee, good sets within seconds.

    A descent removes the cut whose removal helps most until none helps, then adds the cut whose addition helps
    most until none helps, and repeats both until neither moves. One pass over the weighted distinct tuples
    tells the cost of all additions and removals at once (the paper sorts the table for every one).
    Departures from the paper: after the first descents from random sets, most start from the best set shaken: a few
    cuts flipped, or two attributes drawn anew, which finds better optima sooner; and the search ends after `rounds`
    descents or at the time limit, where the paper's runs until it is stopped.

    Complexity: descents × their steps × one pass over the attributes of all distinct tuples.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("hill-climbing", objective="discernibility", seed=1)))
    >>> counted(release.table)
    {('[20, 34]', '*'): 2, ('[35, 53]', '*'): 2, ('[54, 79]', '*'): 2}

    References: Bayardo, R. and Agrawal, R. Data privacy through optimal k-anonymization. ICDE 2005,
    section 7.3.
    """

    card: ClassVar = Card(
        "hill-climbing",
        "repeated descents over sets of cuts in the ordered domains: remove the best, add the best",
        guarantee="none: a local optimum",
        taxonomy="AG_TS",
        decides="class",
        paper="Bayardo and Agrawal 2005, section 7.3",
        bounds=("min_level", "max_level"),
        keeps="sizes",
        respondents="nobody",
        heeds=("objective", "seed"),
    )

    rounds: int = 60  # descents; with a time limit, descents go on until the time is up
    order: Mapping[Named, Sequence[Label]] = field(
        default_factory=dict
    )  # column -> its ground values in order
    respect_hierarchy: bool = False  # only cuts that keep the labels of the hierarchy whole

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best set found."""
        watch = Watch.of(problem, progress)
        space = space_of(problem, self.order, self.respect_hierarchy, self.card.name)
        incumbent = Incumbent(space, watch)
        offer_coarsest(space, incumbent)
        moves = Moves(space)
        generator = np.random.default_rng(problem.seed)
        descents = 0
        while not incumbent.late and (problem.time_limit is not None or descents < self.rounds):
            climb_once(moves, incumbent, generator, descents)
            descents += 1
            incumbent.tell(f"descent {descents:,}")
            if space.n_cuts == 0:
                break
        return incumbent.solution(False, descents=descents, checked=moves.evaluations)


def climb_once(moves: Moves, incumbent: Incumbent, generator: np.random.Generator, turn: int) -> CutSet:
    """Run one descent: from the most general set, from a random one, or from the best one shaken."""
    if turn == 0:
        start = moves.empty()
    elif incumbent.included is None or turn < 6 or turn % 8 == 0:
        start = moves.random(generator)
    else:
        start = moves.shaken(incumbent.included, generator)
    return descend(moves, start, incumbent)
