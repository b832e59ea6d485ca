"""k-map: every released combination fits at least k people of the population."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from math import inf
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.card import Card
from kohort.classes import Classes, group
from kohort.errors import InputError
from kohort.hierarchy.cover import Cover
from kohort.models.demand import Demand
from kohort.models.model import Monotone, Reference
from kohort.models.plain_words import Counted, many_counted
from kohort.models.sensitive import whole_number
from kohort.typed import Pair

_REMEMBERED = 64  # roll-ups of the population kept at once


@dataclass(frozen=True)
class KMap:
    """Every released QI combination is shared by at least `k` people of a population table.

    The population is given as classes at ground level, coded by the hierarchies of the quasi-identifiers; for
    a class at some levels it is rolled up to the same levels and looked up. Where released values are not
    levels of the hierarchies (boxes, sets, single cells), `Reference.matching` must say how many people of
    the population each class fits. A combination that nobody in the population has fits 0 people and fails.

    Complexity: one roll-up of the population per lattice node, remembered.

    >>> from kohort.demo.ward import crowds
    >>> from dataclasses import replace
    >>> from kohort.hierarchy import Hierarchy
    >>> classes, table = crowds(["flu"], ["cold"])
    >>> people, _ = crowds(["?"] * 4, ["?"])  # the same two released tuples, in a population
    >>> rows = [("31", "*"), ("34", "*")]
    >>> KMap(2).bind(replace(table, population=people, hierarchies=(Hierarchy.from_rows("age", rows),))).failing(classes)
    array([False,  True])

    References: Sweeney. Computational disclosure control: a primer on data privacy protection. PhD thesis, MIT,
    2001. De Capitani di Vimercati et al., section 2.2.
    """

    k: Pair
    _reference: Reference | None = field(default=None, init=False, repr=False, compare=False)
    _rolled: dict[tuple[int, ...], Classes] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    card: ClassVar = Card(
        "k-map",
        "every released combination of quasi-identifiers fits at least k people of a population table",
        guarantee="every released record fits at least k people of the population table; in the release itself it may stand alone",
        paper="Sweeney 2001",
        counts="population",
        levels=True,
    )

    def __post_init__(self) -> None:
        whole_number("k-map", "k", self.k, least=2)

    @property
    def monotone(self) -> Monotone:
        """Merging classes never makes them fit fewer people."""
        return Monotone.GENERALIZATION | Monotone.SUPPRESSION

    @property
    def label(self) -> str:
        """The promise in words."""
        return f"{self.k}-map"

    def plainly(self, crowd: str, counted: Counted = "people") -> str:  # noqa: ARG002
        """Return the promise in a plain sentence, about people or rows in classes that are called as `crowd` says."""
        fitting = many_counted(self.k, counted)
        return f"every released row fits at least {fitting} of the population table; in the release it may stand alone"

    @property
    def reads(self) -> frozenset[str]:
        """No sensitive attribute is looked at."""
        return frozenset()

    @property
    def demand(self) -> Demand:
        """Nothing of the table: k counts people of the population."""
        return Demand(population=self.k)

    def bind(self, reference: Reference) -> KMap:
        """Return the model with the population to look people up in."""
        if reference.matching is None and (reference.population is None or not reference.hierarchies):
            raise InputError(
                "k-map: there is no population table to compare with; name one as population under [input]",
                code="model.no-population",
                model="k-map",
            )
        bound = copy(self)
        object.__setattr__(bound, "_reference", reference)
        object.__setattr__(bound, "_rolled", {})
        return bound

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes that fit fewer than k people of the population."""
        return np.asarray(self.people(classes) < self.k)

    def people(self, classes: Classes) -> IntArray:
        """Return how many people of the population each class fits."""
        if self._reference is None:
            raise InputError(
                "k-map: bind it to a Reference with a population before classes are judged",
                code="model.unbound",
                model="k-map",
            )
        if self._reference.matching is not None:
            return self._reference.matching(classes)
        return _looked_up(self._population(classes.levels), classes.codes)

    def achieved(self, classes: Classes) -> float:
        """Return the least number of people that a class fits."""
        return float(self.people(classes).min()) if len(classes) else inf

    def holds(self, classes: Classes) -> bool:
        """Whether every class fits at least k people."""
        return not self.failing(classes).any()

    def _population(self, levels: tuple[int, ...]) -> Classes:
        assert self._reference is not None
        assert self._reference.population is not None
        if levels not in self._rolled:
            if len(self._rolled) >= _REMEMBERED:
                self._rolled.pop(next(iter(self._rolled)))
            self._rolled[levels] = self._reference.population.rollup(self._reference.hierarchies, levels)
        return self._rolled[levels]


def people_matching(population: Classes, covers: tuple[Cover, ...], classes: Classes) -> IntArray:
    """Return how many people of the population each class fits, for released values of any kind.

    `covers[j]` tells the ground values that released values of attribute j stand for. Complexity: where no
    ground value stands under two released values (one level per attribute, cuts) the population is mapped and
    grouped once; otherwise classes × distinct tuples of the population.
    """
    if all(cover.apart for cover in covers):
        return _people_mapped(population, covers, classes)
    found = np.zeros(len(classes), np.int64)
    for i, codes in enumerate(classes.codes):
        fits = np.ones(len(population), np.bool_)
        for j, code in enumerate(codes):
            fits &= covers[j].marked(code)[population.codes[:, j]]
        found[i] = _people_of(population, fits)
    return found


def _people_of(population: Classes, fits: BoolArray) -> int:
    """Return how many people are in some classes; whoever is in several counts once."""
    named = population.respondents
    if named is None:
        return int(population.sizes[fits].sum())
    return len(np.unique(named.values[fits[named.owners]]))


def _people_mapped(population: Classes, covers: tuple[Cover, ...], classes: Classes) -> IntArray:
    columns = []
    for j, cover in enumerate(covers):
        columns.append(cover.label_of()[population.codes[:, j]])
    mapped = np.column_stack(columns)
    shown = np.flatnonzero((mapped >= 0).all(axis=1))
    people = population.kept(shown)
    return _looked_up(people.merged(*group(mapped[shown])), classes.codes)


def _looked_up(population: Classes, codes: IntArray) -> IntArray:
    """Return the people at each row of codes, 0 where nobody is."""
    distinct, place = group(np.concatenate([population.codes, codes]).astype(np.int32))
    sizes = np.zeros(len(distinct), np.int64)
    sizes[place[: len(population)]] = population.sizes
    return sizes[place[len(population) :]]
