"""Releases as an intruder sees them who knows from outside every column that any of them calls quasi.

Whoever knows somebody's age finds it wherever rows tell ages, whatever the plan of that release calls them. So a class falls
apart by all columns of its rows that any release calls quasi; and where rows tell a release's own quasi-identifiers
(Anatomy), a group falls apart by them. Among parts people are followed, and of a part values are left.

Crowds are those of the parts too, but not where rows tell a release's own quasi-identifiers: it hides nobody among rows,
and promises no such crowd. What it lays open of a person is then known in others: there people hide among those of
their group whose rows tell the same in all columns that rows of these others tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import group
from kohort.classes.natural_join import Joined
from kohort.classes.schemes import Column
from kohort.ledger.held import Held
from kohort.ledger.lines import MISSING, joined, told_by

Part = tuple[
    int, Held, IntArray
]  # the number of a release, some of what it tells, the class of each finest part


def known_outside(releases: Iterable[Held]) -> frozenset[Column]:
    """Return the columns, as they were read, that any release calls quasi."""
    return frozenset[Column]().union(*(held.quasi for held in releases))


def can_be_laid_open(held: Held, known: Set[Column]) -> bool:
    """Say whether it is known which row tells what, if rows tell what is known outside."""
    return held.places is not None or known.isdisjoint(held.beside.values())


def told_in_rows(releases: Iterable[Held]) -> frozenset[Column]:
    """Return the columns, as they were read, by which rows can be recognised of releases that hide people among rows."""
    return frozenset(column for held in releases if not held.tells_quasi for column in held.beside.values())


class LaidOpen:
    """A release with its classes in parts that are as fine as any intruder sees them, numbered."""

    def __init__(self, held: Held, known: Set[Column], in_rows: Set[Column], surely: bool = False) -> None:
        self._held, self._known, self._surely = held, known, surely
        self._split = self._shown(known | (in_rows if held.tells_quasi else frozenset()))
        self.class_of = held.members["class"]  # the part of each row
        self.whole = np.arange(int(self.class_of.max(initial=-1)) + 1)  # the class of each part
        if self._split:
            assert held.places is not None
            self._lines = next(
                told for told in told_by({"attribute": np.zeros(0, np.int64)}, _of_rows(held)) if told.columns
            )
            distinct, self._part_of = self._parted(self._split)
            self.class_of, self.whole = self._part_of[held.places], distinct[:, 0]
            self._line = np.zeros(len(distinct), np.int64)  # some line of each part
            self._line[self._part_of] = np.arange(len(self._part_of))

    @property
    def by(self) -> tuple[Column, ...]:
        """By which columns classes fall apart; where not all do by them, that is another way."""
        blank = (MISSING,) if self._surely and self._split and self._is_blank(self._split).any() else ()
        return (*self._split, *blank)

    def shows(self, column: Column) -> bool:
        """Say whether rows tell a column, read as this one, that is known outside."""
        return column in self._known and bool(self._shown({column}))

    def within(self, other: LaidOpen) -> IntArray:
        """Return of each part the one of the same release, less finely laid open, in which it lies."""
        return self.whole if not other._split else other._part_of[self._line]

    def crowds(self, in_rows: Set[Column]) -> IntArray:
        """Return of each part the class of people who hide behind each other, beside releases whose rows tell these columns."""
        if self._held.tells_quasi:
            return self._parts(self._shown(in_rows))
        return self._parts(self._split)

    def told(self, number: int, hidden: Column | None) -> list[Part]:
        """Return what the release tells of parts, and of its classes, to whoever knows all that is known outside but one column."""
        by = self._shown(self._known - {hidden})
        if not by:
            return [(number, self._held, self.whole)]
        held, apart = self._held, self._held.lines["line"] < 0
        part_of_line = self._parted(by)[1]
        rows = _of_rows(held)
        rows |= {"class": part_of_line[rows["line"]]}
        inside = np.isin(held.contents["attribute"], rows["attribute"])
        parts = replace(held, lines=rows, contents={n: column[:0] for n, column in held.contents.items()})
        whole = replace(
            held,
            lines={name: column[apart] for name, column in held.lines.items()},
            contents={name: column[~inside] for name, column in held.contents.items()},
        )
        found: list[Part] = [(number, parts, part_of_line[self._line])]
        return [*found, (number, whole, self.whole)] if whole.everything else found

    def _shown(self, columns: Set[Column]) -> tuple[Column, ...]:
        """Return the columns of the rows, as they are told, that were read as one of these."""
        return tuple(form for form, as_read in self._held.beside.items() if as_read in columns)

    def _parts(self, by: tuple[Column, ...]) -> IntArray:
        """Return of each finest part the class, or the part of it by fewer columns."""
        return self._parted(by)[1][self._line] if by else self.whole

    def _parted(self, by: tuple[Column, ...]) -> tuple[IntArray, IntArray]:
        """Return the parts by some columns, and the part of each line."""
        places = [self._lines.columns.index(column) for column in by]
        values = self._lines.values[:, places]
        if self._surely:  # whose cell is missing may be anybody's
            values = np.where(self._is_blank(by), MISSING, values)
        return group(np.column_stack([self._lines.class_of, values]).astype(np.int64))

    def _is_blank(self, by: tuple[Column, ...]) -> IntArray:
        """Mark, for each line and column, the classes in which something is missing there."""
        values = self._lines.values[:, [self._lines.columns.index(column) for column in by]]
        class_of = self._lines.class_of
        blank = np.zeros((int(class_of.max(initial=-1)) + 1, len(by)), np.bool_)
        for j in range(len(by)):
            blank[class_of[values[:, j] == MISSING], j] = True
        return np.asarray(blank[class_of])


def laid_open(releases: Sequence[Held], known: Set[Column], surely: bool = False) -> list[LaidOpen]:
    """Return releases in parts; `surely`: no finer than is known, where something is missing."""
    in_rows = told_in_rows(releases)
    return [LaidOpen(held, known, in_rows, surely) for held in releases]


@dataclass(frozen=True, eq=False)
class AsTold:
    """What releases tell an intruder, each in one part or two: what rows tell of parts, and what it tells of its classes."""

    parts: list[Part]

    @classmethod
    def by(cls, releases: Sequence[LaidOpen], hidden: Column | None) -> AsTold:
        """Return what is told to whoever knows all that is known outside but one column."""
        return cls([part for j, release in enumerate(releases) for part in release.told(j, hidden)])

    @cached_property
    def joined(self) -> Joined:
        """All of it, to be joined."""
        return joined([held.told for _, held, _ in self.parts])

    @cached_property
    def joined_alike(self) -> Joined:
        """All of it, to be joined, where spellings are counted as one that a reader may take for one."""
        return joined([held.told for _, held, _ in self.parts], self.parts[0][1].alike)

    def of(self, releases: Sequence[int]) -> list[int]:
        """Return which parts are of these releases."""
        return [place for place, (j, _, _) in enumerate(self.parts) if j in releases]

    def classes(self, releases: Sequence[int], vectors: IntArray) -> IntArray:
        """Return the vectors of what these parts are told of, in the place of finest parts."""
        told = [self.parts[place] for place in self.of(releases)]
        return np.column_stack([class_of[vectors[:, releases.index(j)]] for j, _, class_of in told])


def _of_rows(held: Held) -> dict[str, IntArray]:
    """Return the lines of the rows."""
    beside = held.lines["line"] >= 0
    return {name: column[beside] for name, column in held.lines.items()}
