"""Tables of DuckDB and SQLite files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa

from kohort.errors import InputError
from kohort.table.formats.cells import column_of
from kohort.table.formats.naming import chosen, wanted
from kohort.table.formats.options import ReadingOptions, WritingOptions
from kohort.table.table import Table
from kohort.table.texts import spelled

_SQLITE_MAGIC = b"SQLite format 3\0"
_DUCKDB_MAGIC = b"DUCK"  # from the ninth byte on
# Types whose Arrow form loses digits or the zone: DuckDB spells them out instead.
_SPELLED_TYPES = ("UHUGEINT", "BIGNUM", "VARINT", "TIME WITH TIME ZONE")


def read_database(path: Path, options: ReadingOptions) -> pa.Table:
    """Return one table of a database file; its first bytes say which kind of database it is."""
    with path.open("rb") as file:
        head = file.read(16)
    if head == _SQLITE_MAGIC:
        return _read_sqlite(path, options)
    if head[8:12] == _DUCKDB_MAGIC:
        return _read_duckdb(path, options)
    raise InputError(f"{path} is neither a DuckDB nor an SQLite database; it may be damaged or encrypted")


def arrow_of(relation: Any) -> pa.Table:
    """Return a DuckDB relation as Arrow, every value exact."""
    columns = [
        f"CAST({_quoted(name)} AS VARCHAR) AS {_quoted(name)}"
        if str(kind) in _SPELLED_TYPES
        else _quoted(name)
        for name, kind in zip(relation.columns, relation.types, strict=True)
    ]
    return relation.project(", ".join(columns)).to_arrow_table()


def write_duckdb(table: Table, path: Path, options: WritingOptions) -> None:
    """Write the table into a fresh DuckDB database."""
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.register("released values", table.to_arrow())
        connection.execute(f'CREATE TABLE {_quoted(options.name)} AS SELECT * FROM "released values"')


def write_sqlite(table: Table, path: Path, options: WritingOptions) -> None:
    """Write the table into a fresh SQLite database; what SQLite has no type for is spelled out as text."""
    kinds, columns = [], []
    for column in table:
        kind = _sqlite_kind(column.values.type)
        values = spelled(column.values) if kind == "TEXT" else column.values
        kinds.append(f"{_quoted(column.name)} {kind}")
        columns.append(values.take(pa.array(column.codes)).to_pylist())
    places = ", ".join("?" * len(kinds))
    name = _quoted(options.name)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute(f"CREATE TABLE {name} ({', '.join(kinds)})")
        connection.executemany(f"INSERT INTO {name} VALUES ({places})", zip(*columns, strict=True))


def _read_duckdb(path: Path, options: ReadingOptions) -> pa.Table:
    import duckdb

    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            found = connection.execute(
                "SELECT table_name FROM information_schema.tables ORDER BY 1"
            ).fetchall()
            name = chosen(path, "table", [row[0] for row in found], options.table)
            relation = connection.table(_quoted(name))
            columns = wanted(path, relation.columns, options.columns)
            return arrow_of(relation.project(", ".join(map(_quoted, columns))))
    except duckdb.Error:
        raise InputError(
            f"{path} cannot be read as a DuckDB database; it may be damaged, in use by another process, "
            "or written by a newer DuckDB"
        ) from None


def _read_sqlite(path: Path, options: ReadingOptions) -> pa.Table:
    found = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            name = chosen(
                path, "table", [row[0] for row in connection.execute(f"{found} ORDER BY 1")], options.table
            )
            cursor = connection.execute(f"SELECT * FROM {_quoted(name)} LIMIT 0")
            columns = wanted(path, [entry[0] for entry in cursor.description], options.columns)
            rows = connection.execute(
                f"SELECT {', '.join(map(_quoted, columns))} FROM {_quoted(name)}"
            ).fetchall()
    except sqlite3.Error:
        raise InputError(
            f"{path} cannot be read as an SQLite database; it may be damaged or locked"
        ) from None
    cells = zip(*rows, strict=True) if rows else [()] * len(columns)
    return pa.table({name: column_of(name, values) for name, values in zip(columns, cells, strict=True)})


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _sqlite_kind(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind) or (pa.types.is_integer(kind) and kind != pa.uint64()):
        return "INTEGER"
    return "REAL" if pa.types.is_floating(kind) else "TEXT"
