"""Naive twins of the risk measures: plain Python over lists of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import prod

Row = tuple[object, ...]


def people_of(rows: Sequence[Row], persons: Sequence[object], columns: Sequence[int]) -> list[set[object]]:
    """For each row, the people who show its values in the columns."""
    groups: dict[Row, set[object]] = {}
    for row, person in zip(rows, persons, strict=True):
        groups.setdefault(tuple(row[c] for c in columns), set()).add(person)
    return [groups[tuple(row[c] for c in columns)] for row in rows]


def crowd_of_each_person(rows: Sequence[Row], persons: Sequence[object]) -> dict[object, int]:
    crowds: dict[object, int] = {}
    for person, group in zip(persons, people_of(rows, persons, range(len(rows[0]))), strict=True):
        crowds[person] = min(crowds.get(person, len(rows)), len(group))
    return crowds


def unique_people(rows: Sequence[Row], persons: Sequence[object], columns: Sequence[int]) -> set[object]:
    groups = people_of(rows, persons, columns)
    return {person for person, group in zip(persons, groups, strict=True) if len(group) == 1}


def minimal_sample_uniques(
    rows: Sequence[Row], persons: Sequence[object], size: int
) -> tuple[dict[tuple[int, ...], set[int]], list[float]]:
    """For each set of columns the rows that are minimal sample uniques on it, and each row's score."""
    m = len(rows[0])
    unique: dict[tuple[int, ...], set[int]] = {}
    for s in range(1, m + 1):
        for columns in combinations(range(m), s):
            groups = people_of(rows, persons, columns)
            unique[columns] = {i for i, group in enumerate(groups) if len(group) == 1}
    minimal: dict[tuple[int, ...], set[int]] = {}
    scores = [0.0] * len(rows)
    for columns, found in unique.items():
        if len(columns) > size:
            continue
        inside = [c for s in range(1, len(columns)) for c in combinations(columns, s)]
        minimal[columns] = {i for i in found if not any(i in unique[c] for c in inside)}
        weight = prod(m - i for i in range(len(columns), min(size, m - 1) + 1))
        for i in minimal[columns]:
            scores[i] += weight
    return minimal, scores


# --- intruders -----------------------------------------------------------------------------------------------


def best_pick_of_rows(rows: Sequence[Row], persons: Sequence[object]) -> dict[object, Fraction]:
    """For each person, the greatest chance that any rule of picking a class and a row of it has of hitting theirs.

    Rows that show the same are picked alike; so a rule is a choice of class, and the best one knows which.
    """
    owned = Counter(zip(rows, persons, strict=True))
    n = Counter(rows)
    best: dict[object, Fraction] = {}
    for (row, person), held in owned.items():
        best[person] = max(best.get(person, Fraction(0)), Fraction(held, n[row]))
    return best


def best_by_known_values(
    known: Sequence[Row], rows: Sequence[Row], persons: Sequence[object]
) -> dict[Row, Fraction]:
    """For each combination of exact values, the success among the people who have it of the class best picked for it.

    The rule may be any function of the values: this one was chosen with the answer at hand.
    """
    n = Counter(rows)
    having: dict[Row, set[object]] = {}
    for values, person in zip(known, persons, strict=True):
        having.setdefault(values, set()).add(person)
    owned = Counter(zip(persons, rows, strict=True))
    return {
        values: max(sum(Fraction(owned[p, row], n[row]) for p in people) / len(people) for row in n)
        for values, people in having.items()
    }


def best_naming_of_rows(rows: Sequence[Row], persons: Sequence[object]) -> Fraction:
    """The share of rows named rightly by calling all of a class by the name of whoever has most of them."""
    owned = Counter(zip(rows, persons, strict=True))
    most: dict[Row, int] = {}
    for (row, _), held in owned.items():
        most[row] = max(most.get(row, 0), held)
    return Fraction(sum(most.values()), len(rows))


def surest_owner(fits: Sequence[Sequence[bool]]) -> Fraction:
    """The greatest chance that some row is some person's, over all ways of giving every person a row that fits."""
    n = len(fits)
    ways, mine = 0, [[0] * n for _ in range(n)]
    for order in permutations(range(n)):
        if all(fits[person][row] for person, row in enumerate(order)):
            ways += 1
            for person, row in enumerate(order):
                mine[person][row] += 1
    return max(Fraction(chance, ways) for chances in mine for chance in chances)


# --- rows that stand alone -----------------------------------------------------------------------------------


def alone(rows: Sequence[Row]) -> int:
    """How many rows no other row equals."""
    return sum(count == 1 for count in Counter(rows).values())
