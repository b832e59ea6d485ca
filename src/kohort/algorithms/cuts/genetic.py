"""`genetic`: evolution of cut sets."""

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

Member = tuple[float, CutSet]


@dataclass(frozen=True)
class Genetic:
    """The best set that a population of cut sets evolves; no guarantee.

    A chromosome is a cut set in alphabet order. Parents are chosen by tournaments of two; a child takes each
    attribute's cuts from one of them, or from both sides of a crossing point within the attribute, then is
    shaken: a few cuts flipped, or two attributes drawn anew. Departure from Iyengar: a child is taken down to the
    local optimum nearby before it enters (the paper's converge too slowly, as Bayardo & Agrawal found), and
    replaces the worst member that is not better; equal sets are not kept twice.

    References: Iyengar, V. Transforming data to satisfy privacy constraints. KDD 2002.
    """

    card: ClassVar = Card(
        "genetic",
        "a population of sets of cuts in the ordered domains, crossed and improved",
        guarantee="none: the best set seen",
        taxonomy="AG_TS",
        paper="Iyengar 2002",
    )

    population: int = 12
    children: int = 60  # without a time limit; with one, evolution goes on until the time is up
    order: Mapping[str, Sequence[Label]] = field(default_factory=dict)  # column -> its ground values in order
    respect_hierarchy: bool = False  # only cuts that keep the labels of the hierarchy whole

    def __post_init__(self) -> None:
        if self.population < 2:
            raise InputError(f"genetic: population is {self.population}; at least 2 are needed")

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best set of all generations."""
        space = space_of(problem, self.order, self.respect_hierarchy, self.card.name)
        incumbent = Incumbent(space, progress, problem.time_limit)
        offer_coarsest(space, incumbent)
        moves = Moves(space)
        generator = np.random.default_rng(problem.seed)
        born = 0
        try:
            members = [descend(moves, moves.empty(), incumbent)]
            while len(members) < self.population and not incumbent.late and space.n_cuts:
                members.append(descend(moves, moves.random(generator), incumbent))
                incumbent.tell(f"population of {len(members)}")
            while self._goes_on(born, incumbent) and len(members) > 1:
                child = self._cross(
                    moves, _chosen(members, generator), _chosen(members, generator), generator
                )
                _enter(members, descend(moves, child, incumbent))
                born += 1
                incumbent.tell(f"child {born:,}")
        except KeyboardInterrupt:
            incumbent.tell("interrupted")
        return incumbent.solution(False, children=born, checked=moves.evaluations)

    def _goes_on(self, born: int, incumbent: Incumbent) -> bool:
        return not incumbent.late and (incumbent.time_limit is not None or born < self.children)

    @staticmethod
    def _cross(moves: Moves, one: CutSet, two: CutSet, generator: np.random.Generator) -> CutSet:
        space = moves.space
        child = one.copy()
        for a, b in zip(space.first[:-1], space.first[1:], strict=True):
            cross = int(generator.integers(a, b + 1)) if generator.random() < 0.5 else int(a)
            left, right = (one, two) if generator.random() < 0.5 else (two, one)
            child[a:cross] = left[a:cross]
            child[cross:b] = right[cross:b]
        for v in np.flatnonzero(child):  # cuts that must go together
            moves.make(int(space.group[v]), child)
        return moves.shaken(child, generator)


def _chosen(members: list[Member], generator: np.random.Generator) -> CutSet:
    pair = generator.integers(0, len(members), 2)
    return min((members[int(i)] for i in pair), key=lambda member: member[0])[1]


def _enter(members: list[Member], child: Member) -> None:
    if any(child[0] == value and np.array_equal(child[1], included) for value, included in members):
        return
    worst = max(range(len(members)), key=lambda i: members[i][0])
    if child[0] <= members[worst][0]:
        members[worst] = child
