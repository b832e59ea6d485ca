"""`Tally`: all that is counted of a written table, from one look at its rows and the original's in the order of their keys.

A key is all that a row holds, as one number: the labels of the quasi-identifiers in the highest bits, then every other column.
In that order the rows of a class stand together, and among them those that are the same, written and original ones. So classes, the
values that they hold, the rows that are alone by any columns and whether a row is told more often than it is true are read
off run by run, exactly, and rows are grouped once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes.alone import PAIRED

BITS = 60  # of a key: one more tells the written from the original, one is left for what is not known, and the sign none
NARROW = 1 << 32
MOST_RUNS = 1 << 22  # of one class, held until the class ends
PER_CLASS, PER_LINE = 16, 24  # bytes that are kept
SPARSE = 8  # cells for each run, beyond which runs are sorted instead


class TallyTooLargeError(Exception):
    """There is no room to count in the order of keys: it is counted where the rows are."""


@dataclass(frozen=True)
class Key:
    """The columns of a key, the first in the highest bits: the quasi-identifiers, and all others."""

    quasi: tuple[str, ...]
    carried: tuple[str, ...]
    sizes: Mapping[str, int]  # how many codes a column has

    @property
    def names(self) -> tuple[str, ...]:
        """All columns."""
        return (*self.quasi, *self.carried)

    def bits(self, names: Sequence[str]) -> int:
        """Return how many bits some columns take."""
        return sum((max(self.sizes[name], 1) - 1).bit_length() for name in names)

    @property
    def fits(self) -> bool:
        """Whether it is one number."""
        return self.bits(self.names) <= BITS

    def sql(self, places: Mapping[str, str], side: int) -> str:
        """Return the key in SQL: one more than it, or 0 where it is not known, twice, and whether it stands in the original.

        In a narrow type, where it fits, it is sorted faster.
        """
        told, most = "0::BIGINT", 0
        for name in self.names:
            told = f"({told} * {1 << self.bits([name])} + {places[name]})"
            most = most << self.bits([name]) | max(self.sizes[name], 1) - 1
        kind = "UINTEGER" if 2 * (most + 1) + 1 < NARROW else "BIGINT"
        return f"(coalesce({told} + 1, 0) * 2 + {side})::{kind}"

    @staticmethod
    def told(found: IntArray) -> IntArray:
        """Return what `sql` finds as numbers of one type, of which half are keys, -1 for none."""
        sided: IntArray = found.astype(np.int64) - 2
        return sided

    def digit(self, keys: IntArray, name: str) -> IntArray:
        """Return the codes of one column."""
        below = self.bits(self.names[self.names.index(name) + 1 :])
        codes: IntArray = keys >> below & (1 << self.bits([name])) - 1
        return codes

    def combined(self, keys: IntArray, names: Sequence[str]) -> IntArray:
        """Return the codes of some columns as one number."""
        told = np.zeros(len(keys), np.int64)
        for name in names:
            told = told << self.bits([name]) | self.digit(keys, name)
        return told


class HeldValues(NamedTuple):
    """So many rows of a class, by its number, hold a value, by its code."""

    owner: IntArray
    values: IntArray
    rows: IntArray


@dataclass(frozen=True, eq=False)
class Tally:
    """What a written table holds."""

    quasi: tuple[str, ...]
    labels: IntArray  # int32 (classes, quasi-identifiers)
    rows: IntArray  # of each class
    held: Mapping[str, HeldValues]  # by column
    alone: Mapping[frozenset[str], int]  # rows that no other equals by class and some columns
    true: (
        bool | None
    )  # nothing is told more often than it is true of the original; None where that is not laid beside
    n_written: int
    n_original: int


def tally_of_all(tallies: Sequence[Tally]) -> Tally:
    """Return the tallies of some rows as one; no class may be in two of them."""
    first, before = tallies[0], np.cumsum([0, *(len(tally.rows) for tally in tallies)])
    held = {}
    for name in first.held:
        pieces = [
            HeldValues(tally.held[name].owner + start, *tally.held[name][1:])
            for tally, start in zip(tallies, before[:-1], strict=True)
        ]
        held[name] = HeldValues(*map(np.concatenate, zip(*pieces, strict=True)))
    return Tally(
        first.quasi,
        np.concatenate([tally.labels for tally in tallies]),
        np.concatenate([tally.rows for tally in tallies]),
        held,
        {names: sum(tally.alone[names] for tally in tallies) for names in first.alone},
        None if first.true is None else all(tally.true for tally in tallies),
        sum(tally.n_written for tally in tallies),
        sum(tally.n_original for tally in tallies),
    )


class Runs(NamedTuple):
    """Equal rows in the order of their keys."""

    keys: IntArray
    told: IntArray  # how many are written
    true: IntArray  # how many stand in the original

    def part(self, which: slice | BoolArray) -> Runs:
        """Return some of them."""
        return Runs(*(own[which] for own in self))

    def followed_by(self, others: Runs) -> Runs:
        """Return these and those that come next; a run that goes on is one."""
        if not len(self.keys):
            return others
        keys, told, true = (np.concatenate([own, other]) for own, other in zip(self, others, strict=True))
        if len(others.keys) and self.keys[-1] == others.keys[0]:
            end = len(self.keys) - 1
            told[end + 1] += told[end]
            true[end + 1] += true[end]
            return Runs(*(np.delete(own, end) for own in (keys, told, true)))
        return Runs(keys, told, true)


class Tallying:
    """Counts rows that are added in the order of their keys."""

    def __init__(self, key: Key, watched: Sequence[str], compares: bool, room: int | None) -> None:
        self._key, self._watched, self._compares, self._room = key, tuple(watched), compares, room
        self._open = Runs(*(np.zeros(0, np.int64),) * 3)  # of the class that has not ended
        self._below = key.bits(key.carried)
        self._classes: list[tuple[IntArray, IntArray]] = []
        self._held: dict[str, list[HeldValues]] = {name: [] for name in watched}
        self._alone = dict.fromkeys(_looked_at(key.carried), 0)
        self._true, self._n_classes, self._n_lines = True, 0, 0
        self._n_written = self._n_original = 0

    def add(self, sided: IntArray) -> None:
        """Count some rows, each told as twice its key, and one more where it stands in the original."""
        self.add_runs(_runs(sided))

    def add_runs(self, runs: Runs) -> None:
        """Count some rows that were counted by their keys."""
        self._n_written += int(runs.told.sum())
        self._n_original += int(runs.true.sum())
        runs = self._open.followed_by(runs)
        end = int(np.searchsorted(runs.keys, runs.keys[-1] >> self._below << self._below))
        self._open = runs.part(slice(end, None))
        if len(self._open.keys) > MOST_RUNS:
            raise TallyTooLargeError
        self._count(runs.part(slice(end)))

    def counted(self) -> Tally:
        """Return what was counted, once all is."""
        self._count(self._open)
        none = np.zeros(0, np.int64)
        classes = self._classes or [(none, none)]
        keys, rows = (np.concatenate(own) for own in zip(*classes, strict=True))
        labels = [self._key.digit(keys << self._below, name) for name in self._key.quasi]
        stacked = np.column_stack(labels).astype(np.int32) if labels else np.zeros((len(keys), 0), np.int32)
        held = {
            name: HeldValues(
                *map(np.concatenate, zip(*(pieces or [HeldValues(none, none, none)]), strict=True))
            )
            for name, pieces in self._held.items()
        }
        return Tally(
            self._key.quasi,
            stacked,
            rows,
            held,
            self._alone,
            self._true if self._compares else None,
            self._n_written,
            self._n_original,
        )

    def _count(self, runs: Runs) -> None:
        """Count the runs of whole classes."""
        if self._compares and (runs.told > runs.true).any():
            self._true = False
        keys, told, _ = runs.part(runs.told > 0)
        if not len(keys):
            return
        classes = keys >> self._below
        first = _first(classes)
        starts, own = np.flatnonzero(first), np.cumsum(first) - 1
        rows = np.add.reduceat(told, starts)
        self._classes.append((classes[starts], rows))
        for names in self._alone:
            self._alone[names] += self._once(keys, told, own, rows, names)
        for name in self._watched:
            found, counts = _summed(own, self._key.digit(keys, name), told, self._key.bits([name]))
            width = self._key.bits([name])
            held = HeldValues((found >> width) + self._n_classes, found & (1 << width) - 1, counts)
            self._held[name].append(held)
            self._n_lines += len(found)
        self._n_classes += len(starts)
        if self._room is not None and self._n_classes * PER_CLASS + self._n_lines * PER_LINE > self._room:
            raise TallyTooLargeError

    def _once(
        self, keys: IntArray, told: IntArray, own: IntArray, rows: IntArray, names: frozenset[str]
    ) -> int:
        """Return how many rows no other equals by class and some columns."""
        if not names:
            return int((rows == 1).sum())
        if len(names) == len(self._key.carried):
            return int((told == 1).sum())
        beside = [name for name in self._key.carried if name in names]
        _, counts = _summed(own, self._key.combined(keys, beside), told, self._key.bits(beside))
        return int((counts == 1).sum())


def _looked_at(carried: Sequence[str]) -> Iterator[frozenset[str]]:
    """Yield the columns beside the quasi-identifiers by which rows may be asked for that are alone.

    Of many columns not all pairs are: which of them matter is known only once each was looked at by itself.
    """
    pairs = [] if len(carried) > PAIRED else list(combinations(carried, 2))
    for names in ((), *((name,) for name in carried), *pairs, tuple(carried)):
        yield frozenset(names)


def _runs(sided: IntArray) -> Runs:
    keys = sided >> 1
    starts = np.flatnonzero(_first(keys))
    lengths = np.diff(starts, append=len(keys))
    true = np.add.reduceat(sided & 1, starts)
    return Runs(keys[starts], lengths - true, true)


def _first(numbers: IntArray) -> BoolArray:
    """Mark the first of every run of equal numbers."""
    first = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=first[1:])
    return first


def _summed(own: IntArray, beside: IntArray, told: IntArray, width: int) -> tuple[IntArray, IntArray]:
    """Return the distinct (class, codes beside it) as numbers, ascending, and how many rows have each."""
    cells = own << width | beside
    most = (int(own[-1]) + 1) << width
    if most <= SPARSE * len(cells):
        totals = np.bincount(cells, told)
        found = np.flatnonzero(totals)
        return found, totals[found].astype(np.int64)
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    starts = np.flatnonzero(_first(ordered))
    return ordered[starts], np.add.reduceat(told[order], starts)
