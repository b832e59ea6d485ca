"""Who is given away to an intruder who knows all columns that any release calls quasi: by trying every choice of rows.

The intruder knows these columns of a person, and in which class or group of each release the person stands. Of each release
that holds the person any row may be the person's that tells of these columns what is known, or nothing; of groups
whose values stand apart (Anatomy), any value of the group. Choices that agree in all columns are possible. Values are told apart
as they are written; some intruders take what is left for fewer values (`alike`). Shares nothing with kohort.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import inf

Row = dict[str, str | None]


@dataclass
class Release:
    """One release: what it tells of each person, and what its classes tell."""

    class_of: dict[str, Hashable]
    rows: dict[str, Row]  # what stands side by side in the rows, of each person
    apart: dict[str, Row]  # what a group tells apart from them
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    k: int  # people among whom classes hide everybody; 0: none
    least: int = 0
    by_class: dict[str, dict[str, str]] = field(default_factory=dict)  # quasi: value to label

    def rows_of(self, person: str, known: Row) -> list[str]:
        """Whose rows may be the person's."""
        return [
            q
            for q, row in self.rows.items()
            if self.class_of[q] == self.class_of[person]
            and all(row.get(c) in (None, value) for c, value in known.items())
        ]


World = tuple[tuple[str, ...], Row]  # whose row was chosen in each release, and what all of them tell


def worlds(person: str, truth: dict[str, Row], releases: Sequence[Release], known: set[str]) -> list[World]:
    """All choices of rows that agree."""
    of_person = {c: truth[person][c] for c in sorted(known)}
    found: list[World] = []
    for chosen in product(*(release.rows_of(person, of_person) for release in releases)):
        told = [r.rows[q] for r, q in zip(releases, chosen, strict=True)]
        groups = [
            [r.apart[q] for q in r.class_of if r.class_of[q] == r.class_of[person]] if r.apart else [{}]
            for r in releases
        ]
        for values in product(*groups):
            world = agreed([of_person, *told, *values])
            if world is not None and all(covers(r, person, truth, world) for r in releases):
                found.append((chosen, world))
    return found


def agreed(rows: Sequence[Row]) -> Row | None:
    """What all rows tell, if they may be of one person."""
    found: Row = {}
    for row in rows:
        for column, value in row.items():
            if value is not None and found.setdefault(column, value) != value:
                return None
    return found


def covers(release: Release, person: str, truth: dict[str, Row], world: Row) -> bool:
    """Whether the labels of the person's class cover what is told."""
    return all(
        world.get(c) is None or labels[str(world[c])] == labels[str(truth[person][c])]
        for c, labels in release.by_class.items()
    )


def crowd(
    person: str, truth: dict[str, Row], releases: Sequence[Release], known: set[str]
) -> list[tuple[int, int]]:
    """Of each release that hides people among rows: how many rows may be the person's, and how many it promised."""
    found = worlds(person, truth, releases, known)
    return [
        (len({chosen[j] for chosen, _ in found}), release.k)
        for j, release in enumerate(releases)
        if release.k
    ]


def beside(person: str, releases: Sequence[Release], known: set[str]) -> int:
    """How many people stand in the same classes of all these releases, where rows tell the same of what is known: never more
    than rows that may be the person's.

    Groups hide people whose rows tell the same as far as rows of classes tell it.
    """
    in_rows = {c for r in releases if not r.apart for c in r.rows[person]}

    def alike(r: Release, q: str) -> bool:
        told = (in_rows if r.apart else known) & r.rows[person].keys()
        return r.class_of[q] == r.class_of[person] and all(r.rows[q][c] == r.rows[person][c] for c in told)

    everywhere = set.intersection(*(set(r.rows) for r in releases))
    return sum(all(alike(r, q) for r in releases) for q in everywhere)


def left(
    person: str,
    truth: dict[str, Row],
    releases: Sequence[Release],
    known: set[str],
    column: str,
    alike: Callable[[str], str],
) -> float:
    """How many values of a column are left to whoever does not know it; no end of them where nothing is told."""
    found = worlds(person, truth, releases, known - {column})
    return len({alike(str(world[column])) for _, world in found if column in world}) or inf


def outside(releases: Sequence[Release]) -> set[str]:
    return {c for release in releases for c in release.quasi}


@dataclass
class Found:
    """People who are given away, and those of them whom neither the earlier releases nor the last one give away."""

    smallest: float = inf
    below_k: set[str] = field(default_factory=set)
    new_below_k: set[str] = field(default_factory=set)
    single_value: set[str] = field(default_factory=set)
    new_single_value: set[str] = field(default_factory=set)
    below_l: set[str] = field(default_factory=set)
    new_below_l: set[str] = field(default_factory=set)
    laid_open: set[str] = field(default_factory=set)  # people of the last one only, by what others call quasi
    laid_open_before: set[str] = field(
        default_factory=set
    )  # of others only, by what the last one calls quasi


def is_given_away(
    person: str,
    truth: dict[str, Row],
    releases: Sequence[Release],
    known: set[str],
    alike: Callable[[str], str],
) -> bool:
    """Whether any promise to a person is broken, or one value is left, to whoever knows some columns."""
    if any(number < k for number, k in crowd(person, truth, releases, known)):
        return True
    for column in {c for release in releases for c in release.sensitive}:
        least = max(r.least for r in releases if column in r.sensitive)
        number = left(person, truth, releases, known, column, alike)
        if number == 1 or number < least:
            return True
    return False


def given_away(
    truth: dict[str, Row], releases: Sequence[Release], alike: Callable[[str], str] = str
) -> Found:
    """Lay all releases over each other; what any of them calls quasi is known, whoever it holds."""
    found, last = Found(), releases[-1]
    for person in last.rows:
        sides = [
            ([r for r in side if person in r.rows], outside(side))
            for side in (releases, releases[:-1], releases[-1:])
        ]
        if not sides[1][0]:
            continue
        crowds = crowd(person, truth, *sides[0])
        found.smallest = min([found.smallest, *(number for number, _ in crowds)])
        if any(number < k for number, k in crowds):
            found.below_k.add(person)
            if all(beside(person, *side) >= max(2, *(r.k for r in side[0])) for side in sides[1:]):
                found.new_below_k.add(person)
        for column in {c for release in sides[0][0] for c in release.sensitive}:
            now, *others = (left(person, truth, *side, column, alike) for side in sides)
            least, *promised = (
                max((r.least for r in side if column in r.sensitive), default=0) for side, _ in sides
            )
            if now == 1:
                found.single_value.add(person)
                if min(others) > 1:
                    found.new_single_value.add(person)
            if now < least:
                found.below_l.add(person)
                if all(n > now or n >= kept for n, kept in zip(others, promised, strict=True)):
                    found.new_below_l.add(person)
    for side, told in ((releases[-1:], found.laid_open), (releases[:-1], found.laid_open_before)):
        others = {who for r in releases if r not in side for who in r.rows}
        for person in {who for r in side for who in r.rows} - others:
            mine = [r for r in side if person in r.rows]
            now, before = (
                is_given_away(person, truth, mine, outside(some), alike) for some in (releases, side)
            )
            if now and not before:
                told.add(person)
    return found
