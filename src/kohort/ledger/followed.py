"""The people of some releases, and the ways in which they may be followed through these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import group
from kohort.ledger.held import Held


@dataclass(frozen=True, eq=False)
class Ways:
    """The ways in which people may be followed through some releases."""

    owners: IntArray
    distinct: IntArray  # the class vectors
    vector_of: IntArray  # of each way
    sure: BoolArray  # of each way: whether it is one row's
    lone: BoolArray  # of everybody: with too many ways to be looked at

    def crowds(self, class_of: IntArray) -> tuple[IntArray, IntArray]:
        """Return of each way how many people stand in its class of class vectors, and how many perhaps; oneself for sure."""
        places, place_of = group(np.column_stack([self.owners, class_of[self.vector_of]]))
        surely = np.zeros(len(places), np.bool_)
        surely[place_of[self.sure]] = True
        n = int(class_of.max(initial=-1)) + 1
        crowd, most = np.bincount(places[surely, 1], minlength=n), np.bincount(places[:, 1], minlength=n)
        return (crowd[places[:, 1]] + ~surely)[place_of], most[places[:, 1]][place_of]


class People:
    """All people of some releases, numbered."""

    def __init__(self, releases: Sequence[Held]) -> None:
        persons = [held.members["person"] for held in releases]
        names, numbers = np.unique(np.concatenate(persons), return_inverse=True)
        self.of_rows = np.split(numbers, np.cumsum([len(some) for some in persons])[:-1])  # per release
        self.present = np.zeros((len(names), len(releases)), np.bool_)
        for j, people in enumerate(self.of_rows):
            self.present[people, j] = True
