"""The share of a class's rows that are one person's: what an intruder who picks a row reaches.

Rows of a class look alike to whoever knows quasi-identifiers. So a row picked in a class of n rows is a person's with a
chance of r/n, r of them being theirs, and no rule of picking does better: not with everybody's quasi-identifiers at hand,
nor where labels overlap, for a wrong class has no row of theirs that it would not have anyway. Where everybody has
one row that is one over the size of the class; where somebody has several it exceeds one over its people.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Classes


@dataclass(frozen=True, eq=False)
class Shares:
    """How many people bear a chance of `held` in `of`, each of them their greatest."""

    held: IntArray  # int64
    of: IntArray  # int64
    people: IntArray  # int64

    @property
    def total(self) -> int:
        """The number of people."""
        return int(self.people.sum())


def shares_of_rows(classes: Classes) -> Shares:
    """Return of how many of the rows of a class each person is the owner, in the class where that is most."""
    held = classes.respondents
    if held is None:
        return _tallied(np.ones(len(classes), np.int64), classes.rows, classes.rows)
    return _greatest(held.values, held.counts, classes.rows[held.owners])


def shares_of_sizes(sizes: IntArray, classes: IntArray) -> Shares:
    """Return the same where everybody has one row, from the sizes that classes have and how many have each."""
    return _tallied(np.ones(len(sizes), np.int64), sizes, sizes * classes)


def exposed(classes: Classes) -> Shares:
    """Return each person's greatest chance, whether a row of a class is picked or one of its people."""
    held = classes.respondents
    if held is None:
        return shares_of_rows(classes)
    rows, people = classes.rows[held.owners], classes.sizes[held.owners]
    by_row = held.counts * people >= rows  # r/n against 1/m
    return _greatest(held.values, np.where(by_row, held.counts, 1), np.where(by_row, rows, people))


def most_rows(classes: Classes) -> IntArray:
    """Return, per class, the rows of the person who has most of them there."""
    held = classes.respondents
    most = np.ones(len(classes), np.int64)
    if held is not None:
        np.maximum.at(most, held.owners, held.counts)
    return most


def _greatest(person: IntArray, held: IntArray, of: IntArray) -> Shares:
    """Return the greatest share of each person; equal fractions are equal numbers, so ties do not matter."""
    order = np.lexsort((held / of, person))
    last = np.flatnonzero(np.diff(person[order], append=-1))
    chosen = order[last]
    divisor = np.gcd(held[chosen], of[chosen])
    return _tallied(held[chosen] // divisor, of[chosen] // divisor, np.ones(len(chosen), np.int64))


def _tallied(held: IntArray, of: IntArray, people: IntArray) -> Shares:
    width = int(of.max(initial=0)) + 1  # rows by the million, whose square fits
    distinct, place = np.unique(held * width + of, return_inverse=True)
    return Shares(
        distinct // width, distinct % width, np.bincount(place, people, len(distinct)).astype(np.int64)
    )
