"""Columns that some releases tell in unlike forms, and how their rows are told to agree all the same.

Whoever reads `2020-01` in one release and `2020-01-10` in another knows that both may be of one row. Here rows of unlike forms
agree if they do by the exact values, which nobody is told. Such rows agree for everybody, so what is left by them is left
to everybody: never fewer people are counted than are given away, and perhaps more. Forms are unlike too where one release tells
by classes what another tells by rows (a quasi-identifier here that is none there), and where one takes a value for missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

import numpy as np

from kohort.classes.schemes import Column
from kohort.ledger.held import Held
from kohort.ledger.lines import MISSING, Told

Marks = Mapping[Column, Set[int]]


def unlike(releases: Sequence[Held]) -> frozenset[Column]:
    """Return the attributes, as they were read, that some of these releases tell in another form than others."""
    ways = frozenset[tuple[Column, Column]]().union(*(held.ways for held in releases))
    read = [as_read for _, as_read in ways]
    several = {as_read for as_read in read if read.count(as_read) > 1}
    return frozenset(several) | _read_otherwise(releases)


def as_meant(releases: Sequence[Held], columns: Set[Column]) -> list[list[Told]]:
    """Return what releases tell, with the exact values of these columns; others are as they are told."""
    return [
        [
            _with_missing(told.without(held.untold - columns), marks, held.forms)
            for told in held.everything
        ]
        for held, marks in zip(releases, _marks_of_others(releases), strict=True)
    ]


def _read_otherwise(releases: Sequence[Held]) -> set[Column]:
    """Return the attributes of which a release holds a value that another one takes for missing."""
    return {
        column
        for held, marks in zip(releases, _marks_of_others(releases), strict=True)
        for told in held.everything
        for place, column in enumerate(told.columns)
        if column in marks and np.isin(told.values[:, place], [*marks[column]]).any()
    }


def _marks_of_others(releases: Sequence[Held]) -> list[Marks]:
    """Return what other releases take for missing and each of these does not."""
    found: list[Marks] = []
    for held in releases:
        marks: dict[Column, Set[int]] = {}
        for column in {column for other in releases for column in other.marks}:
            others = frozenset[int]().union(*(other.marks.get(column, frozenset()) for other in releases))
            marks[column] = others - held.marks.get(column, frozenset())
        found.append({column: values for column, values in marks.items() if values})
    return found


def _with_missing(told: Told, marks: Marks, forms: Mapping[Column, Column]) -> Told:
    """Return the tuples, and again with nothing in place of what another release takes for missing."""
    for place, column in enumerate(told.columns):
        here = np.isin(told.values[:, place], [*marks.get(column, ())])
        if here.any():
            again = told.values[here].copy()
            again[:, [forms.get(c, c) == column for c in told.columns]] = MISSING
            values, class_of = np.concatenate([told.values, again]), told.class_of
            told = replace(told, values=values, class_of=np.concatenate([class_of, class_of[here]]))
    return told
