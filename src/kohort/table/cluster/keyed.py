"""Rows counted by keys where they are: each task counts its own, and those of one key meet in one part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from kohort.arrays import BoolArray, IntArray
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.packets import by_part, packed, part_of, sent
from kohort.table.cluster.pieces import Batches, PieceReader, coded
from kohort.table.cluster.places import Places
from kohort.table.packing import Packing
from kohort.table.table import Column
from kohort.table.whole_numbers import whole

RECORDS = "of int, n binary"  # what SQL calls the rows per value of a column
ROWS_OF_A_TALLY = 1 << 23  # that a task puts in order at once, and a piece more


@dataclass(frozen=True, eq=False)
class RowKeys:
    """The keys of rows: numbers in mixed radix, one digit for the code of each column."""

    coding: tuple[
        tuple[str, pa.Array, IntArray], ...
    ]  # columns, their values as Spark holds them, and the code of each

    sizes: tuple[int, ...] = ()  # how many codes there are, where there are more than values have

    @property
    def packing(self) -> Packing:
        """How codes are packed."""
        sizes = self.sizes or tuple(int(code_of.max(initial=0)) + 1 for _, _, code_of in self.coding)
        return Packing(tuple(f"digit_{j}" for j in range(len(sizes))), sizes)

    def codes(self, columns: Sequence[Column]) -> list[IntArray]:
        """Return the codes of rows, column by column."""
        own = {column.name: column for column in columns}
        return [coded(own[name], values, code_of) for name, values, code_of in self.coding]


@handed_over
def counted_keys(reader: PieceReader, batches: Batches, *, keys: RowKeys, parts: int) -> Batches:
    """Yield the distinct keys of the rows of a task and `n`, how many rows have each, for the parts that they meet in."""
    found = list(_tallies(keys, reader, batches))
    if found:
        lines = found[0]
        if len(found) > 1:
            lines = summed(
                _put_together([words for words, _ in found]), np.concatenate([n for _, n in found])
            )
        yield from sent(_table(*lines), part_of(mixed(lines[0]), parts))


@handed_over
def met_keys(batches: Batches) -> Batches:
    """Yield the keys of each part once, with all their rows."""
    for part, lines in by_part(batches):
        yield packed(part, _table(*summed(words_of(lines), whole(lines, "n"))))


@handed_over
def met_sizes(batches: Batches) -> Batches:
    """Yield how many rows the keys of each part have, and how many keys have so many."""
    for _, lines in by_part(batches):
        sizes, keys = np.unique(summed(words_of(lines), whole(lines, "n"))[1], return_counts=True)
        yield pa.RecordBatch.from_arrays([pa.array(sizes), pa.array(keys)], names=["n", "keys"])


@handed_over
def records_of(
    reader: PieceReader, batches: Batches, *, keys: RowKeys, some: Places, values: Mapping[str, pa.Array]
) -> Batches:
    """Yield how many rows of a task have each value of some columns, of those whose keys are among some that are told."""
    packing = keys.packing
    totals = [np.zeros(len(own), np.int64) for own in values.values()]
    for columns, _ in reader.pieces(batches):
        told = {column.name: column for column in columns}
        found = some.of(packing.words(keys.codes(columns))) >= 0
        for (name, own), n in zip(values.items(), totals, strict=True):
            n += np.bincount(coded(told[name], own, np.arange(len(own)))[found], minlength=len(own))
    for j, n in enumerate(totals):
        line = [pa.array([j], pa.int32()), pa.array([n.tobytes()], pa.binary())]
        yield pa.RecordBatch.from_arrays(line, names=["of", "n"])


def _tallies(
    keys: RowKeys, reader: PieceReader, batches: Batches
) -> Iterator[tuple[list[IntArray], IntArray]]:
    """Yield the distinct keys of some million rows at a time, and the rows of each."""
    packing, waiting, n_rows = keys.packing, [], 0
    for columns, _ in reader.pieces(batches):
        waiting.append(packing.words(keys.codes(columns)))
        n_rows += len(waiting[-1][0])
        if n_rows >= ROWS_OF_A_TALLY:
            yield tallied(_put_together(waiting))
            waiting, n_rows = [], 0
    if waiting:
        yield tallied(_put_together(waiting))


def _put_together(pieces: Sequence[Sequence[IntArray]]) -> list[IntArray]:
    return [np.concatenate(word) for word in zip(*pieces, strict=True)]


def mixed(words: Sequence[IntArray]) -> IntArray:
    """Return one number for the words of each key."""
    told: IntArray = words[0]
    for word in words[1:]:
        told = told * 0x1E3779B97F4A7C15 ^ word  # numbers of 64 bits, of which the highest are lost
    return told


def words_of(lines: pa.Table) -> list[IntArray]:
    """Return the words of keys."""
    return [whole(lines, name) for name in lines.column_names if name.startswith("k")]


def runs(words: Sequence[IntArray]) -> tuple[IntArray, IntArray]:
    """Return an order of keys, and where in it each distinct one begins."""
    order, first = _starting(np.argsort(words[0]), words)
    told = words[0][order]
    # Where the first word tells keys apart, as a digest does, it alone is sorted: a tenth of the time.
    if len(words) > 1 and (first[1:] & (told[1:] == told[:-1])).any():
        order, first = _starting(np.lexsort(list(words[::-1])), words)
    return order, np.flatnonzero(first)


def _starting(order: IntArray, words: Sequence[IntArray]) -> tuple[IntArray, BoolArray]:
    """Return an order, and which key in it differs from the one before."""
    first = np.zeros(len(order), np.bool_)
    first[:1] = True
    for word in words:
        ordered = word[order]
        first[1:] |= ordered[1:] != ordered[:-1]
    return order, first


def summed(words: Sequence[IntArray], n: IntArray) -> tuple[list[IntArray], IntArray]:
    """Return the distinct keys in order, and the sum for each."""
    order, starts = runs(words)
    totals = np.add.reduceat(n[order], starts) if len(starts) else n[:0]
    return [word[order[starts]] for word in words], totals


def tallied(words: Sequence[IntArray]) -> tuple[list[IntArray], IntArray]:
    """Return the distinct keys in order, and how often each is there."""
    if len(words) > 1:
        return summed(words, np.ones(len(words[0]), np.int64))
    ordered = np.sort(words[0])  # half the time of an order of them
    starts = np.flatnonzero(
        np.concatenate([np.ones(min(len(ordered), 1), np.bool_), ordered[1:] != ordered[:-1]])
    )
    return [ordered[starts]], np.diff(starts, append=len(ordered))


def _table(words: Sequence[IntArray], n: IntArray) -> pa.Table:
    return pa.table({f"k{i}": word for i, word in enumerate(words)} | {"n": n})


def all_lines(found: Sequence[pa.Table], packing: Packing) -> tuple[list[IntArray], IntArray]:
    """Return the codes of keys that were counted, column by column, and the rows of each."""
    if not found:
        return [np.zeros(0, np.int32) for _ in packing.columns], np.zeros(0, np.int64)
    lines = pa.concat_tables(found)
    return packing.unpacked(lines), whole(lines, "n")
