"""Tables of DuckDB and SQLite files."""

from __future__ import annotations

import errno
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from kohort.errors import InputError
from kohort.refusals import cause_of
from kohort.table.formats.cells import column_of
from kohort.table.formats.naming import chosen, wanted
from kohort.table.formats.options import ReadingOptions, WritingOptions
from kohort.table.table import Column, Table
from kohort.table.texts import spelled

_SQLITE_MAGIC = b"SQLite format 3\0"
_DUCKDB_MAGIC = b"DUCK"  # from the ninth byte on
# Types whose Arrow form loses digits or the zone: DuckDB spells them out instead.
_SPELLED_TYPES = ("UHUGEINT", "BIGNUM", "VARINT", "TIME WITH TIME ZONE")
# Of SQLite's columns: plain ones, and those generated when a row is stored rather than when it is read.
_HOLDS_CELLS = (0, 3)
# Of DuckDB's: not every release flags them in its catalog, but the statement that it tells of a table has these words.
_FLAG = "ALWAYS"
_GENERATED = re.compile(r"\bGENERATED\s+ALWAYS\s+AS\b", re.IGNORECASE)
_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*\"""")
BOOLEANS = ("BOOL", "BOOLEAN")  # what a column may be declared as in SQLite that holds 0 and 1
UNWRITTEN = "the database could not be written to the end"

# A database file may hold views and functions that read other files or fetch code: nothing beyond it is opened.
_CLOSED = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "lock_configuration": "true",
}


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
        relation = connection.table(duckdb_table(connection, path, options))
        columns = wanted(path, relation.columns, options.columns)
        return in_utc(arrow_of(relation.project(", ".join(map(quoted, columns)))))


@contextmanager
def open_duckdb(path: Path, **settings: str) -> Iterator[Any]:
    """Yield a connection that cannot write; what DuckDB complains of is an error of the file."""
    import duckdb

    try:
        with duckdb.connect(str(path), read_only=True, config=_CLOSED | settings) as connection:
            yield connection
    except (duckdb.Error, UnicodeError):
        raise InputError(
            f"{path} cannot be read as a DuckDB database; it may be damaged, open elsewhere for writing, "
            "or written by a newer DuckDB",
            code="table.damaged",
            path=path,
        ) from None


def duckdb_table(connection: Any, path: Path, options: ReadingOptions) -> str:
    """Return the table to read as SQL names it; one of another schema than the usual is called schema.table."""
    held = connection.execute(
        "SELECT CASE table_schema WHEN 'main' THEN '' ELSE table_schema || '.' END || table_name, table_type, table_schema, "
        "table_name FROM information_schema.tables ORDER BY 1"
    ).fetchall()
    tables = {called: (schema, name) for called, kind, schema, name in held if kind == "BASE TABLE"}
    asked = _stored(path, list(tables), [called for called, *_ in held], options)
    _refuse_generated(connection, path, asked, *tables[asked])
    return ".".join(map(quoted, tables[asked]))


def _refuse_generated(connection: Any, path: Path, called: str, schema: str, name: str) -> None:
    """Refuse a table of which DuckDB computes a column at each reading; the catalog is asked, and nothing is computed."""
    ((flagged,),) = connection.execute(
        "SELECT count(*) FROM information_schema.columns WHERE table_schema = ? AND table_name = ? AND is_generated = ?",
        [schema, name, _FLAG],
    ).fetchall()
    statements = connection.execute(
        "SELECT sql FROM duckdb_tables() WHERE schema_name = ? AND table_name = ?", [schema, name]
    ).fetchall()
    if flagged or any(_GENERATED.search(_QUOTED.sub("''", sql)) for (sql,) in statements):
        raise _computed(path, called)


def _computed(path: Path, table: str) -> InputError:
    return InputError(
        f"{path}: a column of {table!r} is generated whenever it is read, which runs what its author wrote; store its "
        "rows as a table (CREATE TABLE … AS SELECT …) and name that",
        code="table.view",
        path=path,
    )


def _stored(path: Path, tables: Sequence[str], everything: Sequence[str], options: ReadingOptions) -> str:
    """Return the table to read, one that holds its rows; a view is a program, and none is run for a stranger."""
    if options.table in everything and options.table not in tables:
        raise InputError(
            f"{path}: {options.table!r} is a view or a virtual table, which runs what its author wrote; store its rows "
            "as a table (CREATE TABLE … AS SELECT …) and name that",
            code="table.view",
            path=path,
        )
    return chosen(path, "table", tables, options.table)


@contextmanager
def open_sqlite(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that cannot write; what SQLite complains of is an error of the file."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")  # no function in a schema may do harm
            connection.execute("PRAGMA cell_size_check = ON")
            yield connection
    except (sqlite3.Error, UnicodeError):  # names that are no text, too
        raise InputError(
            f"{path} cannot be read as an SQLite database; it may be damaged or locked",
            code="table.damaged",
            path=path,
        ) from None


def sqlite_table(
    connection: sqlite3.Connection, path: Path, options: ReadingOptions
) -> tuple[str, dict[str, str]]:
    """Return the name of the table to read, and how each of its columns was declared."""
    held = connection.execute(
        "SELECT name, type = 'table' FROM pragma_table_list WHERE schema = 'main' "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1"
    ).fetchall()
    name = _stored(path, [name for name, stored in held if stored], [name for name, _ in held], options)
    facts = connection.execute(f"PRAGMA table_xinfo({quoted(name)})").fetchall()
    if any(row[6] not in _HOLDS_CELLS for row in facts):
        raise _computed(path, name)
    return name, {row[1]: row[2].upper() for row in facts}


def _read_sqlite(path: Path, options: ReadingOptions) -> pa.Table:
    with open_sqlite(path) as connection:
        name, declared = sqlite_table(connection, path, options)
        columns = wanted(path, list(declared), options.columns)
        rows = connection.execute(f"SELECT {', '.join(map(quoted, columns))} FROM {quoted(name)}").fetchall()
    cells = zip(*rows, strict=True) if rows else [()] * len(columns)
    return pa.table(
        {
            column: column_of(column, as_declared(told, declared[column]), options)
            for column, told in zip(columns, cells, strict=True)
        }
    )


def quoted(name: str) -> str:
    """Return the name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


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
