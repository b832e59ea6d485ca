"""Averages of groups in which everybody weighs alike, however many rows they have; without names a row is a person."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.recode.rounding import integer_sums


class Members(NamedTuple):
    """The people of every group: somebody with rows in two groups is a member of both."""

    of_row: IntArray  # (n_rows) the member that each row is of
    group_of: IntArray  # (n_members) ascending
    n_groups: int

    @classmethod
    def of(cls, group_of: IntArray, respondents: IntArray | None) -> Members:
        """Return the people of groups 0, 1, …, none of them empty; rows are people where none are named."""
        people = np.arange(len(group_of)) if respondents is None else respondents
        size = int(people.max(initial=0)) + 1
        pairs, of_row = np.unique(group_of.astype(np.int64) * size + people, return_inverse=True)
        return cls(of_row.reshape(-1), pairs // size, int(group_of.max(initial=-1)) + 1)

    def counted(self, rows: BoolArray) -> IntArray:
        """Return how many people of each group have any of the marked rows."""
        held = np.bincount(self.of_row[rows], minlength=len(self.group_of)) > 0
        return np.bincount(self.group_of[held], minlength=self.n_groups)


def means(
    numerators: list[int], ground: IntArray, told: BoolArray, members: Members
) -> list[Fraction | None]:
    """Return, exactly, the mean of the people of each group, each of whom counts by the mean of their own told numbers.

    Missing (None) where at least half of the people have no number, so a mean is never that of one person among several.
    """
    of_row = members.of_row[told]
    shares = np.bincount(of_row, minlength=len(members.group_of))[
        of_row
    ]  # rows over which a person's 1 is spread
    group_of = members.group_of[of_row]
    order = np.lexsort((shares, group_of))
    shares, group_of = shares[order], group_of[order]
    starts = np.flatnonzero(np.append(True, (np.diff(group_of) != 0) | (np.diff(shares) != 0))[: len(order)])
    sums = integer_sums(numerators, ground[told][order], np.append(starts, len(order)))
    totals = [Fraction(0)] * members.n_groups
    for g, rows, total in zip(group_of[starts].tolist(), shares[starts].tolist(), sums, strict=True):
        totals[g] += Fraction(total, rows)
    people = members.counted(np.ones(len(ground), np.bool_)).tolist()
    telling = members.counted(told).tolist()
    return [
        None if 2 * some <= every and some < every else total / some
        for total, some, every in zip(totals, telling, people, strict=True)
    ]


def medians(ground: IntArray, members: Members) -> IntArray:
    """Return the median of each group's people, each of whom counts by the median of their own rows; of two the lower."""
    return _medians(_medians(ground, members.of_row), members.group_of)


def modes_of_people(ground: IntArray, members: Members) -> IntArray:
    """Return the value that most people of each group have in any of their rows; of equals the least."""
    size = int(ground.max(initial=0)) + 1
    held = np.unique(members.of_row * size + ground)
    return modes(held % size, members.group_of[held // size])


def modes(codes: IntArray, group_of: IntArray) -> IntArray:
    """Return the most frequent code of each group 0, 1, …, none of them empty; of equals the least."""
    size = int(codes.max(initial=0)) + 1
    distinct, counts = np.unique(group_of.astype(np.int64) * size + codes, return_counts=True)
    order = np.lexsort((distinct, -counts, distinct // size))
    firsts = np.unique(distinct[order] // size, return_index=True)[1]
    return np.asarray(distinct[order][firsts] % size)


def _medians(codes: IntArray, group_of: IntArray) -> IntArray:
    order = np.lexsort((codes, group_of))
    sizes = np.bincount(group_of)
    starts = np.cumsum(sizes) - sizes
    return np.asarray(codes[order][starts + (sizes - 1) // 2])
