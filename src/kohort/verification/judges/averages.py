"""`Averages`: rounded means of groups, and labels that k people of a group share around its median or mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import group
from kohort.hierarchy import Hierarchy, Label
from kohort.hierarchy.numerals import is_number
from kohort.hierarchy.reading import covered
from kohort.table import Column
from kohort.verification.judges.matching import coverage
from kohort.verification.judges.mean_forms import Means, form_of
from kohort.verification.judges.perturbed import NO_NUMBER, TWO_RULES, RowsTold, Told
from kohort.verification.judges.same_values import by_one_rule

UNROUNDED = "nothing declares how means of column {!r} are rounded"
BEYOND = "column {!r} holds a mean that its original values cannot have"
SUM = "the means of column {!r} are not those of its original values: they add up to something else"
MISSING = "column {!r} is missing more often than groups of its original values can be"
NO_LABEL = "column {!r} holds what is no label of its hierarchy"
UNSHARED = "column {!r} holds a label that too few original values have for the groups that are told by it"
OTHER_MEAN = "column {!r} holds a mean that is not that of its rows"
OTHER_LABEL = "column {!r} holds a label that too few of its rows share"


@dataclass(frozen=True)
class Averages:
    """Numbers by their mean unless they are named otherwise; dates, and all others, by labels."""

    decimals: int | None = None
    others: frozenset[str] = frozenset()  # numbers that are told by labels

    unshown = (
        "not judged: every average is one that the plan's rounding can write, within what the original has, and numbers add up to "
        "the original's where nobody has several rows; that it is the average of a group of these people, the original alone does "
        "not show: the private audit or a signature tells whether this is what was released"
    )

    @classmethod
    def of(cls, algorithm: Any) -> Averages:
        """Return the averages of an algorithm, by its options."""
        others = {*getattr(algorithm, "ordinal", ()), *getattr(algorithm, "nominal", ())}
        return cls(algorithm.decimals, frozenset(others))

    def is_mean(self, hierarchy: Hierarchy) -> bool:
        """Say whether a column is told by means."""
        return hierarchy.name not in self.others and hierarchy.days is None and hierarchy.numbers is not None

    def fault(self, told: Told) -> str:
        """Return what cannot come from the original.

        Complexity: linear in the distinct values of each column and what they cover.
        """
        for j, hierarchy in enumerate(told.hierarchies):
            texts, rows, tuples = told.used(j)
            counts = told.ground[hierarchy.name]
            if self.is_mean(hierarchy):
                fault = self._fault_of_means(hierarchy, texts, rows, counts, told.one_row_each)
            else:
                fault = _fault_of_labels(hierarchy, texts, tuples * told.crowd, counts)
            if fault:
                return fault.format(hierarchy.name)
        return ""

    def _fault_of_means(
        self,
        hierarchy: Hierarchy,
        texts: Sequence[Label],
        rows: IntArray,
        counts: IntArray,
        one_row_each: bool,
    ) -> str:
        read = _means(hierarchy, texts, self.decimals)
        if isinstance(read, str):
            return read
        there = _Numbers.of(hierarchy, counts)
        told = [(means, n) for means, n in zip(read, rows.tolist(), strict=True) if means is not None]
        n_missing = int(rows.sum()) - sum(n for _, n in told)
        if n_missing > (2 * there.missing if one_row_each else there.missing * rows.sum()):
            return MISSING
        if told and (not there.numbers or not all(_meet(means, there.ends) for means, _ in told)):
            return BEYOND
        return SUM if one_row_each and not _may_sum_up(told, n_missing, there) else ""

    def fault_of_rows(self, told: RowsTold) -> str:
        """Return what cannot come from the rows: of each class the mean of its numbers, or k rows under its label."""
        class_of = group(np.column_stack([column.codes for column in told.columns]).astype(np.int32))[1]
        for column, hierarchy, ground in zip(told.columns, told.hierarchies, told.ground, strict=True):
            if self.is_mean(hierarchy):
                fault = self._fault_of_rows(column, hierarchy, ground, class_of, told.one_row_each)
            else:
                fault = _fault_of_labels_of_rows(column, hierarchy, ground, class_of, told.crowd)
            if fault:
                return fault.format(hierarchy.name)
        return ""

    def _fault_of_rows(
        self, column: Column, hierarchy: Hierarchy, ground: IntArray, class_of: IntArray, one_row_each: bool
    ) -> str:
        """Return what is wrong of means: each lies between the numbers of its class, and is their mean where a row is a person."""
        read = _means(hierarchy, column.texts, self.decimals)
        if isinstance(read, str):
            return read
        n_classes = int(class_of.max(initial=-1)) + 1
        number = np.array([text is not None for text in hierarchy.ground])[ground]
        code = np.zeros(n_classes, np.int64)
        code[class_of] = column.codes
        least, greatest = np.full(n_classes, hierarchy.size), np.full(n_classes, -1)
        np.minimum.at(
            least, class_of[number], ground[number]
        )  # ground values stand in the order of their numbers
        np.maximum.at(greatest, class_of[number], ground[number])
        values = _fractions(hierarchy, np.unique(ground[number]))
        totals = _sums(values, ground[number], class_of[number], n_classes) if one_row_each else None
        telling, every = (np.bincount(of, minlength=n_classes) for of in (class_of[number], class_of))
        for own in range(n_classes):
            means = read[code[own]]
            if means is None:
                wrong = 2 * telling[own] > every[own] if one_row_each else telling[own] == every[own]
            elif not telling[own]:
                wrong = True
            elif totals is not None:
                mean = totals[own] / int(telling[own])
                wrong = not _meet(means, (mean, mean))
            else:
                wrong = not _meet(means, (values[least[own]], values[greatest[own]]))
            if wrong:
                return OTHER_MEAN
        return ""


class _Numbers(NamedTuple):
    """The numbers that an original column has, and how many rows have each or none."""

    numbers: list[Fraction]
    rows: list[int]
    missing: int

    @classmethod
    def of(cls, hierarchy: Hierarchy, counts: IntArray) -> _Numbers:
        told = np.array([text is not None for text in hierarchy.ground])
        some: BoolArray = told & (counts > 0)
        numbers = list(_fractions(hierarchy, np.flatnonzero(some)).values())
        return cls(numbers, counts[some].tolist(), int(counts[~told].sum()))

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        return min(self.numbers), max(self.numbers)


def _fractions(hierarchy: Hierarchy, codes: IntArray) -> dict[int, Fraction]:
    """Return the number of each of some ground values, an open end as its end."""
    texts = hierarchy.numerals()
    return {code: Fraction(Decimal(texts[code] or 0)) for code in codes.tolist()}


def _means(hierarchy: Hierarchy, texts: Sequence[Label], decimals: int | None) -> list[Means | None] | str:
    """Return which means each released value stands for, None for a missing one; or what is wrong."""
    form = form_of(hierarchy, decimals)
    if form is None:
        return UNROUNDED
    told = [text for text in texts if text is not None]
    if not all(map(is_number, told)):
        return NO_NUMBER
    found = [None if text is None else form(Fraction(Decimal(text))) for text in texts]
    if found.count(None) > len(texts) - len(told):
        return NO_NUMBER
    return found if by_one_rule(told) or (decimals is None and _is_listed(told, hierarchy)) else TWO_RULES


def _is_listed(told: Sequence[str], hierarchy: Hierarchy) -> bool:
    """Say whether numbers are ends of labels or declared values as they are written there, each of them in one way."""
    ends = {
        end
        for level in hierarchy.levels
        for own in level.bounds or ()
        if own is not None
        for end in (own.low, own.high)
    }
    return set(told) <= {*ends, *hierarchy.ground} and len({*map(Decimal, told)}) == len(told)


def _meet(means: Means, ends: tuple[Fraction, Fraction]) -> bool:
    return means[0] <= ends[1] and means[1] >= ends[0]


def _may_sum_up(told: Sequence[tuple[Means, int]], n_missing: int, there: _Numbers) -> bool:
    """Say whether means over all their rows can add up to the original's numbers, within how they are rounded.

    Seen from the least number: a mean is told for missing ones too, which adds the range for each at the most; and of a group that
    is told as missing at most half have numbers.
    """
    if not told:
        return True
    least, greatest = there.ends
    total = sum((own - least) * n for own, n in zip(there.numbers, there.rows, strict=True))
    low = _total([(max(means[0], least) - least, n) for means, n in told])
    high = _total([(min(means[1], greatest) - least, n) for means, n in told])
    return (
        low - there.missing * (greatest - least)
        <= total
        <= high + Fraction(n_missing, 2) * (greatest - least)
    )


def _total(told: Sequence[tuple[Any, int]]) -> Fraction:
    return sum((own * n for own, n in told), Fraction(0))


def _sums(
    values: Mapping[int, Fraction], ground: IntArray, class_of: IntArray, n_classes: int
) -> list[Fraction]:
    """Return the exact sum of the numbers of each class."""
    totals, size = [Fraction(0)] * n_classes, max(values, default=0) + 1
    pairs, rows = np.unique(class_of.astype(np.int64) * size + ground, return_counts=True)
    for pair, n in zip(pairs.tolist(), rows.tolist(), strict=True):
        totals[pair // size] += values[pair % size] * n
    return totals


def _fault_of_labels(hierarchy: Hierarchy, texts: Sequence[Label], needed: IntArray, counts: IntArray) -> str:
    """Return what is wrong of labels: each is one of the hierarchy's, over as many original rows as its groups need."""
    for text, rows in zip(texts, needed.tolist(), strict=True):
        codes = covered(hierarchy, text)
        if codes is None or not (_is_label(hierarchy, text) or _is_node(hierarchy, np.asarray(codes))):
            return NO_LABEL
        if counts[codes].sum() < rows:
            return UNSHARED
    return ""


def _is_label(hierarchy: Hierarchy, text: Label) -> bool:
    """Say whether a text is a label of some level, of whatever values there."""
    return any(text in level.code_of for level in hierarchy.levels)


def _is_node(hierarchy: Hierarchy, codes: IntArray) -> bool:
    """Say whether some label of a hierarchy stands for exactly these ground values."""
    if not len(codes):
        return False
    runs = (level.run(int(level.of_ground[codes[0]])) for level in hierarchy.levels)
    return any(np.array_equal(run, codes) for run in runs)


def _fault_of_labels_of_rows(
    column: Column, hierarchy: Hierarchy, ground: IntArray, class_of: IntArray, crowd: int
) -> str:
    there, place = np.unique(ground, return_inverse=True)
    masks = coverage(column, hierarchy, there)
    if masks is None:
        return NO_LABEL
    shared = np.bincount(class_of, masks[column.codes, place.reshape(-1)])
    return OTHER_LABEL if (shared < crowd).any() else ""
