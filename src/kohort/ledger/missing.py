"""What is missing in one release and told in another: it stands for whatever it may be, and not for a value of its own.

A cell that a plan's marks make missing stands for one of these marks; one that was blank and was filled in later may
stand for everything. Nobody can tell which it is. So several intruders are looked at: one to whom what is missing
agrees with what is missing, and with marks, and others who take some columns for filled in later. To some of each what
is written otherwise is another value, to some it is the same.
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


class Intruder(NamedTuple):
    """Somebody who takes columns for filled in later, and perhaps values for one that are written otherwise."""

    filled_in: frozenset[Column] = frozenset()
    takes_alike: bool = False


def intruders(releases: Sequence[Held]) -> list[Intruder]:
    """Return who looks at releases: some take no column for filled in later, one of them, or all.

    Where a reader may take values for one that are others, so do as many more, in the same order.
    """
    columns = sorted(_told_and_missing(releases))
    several = [frozenset(columns)] if len(columns) > 1 else []
    found = [Intruder(some) for some in (frozenset(), *(frozenset({column}) for column in columns), *several)]
    alike = any(
        np.isin(part["value"], [*held.alike]).any()
        for held in releases
        for part in (held.contents, held.lines)
    )
    return [*found, *(one._replace(takes_alike=True) for one in found if alike)]


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


def by_others(told: Told, column: Column, others: Sequence[tuple[Told, IntArray]]) -> tuple[Told, IntArray]:
    """Return the tuples, and again with what others tell in place of what is missing; and the classes with too many.

    Others come with the pairs of classes that meet. Of these only tuples that agree in all other columns tell the value,
    where what is missing in either agrees with everything.
    """
    place = told.columns.index(column)
    blank = np.flatnonzero(told.values[:, place] == MISSING)
    added, lost = [np.zeros((0, 2), np.int64)], [np.zeros(0, np.int64)]
    for other, pairs in others:
        if column not in other.columns or not len(blank):
            continue
        kept, given_up = _bounded(told.class_of[blank], other.class_of, pairs)
        lost.append(given_up)
        left, through = meeting(told.class_of[blank[kept]], pairs[:, 0])
        met, right = meeting(pairs[through, 1], other.class_of)
        mine = blank[kept][left[met]]
        value = other.values[right, other.columns.index(column)]
        fits = value != MISSING
        for j, shared in enumerate(told.columns):
            if shared != column and shared in other.columns:
                here, there = told.values[mine, j], other.values[right, other.columns.index(shared)]
                fits &= (here == there) | (here == MISSING) | (there == MISSING)
        added.append(np.column_stack([mine[fits], value[fits]]))
    found, _ = group(np.concatenate(added))
    return _with(told, place, found[:, 0], found[:, 1]), np.unique(np.concatenate(lost))


def by_marks(told: Told, column: Column, marks: Set[int]) -> Told:
    """Return the tuples, and again with each mark in place of what is missing."""
    place = told.columns.index(column)
    blank = np.flatnonzero(told.values[:, place] == MISSING)
    values = np.array(sorted(marks), np.int64)
    return _with(told, place, np.repeat(blank, len(values)), np.tile(values, len(blank)))


def _with(told: Told, place: int, rows: IntArray, values: IntArray) -> Told:
    again = told.values[rows].copy()
    again[:, place] = values
    class_of = np.concatenate([told.class_of, told.class_of[rows]])
    return replace(told, values=np.concatenate([told.values, again]), class_of=class_of)


def _bounded(blanks: IntArray, others: IntArray, pairs: IntArray) -> tuple[BoolArray, IntArray]:
    """Mark the blanks that are filled in: where all have too much to look at, not those in classes that have most."""
    sizes = np.bincount(others, minlength=int(pairs[:, 1].max(initial=0)) + 1)
    n = max(int(blanks.max(initial=0)), int(pairs[:, 0].max(initial=0))) + 1
    each = np.bincount(pairs[:, 0], weights=sizes[pairs[:, 1]], minlength=n)
    work = each * np.bincount(blanks, minlength=n)
    order = np.argsort(work, kind="stable")
    given_up = order[np.cumsum(work[order]) > LIMIT]
    return ~np.isin(blanks, given_up), given_up


def touching(vectors: IntArray, classes: Sequence[IntArray]) -> BoolArray:
    """Mark the vectors that hold one of some classes of any release."""
    found = np.zeros(len(vectors), np.bool_)
    for j, some in enumerate(classes):
        found |= np.isin(vectors[:, j], some)
    return found
