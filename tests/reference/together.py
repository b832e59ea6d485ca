"""Several releases together, by Python sets: a twin of kohort.ledger.together that shares nothing with it.

Rows tell a value of one column, `ill`, or several columns side by side; what is left of these is found by trying every
assignment (`tests.reference.joins`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

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


def leaves(person: str, releases: list[Contents], asked: set[str]) -> tuple[int, dict[str, int]]:
    """The least crowd and the fewest values left of a person, over all ways of seeing the person."""
    others = set.intersection(*(people(told) for told in releases))
    seen = {q: ways(q, releases) for q in others}
    crowds, lefts = [], {}
    for way in seen[person]:
        crowds.append(sum(way in seen[q] for q in others))
        told = [release.told(at) for release, at in zip(releases, way, strict=True)]
        for column, number in _left(told, asked).items():
            lefts.setdefault(column, []).append(number)
    fewest = {column: min(filter(None, found), default=0) for column, found in lefts.items()}
    return min(crowds), fewest


def _left(told: list[list[Told]], asked: set[str]) -> dict[str, int]:
    """How many values are left of each column; a column that matches nothing and is not asked for plays no part."""
    columns = _joining(told, asked)
    return {c: len(left(told, columns, c)[0]) for c in columns if c in asked}


def _joining(told: list[list[Told]], asked: set[str]) -> tuple[str, ...]:
    times: dict[str, int] = {}
    for parts in told:
        for part in parts:
            for column in part.rows[0]:
                times[column] = times.get(column, 0) + 1
    return tuple(sorted(c for c, n in times.items() if n > 1 or c in asked))


def disagrees(person: str, releases: list[Contents], asked: set[str]) -> bool:
    """Whether along every way some column has no value that agrees with all others."""

    def empty(way: tuple[int, ...]) -> bool:
        told = [release.told(at) for release, at in zip(releases, way, strict=True)]
        columns = _joining(told, asked)
        return any(not values_of(told, columns, c) for c in columns if c in asked)

    return all(map(empty, ways(person, releases)))


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
        found = []
        for side in sides:
            crowd, lefts = leaves(person, side, asked)
            least = {c: max(t.least for t in side if c in t.sensitive) for t in side for c in t.sensitive}
            small = {c for c, n in lefts.items() if n < least.get(c, 0)}
            found.append((crowd < max(t.k for t in side), {c for c, n in lefts.items() if n == 1}, small))
        crowd = leaves(person, sides[0], asked)[0]
        smallest = crowd if smallest is None else min(smallest, crowd)
        counts["shared"] += 1
        counts["disagreeing"] += disagrees(person, sides[0], asked)
        now, earlier_alone, new_alone = found
        counts["below_k"] += now[0]
        counts["new_below_k"] += now[0] and not earlier_alone[0] and not new_alone[0]
        for name, i in (("single_value", 1), ("below_l", 2)):
            counts[name] += bool(now[i])
            counts[f"new_{name}"] += bool(now[i] - earlier_alone[i] - new_alone[i])
        if any(now):
            counts["unsure"] += not ways(person, sides[0]) <= of_one_row(person, sides[0])
    return {**counts, "smallest": smallest}
