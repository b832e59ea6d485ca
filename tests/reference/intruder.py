"""What an intruder finds who lays releases over each other row by row: shares nothing with kohort.

An intruder knows the class of a person in each release, and all columns that any of them calls quasi, takes a row of every part that it tells there, and keeps the
choices that agree. What is missing agrees with what is missing, with what its plan reads as missing or, in the columns that
the intruder takes for filled in later, with everything.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from itertools import product
from math import inf

Column = Hashable
Row = dict[Column, str | None]
Part = list[tuple[Hashable, Row]]  # the class of every row, and what it tells


@dataclass
class Series:
    """One release: the class of each person, what its parts tell, and what it promises."""

    class_of: dict[str, Hashable]
    parts: list[Part]
    sensitive: tuple[Column, ...]
    k: int = 2
    least: dict[Column, int] = field(default_factory=dict)
    marks: dict[Column, list[str]] = field(default_factory=dict)  # what it reads as missing
    quasi: tuple[Column, ...] = ()
    own: dict[str, Row] = field(default_factory=dict)  # what its first part tells of each person
    read_as: dict[Column, Column] = field(
        default_factory=dict
    )  # columns that are told in a form of their own

    def tells(self) -> set[Column]:
        """The columns that its first part tells of people."""
        return {self.read_as.get(c, c) for row in self.own.values() for c in row}

    def known(self, row: Row, columns: set[Column]) -> Row:
        """What a row tells of columns that are known."""
        return {c: value for c, value in row.items() if self.read_as.get(c, c) in columns}

    def meant(self, row: Row) -> list[Row]:
        """The row with all that may stand in place of what is missing, nothing or one of the marks, and as it is told."""
        choices = [(value, *self.marks.get(c, ())) if value is None else (value,) for c, value in row.items()]
        told = {(id(self), c): value for c, value in row.items()}
        return [dict(zip(row, values, strict=True)) | told for values in product(*choices)]


@dataclass
class Found:
    """People who are given away by all releases together, and those of them who are so only by the last."""

    smallest: float = inf
    below_k: set[str] = field(default_factory=set)
    new_below_k: set[str] = field(default_factory=set)
    single_value: set[str] = field(default_factory=set)
    new_single_value: set[str] = field(default_factory=set)
    below_l: set[str] = field(default_factory=set)
    new_below_l: set[str] = field(default_factory=set)


def merged(one: Row, other: Row, wild: frozenset[Column]) -> Row | None:
    """Both rows as one, if they may be of one person."""
    found = dict(one)
    for column, value in other.items():
        held = found.setdefault(column, value)
        if held != value and (column not in wild or None not in (held, value)):
            return None
        found[column] = value if held is None else held
    return found


def worlds(
    person: str, releases: list[Series], wild: frozenset[Column], known: set[Column] | None = None
) -> list[Row]:
    """All that the person's rows may tell, by every release; of what is known, what one's own row tells."""
    found: list[Row] = [{}]
    for release in releases:
        own = release.known(release.own.get(person, {}), known or set())
        for number, part in enumerate(release.parts):
            mine = [row for c, row in part if c == release.class_of[person]]
            if not number:
                mine = [row for row in mine if release.known(row, known or set()) == own]
            rows = [meant for row in mine for meant in release.meant(row)]
            both = [merged(world, row, wild) for world in found for row in rows]
            found = list({frozenset(world.items()): world for world in both if world is not None}.values())
    return found


def crowd(person: str, releases: list[Series], known: set[Column]) -> int:
    """The people who stand in all these releases, in the person's classes, and of whom rows tell the same of what is known.

    Where values stand apart, rows count as far as those of other releases tell the same columns.
    """
    others = set.intersection(*(set(release.class_of) for release in releases))
    beside = {c for r in releases if len(r.parts) == 1 for c in r.tells()}

    def alike(r: Series, q: str) -> bool:
        told, mine = (r.known(r.own[who], known if len(r.parts) == 1 else beside) for who in (q, person))
        return r.class_of[q] == r.class_of[person] and told == mine

    return sum(all(alike(r, q) for r in releases) for q in others)


def left(
    person: str,
    releases: list[Series],
    wild: frozenset[Column],
    column: Column,
    known: set[Column] | None = None,
) -> float:
    """The number of values left; infinitely many where the releases tell nothing of the column, or nothing that agrees."""
    itself = {release.read_as.get(column, column) for release in releases}
    found = worlds(person, releases, wild, None if known is None else known - itself)
    names = [column] if column in wild else [(id(release), column) for release in releases]
    numbers = [len({world[name] for world in found if name in world}) for name in names]
    return min((number for number in numbers if number), default=inf)


def intruders(releases: list[Series]) -> Iterable[frozenset[Column]]:
    """The columns that an intruder takes for filled in later: none, one of them, or all."""
    columns = {c for r in releases for part in r.parts for _, row in part for c in row}
    yield frozenset()
    yield from (frozenset({column}) for column in columns)
    yield frozenset(columns)


def is_new(number: float, others: list[tuple[float, int]]) -> bool:
    """Whether either side alone left more, or kept its promise."""
    return all(number < left or left >= promised for left, promised in others)


def laid_over(releases: list[Series]) -> Found:
    """Return whom all releases give away, by any intruder; new is what that one did not find by either side alone."""
    found, last = Found(), releases[-1]
    for person in last.class_of:
        held = [release for release in releases if person in release.class_of]
        if len(held) == 1:
            continue
        sides = [
            (side, {c for release in those for c in release.quasi})
            for side, those in ((held, releases), (held[:-1], releases[:-1]), (held[-1:], releases[-1:]))
        ]
        now, *others = ((crowd(person, *side), max(release.k for release in side[0])) for side in sides)
        found.smallest = min(found.smallest, now[0])
        if now[0] < now[1]:
            found.below_k.add(person)
            if is_new(now[0], others):
                found.new_below_k.add(person)
        for wild in intruders(held):
            for column in {c for release in held for c in release.sensitive}:
                now, *others = (
                    (left(person, side, wild, column, known), max(r.least.get(column, 0) for r in side))
                    for side, known in sides
                )
                if now[0] == 1:
                    found.single_value.add(person)
                    if all(number > 1 for number, _ in others):
                        found.new_single_value.add(person)
                if now[0] < now[1]:
                    found.below_l.add(person)
                    if is_new(now[0], others):
                        found.new_below_l.add(person)
    return found
