"""What several releases about the same people give away together.

Whoever knows the class of a person p in every release that holds p sees p among the people who stand in all those
releases, in the same classes: crowd(p) = |{q : class_r(q) = class_r(p) for all r that hold p}|; and knows that
what p's rows tell occurs in every one of these classes: left(p) is the natural join of the tuples they hold
(`kohort.classes.natural_join`), and of one sensitive column the values in it.

People with several rows are followed in every way that rows may go together, and the least of all ways counts: a bound. A
way along which no value is left is one that nobody can have gone, and tells nothing of values where another is possible.
Of which people counted a way is not known to be one row's (`unsure`) is told beside the counts.

References: De Capitani di Vimercati et al., k-anonymity: from theory to applications, 2023, section 4.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import group
from kohort.classes.natural_join import Joined, Left, fewest
from kohort.ledger.held import Held
from kohort.ledger.lines import relations_of
from kohort.ledger.paths import of_one_row, paths
from kohort.ledger.unlike import Meant, unlike


@dataclass(frozen=True)
class Together:
    """How a new release goes together with all earlier ones; `new_…` counts what it adds to each side alone."""

    shared: int  # people who stand in an earlier release too
    smallest: int | None  # the smallest crowd of any of them
    below_k: int  # people whose crowd is smaller than a release that holds them promised
    new_below_k: int
    single_value: int  # people with one value left of a sensitive attribute
    new_single_value: int
    below_l: int  # people with fewer values left than a release that holds them promised
    new_below_l: int
    uncombined: int  # people with too many rows or tuples to combine: they count as if they stood alone
    by_column: tuple[int, ...]  # earlier releases of which it is not known what rows tell side by side
    unsure: int  # people counted below k, with one value or below l, of whom it is not known which rows go together
    unlike: (
        int  # columns that releases tell in unlike forms: followed by exact values, so that counts are bounds
    )
    disagreeing: int  # people of whom the releases tell nothing that agrees in all columns


@dataclass(frozen=True, eq=False)
class _Seen:
    """What some releases together leave of each person."""

    crowd: IntArray
    left: Mapping[int, IntArray]  # per attribute
    lone: BoolArray  # with too many rows or tuples to combine
    disagreeing: BoolArray  # with no tuple that agrees in all columns
    ways: IntArray  # person and classes: all that were looked at
    k: int
    least: Mapping[int, int]

    def small(self) -> BoolArray:
        return self.crowd < self.k

    def single(self, attribute: int) -> BoolArray:
        return self.left[attribute] == 1 if attribute in self.left else np.zeros(len(self.crowd), np.bool_)

    def few(self, attribute: int) -> BoolArray:
        if attribute not in self.left:
            return np.zeros(len(self.crowd), np.bool_)
        return self.left[attribute] < self.least.get(attribute, 0)

    def given_away(self) -> BoolArray:
        """Mark the people who hide among fewer, or keep fewer values, than promised, or a single one."""
        found = self.small()
        for attribute in self.left:
            found |= self.single(attribute) | self.few(attribute)
        return found


def compose(new: Held, earlier: Sequence[Held]) -> Together:
    """Return what a new release and all earlier ones give away together of the people in the new one.

    People are taken by the set R of releases that hold them: their crowds are the groups of equal class vectors
    over R, of everybody who stands in all of R. Time grows with people × observed sets R.
    """
    world = _World([*earlier, new])
    last = len(earlier)
    asked = np.flatnonzero(world.present[:, last])
    patterns, pattern_of = group(world.present[asked].astype(np.int32))
    totals = np.zeros(9, np.int64)
    smallest: int | None = None
    unsure = 0
    otherwise: set[int] = set()
    for number, pattern in enumerate(patterns):
        releases = tuple(np.flatnonzero(pattern).tolist())
        if releases == (last,):
            continue
        people = asked[pattern_of == number]
        asked_for, forms = world.sensitive(releases), world.unlike(releases)
        now = world.seen(releases, people, asked_for, forms)
        # By what they tell: where forms are unlike, too few are found, and so too many by the combination only.
        before, alone = (world.seen(some, people, asked_for) for some in (releases[:-1], (last,)))
        otherwise |= forms
        totals += _counts(now, before, alone)
        unsure += world.unsure(releases, people, now)
        least = int(now.crowd.min())
        smallest = least if smallest is None else min(smallest, least)
    below, new_below, single, new_single, few, new_few, shared, uncombined, disagreeing = map(int, totals)
    apart = tuple(held.number for held in earlier if held.is_by_column)
    counted = (below, new_below, single, new_single, few, new_few)
    return Together(shared, smallest, *counted, uncombined, apart, unsure, len(otherwise), disagreeing)


def _counts(now: _Seen, before: _Seen, alone: _Seen) -> IntArray:
    """Return how many people are given away, and how many of them by the combination only."""
    small = now.small()
    nobody = np.zeros(len(now.crowd), np.bool_)
    single, new_single, few, new_few = nobody.copy(), nobody.copy(), nobody.copy(), nobody.copy()
    for attribute in now.left:
        found = now.single(attribute)
        single |= found
        new_single |= found & ~before.single(attribute) & ~alone.single(attribute)
        found = now.few(attribute)
        few |= found
        new_few |= found & ~before.few(attribute) & ~alone.few(attribute)
    new_small = small & ~before.small() & ~alone.small()
    told = (small, new_small, single, new_single, few, new_few, ~nobody, now.lone, now.disagreeing)
    return np.array([found.sum() for found in told], np.int64)


class _World:
    """All people of some releases, numbered, with the class of each in every release."""

    def __init__(self, releases: Sequence[Held]) -> None:
        self._releases = releases
        persons = [held.members["person"] for held in releases]
        names, numbers = np.unique(np.concatenate(persons), return_inverse=True)
        self._rows = []  # per release: person, row, class
        self.present = np.zeros((len(names), len(releases)), np.bool_)
        self._class = np.full((len(names), len(releases)), -1, np.int64)
        several = np.zeros(len(names), np.bool_)
        start = 0
        for j, held in enumerate(releases):
            people = numbers[start : start + len(persons[j])]
            start += len(persons[j])
            self._rows.append(np.column_stack([people, held.members["row"], held.members["class"]]))
            self.present[people, j] = True
            self._class[people, j] = held.members["class"]
            several[people[self._class[people, j] != held.members["class"]]] = True
        self._several = several
        self._known: dict[tuple[int, ...], tuple[IntArray, IntArray, IntArray, BoolArray]] = {}

    @cached_property
    def _scattered(self) -> list[IntArray]:
        """The rows of people who stand in several classes of a release, with rows numbered across releases."""
        rows = [held[self._several[held[:, 0]]] for held in self._rows]
        _, numbers = group(np.concatenate(rows)[:, :2])
        ends = np.cumsum([len(held) for held in rows])[:-1]
        return [
            np.column_stack([held[:, 0], number, held[:, 2]])
            for held, number in zip(rows, np.split(numbers, ends), strict=True)
        ]

    def sensitive(self, releases: tuple[int, ...]) -> list[int]:
        """Return the attributes that any of these releases calls sensitive, in every form in which one does."""
        return sorted(frozenset[int]().union(*(self._releases[j].sensitive for j in releases)))

    def unlike(self, releases: tuple[int, ...]) -> frozenset[int]:
        """Return the columns that these releases tell in unlike forms."""
        return unlike([self._releases[j] for j in releases])

    def seen(
        self,
        releases: tuple[int, ...],
        people: IntArray,
        attributes: Sequence[int],
        exactly: Set[int] = frozenset(),
    ) -> _Seen:
        """Return what these releases leave of people who stand in all of them, by some columns exactly."""
        owners, distinct, vector_of, lone = self._grouped(releases)
        crowd_of = np.bincount(vector_of, minlength=len(distinct))
        asked = np.zeros(len(self.present), np.bool_)
        asked[people] = True
        owners, vector_of = owners[asked[owners]], vector_of[asked[owners]]
        wanted, vector_of = _renumbered(vector_of, len(distinct))
        left = self._left(releases, distinct[wanted], attributes, exactly)
        held = [self._releases[j] for j in releases]
        lone = lone.copy()
        for found in left.values():
            lone[owners[found.given_up[vector_of]]] = True
        return _Seen(
            crowd=_least(people, owners, crowd_of[wanted][vector_of], lone),
            left={a: _least_left(people, owners, found.number[vector_of], lone) for a, found in left.items()},
            lone=lone[people],
            disagreeing=_disagreeing(
                people, owners, [found.changed[vector_of] for found in left.values()], lone
            ),
            ways=np.column_stack([owners, distinct[wanted][vector_of]]),
            k=max(release.k for release in held),
            least={a: max(release.least.get(a, 0) for release in held) for a in left},
        )

    def unsure(self, releases: tuple[int, ...], people: IntArray, found: _Seen) -> int:
        """Return of how many people given away a way is not that of one row that all these releases hold."""
        asked = np.zeros(len(self.present), np.bool_)
        asked[people[found.given_away()]] = True
        lone = people[found.lone & asked[people]]
        ways = found.ways[asked[found.ways[:, 0]]]
        sure = of_one_row([rows[asked[rows[:, 0]]] for rows in (self._rows[j] for j in releases)])
        _, number = group(np.concatenate([ways, sure]))
        known = np.isin(number[: len(ways)], number[len(ways) :])
        return len(np.union1d(ways[~known, 0], lone))

    def _grouped(self, releases: tuple[int, ...]) -> tuple[IntArray, IntArray, IntArray, BoolArray]:
        """Return the distinct class vectors, and for each person and vector the person and which it is."""
        if releases not in self._known:
            owners, vectors, lone = self._vectors(releases)
            if len(releases) > 1:  # only single releases are asked for again
                return owners, *group(vectors), lone
            self._known[releases] = owners, *group(vectors), lone
        return self._known[releases]

    def _vectors(self, releases: tuple[int, ...]) -> tuple[IntArray, IntArray, BoolArray]:
        """Return class vectors with the person of each, several for some; and who has too many of them."""
        lone = np.zeros(len(self.present), np.bool_)
        within: BoolArray = np.logical_and.reduce([self.present[:, j] for j in releases])
        plain = np.flatnonzero(within & ~self._several)
        vectors = np.column_stack([self._class[plain, j] for j in releases])
        if not (within & self._several).any():
            return plain, vectors, lone
        scattered = [self._scattered[j] for j in releases]
        owners, more, given_up = paths([held[within[held[:, 0]]] for held in scattered])
        lone[given_up] = True
        return np.concatenate([plain, owners]), np.concatenate([vectors, more]), lone

    def _left(
        self, releases: tuple[int, ...], vectors: IntArray, attributes: Sequence[int], exactly: Set[int]
    ) -> dict[int, Left]:
        """Return what is left of attributes; of one that is told as it was read only, that is left of its other forms at most."""
        if exactly:
            meant = Meant.of([self._releases[j] for j in releases], exactly)
            copies = [number for number, form in meant.copies.items() if form in attributes]
            asked = [*(a for a in attributes if a not in meant.copies.values()), *copies]
            found = Joined(relations_of(meant.told)).left(range(len(releases)), vectors, asked)
            return fewest((meant.copies.get(column, column), left) for column, left in found.items())
        told = self._told.left(releases, vectors, attributes)
        others = {a: self._as_read[a] for a in attributes if a not in told and a in self._as_read}
        return told | {form: told[as_read] for form, as_read in others.items() if as_read in told}

    @cached_property
    def _told(self) -> Joined:
        return Joined(relations_of([held.told for held in self._releases]))

    @cached_property
    def _as_read(self) -> dict[int, int]:
        return {form: as_read for held in self._releases for form, as_read in held.forms.items()}


def _renumbered(numbers: IntArray, n: int) -> tuple[IntArray, IntArray]:
    """Return which of n numbers occur, and the place of each among them."""
    occur = np.zeros(n, np.bool_)
    occur[numbers] = True
    return np.flatnonzero(occur), (np.cumsum(occur) - 1)[numbers]


def _least(people: IntArray, owners: IntArray, counts: IntArray, lone: BoolArray) -> IntArray:
    """Return the least count of each person's vectors; 1 for those who are taken to stand alone."""
    least = np.full(len(lone), np.iinfo(np.int64).max)
    np.minimum.at(least, owners, counts)
    least[lone] = 1
    return least[people]


def _least_left(people: IntArray, owners: IntArray, counts: IntArray, lone: BoolArray) -> IntArray:
    """Return the same of values left: ways that leave none count only for people of whom every way leaves none."""
    possible = np.zeros(len(lone), np.bool_)
    possible[owners[counts > 0]] = True
    held = (counts > 0) | ~possible[owners]
    return _least(people, owners[held], counts[held], lone)


def _disagreeing(
    people: IntArray, owners: IntArray, changed: Sequence[BoolArray], lone: BoolArray
) -> BoolArray:
    """Mark the people of whom, along every way, no tuple agrees in all columns."""
    if not changed:
        return np.zeros(len(people), np.bool_)
    agree = lone.copy()
    agree[owners[~np.logical_or.reduce(changed)]] = True
    return ~agree[people]
