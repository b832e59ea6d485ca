"""`Target`: what an intruder holds when an attack begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from kohort.arrays import IntArray
from kohort.attacks.groups import Groups
from kohort.classes import group
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.models import PrivacyModel
from kohort.table import Table
from kohort.verification.judges.told_apart import Crowds, Lines


@dataclass(frozen=True, eq=False)
class Outside:
    """A table with identities that the intruder has: a voter list, a former customer file."""

    table: Table
    on: tuple[str, ...]  # columns that it shares with the release
    identity: str | None = None  # the column that names a person; without it every row is a person
    counts: IntArray | None = None  # where rows are distinct tuples: how many people each stands for

    def __post_init__(self) -> None:
        for name in (*self.on, *([] if self.identity is None else [self.identity])):
            self.table[name]  # raises where there is no such column
        if not self.on:
            raise InputError(
                "attack: name the columns to link on, such as zip and sex", code="attack.no-link"
            )

    @property
    def weights(self) -> IntArray:
        """How many people each row stands for."""
        return np.ones(self.table.n_rows, np.int64) if self.counts is None else self.counts


@dataclass(frozen=True, eq=False)
class Target:
    """A release as an intruder meets it, with what else the intruder has.

    `hierarchies` give the released labels their meaning; the intruder reads them in the manifest. `original`
    is used to measure success, and to tell the exact quasi-identifiers of people whom the intruder knows;
    never to guess a sensitive value. `rows` names an original row for each released row that it can stand for.
    """

    released: Table
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    outside: Outside | None = None
    others: tuple[Target, ...] = ()  # further releases about some of the same people
    original: Table | None = None
    rows: IntArray | None = None
    truthful: bool = True  # False: released values are perturbed, not generalized
    apart: Crowds | None = None  # where values are told apart from the rows
    promises: tuple[PrivacyModel, ...] = ()  # what the release promises
    levels: Mapping[str, int] | None = None  # where whole columns were generalized
    owners: IntArray | None = None  # whose each released row is, where people may have several
    original_owners: IntArray | None = None  # and whose each row of the original is
    scattered: bool = False  # people may have several rows, and nobody at hand knows whose they are
    max_suppressed: int = 0  # rows that the recoding was allowed to leave out
    counts: IntArray | None = (
        None  # where `released` tells distinct tuples instead of records: how many of each
    )
    original_counts: IntArray | None = None  # the same of `original`, which then holds the quasi-identifiers

    def __post_init__(self) -> None:
        for name in self.quasi:
            self.released[name]

    @property
    def n_records(self) -> int:
        """The number of released records."""
        return self.released.n_rows if self.counts is None else int(self.counts.sum())

    @property
    def judged(self) -> tuple[str, ...]:
        """The sensitive columns that the release holds."""
        held = {*self.released.columns, *self.told_apart}
        return tuple(name for name in self.sensitive if name in held)

    @property
    def open(self) -> tuple[str, ...]:
        """The sensitive columns of which there is something to learn: they hold several values."""
        return tuple(name for name in self.judged if np.count_nonzero(self.groups(name).priors) > 1)

    @property
    def told_apart(self) -> frozenset[str]:
        """The columns whose values do not stand in the rows."""
        return frozenset() if self.apart is None else frozenset(self.apart.told)

    @cached_property
    def _classes(self) -> tuple[IntArray, IntArray]:
        if self.apart is not None:
            return np.arange(self.apart.number)[:, None], self.apart.class_of
        codes = [self.released[name].codes for name in self.quasi]
        return group(np.column_stack(codes).astype(np.int32))

    @property
    def class_of(self) -> IntArray:
        """The class (or group, where values are told by groups) of each released row."""
        return self._classes[1]

    @property
    def n_classes(self) -> int:
        """The number of classes, or groups."""
        return len(self._classes[0])

    def groups(self, column: str) -> Groups:
        """Return the crowds that the release shows, with the values of a sensitive column in each."""
        if self.apart is not None and column in self.apart.told:
            return self._groups_apart(self.apart.told[column])
        found = self.released[column]
        return Groups(
            self.class_of, found.codes, self.n_classes, found.texts, self.class_of, counts=self.counts
        )

    def _groups_apart(self, lines: Lines) -> Groups:
        owners, values, counts = lines
        return Groups(
            np.repeat(owners, counts),
            np.repeat(values.codes, counts),
            self.n_classes,
            values.texts,
            self.class_of,
            name="group",
        )


def single_valued(attack: str, target: Target) -> dict[str, str]:
    """Return why an attack on values cannot gain, by the label of what it would be after: there is but one value."""
    return {
        f"{attack}, {name}": f"{name} has a single value in the whole release, which is known without any class"
        for name in target.judged
        if name not in target.open
    }
