"""DuckDB files of others, opened so that nothing in them is run: asked of DuckDB's own catalog, read by their full names.

A file may bring macros and views that are called like what DuckDB has itself (`duckdb_tables`, `count`). So the file is
attached beside an empty database in memory, which stays the place where names are looked up: nothing of the file's is found
there, and what is read of it is named from the database on. Its tables are asked of functions that are named in DuckDB's own
catalog, and no other function is called.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kohort.errors import InputError
from kohort.table.formats.naming import chosen, computed, program, quoted
from kohort.table.formats.options import ReadingOptions

FILE = "the file"  # what it is called beside the empty database
# Functions that fetch code, and variables of Python that are called like a table, are nobody's to name.
_ALONE = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
}
# What was changed and is not in the file yet: it is done again where the file is opened, with the functions of whoever wrote it.
_LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")
# Not every release of DuckDB flags generated columns, but the statement that it tells of a table has these words.
_GENERATED = re.compile(r"\bGENERATED\s+ALWAYS\s+AS\b", re.IGNORECASE)
_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*\"""")
_FLAG = "ALWAYS"


@contextmanager
def open_duckdb(path: Path, **settings: str) -> Iterator[Any]:
    """Yield a connection that cannot write, with the file as `FILE`; what DuckDB complains of is an error of the file."""
    import duckdb

    _refuse_logs(path)
    try:
        with duckdb.connect(":memory:", config=_ALONE | settings) as connection:
            place = str(path.absolute()).replace("'", "''")
            connection.execute(f"ATTACH '{place}' AS {quoted(FILE)} (TYPE duckdb, READ_ONLY)")
            connection.execute("SET enable_external_access = false")  # for good
            connection.execute("SET lock_configuration = true")
            yield connection
    except (duckdb.Error, UnicodeError):
        raise InputError(
            f"{path} cannot be read as a DuckDB database; it may be damaged, open elsewhere for writing, "
            "or written by a newer DuckDB",
            code="table.damaged",
            path=path,
        ) from None


def held(connection: Any, listed: str, columns: str = "*", condition: str = "TRUE") -> list[Any]:
    """Return what one of DuckDB's lists (`tables`, `views`) tells of the file; the condition calls no function."""
    query = f"SELECT {columns} FROM system.main.duckdb_{listed}() WHERE database_name = ? AND ({condition})"
    return list(connection.execute(query, [FILE]).fetchall())


def duckdb_table(connection: Any, path: Path, options: ReadingOptions) -> Any:
    """Return the table to read, as a relation; one of another schema than the usual is called schema.table."""
    stored = held(connection, "tables", "schema_name, table_name")
    called = _called([*stored, *held(connection, "views", "schema_name, view_name")])
    tables = dict(zip(called, stored, strict=False))  # the tables come first
    if options.table in called and options.table not in tables:
        raise program(path, options.table)
    asked = chosen(path, "table", sorted(tables), options.table)
    schema, name = tables[asked]
    if _is_generated(connection, schema, name):
        raise computed(path, asked)
    return connection.sql(f"SELECT * FROM {'.'.join(map(quoted, (FILE, schema, name)))}")


def _called(names: Sequence[tuple[str, str]]) -> list[str]:
    """Return what tables are called, given their schemas and names; in quotes all of them where two were called the same."""
    plain = [name if schema == "main" else f"{schema}.{name}" for schema, name in names]
    return plain if len(set(plain)) == len(plain) else [".".join(map(quoted, both)) for both in names]


def _is_generated(connection: Any, schema: str, name: str) -> bool:
    """Say whether DuckDB computes a column of a table at each reading; the catalog is asked, and nothing is computed."""
    where = [FILE, schema, name]
    flagged = connection.execute(
        "SELECT column_name FROM system.information_schema.columns WHERE table_catalog = ? AND table_schema = ? "
        "AND table_name = ? AND is_generated = ?",
        [*where, _FLAG],
    ).fetchall()
    told = connection.execute(
        "SELECT sql FROM system.main.duckdb_tables() WHERE database_name = ? AND schema_name = ? AND table_name = ?",
        where,
    ).fetchall()
    return bool(flagged) or any(_GENERATED.search(_QUOTED.sub("''", sql)) for (sql,) in told)


def _refuse_logs(path: Path) -> None:
    """Refuse a file beside which changes wait."""
    for place in {str(path.absolute()), os.path.realpath(path)}:
        beside = [f"{place}{end}" for end in _LOGS]
        beside += [place.replace("?", f"{end}?", 1) for end in _LOGS if "?" in place]  # as DuckDB has it
        for log in map(Path, beside):
            if log.is_file() and log.stat().st_size:
                raise InputError(
                    f"{path}: changes wait in {log.name!r} beside it, and to read them DuckDB runs what their author wrote; "
                    "close the program that has the database open, or open it in DuckDB once and close it, so that they "
                    "come into the file",
                    code="table.unreadable",
                    path=path,
                )
