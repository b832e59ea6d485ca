"""`Holders`: which people of each class hold which sensitive values, where people have several rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes.grouping import group
from kohort.classes.histogram import Histogram


@dataclass(frozen=True, eq=False)
class Pairs:
    """The distinct (person, value) pairs of a table: what each person holds in any of their rows."""

    person: IntArray  # int64 per pair, 0 … n_people - 1
    value: IntArray  # int32 per pair, ascending
    n_people: int
    n_values: int

    def __len__(self) -> int:
        return len(self.person)

    @classmethod
    def of(cls, person: IntArray, value: IntArray, n_values: int) -> tuple[Pairs, IntArray]:
        """Return the pairs of some rows, and the pair of each row."""
        rows = np.column_stack([value.astype(np.int64), person.astype(np.int64)])
        distinct, pair_of = group(rows)
        people, dense = np.unique(distinct[:, 1], return_inverse=True)
        values = distinct[:, 0].astype(np.int32)
        return cls(dense.reshape(-1).astype(np.int64), values, len(people), n_values), pair_of

    @cached_property
    def holding(self) -> IntArray:
        """The number of people who hold each value."""
        return np.bincount(self.value, minlength=self.n_values).astype(np.int64)

    @cached_property
    def most(self) -> int:
        """The greatest number of values that one person holds."""
        return int(np.bincount(self.person, minlength=1).max())

    def whole(self) -> Holders:
        """Return the table in one class."""
        one = Histogram(
            np.array([0, len(self)]),
            np.arange(len(self), dtype=np.int32),
            np.ones(len(self), np.int64),
            len(self),
        )
        return Holders(self, one)

    def profiles(self) -> list[tuple[list[int], int]]:
        """Return the sets of values that people hold, each with the number of those people."""
        held: list[list[int]] = [[] for _ in range(self.n_people)]
        for person, value in zip(self.person.tolist(), self.value.tolist(), strict=True):
            held[person].append(value)
        counted: dict[tuple[int, ...], int] = {}
        for values in held:
            counted[tuple(values)] = counted.get(tuple(values), 0) + 1
        return [(list(values), people) for values, people in sorted(counted.items())]

    @classmethod
    def of_profiles(cls, profiles: list[tuple[list[int], int]], n_values: int) -> Pairs:
        """Return the pairs of as many people with these sets of values; who they are is not known."""
        people = np.array([count for _, count in profiles], np.int64)
        first = np.cumsum(people) - people
        nobody = np.zeros(0, np.int64)
        person = [np.repeat(first[i] + np.arange(people[i]), len(v)) for i, (v, _) in enumerate(profiles)]
        value = [np.tile(np.array(v, np.int32), count) for v, count in profiles]
        return cls.of(np.concatenate([nobody, *person]), np.concatenate([nobody, *value]), n_values)[0]


@dataclass(frozen=True, eq=False)
class Holders:
    """Each (class, person, value) once, however many rows say it, also after classes are merged."""

    pairs: Pairs
    entries: Histogram  # (class, pair) -> records

    @classmethod
    def of(
        cls, class_of: IntArray, person: IntArray, value: IntArray, n_classes: int, n_values: int
    ) -> Holders:
        """Return who holds what in each class, from the class, person and value of every row."""
        pairs, pair_of = Pairs.of(person, value, n_values)
        return cls(pairs, Histogram.of(class_of, pair_of.astype(np.int32), n_classes, len(pairs)))

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.entries.starts) - 1

    def merged(self, class_of: IntArray, n_classes: int) -> Holders:
        """Return the holders after class i has become part of class `class_of[i]`."""
        return Holders(self.pairs, self.entries.merged(class_of, n_classes))

    def kept(self, keep: IntArray | BoolArray) -> Holders:
        """Return the holders of the classes at the positions (or under the mask) `keep` only."""
        return Holders(self.pairs, self.entries.kept(keep))

    def compacted(self) -> Holders:
        """Return the same without the people and pairs that no class here has."""
        return self.rolled_up(np.arange(self.pairs.n_values, dtype=np.int32), self.pairs.n_values)

    @cached_property
    def people(self) -> Histogram:
        """How many people of each class hold each value; who holds two is counted at both."""
        starts, values = self.entries.starts, self.pairs.value[self.entries.values]
        once = Histogram(starts, values, np.ones(len(values), np.int64), self.pairs.n_values)
        return once.merged(np.arange(self.n_classes), self.n_classes)

    def rolled_up(self, up: IntArray, size: int) -> Holders:
        """Return the holders of coarser values: value v counts as `up[v]` of `size`."""
        return Holders.of(
            self.entries.owners,
            self.pairs.person[self.entries.values],
            up[self.pairs.value[self.entries.values]],
            self.n_classes,
            size,
        )

    def in_class(self) -> tuple[IntArray, int]:
        """Return a number for the (class, person) of every entry, and how many there are."""
        from kohort.classes.grouping_kernels import number

        person = self.pairs.person[self.entries.values]
        numbers, firsts = number(self.entries.owners * max(self.pairs.n_people, 1) + person)
        return numbers, len(firsts)
