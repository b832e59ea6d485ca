"""Columns that some releases tell in unlike forms, and how their rows are told to agree all the same.

Whoever reads `2020-01` in one release and `2020-01-10` in another knows that both may be of one row. Here rows of unlike forms
agree if they do by the exact values, which nobody is told. Such rows agree for everybody, so what is left by them is left
to everybody: never fewer people are counted than are given away, and perhaps more. Forms are unlike too where one release tells
by classes what another tells by rows (a quasi-identifier here that is none there), and where one takes a value for missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

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


@dataclass(frozen=True, eq=False)
class Meant:
    """What releases tell, with the exact values of columns in unlike forms."""

    told: list[list[Told]]
    copies: Mapping[
        Column, Column
    ]  # columns that not all releases take for missing alike: which each of them stands for

    @classmethod
    def of(cls, releases: Sequence[Held], columns: Set[Column]) -> Meant:
        """Return the exact values of these columns beside what is told; other columns as they are told."""
        otherwise, copies = _read_otherwise(releases), _Copies()
        found = []
        for held, marks in zip(releases, _marks_of_others(releases), strict=True):
            some = [told.without(held.untold - columns) for told in held.everything]
            for column in otherwise:
                some = [copies.of(told, held, column) for told in some]
            found.append([_with_missing(told, marks) for told in some])
        return cls(found, copies.stand_for)


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


def _with_missing(told: Told, marks: Marks) -> Told:
    """Return the tuples, and again with nothing in place of what another release takes for missing."""
    for place, column in enumerate(told.columns):
        here = np.isin(told.values[:, place], [*marks.get(column, ())])
        if here.any():
            again = told.values[here].copy()
            again[:, place] = MISSING
            values, class_of = np.concatenate([told.values, again]), told.class_of
            told = replace(told, values=values, class_of=np.concatenate([class_of, class_of[here]]))
    return told


class _Copies:
    """What releases tell of a column that they do not take for missing alike: a column of its own for each list of marks."""

    def __init__(self) -> None:
        self.stand_for: dict[Column, Column] = {}
        self._numbers: dict[tuple[Column, frozenset[int]], Column] = {}

    def of(self, told: Told, held: Held, column: Column) -> Told:
        """Return the tuples with what is told in a copy; the column as it was read stays, if there are exact values of it."""
        for place, form in enumerate(told.columns):
            if form in held.untold or held.forms.get(form, form) != column:
                continue
            number = self._number(form, held.marks.get(column, frozenset()))
            if form != column:
                names = (*told.columns[:place], number, *told.columns[place + 1 :])
                return replace(told, columns=names)
            values = np.column_stack([told.values, told.values[:, place]])
            return replace(told, columns=(*told.columns, number), values=values)
        return told

    def _number(self, form: Column, marks: frozenset[int]) -> Column:
        number = self._numbers.setdefault((form, marks), -1 - len(self._numbers))
        self.stand_for[number] = form
        return number
