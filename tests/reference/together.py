"""Several releases together, by Python sets: a twin of kohort.ledger.together that shares nothing with it.

Rows tell a value of one column, `ill`, or several columns side by side; what is left of these is found by trying every
assignment (`tests.reference.joins`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import inf

from tests.reference.joins import Row, Told, left, values_of

ILL = "ill"


@dataclass
class Contents:
    """A release: rows of (person, row, class, value or values), and what it promises."""

    rows: list[tuple[str, object, int, str | Row]]
    k: int = 2
    least: int = 0  # different values, of every sensitive column
    sensitive: tuple[str, ...] = (ILL,)
    apart: tuple[str, ...] = ()  # columns that are told of a class, not of its rows

    def told(self, at: int) -> list[Told]:
        """What the release tells of a class: its rows, and each column that is told apart."""
        rows = [{ILL: told} if isinstance(told, str) else told for _, _, c, told in self.rows if c == at]
        beside = [{c: v for c, v in row.items() if c not in self.apart} for row in rows]
        return [Told(beside), *(Told([{c: row[c]} for row in rows]) for c in self.apart)]


def ways(person: str, releases: list[Contents]) -> set[tuple[int, ...]]:
    """The class vectors that somebody who knows one row of a person may see."""
    rows = [[(row, c) for who, row, c, _ in told.rows if who == person] for told in releases]
    known = [{row for row, _ in found} for found in rows]

    def fits(i: int, j: int, a: object, b: object) -> bool:
        return a == b or a not in known[j] or b not in known[i]

    return {
        tuple(c for _, c in way)
        for way in product(*rows)
        if all(fits(i, j, way[i][0], way[j][0]) for i in range(len(way)) for j in range(i))
    }


def of_one_row(person: str, releases: list[Contents]) -> set[tuple[int, ...]]:
    """The class vectors of rows that all releases hold."""
    rows = [[(row, c) for who, row, c, _ in told.rows if who == person] for told in releases]
    return {tuple(c for _, c in way) for way in product(*rows) if len({row for row, _ in way}) == 1}


def people(told: Contents) -> set[str]:
    return {who for who, *_ in told.rows}


@dataclass
class Left:
    """What is left of a column along a way."""

    number: int
    agreed: bool  # by all columns
    itself: int  # values that the column leaves if no other is looked at


Along = dict[tuple[int, ...], tuple[int, dict[str, Left]]]  # way: crowd, and what is left of each column


def along(person: str, releases: list[Contents], asked: set[str]) -> Along:
    """The crowd and the values left of a person along every way of seeing the person."""
    others = set.intersection(*(people(told) for told in releases))
    seen = {q: ways(q, releases) for q in others}
    sure = {q: of_one_row(q, releases) for q in others}
    found: Along = {}
    for way in seen[person]:
        told = [release.told(at) for release, at in zip(releases, way, strict=True)]
        beside = sum(way in sure[q] for q in others if q != person)
        found[way] = (1 + beside, _left(told, asked))
    return found


def _left(told: list[list[Told]], asked: set[str]) -> dict[str, Left]:
    """How many values are left of each column; a column that matches nothing and is not asked for plays no part."""
    columns = _joining(told, asked)
    return {
        c: Left(
            len(left(told, columns, c)[0]),
            bool(values_of(told, columns, c)),
            len(values_of(told, (c,), c)),
        )
        for c in columns
        if c in asked
    }


def known(now: Left, before: Left | None) -> float:
    """How many values were left for sure: by all columns where they agree before and now, else by the column itself."""
    if before is None:
        return inf
    return (before.number if now.agreed and before.agreed else before.itself) or inf


def _joining(told: list[list[Told]], asked: set[str]) -> tuple[str, ...]:
    times: dict[str, int] = {}
    for parts in told:
        for part in parts:
            for column in part.rows[0]:
                times[column] = times.get(column, 0) + 1
    return tuple(sorted(c for c, n in times.items() if n > 1 or c in asked))


def disagrees(person: str, releases: list[Contents], asked: set[str]) -> bool:
    """Whether along some way some column has no value that agrees with all others."""

    def empty(way: tuple[int, ...]) -> bool:
        told = [release.told(at) for release, at in zip(releases, way, strict=True)]
        columns = _joining(told, asked)
        return any(not values_of(told, columns, c) for c in columns if c in asked)

    return any(map(empty, ways(person, releases)))


def together(new: Contents, earlier: list[Contents]) -> dict[str, int | None]:
    counts = dict.fromkeys(
        (
            "shared",
            "below_k",
            "new_below_k",
            "single_value",
            "new_single_value",
            "below_l",
            "new_below_l",
            "unsure",
            "unlike",
            "disagreeing",
        ),
        0,
    )
    smallest = None
    for person in people(new):
        before = [told for told in earlier if person in people(told)]
        if not before:
            continue
        sides = [[*before, new], before, [new]]
        asked = {c for told in sides[0] for c in told.sensitive}
        now, *others = (along(person, side, asked) for side in sides)
        smallest = min(crowd for crowd, _ in now.values()) if smallest is None else smallest
        smallest = min(smallest, *(crowd for crowd, _ in now.values()))
        marks: set[str] = set()
        for way, (crowd, lefts) in now.items():
            parts = [other[part] for other, part in zip(others, (way[:-1], way[-1:]), strict=True)]
            if crowd < max(told.k for told in sides[0]):
                marks.add("below_k")
                before_it = [
                    (_perhaps(part, side), max(told.k for told in side))
                    for part, side in zip((way[:-1], way[-1:]), sides[1:], strict=True)
                ]
                if all(most >= k or crowd < most for most, k in before_it):
                    marks.add("new_below_k")
            for column, found in lefts.items():
                if not found.number and any(others_left[column].number for _, others_left in now.values()):
                    continue
                numbers = [known(found, other[1].get(column)) for other in parts]
                if found.number == 1:
                    marks.add("single_value")
                    if min(numbers) > 1:
                        marks.add("new_single_value")
                if found.number < _promised(sides[0], column):
                    marks.add("below_l")
                    if not found.number or all(
                        found.number < number or number >= _promised(side, column)
                        for number, side in zip(numbers, sides[1:], strict=True)
                    ):
                        marks.add("new_below_l")
        counts["shared"] += 1
        counts["disagreeing"] += disagrees(person, sides[0], asked)
        for mark in marks:
            counts[mark] += 1
        if marks:
            counts["unsure"] += not ways(person, sides[0]) <= of_one_row(person, sides[0]) or any(
                crowd < max(told.k for told in sides[0]) and _perhaps(way, sides[0]) > crowd
                for way, (crowd, _) in now.items()
            )
    return {**counts, "smallest": smallest}


def _perhaps(way: tuple[int, ...], releases: list[Contents]) -> int:
    """How many people may stand in these classes, by one row or by several."""
    return sum(way in ways(q, releases) for q in set.intersection(*(people(told) for told in releases)))


def _promised(releases: list[Contents], column: str) -> int:
    return max((told.least for told in releases if column in told.sensitive), default=0)
