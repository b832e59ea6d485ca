"""`World`: several releases as an intruder sees them, who stands in which of their classes, and what these leave of people."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from functools import cached_property

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import group
from kohort.classes.natural_join import Left, fewest
from kohort.ledger.followed import People, Ways
from kohort.ledger.held import Held
from kohort.ledger.known_outside import AsTold, LaidOpen, laid_open, told_in_rows
from kohort.ledger.lines import joined
from kohort.ledger.missing import Intruder, classes_with_blanks, intruders, touching
from kohort.ledger.paths import of_one_row, paths
from kohort.ledger.seen import Leaves, Seen
from kohort.ledger.unlike import Meant, read_otherwise, unlike


class World:
    """The people of some releases, with the class of each in every release, as an intruder sees them."""

    def __init__(self, releases: Sequence[Held], people_of: People, seen_as: Sequence[LaidOpen]) -> None:
        self._releases, self._people, self._seen_as = releases, people_of, seen_as
        self._rows = []  # per release: person, row, class
        self._class = np.full(people_of.present.shape, -1, np.int64)
        self._several = np.zeros(len(self._class), np.bool_)
        for j, (held, people) in enumerate(zip(releases, people_of.of_rows, strict=True)):
            class_of = seen_as[j].class_of
            self._rows.append(np.column_stack([people, held.members["row"], class_of]))
            self._class[people, j] = class_of
            self._several[people[self._class[people, j] != class_of]] = True
        self._known: dict[tuple[int, ...], Ways] = {}
        self._told: dict[int | None, AsTold] = {}

    def known_to(self, known: Set[int], releases: Sequence[int], surely: bool = True) -> World:
        """Return what of these releases is known, or known for sure, to whoever knows less."""
        fewer = laid_open(self._releases, known, surely)
        if all(fewer[j].by == self._seen_as[j].by for j in releases):
            return self
        return World(self._releases, self._people, fewer)

    def ways_in(self, other: World, releases: tuple[int, ...], ways: IntArray) -> IntArray:
        """Return ways by the classes of another who knows less."""
        within = [
            self._seen_as[j].within(other._seen_as[j])[ways[:, place]] for place, j in enumerate(releases, 1)
        ]
        return ways if other is self else np.column_stack([ways[:, 0], *within])

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

    def intruders(self, releases: tuple[int, ...]) -> list[Intruder]:
        """Return who looks at these releases."""
        return intruders([self._releases[j] for j in releases])

    def seen(
        self,
        releases: tuple[int, ...],
        people: IntArray,
        attributes: Sequence[int],
        sights: Sequence[Intruder],
        exactly: Set[int] | None = None,
    ) -> Seen:
        """Return what these releases leave of people who stand in all of them.

        By some columns exactly: never more than is left. Else by what they tell: never less than is left for sure.
        """
        known = self._grouped(releases)
        distinct, lone = known.distinct, known.lone
        asked = np.zeros(len(self._class), np.bool_)
        asked[people] = True
        here = asked[known.owners]
        owners, vector_of, sure = known.owners[here], known.vector_of[here], known.sure[here]
        crowd, most = (found[here] for found in known.crowds(self._crowd_of(releases, known.distinct)))
        wanted, vector_of = _renumbered(vector_of, len(distinct))
        vectors = distinct[wanted]
        found = self._sights(releases, vectors, attributes, sights, exactly)
        lone = lone.copy()
        if exactly is not None:
            for leaves in (leaves for sight in found for leaves in sight.values()):
                lone[owners[leaves.left.given_up[vector_of]]] = True
        held = [self._releases[j] for j in releases]
        return Seen(
            people=people,
            ways=np.column_stack([owners, vectors[vector_of]]),
            crowd=crowd,
            most=most,
            sure=sure,
            sights=[{a: _along(leaves, vector_of) for a, leaves in sight.items()} for sight in found],
            lone=lone,
            k=max(release.k for release in held),
            least={a: max(release.least.get(a, 0) for release in held) for a in found[0]},
        )

    def opened(self, known: Set[int], releases: Sequence[int], some: BoolArray) -> int:
        """Return how many of some people, who are in these releases only, are given away, and not to whoever knows less."""
        if self.known_to(known, releases, surely=False) is self:
            return 0
        other = self.known_to(known, releases)
        people = np.flatnonzero(some)
        patterns, pattern_of = group(self._people.present[people].astype(np.int32))
        found = 0
        for number, pattern in enumerate(patterns):
            those = tuple(np.flatnonzero(pattern).tolist())
            mine, sights = people[pattern_of == number], self.intruders(those)
            asked_for, forms = self.sensitive(those), self.unlike(those)
            now, before = (one.seen(those, mine, asked_for, sights, forms) for one in (self, other))
            found += int(now.opened(before).sum())
        return found

    def changing(self, releases: tuple[int, ...], seen: Seen) -> dict[int, int]:
        """Return of how many of the disagreeing people a column by itself tells nothing that agrees."""
        ways = seen.ways[seen.changed & ~seen.lone[seen.ways[:, 0]]]
        if not len(ways):
            return {}
        if None not in self._told:
            self._told[None] = AsTold.by(self._seen_as, None)
        told = self._told[None]
        classes, number = group(told.classes(releases, ways[:, 1:]))
        columns = sorted({column for j in releases for column, _ in self._releases[j].ways})
        found = told.joined.by_itself(told.of(releases), classes, columns)
        people = {c: len(np.unique(ways[(left.number == 0)[number], 0])) for c, left in found.items()}
        return {self._as_read.get(column, column): count for column, count in people.items() if count}

    def _crowd_of(self, releases: tuple[int, ...], vectors: IntArray) -> IntArray:
        """Return the number of the crowd in which each vector of classes stands."""
        in_rows = told_in_rows(self._releases[j] for j in releases)
        crowds = [self._seen_as[j].crowds(in_rows)[vectors[:, place]] for place, j in enumerate(releases)]
        return group(np.column_stack(crowds))[1]

    def _whole(self, releases: tuple[int, ...], vectors: IntArray) -> IntArray:
        """Return vectors of the releases' own classes."""
        return np.column_stack(
            [self._seen_as[j].whole[vectors[:, place]] for place, j in enumerate(releases)]
        )

    def _grouped(self, releases: tuple[int, ...]) -> Ways:
        """Return the ways of everybody who stands in these releases."""
        if releases not in self._known:
            owners, vectors, lone = self._vectors(releases)
            sure = self._sure(releases, np.column_stack([owners, vectors]), lone)
            ways = Ways(owners, *group(vectors), sure, lone)
            if len(releases) > 1:  # only single releases are asked for again
                return ways
            self._known[releases] = ways
        return self._known[releases]

    def _sure(self, releases: tuple[int, ...], ways: IntArray, lone: BoolArray) -> BoolArray:
        """Mark the ways that are those of one row that all these releases hold."""
        if len(releases) == 1:
            return np.ones(len(ways), np.bool_)
        asked = np.zeros(len(self._class), np.bool_)
        asked[ways[:, 0]] = True
        asked &= ~lone
        sure = of_one_row([rows[asked[rows[:, 0]]] for rows in (self._rows[j] for j in releases)])
        _, number = group(np.concatenate([ways, sure]))
        return np.isin(number[: len(ways)], number[len(ways) :])

    def _vectors(self, releases: tuple[int, ...]) -> tuple[IntArray, IntArray, BoolArray]:
        """Return class vectors with the person of each, several for some; and who has too many of them."""
        present = self._people.present
        lone = np.zeros(len(present), np.bool_)
        within: BoolArray = np.logical_and.reduce([present[:, j] for j in releases])
        plain = np.flatnonzero(within & ~self._several)
        vectors = np.column_stack([self._class[plain, j] for j in releases])
        if not (within & self._several).any():
            return plain, vectors, lone
        scattered = [self._scattered[j] for j in releases]
        owners, more, given_up = paths([held[within[held[:, 0]]] for held in scattered])
        lone[given_up] = True
        return np.concatenate([plain, owners]), np.concatenate([vectors, more]), lone

    def _sights(
        self,
        releases: tuple[int, ...],
        vectors: IntArray,
        attributes: Sequence[int],
        sights: Sequence[Intruder],
        exactly: Set[int] | None,
    ) -> list[dict[int, Leaves]]:
        """Return what each intruder is left with; where nothing is missing, as the one who takes nothing for filled in later."""
        held = [self._releases[j] for j in releases]
        found: list[dict[int, Leaves]] = []
        for sight in sights:
            if not sight.filled_in:
                first = self._leaves(releases, vectors, attributes, sight, exactly)
                found.append(first)
                continue
            blank = [classes_with_blanks(one, sight.filled_in) for one in held]
            here = touching(self._whole(releases, vectors), blank)
            more = self._leaves(releases, vectors[here], attributes, sight, exactly) if here.any() else {}
            found.append(
                {a: _put(leaves, more[a], here) if a in more else leaves for a, leaves in first.items()}
            )
        return found

    def _leaves(
        self,
        releases: tuple[int, ...],
        vectors: IntArray,
        attributes: Sequence[int],
        sight: Intruder,
        exactly: Set[int] | None,
    ) -> dict[int, Leaves]:
        """Return what is left of attributes: of one that is known outside, to whoever knows all of these but that one."""
        found: dict[int, Leaves] = {}
        hidden = {a: self._hidden_from(self._as_read.get(a, a)) for a in attributes}
        for column in dict.fromkeys(hidden.values()):
            if column not in self._told:
                self._told[column] = AsTold.by(self._seen_as, column)
            told, those = self._told[column], [a for a in attributes if hidden[a] == column]
            classes, number = group(told.classes(releases, vectors))
            leaves = self._left(told, told.of(releases), classes, those, sight, exactly)
            found |= {a: _along(left, number) for a, left in leaves.items()}
        return found

    def _left(
        self,
        told: AsTold,
        places: list[int],
        vectors: IntArray,
        attributes: Sequence[int],
        sight: Intruder,
        exactly: Set[int] | None,
    ) -> dict[int, Leaves]:
        """Return what is left of attributes; of one that is told as it was read only, that is left of its other forms at most."""
        held = [told.parts[place][1] for place in places]
        wild, alike = sight.filled_in, held[0].alike if sight.takes_alike else None
        if sight.takes_alike:
            held = [one.taken_alike for one in held]
        if exactly is not None and (exactly or wild):
            exact = Meant.exactly(held, exactly, vectors, wild)
            copies = [number for number, form in exact.copies.items() if form in attributes]
            asked = [*(a for a in attributes if a not in exact.copies.values()), *copies]
            found = joined(exact.told, alike).left(range(len(held)), vectors, asked)
            least = fewest((exact.copies.get(column, column), left) for column, left in found.items())
            return {a: Leaves(_give_up(left, vectors, exact)) for a, left in least.items()}
        everything, those = told.joined_alike if sight.takes_alike else told.joined, places
        meant: Meant | None = None
        if (
            exactly is None
            and len({told.parts[place][0] for place in places}) > 1
            and (wild or read_otherwise(held))
        ):
            meant = Meant.known(held, vectors, wild)
            everything, those = joined(meant.told, alike), [*range(len(held))]
        leaving = everything.left(those, vectors, attributes)
        itself = everything.by_itself(those, vectors, [*leaving]) if exactly is None else {}
        leaves = {
            a: Leaves(left if meant is None else _give_up(left, vectors, meant), _number(itself.get(a)))
            for a, left in leaving.items()
        }
        others = {a: self._as_read[a] for a in attributes if a not in leaving and a in self._as_read}
        return leaves | {form: leaves[as_read] for form, as_read in others.items() if as_read in leaves}

    def _hidden_from(self, column: int) -> int | None:
        """Return the column if it is known outside: what is left of it is left to whoever does not know it."""
        return column if any(one.shows(column) for one in self._seen_as) else None

    @cached_property
    def _as_read(self) -> dict[int, int]:
        return {form: as_read for held in self._releases for form, as_read in held.forms.items()}


def _renumbered(numbers: IntArray, n: int) -> tuple[IntArray, IntArray]:
    """Return which of n numbers occur, and the place of each among them."""
    occur = np.zeros(n, np.bool_)
    occur[numbers] = True
    return np.flatnonzero(occur), (np.cumsum(occur) - 1)[numbers]


def _along(leaves: Leaves, vector_of: IntArray) -> Leaves:
    """Return what is left along each way, from what the vectors of classes leave."""
    left = leaves.left
    ways = Left(
        left.number[vector_of], left.value[vector_of], left.given_up[vector_of], left.changed[vector_of]
    )
    return Leaves(ways, None if leaves.itself is None else leaves.itself[vector_of])


def _put(leaves: Leaves, part: Leaves, here: BoolArray) -> Leaves:
    """Return what is left, with what was found of some vectors in its place."""
    names = ("number", "value", "given_up", "changed")
    found = {name: getattr(leaves.left, name).copy() for name in names}
    for name in names:
        found[name][here] = getattr(part.left, name)
    itself = None if leaves.itself is None else leaves.itself.copy()
    if itself is not None and part.itself is not None:
        itself[here] = part.itself
    return Leaves(Left(**found), itself)


def _give_up(left: Left, vectors: IntArray, meant: Meant) -> Left:
    """Return what is left, given up too where classes have too much missing."""
    return replace(left, given_up=left.given_up | touching(vectors, meant.given_up))


def _number(left: Left | None) -> IntArray | None:
    return None if left is None else left.number
