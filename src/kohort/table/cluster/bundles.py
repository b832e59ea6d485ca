"""Rows as bytes that Spark holds and does not look at: what one task read of a source, by the distinct values of every column.

So a source is read once by whoever holds it, and nothing is turned into rows of Java and back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.pieces import Batches, PieceReader, Pieces
from kohort.table.counted import CountedColumn
from kohort.table.dictionary import Dictionary
from kohort.table.table import Column, Table
from kohort.table.whole_numbers import plain_numbers

BUNDLES = "bundle binary, of int, counts binary"  # what SQL calls them, and the values that stand in a column of them
ROWS_OF_A_BUNDLE = 1 << 18  # that are put together at most, and a piece more
_NARROW = (np.uint8, np.uint16, np.int32)


@handed_over
def bundles(reader: PieceReader, batches: Batches, *, whose: str, most: int) -> Batches:  # noqa: ARG001
    """Yield the rows of a source, some hundred thousand in one value, and last the distinct values of every column.

    Of a column that has more than `most` values none are told: they are counted when they are asked for.
    `whose` they are is part of the work: what is asked to do the same again, Spark answers from what it holds of somebody else's
    reading, and a judge would look at what the engine read.
    """
    met: list[Dictionary | None] = [
        Dictionary(name, kind) for name, kind in zip(reader.names, reader.held, strict=True)
    ]
    for pieces in _together(reader.pieces(batches)):
        columns = [_joined(column) for column in zip(*pieces, strict=True)]
        met = [_counted(own, column, most) for own, column in zip(met, columns, strict=True)]
        yield _bundled(columns)
    for j, own in enumerate(met):
        yield _told(j, None if own is None else own.column())


def _together(pieces: Iterator[tuple[list[Column], Sequence[pa.Array]]]) -> Iterator[list[list[Column]]]:
    waiting: list[list[Column]] = []
    n_rows = 0
    for columns, _ in pieces:
        waiting.append(columns)
        n_rows += len(columns[0].codes)
        if n_rows >= ROWS_OF_A_BUNDLE:
            yield waiting
            waiting, n_rows = [], 0
    if waiting:
        yield waiting


def _counted(met: Dictionary | None, column: Column, most: int) -> Dictionary | None:
    """Return the values that were met so far and those of a column; None where they are too many."""
    if met is None or len(column.values) > most:
        return None
    met.count(column)
    return met if len(met) <= most else None


def _told(j: int, column: CountedColumn | None) -> pa.RecordBatch:
    counts = None
    if column is not None:
        counts = _bytes(
            pa.RecordBatch.from_arrays([column.values, pa.array(column.totals)], names=["value", "n"])
        )
    told = [pa.nulls(1, pa.binary()), pa.array([j], pa.int32()), pa.array([counts], pa.binary())]
    return pa.RecordBatch.from_arrays(told, names=["bundle", "of", "counts"])


def values_along(
    told: pa.Table, names: Sequence[str], kinds: Sequence[pa.DataType]
) -> list[CountedColumn | None]:
    """Return the values of all bundles, column by column, from what is told `of` each; None where a bundle had too many."""
    met: list[Dictionary | None] = [Dictionary(name, kind) for name, kind in zip(names, kinds, strict=True)]
    for j, counts in zip(told.column("of").to_pylist(), told.column("counts"), strict=True):
        if not counts.is_valid:
            met[j] = None
        elif (own := met[j]) is not None:
            with pa.ipc.open_stream(counts.as_buffer()) as stream:
                found = stream.read_next_batch()
            own.count(CountedColumn.of(names[j], found.column("value"), plain_numbers(found.column("n"))))
    return [None if own is None else own.column() for own in met]


@dataclass(frozen=True)
class OfBundles:
    """Cells that were bundled."""

    def pieces(self, names: Sequence[str], batches: Batches) -> Pieces:
        """Yield the rows of every bundle."""
        for batch in batches:
            for bundle in batch.column(0).drop_null():
                with pa.ipc.open_stream(bundle.as_buffer()) as stream:
                    rows = stream.read_next_batch()
                columns = (
                    Column(name, _codes(rows.column(name)), rows.column(name).dictionary) for name in names
                )
                yield Table.of(columns, rows.num_rows), ()


def _bundled(columns: Sequence[Column]) -> pa.RecordBatch:
    coded = [_coded(column.codes, column.values) for column in columns]
    rows = pa.RecordBatch.from_arrays(coded, names=[column.name for column in columns])
    told = [pa.array([_bytes(rows)], pa.binary()), pa.nulls(1, pa.int32()), pa.nulls(1, pa.binary())]
    return pa.RecordBatch.from_arrays(told, names=["bundle", "of", "counts"])


def _bytes(rows: pa.RecordBatch) -> pa.Buffer:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_batch(rows)
    return sink.getvalue().to_pybytes()


def _joined(pieces: Sequence[Column]) -> Column:
    """Return the pieces of a column as one, by one list of values."""
    if len(pieces) == 1:  # its values are distinct
        return pieces[0]
    values = pa.concat_arrays([piece.values for piece in pieces]).dictionary_encode(null_encoding="encode")
    code_of, codes = plain_numbers(values.indices), []
    for piece, before in zip(pieces, _before(pieces), strict=True):
        codes.append(code_of[before : before + len(piece.values)][piece.codes])
    return Column(pieces[0].name, np.concatenate(codes), values.dictionary)


def _coded(codes: IntArray, values: pa.Array) -> pa.DictionaryArray:
    kind = next(kind for kind in _NARROW if len(values) <= np.iinfo(kind).max + 1)
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(kind)), values)


def _before(pieces: Sequence[Column]) -> Iterator[int]:
    before = 0
    for piece in pieces:
        yield before
        before += len(piece.values)


def _codes(column: pa.DictionaryArray) -> IntArray:
    return plain_numbers(column.indices).astype(np.int32)
