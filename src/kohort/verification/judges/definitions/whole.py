"""What is known of the whole original table: a sensitive column's values and who holds them, and a population."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy, Label
from kohort.hierarchy.cover import Cover
from kohort.verification.judges.definitions.held import Held
from kohort.verification.judges.definitions.tally import Entries


@dataclass(frozen=True, eq=False)
class Whole:
    """A sensitive column over the whole table."""

    labels: tuple[Label, ...]  # by value code
    records: IntArray  # that hold each value
    pairs: tuple[IntArray, IntArray] | None = None  # person and value, where people have several rows
    hierarchy: Hierarchy | None = None
    ground: IntArray | None = None  # value code -> ground code of the hierarchy

    @cached_property
    def held(self) -> Held | None:
        """The whole table as one class, where people have several rows."""
        if self.pairs is None:
            return None
        person, value = self.pairs
        return Held.of(np.zeros(len(person), np.int64), person, value)

    @cached_property
    def holding(self) -> IntArray:
        """The people who hold each value; the records, where a row is a person."""
        return self.records if self.held is None else per_value(self.held.holding(), len(self.labels))

    @property
    def people(self) -> int:
        """How many people there are."""
        return int(self.records.sum()) if self.held is None else len(self.held.class_of)

    def ancestors(self) -> list[IntArray]:
        """Return the node of each value at every level of its hierarchy, from the values themselves to the root."""
        assert self.hierarchy is not None
        assert self.ground is not None
        return [level.of_ground[self.ground].astype(np.int64) for level in self.hierarchy.levels]


def per_value(entries: Entries, size: int) -> IntArray:
    """Return the counts of a single class, value by value."""
    counts = np.zeros(size, np.int64)
    counts[entries.value] = entries.count
    return counts


@dataclass(frozen=True, eq=False)
class Population:
    """The people whom k-map looks for: distinct tuples of ground codes, how many have each, and what labels cover."""

    tuples: IntArray  # (distinct, quasi-identifiers)
    people: IntArray
    covers: tuple[Cover, ...]  # of each quasi-identifier: the ground values of its released labels
    pairs: tuple[IntArray, IntArray] | None = (
        None  # tuple and person, where people are named and may have several
    )
