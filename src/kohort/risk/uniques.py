"""Uniqueness by subsets of the quasi-identifiers, and minimal sample uniques.

A record is unique on a set of columns where no other person shows its values there. It is a minimal sample
unique where that set has no smaller one inside on which it is unique already: the fewest facts that point at
one person. The smaller the sets and the more of them, the riskier the record.

References: Elliot, Manning, Mayes, Gurd, Bane. SUDA: a program for detecting special uniques. UNECE 2005. Manning, Haglin,
Keane. A recursive search algorithm for statistical disclosure assessment. DMKD 16(2), 2008.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.classes import Classes, group

BUDGET = 2 * 10**8  # tuples looked at in all: about two seconds on one core
PER_SET = (
    1000  # tuples that a set of columns counts as, at least: to look at it takes time whatever there are
)
KEY_BITS = 63


@dataclass(frozen=True, eq=False)
class Subset:
    """What one set of columns tells."""

    columns: tuple[str, ...]
    unique: int  # people who are unique on it
    minimal: int  # of these, who are unique on no smaller set inside it


@dataclass(frozen=True, eq=False)
class SampleUniques:
    """Minimal sample uniques on all sets of up to `size` columns."""

    subsets: tuple[Subset, ...]  # every set looked at, most minimal uniques first
    size: int
    scores: FloatArray  # per class: Σ over its minimal sample uniques; 0 where it has none
    shares: dict[str, float]  # per column: the share of all scores from sets with it
    unique: int  # people who are unique on all columns together
    pointed_at: int  # people with a minimal sample unique among the sets looked at


def sample_uniques(classes: Classes, names: Sequence[str], size: int = 3) -> SampleUniques:
    """Find the minimal sample uniques on sets of up to `size` columns, less where the budget says so.

    A set of s of m columns scores ∏ (m − i) for i = s … size: each superset on which the record is unique
    as well counts. Complexity: classes × Σ_{s ≤ size} C(m, s), one hash count each; only classes that are
    unique on all columns can be unique on fewer.
    """
    m = len(names)
    size = affordable_size(len(classes), m, size)
    people = Projection(classes)
    candidates = people.unique(tuple(range(m)))
    scores = np.zeros(len(classes), np.float64)
    column_scores = np.zeros(m)
    subsets: list[Subset] = []
    smaller: dict[tuple[int, ...], IntArray] = {}
    for s in range(1, size + 1):
        found: dict[tuple[int, ...], IntArray] = {}
        weight = prod(m - i for i in range(s, min(size, m - 1) + 1))
        for columns in combinations(range(m), s):
            unique = np.flatnonzero(people.unique(columns) & candidates)
            known = np.zeros(len(classes), np.bool_)
            for left_out in range(s if s > 1 else 0):
                known[smaller[columns[:left_out] + columns[left_out + 1 :]]] = True
            minimal = unique[~known[unique]]
            scores[minimal] += weight
            column_scores[list(columns)] += weight * people.count(minimal)
            found[columns] = unique
            told = tuple(names[c] for c in columns)
            subsets.append(Subset(told, people.count(unique), people.count(minimal)))
        smaller = found
    subsets.sort(key=lambda subset: (-subset.minimal, -subset.unique, len(subset.columns), subset.columns))
    total = column_scores.sum()
    return SampleUniques(
        tuple(subsets),
        size,
        scores,
        {
            name: float(score / total) if total else 0.0
            for name, score in zip(names, column_scores, strict=True)
        },
        people.count(np.flatnonzero(candidates)),
        people.count(np.flatnonzero(scores > 0)),
    )


def affordable_size(n_classes: int, columns: int, size: int) -> int:
    """Return the greatest size up to `size` whose sets can all be looked at within the budget, at least 1."""
    size, each = min(size, columns), max(n_classes, PER_SET)
    while size > 1 and each * sum(comb(columns, s) for s in range(1, size + 1)) > BUDGET:
        size -= 1
    return size


class Groups(NamedTuple):
    """The group of each class, and how many there are."""

    numbers: IntArray
    total: int


class Projection:
    """Classes seen through fewer columns.

    Without respondents a person is a record. With them, the rows looked at are the (class, person) pairs.
    """

    def __init__(self, classes: Classes) -> None:
        self.bare = Classes(
            classes.codes, classes.levels, classes.sizes, classes.rows, {}, classes.respondents
        )
        held = classes.respondents
        self.pairs = None if held is None else (held.owners, held.values)
        self.columns = [np.ascontiguousarray(column, np.int64) for column in classes.codes.T]
        self.bits = [int(column.max(initial=0)).bit_length() for column in self.columns]

    def classes(self, columns: tuple[int, ...]) -> Classes:
        """Return the classes that these columns alone would make; their codes are not told."""
        return self._merged(*self.numbered(columns))

    def without_each(self) -> Iterator[Classes]:
        """Yield, per column, the classes that all others would make; their codes are not told.

        Of many columns, what stands before each and what stands behind it is numbered once. Complexity: linear in the cells.
        """
        every = range(len(self.columns))
        if sum(self.bits) <= KEY_BITS:
            yield from (self.classes(tuple(c for c in every if c != left_out)) for left_out in every)
            return
        before = Groups(np.zeros(len(self.bare), np.int32), min(len(self.bare), 1))
        behind = [before]
        for c in reversed(every[1:]):
            behind.append(self._refined(behind[-1], c))
        for c in every:
            yield self._merged(*self._crossed(before, behind.pop()))
            before = self._refined(before, c)

    def _refined(self, groups: Groups, column: int) -> Groups:
        """Return the groups of some columns and one more."""
        if groups.total == len(self.bare):
            return groups
        return _grouped((groups.numbers.astype(np.int64) << self.bits[column]) | self.columns[column])

    def _crossed(self, some: Groups, others: Groups) -> Groups:
        """Return the groups of those that are together in both."""
        apart = next((groups for groups in (some, others) if groups.total == len(self.bare)), None)
        return apart or _grouped(some.numbers * np.int64(others.total) + others.numbers)

    def _merged(self, numbers: IntArray, count: int) -> Classes:
        return self.bare.merged(np.zeros((count, 0), np.int32), numbers, levels=())

    def unique(self, columns: tuple[int, ...]) -> BoolArray:
        """Mark the classes whose group on these columns holds one person only."""
        numbers, count = self.numbered(columns)
        if self.pairs is None:
            people = np.bincount(numbers, self.bare.rows, count)
            return np.asarray((people == 1)[numbers])
        owners, person = self.pairs
        group_of = numbers[owners]
        somebody = np.empty(count, np.int64)
        somebody[group_of] = person
        shared = np.zeros(count, np.bool_)
        shared[group_of[somebody[group_of] != person]] = True
        return np.asarray(~shared[numbers])

    def count(self, positions: IntArray) -> int:
        """Return how many people are in the classes at these positions, each of which holds one person."""
        if self.pairs is None:
            return len(positions)
        owners, person = self.pairs
        inside = np.zeros(len(self.bare), np.bool_)
        inside[positions] = True
        return len(np.unique(person[inside[owners]]))

    def numbered(self, columns: tuple[int, ...]) -> tuple[IntArray, int]:
        """Return the group of each class on these columns, and the number of groups."""
        n = len(self.bare)
        if n == 0 or not columns:
            return np.zeros(n, np.int64), min(n, 1)
        if sum(self.bits[c] for c in columns) > KEY_BITS:
            distinct, place = group(np.column_stack([self.columns[c] for c in columns]))
            return place, len(distinct)
        from kohort.classes.grouping_kernels import number

        keys = self.columns[columns[0]].copy()
        for c in columns[1:]:
            keys <<= self.bits[c]
            keys |= self.columns[c]
        numbers, firsts = number(keys)
        return numbers, len(firsts)


def _grouped(keys: IntArray) -> Groups:
    from kohort.classes.grouping_kernels import number

    numbers, firsts = number(keys)
    return Groups(numbers.astype(np.int32), len(firsts))
