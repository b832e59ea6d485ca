"""Tables of DuckDB and SQLite files."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa

from kohort.errors import InputError
from kohort.refusals import cause_of
from kohort.table.formats.cells import column_of
from kohort.table.formats.duckdb_file import duckdb_table, open_duckdb
from kohort.table.formats.naming import quoted, wanted
from kohort.table.formats.options import ReadingOptions, WritingOptions
from kohort.table.formats.sqlite_file import check_tree, open_sqlite, rows_of, sqlite_table
from kohort.table.table import Column, Table
from kohort.table.texts import spelled

_SQLITE_MAGIC = b"SQLite format 3\0"
_DUCKDB_MAGIC = b"DUCK"  # from the ninth byte on
# Types whose Arrow form loses digits or the zone: DuckDB spells them out instead.
_SPELLED_TYPES = ("UHUGEINT", "BIGNUM", "VARINT", "TIME WITH TIME ZONE")
BOOLEANS = ("BOOL", "BOOLEAN")  # what a column may be declared as in SQLite that holds 0 and 1
UNWRITTEN = "the database could not be written to the end"


def read_database(path: Path, options: ReadingOptions) -> pa.Table:
    """Return one table of a database file; its first bytes say which kind of database it is."""
    return _read_sqlite(path, options) if is_sqlite(path) else _read_duckdb(path, options)


def is_sqlite(path: Path) -> bool:
    """Say whether this is an SQLite database, False for one of DuckDB."""
    with path.open("rb") as file:
        head = file.read(16)
    if head == _SQLITE_MAGIC:
        return True
    if head[8:12] == _DUCKDB_MAGIC:
        return False
    raise InputError(
        f"{path} is neither a DuckDB nor an SQLite database; it may be damaged or encrypted",
        code="table.damaged",
        path=path,
    )


def arrow_of(relation: Any) -> pa.Table:
    """Return a DuckDB relation as Arrow, every value exact."""
    return exact(relation).to_arrow_table()


def exact(relation: Any) -> Any:
    """Return the relation with what Arrow would hold inexactly spelled out."""
    columns = [
        f"CAST({quoted(name)} AS VARCHAR) AS {quoted(name)}" if str(kind) in _SPELLED_TYPES else quoted(name)
        for name, kind in zip(relation.columns, relation.types, strict=True)
    ]
    return relation.project(", ".join(columns))


def write_duckdb(table: Table, path: Path, options: WritingOptions) -> None:
    """Write the table into a fresh DuckDB database; time stamps of a zone other than UTC are spelled out."""
    import duckdb

    _check_names(path, table.names)
    try:
        with duckdb.connect(str(path)) as connection:
            connection.register("released values", pa.table({c.name: _with_zone_spelled(c) for c in table}))
            connection.execute(f'CREATE TABLE {quoted(options.name)} AS SELECT * FROM "released values"')
            connection.execute("CHECKPOINT")  # closing does it too, and says nothing where there is no room
    except (duckdb.OperationalError, duckdb.FatalException) as problem:
        raise _unwritten(problem) from None


def write_sqlite(table: Table, path: Path, options: WritingOptions) -> None:
    """Write the table into a fresh SQLite database; what SQLite has no type for is spelled out as text."""
    _check_names(path, table.names)
    kinds, columns = [], []
    for column in table:
        kind = _sqlite_kind(column.values.type)
        values = spelled(column.values) if kind == "TEXT" else column.values
        kinds.append(f"{quoted(column.name)} {kind}")
        columns.append(values.take(pa.array(column.codes)).to_pylist())
    places = ", ".join("?" * len(kinds))
    name = quoted(options.name)
    try:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("PRAGMA journal_mode = MEMORY")
            connection.execute(f"CREATE TABLE {name} ({', '.join(kinds)})")
            connection.executemany(f"INSERT INTO {name} VALUES ({places})", zip(*columns, strict=True))
    except sqlite3.OperationalError as problem:
        raise _unwritten(problem) from None


def _unwritten(problem: Exception) -> OSError:
    """Return why a database could not be written: for the system's reason, where it is known."""
    full = getattr(problem, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return OSError(errno.ENOSPC if full else cause_of(problem) or errno.EIO, UNWRITTEN)


def _check_names(path: Path, names: Sequence[str]) -> None:
    """Refuse names that a database cannot tell apart, because only capitals differ."""
    folded = [name.casefold() for name in names]
    doubled = [name for name in names if folded.count(name.casefold()) > 1]
    if doubled:
        raise InputError(
            f"{path.name}: columns named {', '.join(map(repr, doubled))} differ in capitals only, which a database does "
            "not tell apart; rename one of them, or write CSV or Parquet",
            code="table.beyond-format",
            path=path,
            columns=doubled,
        )


def _read_duckdb(path: Path, options: ReadingOptions) -> pa.Table:
    with open_duckdb(path) as connection:
        relation = duckdb_table(connection, path, options)
        columns = wanted(path, relation.columns, options.columns)
        return in_utc(arrow_of(relation.project(", ".join(map(quoted, columns)))))


def _read_sqlite(path: Path, options: ReadingOptions) -> pa.Table:
    with open_sqlite(path) as connection:
        name, declared = sqlite_table(connection, path, options)
        columns = wanted(path, list(declared), options.columns)
        check_tree(connection, path, name)
        cells: list[list[Any]] = [[] for _ in columns]
        for rows in rows_of(connection, path, name, columns):
            for column, told in zip(cells, zip(*rows, strict=True), strict=True):
                column.extend(told)
    return pa.table(
        {
            column: column_of(column, as_declared(told, declared[column]), options)
            for column, told in zip(columns, cells, strict=True)
        }
    )


def as_declared(cells: Sequence[Any], declared: str) -> Sequence[Any]:
    """Return each 0 and 1 as false and true where the column was declared so: SQLite stores no booleans."""
    if declared not in BOOLEANS:
        return cells
    return [cell == 1 if type(cell) is int and cell in (0, 1) else cell for cell in cells]


def in_utc(table: pa.Table) -> pa.Table:
    """Tell instants in UTC: DuckDB tells them in the zone of whoever reads, so texts would depend on the reader."""
    fields = [
        field.with_type(pa.timestamp(field.type.unit, "UTC"))
        if pa.types.is_timestamp(field.type) and field.type.tz
        else field
        for field in table.schema
    ]
    return table.cast(pa.schema(fields))


def _with_zone_spelled(column: Column) -> pa.Array:
    """DuckDB keeps the instant but not the zone, so 01:00+01:00 would come back as another text."""
    zoned = pa.types.is_timestamp(column.values.type) and column.values.type.tz not in (
        None,
        "UTC",
        "Etc/UTC",
    )
    return (spelled(column.values) if zoned else column.values).take(pa.array(column.codes))


def _sqlite_kind(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "BOOLEAN"
    if pa.types.is_integer(kind) and kind != pa.uint64():
        return "INTEGER"
    return "REAL" if pa.types.is_floating(kind) else "TEXT"
