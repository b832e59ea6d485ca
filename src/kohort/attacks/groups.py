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
    counts: IntArray | None = None  # records that are alike, where each stands for so many; None: one each

    @property
    def n_records(self) -> int:
        """The number of records."""
        return len(self.owners) if self.counts is None else int(self.counts.sum())

    @cached_property
    def histogram(self) -> Histogram:
        """How many records of each group hold each value."""
        return Histogram.of(self.owners, self.values, self.n_groups, len(self.labels), self.counts)

    @cached_property
    def sizes(self) -> IntArray:
        """The number of records in each group."""
        return np.bincount(self.owners, self.counts, minlength=self.n_groups).astype(np.int64)

    @cached_property
    def priors(self) -> IntArray:
        """The number of records of each value in the whole release."""
        return np.bincount(self.values, self.counts, minlength=len(self.labels)).astype(np.int64)

    @property
    def name_of_all(self) -> str:
        """What several crowds are called."""
        return "classes" if self.name == "class" else f"{self.name}s"

    @property
    def mean_share(self) -> float:
        """The share of the records that a group holds on average."""
        return 1 / max(int((self.sizes > 0).sum()), 1)

    def shuffled(self, generator: np.random.Generator) -> Groups:
        """Return the groups with the values dealt out anew: what grouping shows where nothing is to be found."""
        if self.counts is not None:
            return self._dealt(generator)
        dealt = generator.permutation(self.values)
        return replace(self, values=dealt)

    def _dealt(self, generator: np.random.Generator) -> Groups:
        """Deal the values to the groups by their numbers, group by group; records are never laid out."""
        left, owners, values, counts = self.priors.copy(), [], [], []
        for i, size in enumerate(self.sizes.tolist()):
            hand = generator.multivariate_hypergeometric(left, size, method="marginals")
            left -= hand
            held = np.flatnonzero(hand)
            owners.append(np.full(len(held), i))
            values.append(held)
            counts.append(hand[held])
        told = (np.concatenate([*parts, np.zeros(0, np.int64)]) for parts in (owners, values, counts))
        of, value, count = (part.astype(np.int64) for part in told)
        return replace(self, owners=of, values=value.astype(np.int32), counts=count)

    def relabelled(self, label_of: IntArray, labels: tuple[str | None, ...]) -> Groups:
        """Return the groups with value v told as `labels[label_of[v]]`."""
        values = label_of[self.values].astype(np.int32)
        return replace(self, values=values, labels=labels)
