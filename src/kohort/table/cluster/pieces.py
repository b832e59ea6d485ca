"""Pieces of a source, made into what Spark is to hold by the executors themselves: cells, counts of values, or codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.table.cluster.bits import Bits
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.far_files import seen_from_afar, start_of_names
from kohort.table.cluster.values import as_kind
from kohort.table.counted import CountedColumn
from kohort.table.dictionary import Dictionary
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.parquet import stream_groups
from kohort.table.streaming import TableStream
from kohort.table.table import Column, Table
from kohort.table.tidying import tidied
from kohort.table.whole_numbers import plain_numbers

Telling = Callable[[Table], Table]
Batches = Iterator[pa.RecordBatch]
Pieces = Iterator[tuple[Table, Sequence[pa.Array]]]  # rows, and columns beside them that nobody reads
Coding = Mapping[str, tuple[pa.Array, IntArray]]  # column -> values as Spark holds them, and the code of each

ROWS_OF_A_PIECE, PIECES_OF_A_PIECE = 1 << 15, 1 << 10
MANY = -1  # rows, where there are too many values to tell


class Origin(Protocol):
    """Where the cells of a source come from."""

    def pieces(self, names: Sequence[str], batches: Batches) -> Pieces:
        """Yield the rows of some columns, each cell as `read_table` makes it."""


@dataclass(frozen=True)
class OfBatches:
    """Cells that Spark hands over, columns in the order of their names and then others."""

    options: ReadingOptions | None  # None where the cells are tidy

    def pieces(self, names: Sequence[str], batches: Batches) -> Pieces:
        """Yield the rows of every batch."""
        for batch in batches:
            cells = Table.from_arrow(pa.table(batch.columns[: len(names)], names=list(names)))
            read = cells if self.options is None else tidied(cells, self.options)
            yield read, batch.columns[len(names) :]


@dataclass(frozen=True)
class OfParquet:
    """Row groups of Parquet files, of which batches tell the numbers; files with a first and a last group for each."""

    groups: Sequence[Sequence[tuple[Path, int, int]]]
    options: ReadingOptions
    start: Path = field(default_factory=start_of_names)  # where their paths begin

    def pieces(self, names: Sequence[str], batches: Batches) -> Pieces:
        """Yield the rows of the groups whose numbers come in."""
        for number in _numbers(batches):
            for piece in _together(self._found(number, names)):
                yield tidied(Table.from_arrow(piece), self.options), ()

    def _found(self, number: int, names: Sequence[str]) -> Iterator[pa.Table]:
        for named, *ends in self.groups[number]:
            with seen_from_afar(self.start, named) as path:
                yield from stream_groups(path, names, range(*ends))


@dataclass(frozen=True)
class OfStreams:
    """Delimited files, of which batches tell the numbers; some files for each."""

    streams: Sequence[Sequence[TableStream]]
    numbered: bool = False  # whether the file of each row, and its place there, come along
    start: Path = field(default_factory=start_of_names)  # where their paths begin

    def pieces(self, names: Sequence[str], batches: Batches) -> Pieces:
        """Yield the rows of the files whose numbers come in."""
        for number in _numbers(batches):
            for stream in self.streams[number]:
                before = 0
                for piece in self._found(stream, names):
                    yield piece, self._places(stream.path, before, piece.n_rows)
                    before += piece.n_rows

    def _found(self, stream: TableStream, names: Sequence[str]) -> Iterator[Table]:
        with seen_from_afar(self.start, stream.path) as path:
            yield from replace(stream, path=path).pieces(names)

    def _places(self, path: Path, before: int, rows: int) -> Sequence[pa.Array]:
        if not self.numbered:
            return ()
        return pa.repeat(pa.scalar(path.name), rows), pa.array(np.arange(before, before + rows))


def _together(pieces: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """Yield tables of very few rows as larger ones, so that work that is done for each is not done for each file."""
    waiting: list[pa.Table] = []
    for piece in pieces:
        waiting.append(piece)
        if sum(map(len, waiting)) >= ROWS_OF_A_PIECE or len(waiting) >= PIECES_OF_A_PIECE:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)


def _numbers(batches: Batches) -> Iterator[int]:
    for batch in batches:
        yield from batch.column(0).to_pylist()


@dataclass(frozen=True)
class PieceReader:
    """How executors read some columns, and tell some of them otherwise."""

    names: tuple[str, ...]
    held: tuple[pa.DataType, ...]  # how Spark holds each
    origin: Origin
    told: Telling | None = None
    coarse: Mapping[str, pa.DataType] | None = (
        None  # what is told otherwise, in the type that it is told from
    )

    def pieces(self, batches: Batches) -> Iterator[tuple[list[Column], Sequence[pa.Array]]]:
        """Yield the columns of pieces, values in the types of Spark."""
        for piece, beside in self.origin.pieces(self.names, batches):
            table = self._told(piece)
            yield (
                [_as_held(table[name], kind) for name, kind in zip(self.names, self.held, strict=True)],
                beside,
            )

    def _told(self, piece: Table) -> Table:
        if self.told is None or not self.coarse:
            return piece
        some = (
            Column(name, piece[name].codes, as_kind(piece[name].values, kind))
            for name, kind in self.coarse.items()
        )
        told = self.told(Table.of(some, piece.n_rows))
        return Table.of(
            (_distinct(told[c.name]) if c.name in self.coarse else c for c in piece), piece.n_rows
        )


@handed_over
def cells(reader: PieceReader, batches: Batches, *, places: Sequence[str], whose: str) -> Batches:  # noqa: ARG001
    """Yield the cells themselves; `whose` they are is part of the work, as in `bundles`."""
    for columns, beside in reader.pieces(batches):
        yield pa.RecordBatch.from_arrays([*(c.to_arrow() for c in columns), *beside], names=list(places))


@handed_over
def counts(
    reader: PieceReader, batches: Batches, *, places: Sequence[str], most: Mapping[str, int]
) -> Batches:
    """Yield the distinct values of each column with `n`, how many rows hold them, and `of`, which column it is.

    Of a column that has more values than it may have at `most` none are told, and `MANY` rows.
    """
    met = [Dictionary(name, kind) for name, kind in zip(reader.names, reader.held, strict=True)]
    allowed = [most.get(name) for name in reader.names]
    for columns, _ in reader.pieces(batches):
        for dictionary, column, limit in zip(met, columns, allowed, strict=True):
            if limit is None or len(dictionary) <= limit:
                dictionary.encode(column)
    for j, (dictionary, limit) in enumerate(zip(met, allowed, strict=True)):
        found = dictionary.column()
        if limit is not None and len(dictionary) > limit:
            found = CountedColumn.of(reader.names[j], pa.nulls(1, reader.held[j]), np.full(1, MANY))
        values = [
            found.values if i == j else pa.nulls(len(found.values), kind)
            for i, kind in enumerate(reader.held)
        ]
        of = pa.array(np.full(len(found.values), j, np.int32))
        yield pa.RecordBatch.from_arrays([*values, of, pa.array(found.totals)], names=[*places, "of", "n"])


@handed_over
def codes(reader: PieceReader, batches: Batches, *, coding: Coding, places: Sequence[str]) -> Batches:
    """Yield the codes of some columns, several of them as one number, and the cells of the others."""
    bits = bits_of(coding)
    for columns, beside in reader.pieces(batches):
        found = {column.name: column for column in columns}
        numbers = bits.packed([coded(found[name], *coding[name]) for name in coding])
        cells = (column.to_arrow() for column in columns if column.name not in coding)
        told = [*map(pa.array, numbers), *cells, *beside]
        yield pa.RecordBatch.from_arrays(told, names=list(places))


def bits_of(coding: Coding) -> Bits:
    """Return the bits that codes take."""
    return Bits.of([code_of.max(initial=0) + 1 for _, code_of in coding.values()])


def coded(column: Column, values: pa.Array, code_of: IntArray) -> IntArray:
    """Return the code of every row of a piece of a column; all its values must be known."""
    at = pc.index_in(column.values, value_set=values)
    if at.null_count:
        raise InputError(
            f"column {column.name!r} holds other values than when it was read before; the source must not change meanwhile: "
            "begin again",
            code="engine.executors",
            engine="spark",
        )
    codes: IntArray = code_of[plain_numbers(at)][column.codes]
    return codes


def _distinct(column: Column) -> Column:
    """Return a column in which values that are told alike are one."""
    return Column.from_arrow(column.name, pa.DictionaryArray.from_arrays(column.codes, column.values))


def _as_held(column: Column, kind: pa.DataType) -> Column:
    return (
        column if column.values.type == kind else Column(column.name, column.codes, column.values.cast(kind))
    )
