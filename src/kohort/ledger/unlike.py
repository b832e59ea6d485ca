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

from kohort.arrays import IntArray
from kohort.classes import group
from kohort.classes.schemes import Column
from kohort.ledger.held import Held
from kohort.ledger.lines import Told
from kohort.ledger.missing import by_marks, by_others

Marks = Mapping[Column, Set[int]]


def unlike(releases: Sequence[Held]) -> frozenset[Column]:
    """Return the attributes, as they were read, that some of these releases tell in another form than others."""
    ways = frozenset[tuple[Column, Column]]().union(*(held.ways for held in releases))
    read = [as_read for _, as_read in ways]
    several = {as_read for as_read in read if read.count(as_read) > 1}
    by_marks_alike = read_otherwise([held.taken_alike for held in releases])
    return frozenset(several) | read_otherwise(releases) | by_marks_alike


@dataclass(frozen=True, eq=False)
class Meant:
    """What releases tell, with the exact values of columns in unlike forms, and with values for what is missing."""

    told: list[list[Told]]
    copies: Mapping[
        Column, Column
    ]  # columns that not all releases take for missing alike: which each of them stands for
    given_up: list[IntArray]  # of each release: the classes in which too much is missing

    @classmethod
    def exactly(
        cls, releases: Sequence[Held], columns: Set[Column], vectors: IntArray, wild: Set[Column]
    ) -> Meant:
        """Return the exact values of these columns beside what is told; other columns as they are told.

        What is missing stands for the marks of its release; in `wild` columns for all that vectors of classes meet there.
        """
        otherwise, copies = read_otherwise(releases) - wild, _Copies()
        found = []
        for held in releases:
            some = [told.without(held.untold - columns) for told in held.everything]
            for column in otherwise:
                some = [copies.of(told, held, column) for told in some]
            found.append(some)
        return _filled(releases, found, copies.stand_for, vectors, wild, otherwise)

    @classmethod
    def known(cls, releases: Sequence[Held], vectors: IntArray, wild: Set[Column]) -> Meant:
        """Return no more than everybody is told: without columns that not all of these releases take for missing alike."""
        dropped = read_otherwise(releases) - wild
        found = []
        for held in releases:
            forms = {form for form, as_read in held.ways if as_read in dropped}
            found.append([told.without(forms) for told in held.told])
        return _filled(releases, found, {}, vectors, wild, frozenset())


def _filled(
    releases: Sequence[Held],
    told: list[list[Told]],
    copies: Mapping[Column, Column],
    vectors: IntArray,
    wild: Set[Column],
    marked: Set[Column],
) -> Meant:
    """Return the tuples with values in place of what is missing."""
    found, given_up = [], []
    as_read = {form: column for held in releases for form, column in held.forms.items()}
    for j, held in enumerate(releases):
        others = [
            (one, _meeting_classes(vectors, j, i)) for i, some in enumerate(told) if i != j for one in some
        ]
        mine, lost = [], [np.zeros(0, np.int64)]
        for one in told[j]:
            more = one
            for column in one.columns:
                if as_read.get(column, column) in wild:
                    more, classes = by_others(more, column, others)
                    lost.append(classes)
                elif column in marked and held.marks.get(column):
                    more = by_marks(more, column, held.marks[column])
            mine.append(more)
        found.append(mine)
        given_up.append(np.unique(np.concatenate(lost)))
    return Meant(found, copies, given_up)


def _meeting_classes(vectors: IntArray, one: int, other: int) -> IntArray:
    return group(np.ascontiguousarray(vectors[:, [one, other]]))[0]


def read_otherwise(releases: Sequence[Held]) -> set[Column]:
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
