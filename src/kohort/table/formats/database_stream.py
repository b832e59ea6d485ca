"""Tables of DuckDB and SQLite files piece by piece: the same cells as `read_database`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from kohort.errors import InputError
from kohort.table.formats.cells import texts_of_nothing
from kohort.table.formats.databases import (
    BOOLEANS,
    as_declared,
    exact,
    in_utc,
    is_sqlite,
)
from kohort.table.formats.duckdb_file import duckdb_table, open_duckdb
from kohort.table.formats.naming import quoted, wanted
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.sqlite_file import check_tree, of_table, open_sqlite, rows_of, sqlite_table
from kohort.table.formats.stored import stored
from kohort.table.mixed import MIXED, mixed_array
from kohort.table.piece_bytes import pieces_within

_ROWS, _VECTOR = 1 << 16, 1 << 11  # in a piece, and so many that DuckDB makes at a time
_CACHE = "64MB"  # that DuckDB may hold of a file: what is read is not read again
_EXACT = 2**53  # whole numbers below this stay what they are among floats


def names_of_database(path: Path, options: ReadingOptions) -> tuple[str, ...]:
    """Return the names of the table's columns."""
    if is_sqlite(path):
        with open_sqlite(path) as connection:
            return tuple(sqlite_table(connection, path, options)[1])
    with open_duckdb(path) as connection:
        return tuple(duckdb_table(connection, path, options).columns)


def size_of_database(path: Path, options: ReadingOptions) -> tuple[int, int]:
    """Return how many rows a DuckDB table has, and how many columns of it are asked for; no cell is handed over.

    Nothing of SQLite's: its rows take their room in the file, and whatever holds more than that is refused while it is read.
    """
    if is_sqlite(path):
        return 0, 0
    with open_duckdb(path, memory_limit=_CACHE) as connection:
        relation = duckdb_table(connection, path, options)
        ((rows,),) = relation.count("*").fetchall()
        return rows, len(wanted(path, relation.columns, options.columns))


def stream_database(path: Path, options: ReadingOptions) -> Iterator[pa.Table]:
    """Yield the rows of the table in order, some thousand at a time."""
    return _stream_sqlite(path, options) if is_sqlite(path) else _stream_duckdb(path, options)


def _stream_duckdb(path: Path, options: ReadingOptions) -> Iterator[pa.Table]:
    with open_duckdb(path, memory_limit=_CACHE) as connection:
        relation = duckdb_table(connection, path, options)
        columns = wanted(path, relation.columns, options.columns)
        chosen = exact(relation.project(", ".join(map(quoted, columns))))
        for piece in pieces_within(arrow_reader(chosen, min(_VECTOR, _ROWS)), _ROWS):
            yield in_utc(piece)


def arrow_reader(relation: object, rows: int) -> pa.RecordBatchReader:
    """Return the relation's rows as they are made, under either name that DuckDB has had for it."""
    reader = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader  # type: ignore[attr-defined]
    return reader(rows)


def _stream_sqlite(path: Path, options: ReadingOptions) -> Iterator[pa.Table]:
    with open_sqlite(path) as connection:
        name, declared = sqlite_table(connection, path, options)
        columns = wanted(path, list(declared), options.columns)
        check_tree(connection, path, name)
        kinds = [_kind(connection, name, column, declared[column], options) for column in columns]
        for rows in rows_of(connection, path, name, columns, _ROWS):
            cells = [
                as_declared(told, declared[c])
                for c, told in zip(columns, zip(*rows, strict=True), strict=True)
            ]
            yield pa.table(list(map(_array, cells, kinds)), names=columns)


def stream_stored(path: Path, options: ReadingOptions) -> Iterator[pa.Table]:
    """Yield the cells of an SQLite table as they are stored, each with its own type, as many at a time as its rows are."""
    with open_sqlite(path) as connection:
        name, declared = sqlite_table(connection, path, options)
        columns = wanted(path, list(declared), options.columns)
        check_tree(connection, path, name)
        for rows in rows_of(connection, path, name, columns, _ROWS):
            yield stored(columns, list(zip(*rows, strict=True)))


def _kind(
    connection: sqlite3.Connection, table: str, column: str, declared: str, options: ReadingOptions
) -> pa.DataType:
    """Return the type that `read_database` gives the column, found from all its cells."""
    cell, rows = quoted(column), of_table(table)
    found = {row[0] for row in connection.execute(f"SELECT DISTINCT typeof({cell}) {rows}")} - {"null"}
    if "blob" in found:
        raise InputError(
            f"column {column!r} holds binary cells, which cannot be recoded; leave it out",
            code="table.column-type",
            column=column,
        )
    if len(found) > 1 and "text" in found and not _tells(connection, table, column, options):
        found -= {"text"}
    if not found:
        return pa.null()
    if found in ({"text"}, {"real"}):
        return pa.string() if found == {"text"} else pa.float64()
    if "text" in found:
        return MIXED
    low, high = connection.execute(
        f"SELECT min({cell}), max({cell}) {rows} WHERE typeof({cell}) = 'integer'"
    ).fetchone()
    if declared in BOOLEANS:
        return pa.bool_() if found == {"integer"} and low >= 0 and high <= 1 else MIXED
    if found == {"integer"}:
        return pa.int64()
    return pa.float64() if low > -_EXACT and high < _EXACT else MIXED


def _tells(connection: sqlite3.Connection, table: str, column: str, options: ReadingOptions) -> bool:
    """Say whether any text of a column is more than blank or a marker."""
    cell = quoted(column)
    texts = connection.execute(f"SELECT DISTINCT {cell} {of_table(table)} WHERE typeof({cell}) = 'text'")
    return any(not texts_of_nothing([text], column, options) for (text,) in texts)


def _array(cells: Sequence[object], kind: pa.DataType) -> pa.Array:
    if kind == MIXED:
        return mixed_array(cells)
    if not pa.types.is_string(kind):
        cells = [None if isinstance(cell, str) else cell for cell in cells]  # which told nothing
    return pa.array(cells, kind)
