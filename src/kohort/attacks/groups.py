"""`Groups`: the crowds that an intruder sees in a release, and the sensitive values in each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Histogram


@dataclass(frozen=True, eq=False)
class Groups:
    """Records by group and sensitive value: the classes of a table, or the groups of Anatomy."""

    owners: IntArray  # int64, the group of each record
    values: IntArray  # int32, the value of each record; which record of its group holds it is not known
    n_groups: int
    labels: tuple[str | None, ...]  # text of each value
    of_row: IntArray | None = None  # the group of each released row, where that is another order
    name: str = "class"  # what a crowd is called in the release: of equal tuples, or a group

    @property
    def n_records(self) -> int:
        """The number of records."""
        return len(self.owners)

    @cached_property
    def histogram(self) -> Histogram:
        """How many records of each group hold each value."""
        return Histogram.of(self.owners, self.values, self.n_groups, len(self.labels))

    @cached_property
    def sizes(self) -> IntArray:
        """The number of records in each group."""
        return np.bincount(self.owners, minlength=self.n_groups)

    @cached_property
    def priors(self) -> IntArray:
        """The number of records of each value in the whole release."""
        return np.bincount(self.values, minlength=len(self.labels))

    def shuffled(self, generator: np.random.Generator) -> Groups:
        """Return the groups with the values dealt out anew: what grouping shows where nothing is to be found."""
        dealt = generator.permutation(self.values)
        return replace(self, values=dealt)

    def relabelled(self, label_of: IntArray, labels: tuple[str | None, ...]) -> Groups:
        """Return the groups with value v told as `labels[label_of[v]]`."""
        values = label_of[self.values].astype(np.int32)
        return replace(self, values=values, labels=labels)
