"""The crowd that each person stands in: what every risk of being named follows from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes


@dataclass(frozen=True, eq=False)
class Crowds:
    """How many people stand in a crowd of which size.

    Without a respondent column every record is a person and stands in its class. With one, a person stands
    in the smallest of the classes that hold a record of theirs: there they are found most easily.
    """

    sizes: IntArray  # int64, ascending, distinct
    people: IntArray  # int64, people whose crowd has that size

    @property
    def total(self) -> int:
        """The number of people."""
        return int(self.people.sum())


def crowds(classes: Classes) -> Crowds:
    """Return the crowds of the people in the classes."""
    if classes.respondents is None:
        return _counted(classes.sizes, classes.rows)
    smallest = np.full(classes.respondents.size, np.iinfo(np.int64).max)
    np.minimum.at(smallest, classes.respondents.values, classes.sizes[classes.respondents.owners])
    found = smallest[smallest < np.iinfo(np.int64).max]
    return _counted(found, np.ones(len(found), np.int64))


def people_within(classes: Classes, inside: BoolArray) -> int:
    """Return how many people have a record in the classes marked; records where people are not named."""
    held = classes.respondents
    if held is None:
        return int(classes.rows[inside].sum())
    return len(np.unique(held.values[inside[held.owners]]))


def _counted(sizes: IntArray, people: IntArray) -> Crowds:
    distinct, place = np.unique(sizes, return_inverse=True)
    return Crowds(distinct.astype(np.int64), np.bincount(place, people, len(distinct)).astype(np.int64))
