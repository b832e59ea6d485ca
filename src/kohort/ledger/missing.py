"""What is missing in one release and told in another: it stands for whatever it may be, and not for a value of its own.

A cell that a plan's marks make missing stands for one of these marks; one that was blank and was filled in later may
stand for everything. Nobody can tell which it is. So several intruders are looked at: one to whom what is missing
agrees with what is missing, and with marks, and others who take some columns for filled in later.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import group, meeting
from kohort.classes.schemes import Column
from kohort.ledger.held import Held
from kohort.ledger.lines import MISSING, Told

LIMIT = (
    5_000_000  # tuples that one column may add to a release; classes with the most of them are given up first
)


class Values(NamedTuple):
    """Values of a column, class by class: those that something missing may stand for."""

    class_of: IntArray
    value: IntArray

    @classmethod
    def of(cls, told: Sequence[Told], column: Column) -> Values:
        """Return the values of a column that some tuples tell, without what is missing."""
        found = [np.zeros((0, 2), np.int64)]
        for some in told:
            if column in some.columns:
                values = some.values[:, some.columns.index(column)]
                found.append(np.column_stack([some.class_of, values])[values != MISSING])
        pairs, _ = group(np.concatenate(found).astype(np.int64))
        return cls(pairs[:, 0], pairs[:, 1])


def intruders(releases: Sequence[Held]) -> list[frozenset[Column]]:
    """Return which columns each intruder takes for filled in later: none, one of them, or all."""
    columns = sorted(_told_and_missing(releases))
    several = [frozenset(columns)] if len(columns) > 1 else []
    return [frozenset(), *(frozenset({column}) for column in columns), *several]


def _told_and_missing(releases: Sequence[Held]) -> set[Column]:
    """Return the columns, as they were read, that several releases tell and in which something is missing."""
    read = [{as_read for _, as_read in held.ways} for held in releases]
    return {
        column
        for held, mine in zip(releases, read, strict=True)
        for column in mine
        if sum(column in other for other in read) > 1 and len(classes_with_blanks(held, {column}))
    }


def classes_with_blanks(held: Held, columns: Set[Column]) -> IntArray:
    """Return the classes in which something is missing in one of these columns, in any form."""
    found = [np.zeros(0, np.int64)]
    for told in held.everything:
        places = [j for j, form in enumerate(told.columns) if held.forms.get(form, form) in columns]
        found.append(told.class_of[(told.values[:, places] == MISSING).any(axis=1)])
    return np.unique(np.concatenate(found))


def met(vectors: IntArray, at: int, others: Sequence[Values]) -> Values:
    """Return for each class of a release the values of the classes that it meets in others."""
    found = [np.zeros((0, 2), np.int64)]
    for other, values in enumerate(others):
        if other == at:
            continue
        pairs, _ = group(np.ascontiguousarray(vectors[:, [at, other]]))
        left, right = meeting(pairs[:, 1], values.class_of)
        found.append(np.column_stack([pairs[left, 0], values.value[right]]))
    pairs, _ = group(np.concatenate(found).astype(np.int64))
    return Values(pairs[:, 0], pairs[:, 1])


def filled(told: Told, column: Column, values: Values) -> tuple[Told, IntArray]:
    """Return the tuples, and again with every value in place of what is missing; and the classes with too many."""
    if column not in told.columns:
        return told, np.zeros(0, np.int64)
    place = told.columns.index(column)
    blank = np.flatnonzero(told.values[:, place] == MISSING)
    classes, given_up = _bounded(told.class_of[blank], values.class_of)
    left, right = meeting(classes, values.class_of)
    again = told.values[blank[np.isin(told.class_of[blank], given_up, invert=True)][left]].copy()
    again[:, place] = values.value[right]
    more = replace(
        told,
        values=np.concatenate([told.values, again]),
        class_of=np.concatenate([told.class_of, classes[left]]),
    )
    return more, given_up


def _bounded(blanks: IntArray, candidates: IntArray) -> tuple[IntArray, IntArray]:
    """Return the class of each blank without the classes that have most to fill in, where all have too much."""
    classes, at = np.unique(blanks, return_inverse=True)
    each = np.searchsorted(np.sort(candidates), classes, "right") - np.searchsorted(
        np.sort(candidates), classes, "left"
    )
    ways = np.bincount(at, minlength=len(classes)) * each
    order = np.argsort(ways, kind="stable")
    given_up = classes[order[np.cumsum(ways[order]) > LIMIT]]
    return blanks[~np.isin(blanks, given_up)], given_up


def touching(vectors: IntArray, classes: Sequence[IntArray]) -> BoolArray:
    """Mark the vectors that hold one of some classes of any release."""
    found = np.zeros(len(vectors), np.bool_)
    for j, some in enumerate(classes):
        found |= np.isin(vectors[:, j], some)
    return found
