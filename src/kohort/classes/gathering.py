"""Keys of many distinct values counted by what a mask leaves of them, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from kohort.arrays import IntArray

ALONE = 1 << 21  # keys that one thread counts sooner than it would wake others
FEW = 1 << 15  # classes that are counted without strewing: their table stays in a processor's cache
OF_A_PART = 1 << 15  # keys that one part is to get, about
MOST_BITS = 12  # of the number of parts

Told = TypeVar("Told")


@dataclass(frozen=True, eq=False)
class Gathered:
    """Classes as they were counted: those of part p are the first `found[p]` from `starts[p]` on."""

    keys: IntArray
    rows: IntArray
    starts: IntArray
    found: IntArray

    def __len__(self) -> int:
        return int(self.found.sum())

    def rows_below(self, least: int) -> int:
        """Return how many rows are in classes of fewer than `least`."""
        from kohort.classes.gathering_kernels import rows_below

        return int(rows_below(self.rows, self.starts, self.found, least))

    def classes(self) -> tuple[IntArray, IntArray]:
        """Return the key of every class, and its rows, in no order that means anything."""
        places = [slice(start, start + n) for start, n in zip(self.starts, self.found, strict=True)]
        keys = np.concatenate([self.keys[place] for place in places])
        return keys, np.concatenate([self.rows[place] for place in places]).astype(np.int64)


class Gathering:
    """Counts keys again and again, each time by another mask.

    Where that leaves few classes, each thread counts its own keys, and what they counted is added up. Where they are many, a hash
    table of all would miss the processor's caches with every key: keys are strewn over parts by their hash, two passes
    that write in order, and each part is counted by itself.

    Complexity: linear in the keys, whatever the mask; memory of the keys and rows once more.

    References: Boncz, P., Manegold, S. and Kersten, M. Database architecture optimized for the new bottleneck: memory
    access. VLDB 1999.
    """

    def __init__(self, keys: IntArray, rows: IntArray, threads: int | None = None) -> None:
        self._keys, self._rows = keys, rows  # int64 that are not negative, and int32
        self._threads = 1 if len(keys) < ALONE else threads or os.cpu_count() or 1
        self._to: tuple[IntArray, IntArray] | None = None

    def __len__(self) -> int:
        return len(self._keys)

    def by(self, mask: int) -> Gathered:
        """Return the classes of equal keys under a mask; they stand where the next ones will."""
        return self._few(mask) or self._many(mask)

    def _few(self, mask: int) -> Gathered | None:
        from kohort.classes.gathering_kernels import Lines, count_few

        lines = Lines(self._keys, self._rows)
        room = [Lines(*_room(FEW + 1)) for _ in range(self._threads)]

        def count(thread: int, start: int, stop: int) -> int:
            return int(count_few(lines, mask, start, stop, room[thread]))

        found = self._each(count, len(self._keys))
        if -1 in found:
            return None
        keys = np.concatenate([own[:n] for (own, _), n in zip(room, found, strict=True)])
        rows = np.concatenate([own[:n] for (_, own), n in zip(room, found, strict=True)])
        to = Lines(*_room(len(keys) + 1))
        n = count_few(Lines(keys, rows), mask, 0, len(keys), to)
        return Gathered(*to, np.zeros(1, np.int64), np.array([n], np.int64))

    def _many(self, mask: int) -> Gathered:
        from kohort.classes.gathering_kernels import Lines, count_parts, gather, strew

        n = len(self._keys)
        if self._to is None:
            self._to = _room(n)
        lines, to = Lines(self._keys, self._rows), Lines(*self._to)
        bits = min(max(n // OF_A_PART, 2).bit_length(), MOST_BITS)
        parts = 1 << bits
        sizes, found = np.zeros((self._threads, parts), np.int64), np.zeros(parts, np.int64)

        def count(thread: int, start: int, stop: int) -> None:
            count_parts(self._keys, mask, start, stop, bits, sizes[thread])

        def put(thread: int, start: int, stop: int) -> None:
            strew(lines, mask, start, stop, bits, places[thread], to)

        def add_up(_: int, start: int, stop: int) -> None:
            gather(to, starts, start, stop, bits, found)

        self._each(count, n)
        # Part by part, and within a part thread by thread.
        ends = np.cumsum(sizes.T.reshape(-1)).reshape(parts, self._threads).T
        places = np.ascontiguousarray(ends - sizes)
        starts = np.append(places[0], n)
        self._each(put, n)
        self._each(add_up, parts)
        return Gathered(*to, starts[:-1], found)

    def _each(self, work: Callable[[int, int, int], Told], n: int) -> list[Told]:
        """Let every thread do its share of n; return what each says."""
        if self._threads == 1:
            return [work(0, 0, n)]
        ends = [n * t // self._threads for t in range(self._threads + 1)]
        with ThreadPoolExecutor(self._threads - 1) as pool:
            others = [pool.submit(work, t, ends[t], ends[t + 1]) for t in range(1, self._threads)]
            return [work(0, 0, ends[1]), *(other.result() for other in others)]


def _room(n: int) -> tuple[IntArray, IntArray]:
    """Return room for n keys and their rows."""
    return np.empty(n, np.int64), np.empty(n, np.int32)
