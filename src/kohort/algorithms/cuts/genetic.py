"""`genetic`: evolution of cut sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.descent import Moves, offer_coarsest
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.space import space_of
from kohort.algorithms.cuts.walker import Walker
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy import Label
from kohort.recode import Problem, Solution
from kohort.typed import Named

Member = tuple[float, CutSet]

REDRAWN = 0.2  # share of mutations that draw two attributes anew
PASSES = 2  # in which a child is improved; the first members take twice as many


@dataclass(frozen=True)
class Genetic:
    """The best set that populations of cut sets evolve; no guarantee, good sets within seconds.

    A chromosome is a cut set in alphabet order. Parents are chosen by tournaments of two. A child takes every
    attribute from one parent, or a window of it from the other; then it mutates: the cuts within a few neighbouring
    places are drawn anew, or two attributes are. It replaces the worst member unless it is worse itself; equal sets
    are not kept twice.

    Departures from Iyengar: a child is improved before it enters, by two passes that flip or shift each cut where
    that does no harm (the paper's converge too slowly, as Bayardo & Agrawal found). And a population that
    gains by no child for long is at its end: it meets the champion of those before, then a new one begins.

    Complexity: children × passes × cuts, each counting again the distinct tuples between the cut and its neighbours.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("genetic", objective="discernibility", seed=1)))
    >>> counted(release.table)
    {('[20, 34]', '*'): 2, ('[35, 53]', '*'): 2, ('[54, 79]', '*'): 2}

    References: Iyengar, V. Transforming data to satisfy privacy constraints. KDD 2002.
    """

    card: ClassVar = Card(
        "genetic",
        "a population of sets of cuts in the ordered domains, crossed and improved",
        guarantee="none: the best set seen",
        taxonomy="AG_TS",
        decides="class",
        work=90,
        paper="Iyengar 2002",
        bounds=("min_level", "max_level"),
        keeps="sizes",
        respondents="nobody",
        heeds=("objective", "seed"),
    )

    population: int = 12
    children: int = 400  # without a time limit; with one, evolution goes on until the time is up
    patience: int = 40  # children in a row without a gain before a population is at its end
    order: Mapping[Named, Sequence[Label]] = field(
        default_factory=dict
    )  # column -> its ground values in order
    respect_hierarchy: bool = False  # only cuts that keep the labels of the hierarchy whole

    def __post_init__(self) -> None:
        if self.population < 2:
            raise InputError(
                f"genetic: population is {self.population}; at least 2 are needed",
                code="algorithm.wrong-option",
                algorithm="genetic",
                option="population",
                value=self.population,
                least=2,
            )
        if self.patience < 1:
            raise InputError(
                f"genetic: patience is {self.patience}; at least 1 is needed",
                code="algorithm.wrong-option",
                algorithm="genetic",
                option="patience",
                value=self.patience,
                least=1,
            )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best set of all generations."""
        watch = Watch.of(problem, progress)
        space = space_of(problem, self.order, self.respect_hierarchy, self.card.name)
        incumbent = Incumbent(space, watch)
        offer_coarsest(space, incumbent)
        moves = Moves(space)
        evolution = _Evolution(self, Walker(moves, incumbent, np.random.default_rng(problem.seed)))
        champion = None
        while evolution.goes_on and moves.movable.any():
            champion = evolution.run(champion)
        return incumbent.solution(False, children=evolution.born, checked=moves.evaluations)


@dataclass(eq=False)
class _Evolution:
    """Populations one after the other, and the children born so far."""

    genetic: Genetic
    walker: Walker
    born: int = 0

    @property
    def goes_on(self) -> bool:
        """Whether there is time for another child."""
        incumbent = self.walker.incumbent
        return not incumbent.late and (
            incumbent.watch.time_limit is not None or self.born < self.genetic.children
        )

    def run(self, champion: Member | None) -> Member:
        """Evolve a population to its end, then with the champion of earlier ones; return its best member."""
        moves, generator = self.walker.moves, self.walker.generator
        members = [self._improved(moves.empty(), 2 * PASSES)]
        while len(members) < self.genetic.population and self.goes_on:
            members.append(self._improved(moves.random(generator), 2 * PASSES))
            self.walker.incumbent.tell(f"population of {len(members)}")
        self._evolve(members)
        if champion is not None and _enter(members, champion):
            self._evolve(members)
        return min(members, key=lambda member: member[0])

    def _evolve(self, members: list[Member]) -> None:
        generator = self.walker.generator
        idle = 0
        while self.goes_on and idle < self.genetic.patience:
            one, two = _chosen(members, generator), _chosen(members, generator)
            child = mutated(self.walker.moves, crossed(self.walker.moves, one, two, generator), generator)
            idle = 0 if _enter(members, self._improved(child, PASSES)) else idle + 1
            self.born += 1
            self.walker.incumbent.tell(f"child {self.born:,}")

    def _improved(self, included: CutSet, passes: int) -> Member:
        self.walker.go_to(included)
        return self.walker.improve(passes)


def crossed(moves: Moves, one: CutSet, two: CutSet, generator: np.random.Generator) -> CutSet:
    """Return a child: every attribute from the first parent, from the second, or with a window from the second."""
    space = moves.space
    child = one.copy()
    for a, b in zip(space.first[:-1], space.first[1:], strict=True):
        low, high = np.sort(generator.integers(a, b + 1, 2)) if generator.random() < 0.5 else (a, b)
        if generator.random() < 0.5:
            child[low:high] = two[low:high]
    if space.grouped:
        for v in np.flatnonzero(child):  # cuts that must go together
            moves.make(int(space.group[v]), child)
    return child


def mutated(moves: Moves, child: CutSet, generator: np.random.Generator) -> CutSet:
    """Return the child with the cuts in a window of one attribute drawn anew, or those of two attributes."""
    space = moves.space
    if space.grouped:
        return moves.shaken(child, generator)
    if generator.random() < REDRAWN:
        return moves.two_redrawn(child, generator)
    v = int(generator.choice(np.flatnonzero(moves.movable)))
    end = int(space.first[np.searchsorted(space.first, v, side="right")])
    window = np.arange(v, min(end, v + 2 + int(generator.geometric(0.25))))
    window = window[space.start[window] == 0]
    changed = child.copy()
    changed[window] = generator.random(len(window)) < generator.random()
    return changed


def _chosen(members: list[Member], generator: np.random.Generator) -> CutSet:
    pair = generator.integers(0, len(members), 2)
    return min((members[int(i)] for i in pair), key=lambda member: member[0])[1]


def _enter(members: list[Member], child: Member) -> bool:
    """Let the child replace the worst member unless it is worse or there already; return whether that was a gain."""
    if any(child[0] == value and np.array_equal(child[1], included) for value, included in members):
        return False
    worst = max(range(len(members)), key=lambda i: members[i][0])
    gained = child[0] < members[worst][0]
    if child[0] <= members[worst][0]:
        members[worst] = child
    return gained
