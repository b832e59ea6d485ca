"""Naive twins of the risk measures: plain Python over lists of rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
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
