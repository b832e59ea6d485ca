"""The ways in which people with several rows can be followed through several releases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import group, meeting

LIMIT = 20_000_000  # ways to look at; people with the most of them are given up first


def paths(releases: Sequence[IntArray]) -> tuple[IntArray, IntArray, list[int]]:
    """Return class vectors with the person of each, and who has too many of them to be looked at.

    A release is a matrix of person, row and class; everybody stands in all of them. Two rows of one person in two
    releases go together if they are the same row, or if either is not known to the other release: an intruder who
    knows one row of a person follows that row, and where it cannot be recognised, any. So the same release
    again adds no way, and a row that was changed in between is not lost.
    """
    releases, given_up = _bounded(releases)
    known = [np.column_stack([np.isin(rows[:, 1], other[:, 1]) for other in releases]) for rows in releases]
    taken = [np.arange(len(releases[0]))]  # per release: the row of each way
    for j in range(1, len(releases)):
        left, right = meeting(releases[0][taken[0], 0], releases[j][:, 0])
        ways = [positions[left] for positions in taken]
        fits = np.ones(len(right), np.bool_)
        for i, positions in enumerate(ways):
            same = releases[i][positions, 1] == releases[j][right, 1]
            fits &= same | ~known[i][positions, j] | ~known[j][right, i]
        taken = [positions[fits] for positions in (*ways, right)]
    found = np.column_stack(
        [releases[0][taken[0], 0], *(rows[at, 2] for rows, at in zip(releases, taken, strict=True))]
    )
    distinct, _ = group(found)
    return distinct[:, 0], distinct[:, 1:], given_up


def of_one_row(releases: Sequence[IntArray]) -> IntArray:
    """Return the person and the classes of every row that all these releases hold."""
    releases = [group(rows)[0] for rows in releases]  # rows that are alike in all are one
    _, numbers = group(np.concatenate(releases)[:, :2])
    ends = np.cumsum([len(rows) for rows in releases])
    first, *others = np.split(numbers, ends[:-1])
    ways, taken = releases[0][:, [0, 2]], first
    for rows, number in zip(releases[1:], others, strict=True):
        left, right = meeting(taken, number)
        ways, taken = np.column_stack([ways[left], rows[right, 2]]), taken[left]
    return ways


def _bounded(releases: Sequence[IntArray]) -> tuple[list[IntArray], list[int]]:
    """Return the releases without the people who have the most ways, where all together have too many."""
    n = max((int(rows[:, 0].max()) + 1 for rows in releases if len(rows)), default=0)
    ways = np.prod([np.bincount(rows[:, 0], minlength=n).astype(np.float64) for rows in releases], axis=0)
    order = np.argsort(ways, kind="stable")
    given_up = order[np.cumsum(ways[order]) > LIMIT]
    if not len(given_up):
        return list(releases), []
    return [rows[~np.isin(rows[:, 0], given_up)] for rows in releases], given_up.tolist()
