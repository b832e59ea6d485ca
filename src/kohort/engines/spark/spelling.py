"""Released rows as numbers, which are sent to the parts that they are written to, and spelled out there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.table.cluster.keyed import runs, words_of
from kohort.table.cluster.packets import part_of, sent
from kohort.table.packing import Packing
from kohort.table.texts import texts_of
from kohort.table.whole_numbers import whole

ROWS_OF_A_GROUP = 1 << 20  # that are spelled out, and written, at once


class Released(NamedTuple):
    """Some released rows: by column the numbers of what they hold, or that itself."""

    numbers: Mapping[str, IntArray]
    cells: Mapping[str, pa.Array]

    @property
    def n_rows(self) -> int:
        """How many there are."""
        return len(next(iter([*self.numbers.values(), *self.cells.values()])))


@dataclass(frozen=True, eq=False)
class Spelling:
    """All columns of a release, in order, and the type of each; rows hold numbers of values, or the cells themselves.

    Which of the two follows from all that stands in a column, those who are left out included. So the part of a row and its
    place there follow from a digest of what its released cells say, which is the same either way.
    """

    kinds: Mapping[str, pa.DataType]
    values: Mapping[str, pa.Array]  # by their numbers, of the columns that have some
    beside: tuple[str, ...] = ()  # what goes along and is written elsewhere

    @property
    def packing(self) -> Packing:
        """How the numbers of a row are packed."""
        return Packing(tuple(self.values), tuple(max(len(values), 1) for values in self.values.values()))

    @property
    def schema(self) -> pa.Schema:
        """The written columns."""
        return pa.schema(list(self.kinds.items()))

    @cached_property
    def _digests(self) -> dict[str, IntArray]:
        """For each value a number that follows from what it says, and from its column."""
        return {
            name: np.array([_digest(j, text) for text in texts_of(values)], np.int64)
            for j, name in enumerate(self.kinds)
            if (values := self.values.get(name)) is not None
        }

    def prepared(self) -> Spelling:
        """Return itself, once all is worked out that tasks would work out anew."""
        assert self._digests is not None
        return self

    def sent(self, rows: Released, parts: int) -> Iterator[pa.RecordBatch]:
        """Yield rows as packets for the parts that they are written to; which these are follows from their cells alone."""
        if not rows.n_rows:
            return
        digest = self._digest(rows)
        words = self.packing.words([rows.numbers[name] for name in self.values]) if self.values else []
        told = {f"k{i}": word for i, word in enumerate(words)}
        if rows.cells:
            told |= {f"v{i}": rows.cells[name] for i, name in enumerate(self._cells)}
            told |= {"d": digest, "n": np.ones(rows.n_rows, np.int64)}
            yield from sent(pa.table(told), part_of(digest, parts))
            return
        order, starts = runs(words)  # rows that are alike travel as one, however many they are
        firsts, n = order[starts], np.diff(starts, append=len(order))
        told = {place: word[firsts] for place, word in told.items()}
        yield from sent(pa.table(told | {"d": digest[firsts], "n": n}), part_of(digest[firsts], parts))

    def _digest(self, rows: Released) -> IntArray:
        """Return a number for each row, which follows from what its released cells say."""
        digest = np.zeros(rows.n_rows, np.int64)
        for j, name in enumerate(self.kinds):
            if name in self.values:
                digest += self._digests[name][rows.numbers[name]]
            else:
                cells = rows.cells[name].dictionary_encode("encode")
                each = np.array([_digest(j, text) for text in texts_of(cells.dictionary)], np.int64)
                digest += each[cells.indices.to_numpy()]
        return digest

    def in_order(self, rows: pa.Table) -> pa.Table:
        """Return the rows of a part in their order."""
        if self._cells:
            names = [name for name in rows.column_names if name not in ("d", "n")]
            return rows.sort_by([(name, "ascending") for name in ("d", *names)])
        words, n = words_of(rows), whole(rows, "n")
        order, starts = runs([whole(rows, "d"), *words])
        told = {f"k{i}": word[order[starts]] for i, word in enumerate(words)}
        return pa.table(told | {"n": np.add.reduceat(n[order], starts)})

    def spelled(self, rows: pa.Table) -> Iterator[pa.Table]:
        """Yield rows as they are released, some hundred thousand at a time."""
        until = np.cumsum(whole(rows, "n"))
        for start in range(0, int(until[-1]), ROWS_OF_A_GROUP):
            end = min(start + ROWS_OF_A_GROUP, int(until[-1]))
            first, last = (int(np.searchsorted(until, place, "right")) for place in (start, end - 1))
            ends = np.append(start, np.clip(until[first : last + 1], start, end))
            times: IntArray = ends[1:] - ends[:-1]
            yield self._spelled(rows.slice(first, last + 1 - first), np.repeat(np.arange(len(times)), times))

    def _spelled(self, rows: pa.Table, which: IntArray) -> pa.Table:
        words = rows.select([name for name in rows.column_names if name.startswith("k")])
        numbers = dict(zip(self.values, self.packing.unpacked(words) if self.values else (), strict=True))
        own = dict(zip(self._cells, (f"v{i}" for i in range(len(self._cells))), strict=True))
        told = {
            name: self.values[name].take(pa.array(numbers[name][which]))
            if name in numbers
            else rows.column(own[name]).combine_chunks()
            for name in self.kinds
        }
        return pa.table(told, self.schema)

    @property
    def _cells(self) -> tuple[str, ...]:
        """What goes along as it is: cells of columns without numbers, and what is beside."""
        return (*(name for name in self.kinds if name not in self.values), *self.beside)


@dataclass(frozen=True, eq=False)
class PeopleBeside(Spelling):
    """The same rows in the same order, of which only the person of each is written."""

    @property
    def schema(self) -> pa.Schema:
        """The one column that is written."""
        return pa.schema([("respondent", pa.int32())])

    def _spelled(self, rows: pa.Table, which: IntArray) -> pa.Table:
        assert len(which) == len(rows)
        return pa.table([rows.column(f"v{len(self._cells) - 1}")], self.schema)


def _digest(j: int, text: str | None) -> int:
    told = f"{j}:" if text is None else f"{j}={text}"
    return int.from_bytes(
        blake2b(told.encode(errors="surrogatepass"), digest_size=8).digest(), "little", signed=True
    )
