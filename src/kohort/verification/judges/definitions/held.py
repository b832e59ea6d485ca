"""Who holds what: each (class, person, value) once, where people have several rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import IntArray
from kohort.verification.judges.definitions.tally import Entries, numbered, tally


@dataclass(frozen=True, eq=False)
class Held:
    """The members of classes, a member being one person in one class, and the values that each holds there."""

    class_of: IntArray  # per member
    entries: Entries  # (member, value) -> records

    @classmethod
    def of(cls, class_of: IntArray, person: IntArray, value: IntArray) -> Held:
        """Count rows, each of a class, of a person and with a value."""
        member, n_members = numbered([class_of, person])
        own = np.empty(n_members, np.int64)
        own[member] = class_of
        return cls(own, tally(member, value))

    def holding(self) -> Entries:
        """Return how many people of each class hold each value in some row."""
        return tally(self.class_of[self.entries.owner], self.entries.value)

    def rolled_up(self, up: IntArray) -> Held:
        """Return the same for coarser values: value v counts as `up[v]`."""
        return Held(self.class_of, tally(self.entries.owner, up[self.entries.value]))

    def spread(self, units: int) -> Entries:
        """Return what each class has of each value when every person's `units` are spread over the values they hold.

        They are spread evenly; what is left over goes to the first values, a unit each.
        """
        many = np.bincount(self.entries.owner)[self.entries.owner]
        share = units // many + (self.entries.places() < units % many)
        return tally(self.class_of[self.entries.owner], self.entries.value, share)

    def first_of(self, rank: IntArray) -> Entries:
        """Return the people of each class by the one of their values that is first by rank."""
        first = -self.entries.greatest(-rank[self.entries.value])
        return tally(self.class_of, np.argsort(rank)[first])
