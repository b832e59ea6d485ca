"""What several releases leave of each known person, laid over each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.attacks.carried import Codes, codes_of, involved, relations, told_together
from kohort.attacks.matching import Fitting, Lookup, Match, lowest_bit, popcount
from kohort.attacks.target import Outside, Target
from kohort.classes import group
from kohort.classes.joined_tuples import Relation
from kohort.classes.natural_join import Joined
from kohort.table import Column, Table


@dataclass(frozen=True, eq=False)
class Open:
    """The values that are left of each person."""

    number: IntArray
    value: IntArray  # the value, where one is left

    @classmethod
    def of(cls, candidates: IntArray) -> Open:
        """Return what is left by candidates as bits."""
        return cls(popcount(candidates), lowest_bit(candidates))


@dataclass(frozen=True, eq=False)
class Asked:
    """What is asked of everybody: the column, numbers for values, and the true one where it is known (-1: not told)."""

    column: str
    on: tuple[str, ...]  # what is known of people
    codes: Codes
    truth: IntArray | None

    @classmethod
    def of(cls, releases: Sequence[Target], people: Outside, column: str) -> Asked:
        """Ask for a column that the first of some releases tells."""
        codes = codes_of(releases, people.on, column)
        return cls(column, people.on, codes, _truth(releases[0], column, codes))

    @property
    def followed(self) -> list[str]:
        """The other columns by which rows are followed."""
        return [name for name in self.codes if name != self.column]

    def told_by(self, release: Target) -> list[str]:
        """Return which columns a release tells, of the one that is asked for and those by which rows are followed."""
        return [name for names in told_together(release, self.on) for name in names if name in self.codes]

    def right(self, left: Open) -> BoolArray:
        """Mark for whom one value is left, which is the true one where that is known."""
        single = left.number == 1
        return np.asarray(single if self.truth is None else single & (left.value == self.truth))


@dataclass(frozen=True, eq=False)
class Seen:
    """What releases leave of each known person."""

    several: BoolArray  # who fits two releases or more
    alone: BoolArray  # whose value one of them alone leaves
    left: Open  # by all that they fit
    first: IntArray  # how many candidates the first release leaves
    joined: bool  # by all columns that rows carry; else by the asked one, for there were too many tuples


class Looked:
    """People looked up in some releases; what fits them is found once, whatever the releases tell."""

    def __init__(self, releases: Sequence[Target], people: Outside) -> None:
        self.lookups = [Lookup.of(r, people.table, known_in(r, people)) for r in releases]

    @cached_property
    def _fitting(self) -> list[Fitting | None]:
        return [look.fitting() for look in self.lookups]

    @cached_property
    def _several(self) -> BoolArray:
        """Who fits two releases or more."""
        return np.asarray(np.sum([look.match().sizes > 0 for look in self.lookups], axis=0) > 1)

    def seen(self, asked: Asked, targets: Sequence[Target] | None = None) -> Seen:
        """Return what the releases leave, or others of the same rows that tell other values."""
        looks = self.lookups
        if targets is not None:
            looks = [replace(look, target=target) for look, target in zip(looks, targets, strict=True)]
        code_of = asked.codes[asked.column]
        telling = [look for look in looks if asked.column in asked.told_by(look.target)]
        found = [look.match(asked.column, code_of) for look in telling]
        held = [match.sizes > 0 for match in found]
        alone = [
            here & asked.right(Open.of(match.candidates)) for match, here in zip(found, held, strict=True)
        ]
        left = self._joined(looks, asked)
        return Seen(
            self._several,
            np.logical_or.reduce(alone),
            _by_column(found) if left is None else left,
            found[0].n_candidates(),
            left is not None,
        )

    def _joined(self, looks: Sequence[Lookup], asked: Asked) -> Open | None:
        """Return what is left where rows are followed by all columns they carry; None where there are too many."""
        told: list[Relation] = []
        classes = []
        for number, (look, fitting) in enumerate(zip(looks, self._fitting, strict=True)):
            more = None if fitting is None else relations(number, look, fitting, asked.on, asked.codes)
            if fitting is None or more is None:
                return None
            classes.append(fitting.class_of)
            told += more
        vectors, vector_of = group(np.column_stack(classes).astype(np.int64))
        column = list(asked.codes).index(asked.column)
        found = Joined(told).left(range(len(looks)), vectors, [column])[column]
        return Open(found.number[vector_of], found.value[vector_of])


def _by_column(found: Sequence[Match]) -> Open:
    """Return what is left by one column; a release that does not hold a person leaves all values."""
    left = [match.candidates | np.where((match.sizes > 0)[:, None], 0, -1) for match in found]
    return Open.of(np.bitwise_and.reduce(left))


def composable(target: Target, on: Sequence[str]) -> list[str]:
    """Return the sensitive columns of a release of which another can tell more."""
    everything = (target, *target.others)
    return [column for column in target.judged if len(involved(everything, on, column)) > 1]


def _truth(target: Target, column: str, codes: Codes) -> IntArray | None:
    """Return the number of everybody's value, where the people looked up are the original's."""
    if target.outside is not None or target.original is None or column not in target.original.columns:
        return None
    values = target.original[column]
    return np.array([codes[column].get(text, -1) for text in values.texts], np.int64)[values.codes]


def known_in(release: Target, people: Outside) -> tuple[str, ...]:
    """Return what is known of people and told by a release."""
    return tuple(name for name in people.on if name in release.released.columns)


def mixed(second: Target, columns: Sequence[str], generator: np.random.Generator) -> Target:
    """Return a release with some columns dealt to other rows: those of the rows together, each told apart by itself."""
    apart, held = second.apart, second.released
    if apart is not None:
        for column in (column for column in columns if column in apart.told):
            lines = apart.told[column]
            order = generator.permutation(len(lines.values.codes))
            dealt = lines._replace(values=_ordered(lines.values, order))
            apart = replace(apart, told={**apart.told, column: dealt})
    order = generator.permutation(held.n_rows)
    told = {name: _ordered(held[name], order) for name in columns if name in held.columns}
    return replace(second, apart=apart, released=Table({**held.columns, **told}, held.n_rows))


def _ordered(column: Column, order: IntArray) -> Column:
    return Column(column.name, column.codes[order], column.values)
