"""The distinct cells of a file, as they are spelled there and as they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.arrays import IntArray
from kohort.table.formats import READERS, STORED, formulas
from kohort.table.formats.database_stream import stream_database, stream_stored
from kohort.table.formats.databases import is_sqlite
from kohort.table.formats.options import ReadingOptions
from kohort.table.mixed import KINDS, told_apart
from kohort.table.streaming import STREAMS
from kohort.table.table import Table
from kohort.table.texts import spelled
from kohort.table.tidying import tidied

_BITS = {
    pa.float16(): (np.float16, np.int16),
    pa.float32(): (np.float32, np.int32),
    pa.float64(): (np.float64, np.int64),
}
_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
_MARK = (
    "\0"  # between the kind and the text of a cell that is of another kind than the first one of its column
)


def distinct_cells(path: Path, options: ReadingOptions) -> Iterator[tuple[str, pa.Array, pa.Array]]:
    """Yield the distinct cells of every column, some thousand rows at a time, as they are spelled and as they are read.

    Both are texts, or the bits of numbers.
    """
    stored = _stored_and_read(path, options)
    return _of_one_type(path, options) if stored is None else _of_many_kinds(stored, options)


def _stored_and_read(path: Path, options: ReadingOptions) -> Iterable[tuple[pa.Table, pa.Table]] | None:
    """Return the rows of formats whose cells have a kind each, as stored and as read; None for other formats."""
    suffix = path.suffix.lower()
    if suffix in STORED:
        return [(STORED[suffix](path, options), READERS[suffix](path, options))]
    if STREAMS[suffix][1] is stream_database and is_sqlite(path):
        return zip(stream_stored(path, options), stream_database(path, options), strict=True)
    return None


def _of_many_kinds(
    pieces: Iterable[tuple[pa.Table, pa.Table]], options: ReadingOptions
) -> Iterator[tuple[str, pa.Array, pa.Array]]:
    usual: dict[str, int] = {}
    for stored, told in pieces:
        read = tidied(Table.from_arrow(told), options)
        for column, cells in zip(read, stored.columns, strict=True):
            texts, kinds = told_apart(cells.chunks)
            known = np.flatnonzero(np.asarray(texts.is_valid()))
            if len(known):
                usual.setdefault(column.name, int(kinds[known[0]]))
            pairs = {
                "spelled": _marked(texts.combine_chunks(), kinds, usual.get(column.name, 0)),
                "read": spelled(column.values).take(pa.array(column.codes)),
            }
            distinct = pa.table(pairs).group_by(list(pairs)).aggregate([]).combine_chunks()
            yield column.name, *(distinct[name].combine_chunks() for name in pairs)


def _marked(texts: pa.Array, kinds: IntArray, usual: int) -> pa.Array:
    """Return texts with their kind in front where it is another than the usual one: what most cells are is not held."""
    names = pa.array(KINDS, pa.string()).take(pa.array(kinds))
    return pc.if_else(pa.array(kinds == usual), texts, pc.binary_join_element_wise(names, texts, _MARK))


def _of_one_type(path: Path, options: ReadingOptions) -> Iterator[tuple[str, pa.Array, pa.Array]]:
    as_spelled = replace(
        options, unescape_formulas=False, missing=(), missing_in={}, decimal=None, trim=False, fold=()
    )
    for piece in STREAMS[path.suffix.lower()][1](path, as_spelled):
        for name, column in zip(piece.column_names, piece.columns, strict=True):
            yield name, *_read(name, _distinct(column), options)


def _distinct(column: pa.ChunkedArray) -> pa.Array:
    """Return the distinct cells, texts of whichever type as plain texts."""
    whole = column.combine_chunks()
    whole = whole.combine_chunks() if isinstance(whole, pa.ChunkedArray) else whole
    if isinstance(whole.type, pa.DictionaryType):
        whole = whole.dictionary_decode()
    if any(is_text(whole.type) for is_text in _TEXTS):
        return whole.cast(pa.large_string()).unique().cast(pa.string())
    if whole.type not in _BITS:
        return whole.unique()
    return _of_bits(_bits(whole).unique(), whole.type)


def _read(name: str, cells: pa.Array, options: ReadingOptions) -> tuple[pa.Array, pa.Array]:
    """Return distinct cells and what is read of each."""
    is_text = pa.types.is_string(cells.type)
    plain = formulas.unescaped(cells) if is_text and options.unescape_formulas else cells
    column = tidied(Table.from_arrow(pa.table({name: plain})), options)[name]
    read = column.values.take(pa.array(column.codes))
    if cells.type in _BITS:
        return _bits(cells), _bits(read.cast(cells.type))
    return cells, read.cast(cells.type)


def _bits(numbers: pa.Array) -> pa.Array:
    kind, bits = _BITS[numbers.type]
    missing = np.asarray(numbers.is_null())
    values = np.frombuffer(numbers.buffers()[1] or b"", kind)[numbers.offset : numbers.offset + len(numbers)]
    return pa.array(values.view(bits), mask=missing)


def _of_bits(bits: pa.Array, kind: pa.DataType) -> pa.Array:
    values, missing = np.asarray(bits.fill_null(0)), np.asarray(bits.is_null())
    return pa.array(values.view(_BITS[kind][0]), kind, mask=missing)
