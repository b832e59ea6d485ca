"""`Seen`: what some releases together leave of each person, and what of it a further release adds.

People are followed along ways: the classes in which one row of a person may stand. What a release adds is told along
each way by itself, and for each intruder: not new is only what the same intruder knew before, along the same way. Whoever
was given away before and is left with fewer now counts as new too, and so does whoever was promised more since.
Known is what is left for sure: by all columns where they agree before and after, by the column alone where they do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import group
from kohort.classes.natural_join import Left
from kohort.ledger.lines import MISSING

UNKNOWN = np.iinfo(np.int64).max  # more than anybody could be left with


@dataclass(frozen=True, eq=False)
class Leaves:
    """What an intruder is left with of one attribute, along each way."""

    left: Left
    itself: IntArray | None = (
        None  # values that the column leaves if no other is looked at, where that was asked for
    )

    @property
    def is_missing(self) -> BoolArray:
        """Mark the ways along which it is known that the value is missing, and so nothing of it."""
        missing: BoolArray = (self.left.number == 1) & (self.left.value == MISSING)
        return missing

    def known(self, now: Leaves, at: IntArray) -> IntArray:
        """Return how many values were left for sure at some ways, where this is left now.

        Where columns do not agree, which of them was changed is not known; the column by itself leaves what any of them do.
        """
        number = np.where(self.left.number > 0, self.left.number, UNKNOWN)
        sure = number[at]
        doubtful = self.left.changed[at] | now.left.changed
        if self.itself is not None:
            sure = np.where(doubtful, np.where(self.itself > 0, self.itself, UNKNOWN)[at], sure)
        filled_in = self.is_missing[at] & ~now.is_missing
        return np.where(self.left.given_up[at] | (at < 0) | filled_in, UNKNOWN, sure)


Sight = Mapping[int, Leaves]  # per attribute: what one intruder sees


@dataclass(frozen=True, eq=False)
class Seen:
    """What some releases together leave of some people."""

    people: IntArray
    ways: IntArray  # person and classes: all that were looked at
    crowd: IntArray  # of each way: oneself and those who stand there by one row for sure
    most: IntArray  # of each way: with those who may stand there
    sure: BoolArray  # of each way: whether it is one row's
    sights: Sequence[Sight]  # one per intruder
    lone: BoolArray  # of everybody: with too many rows or tuples to combine
    k: int
    least: Mapping[int, int]

    def small(self) -> BoolArray:
        """Mark the people who hide among fewer than promised."""
        return self._anybody(self.crowd < self.k) | self.lone[self.people]

    def smallest(self) -> int:
        """Return the smallest crowd of anybody."""
        return 1 if self.lone[self.people].any() else int(self.crowd.min())

    def given_away(self) -> BoolArray:
        """Mark the people who hide among fewer, or keep fewer values, than promised, or a single one."""
        found: BoolArray = np.logical_or.reduce([*self._given_away().values()])
        return found

    def opened(self, before: Seen) -> BoolArray:
        """Mark the people who are given away in one of these ways, and by what was seen before were not in that way."""
        known, nobody = before._given_away(), np.zeros(len(self.people), np.bool_)
        new = [some & ~known.get(kind, nobody) for kind, some in self._given_away().items()]
        found: BoolArray = np.logical_or.reduce(new)
        return found

    def _given_away(self) -> dict[int | None, BoolArray]:
        """Mark the people who hide among fewer than promised; and per attribute, who keep fewer values or a single one."""
        found: dict[int | None, BoolArray] = {None: self.small()}
        for attribute, _, number, held in self._numbers():
            few = self._anybody(held & ((number == 1) | (number < self.least[attribute])))
            found[attribute] = few | found.get(attribute, False)
        return found

    def unsure(self) -> BoolArray:
        """Mark the people given away of whom a way, or that of somebody beside them, is not known to be one row's."""
        doubtful = ~self.sure | ((self.crowd < self.k) & (self.most > self.crowd))
        return self.given_away() & (self._anybody(doubtful) | self.lone[self.people])

    def disagreeing(self) -> BoolArray:
        """Mark the people of whom, along some way, no tuple agrees in all columns, to whoever takes nothing for filled in later.

        A missing cell that agrees with everything, or another way that agrees by chance, does not tell that nothing was changed.
        """
        return self._anybody(self.changed) & ~self.lone[self.people]

    @property
    def changed(self) -> BoolArray:
        """Mark the ways along which no tuple agrees in all columns, to the same."""
        changed = [leaves.left.changed for leaves in self.sights[0].values()]
        found: BoolArray = np.logical_or.reduce([*changed, np.zeros(len(self.ways), np.bool_)])
        return found

    def counts(self, before: Seen, alone: Seen, ways: tuple[IntArray, IntArray]) -> IntArray:
        """Return how many people are given away, and of how many of them that is new; `ways` as each side sees these.

        In this order: small crowds, single values, few values, each with what is new; everybody, the lone, the disagreeing.
        """
        lone, nobody = self.lone[self.people], np.zeros(len(self.people), np.bool_)
        at_before = _places(ways[0][:, :-1], before.ways)
        at_alone = _places(ways[1][:, [0, -1]], alone.ways)
        new_small = self.crowd < self.k
        for side, at in ((before, at_before), (alone, at_alone)):
            known = _at(side.most, at)  # who may have hidden there: fewer were not known
            new_small &= (self.crowd < known) | (known >= side.k)
        single, new_single, few, new_few = nobody.copy(), nobody.copy(), nobody.copy(), nobody.copy()
        for attribute, i, number, held in self._numbers():
            one, less = held & (number == 1), held & (number < self.least[attribute])
            single |= self._anybody(one)
            few |= self._anybody(less)
            for side, sight, at in (
                (before, before.sights[i], at_before),
                (alone, alone.sights[i * len(alone.sights) // len(self.sights)], at_alone),
            ):
                known = _known(sight, attribute, self.sights[i][attribute], at)
                one &= number < known
                less &= (number < known) | (known >= side.least.get(attribute, 0)) | (number == 0)
            new_single |= self._anybody(one)
            new_few |= self._anybody(less)
            single, new_single = single | lone, new_single | lone
            if self.least[attribute] > 1:
                few, new_few = few | lone, new_few | lone
        told = (
            self.small(), self._anybody(new_small) | lone, single, new_single, few, new_few, ~nobody, lone, self.disagreeing(),
        )  # fmt: skip
        return np.array([found.sum() for found in told], np.int64)

    def _numbers(self) -> Iterator[tuple[int, int, IntArray, BoolArray]]:
        """Return each attribute and intruder with the values left along each way, and which of these ways count.

        One that leaves nothing counts only for people of whom every way does, for every intruder.
        """
        owners = self.ways[:, 0]
        for attribute in self.least:
            possible = np.zeros(len(self.lone), np.bool_)
            for sight in self.sights:
                possible[owners[sight[attribute].left.number > 0]] = True
            for i, sight in enumerate(self.sights):
                number = sight[attribute].left.number
                yield attribute, i, number, ((number > 0) | ~possible[owners]) & ~self.lone[owners]

    def _anybody(self, ways: BoolArray) -> BoolArray:
        """Mark the people of whom one of their ways is marked."""
        found = np.zeros(len(self.lone), np.bool_)
        found[self.ways[ways, 0]] = True
        return found[self.people]


def _known(sight: Sight, attribute: int, now: Leaves, at: IntArray) -> IntArray:
    if attribute not in sight or not len(sight[attribute].left.number):
        return np.full(len(at), UNKNOWN)
    return sight[attribute].known(now, at)


def _at(numbers: IntArray, at: IntArray) -> IntArray:
    """Return the numbers at some places; more than any where there is none."""
    return np.append(numbers, UNKNOWN)[at]


def _places(ways: IntArray, among: IntArray) -> IntArray:
    """Return where each way stands among others; -1 where it does not."""
    _, number = group(np.ascontiguousarray(np.concatenate([ways, among])))
    place = np.full(int(number.max(initial=-1)) + 1, -1, np.int64)
    place[number[len(ways) :]] = np.arange(len(among))
    return place[number[: len(ways)]]
