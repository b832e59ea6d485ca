"""Several releases together, by Python sets: a twin of kohort.ledger.together that shares nothing with it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product


@dataclass
class Contents:
    """A release: rows of (person, row, class, value), and what it promises."""

    rows: list[tuple[str, object, int, str]]
    k: int = 2
    least: int = 0  # different values


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


def leaves(person: str, releases: list[Contents]) -> tuple[int, int]:
    """The least crowd and the fewest values left of a person, over all ways of seeing the person."""
    others = set.intersection(*(people(told) for told in releases))
    seen = {q: ways(q, releases) for q in others}
    crowds, lefts = [], []
    for way in seen[person]:
        crowds.append(sum(way in seen[q] for q in others))
        values = [{v for _, _, c, v in told.rows if c == way[i]} for i, told in enumerate(releases)]
        lefts.append(len(set.intersection(*values)))
    return min(crowds), min(filter(None, lefts), default=0)


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
        ),
        0,
    )
    smallest = None
    for person in people(new):
        before = [told for told in earlier if person in people(told)]
        if not before:
            continue
        sides = [[*before, new], before, [new]]
        found = [
            (*leaves(person, side), max(t.k for t in side), max(t.least for t in side)) for side in sides
        ]
        crowd, *_ = found[0]
        smallest = crowd if smallest is None else min(smallest, crowd)
        counts["shared"] += 1
        for name, marks in (
            ("below_k", [crowd < k for crowd, _, k, _ in found]),
            ("single_value", [left == 1 for _, left, _, _ in found]),
            ("below_l", [left < least for _, left, _, least in found]),
        ):
            counts[name] += marks[0]
            counts[f"new_{name}"] += marks[0] and not marks[1] and not marks[2]
        crowd, left, k, least = found[0]
        if crowd < k or left == 1 or left < least:
            counts["unsure"] += not ways(person, sides[0]) <= of_one_row(person, sides[0])
    return {**counts, "smallest": smallest}
