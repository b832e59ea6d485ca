"""SQLite files of others, opened so that nothing in them is run, and no more is read than stands in them.

A file may bring tables and views that are called like SQLite's own (`pragma_table_list`), functions in its indexes and
conditions, and trees of pages that lead to the same rows again and again. So its tables are asked of `PRAGMA` statements, which
no name of the file's can stand for; an authorizer allows to read columns and nothing else, nothing at all for a view's or a
trigger's sake; rows come from the table and never from an index; and the tree of pages is looked at before it is walked.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from kohort.errors import InputError
from kohort.table.formats.apart import MEMORY, MEMORY_PER_BYTE
from kohort.table.formats.naming import chosen, computed, program, quoted
from kohort.table.formats.options import ReadingOptions
from kohort.table.piece_bytes import rows_within

PIECE = 1 << 16  # rows of a piece, at most
_FIRST, _USUAL = 16, 1 << 11  # rows of the first piece, before anything is known of them, and of the next
_LOOKED_AT = 256  # rows of a piece, for how long their texts are
_TEXT, _CELL = 64, 8  # bytes that Python takes for a text, beside its signs, and for a cell
# Of columns: plain ones, and those generated when a row is stored rather than when it is read.
_HOLDS_CELLS = (0, 3)
_SETTINGS = (
    "PRAGMA trusted_schema = OFF",  # no function in a schema may do harm
    "PRAGMA query_only = ON",
    "PRAGMA cell_size_check = ON",
    "PRAGMA ignore_check_constraints = ON",  # a look at the tree of pages computes no condition
)
_PRAGMAS = frozenset({"table_list", "table_xinfo", "quick_check", "freelist_count"})
_FUNCTIONS = frozenset({"typeof", "min", "max"})
_STEPS, _STEPS_PER_BYTE = 1_000_000, 10  # of SQLite's machine, to learn which tables there are
_EVERY = 10_000  # steps that are counted together


@contextmanager
def open_sqlite(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that cannot write; what SQLite complains of is an error of the file."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            for setting in _SETTINGS:
                connection.execute(setting)
            connection.set_authorizer(_allowed)
            connection.set_progress_handler(_ending(_STEPS + _STEPS_PER_BYTE * path.stat().st_size), _EVERY)
            connection.execute("PRAGMA table_list").fetchall()  # its list of tables is read now, and kept
            connection.set_progress_handler(None, _EVERY)
            yield connection
    except (sqlite3.Error, UnicodeError):  # names that are no text, too
        raise _damaged(path) from None


def sqlite_table(
    connection: sqlite3.Connection, path: Path, options: ReadingOptions
) -> tuple[str, dict[str, str]]:
    """Return the name of the table to read, and how each of its columns was declared."""
    kinds = _kinds(connection)
    if kinds.get(options.table or "", "table") != "table":
        raise program(path, options.table)
    name = chosen(
        path, "table", sorted(name for name, kind in kinds.items() if kind == "table"), options.table
    )
    facts = connection.execute(f"PRAGMA main.table_xinfo({quoted(name)})").fetchall()
    if any(row[6] not in _HOLDS_CELLS for row in facts):
        raise computed(path, name)
    return name, {row[1]: row[2].upper() for row in facts}


def check_tree(connection: sqlite3.Connection, path: Path, table: str) -> None:
    """Refuse a table whose pages are damaged, or lead to one of them twice; the first answer tells it."""
    if table.isdecimal():  # which SQLite takes for a number of errors, and then looks at all tables
        for name, kind in _kinds(connection).items():
            facts = connection.execute(f"PRAGMA main.table_xinfo({quoted(name)})").fetchall()
            if kind != "view" and any(row[6] not in _HOLDS_CELLS for row in facts):
                raise computed(path, name)
    connection.text_factory = (
        _heard  # it is given the first answer before the next is looked for, which may have no end
    )
    connection.execute(f"PRAGMA main.quick_check({quoted(table)})").fetchone()
    connection.text_factory = str


def rows_of(
    connection: sqlite3.Connection, path: Path, table: str, columns: Sequence[str], most: int = PIECE
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of a table in pieces of so many at most; how long those before were tells how many come at a time."""
    cursor = connection.execute(f"SELECT {', '.join(map(quoted, columns))} {of_table(table)}")
    left = (
        MEMORY + MEMORY_PER_BYTE * path.stat().st_size
    )  # a value that stands for rows without one is read for each of them
    number = min(_FIRST, most)
    while rows := cursor.fetchmany(number):
        some = rows[:: max(len(rows) // _LOOKED_AT, 1)]
        sizes = [len(cell) for row in some for cell in row if isinstance(cell, str | bytes)]
        left -= len(rows) * (_CELL * len(columns) + (sum(sizes) + _TEXT * len(sizes)) // len(some))
        if left < 0:
            raise InputError(
                f"{path} cannot be read: it is damaged, or holds far more than its {path.stat().st_size:,} bytes promise; "
                "store its rows as a new table, or export it as csv",
                code="table.damaged",
                path=path,
            )
        yield rows
        number = min(rows_within(most, sum(sizes) / len(some)), max(4 * number, _USUAL))


def of_table(name: str) -> str:
    """Return the SQL that reads a table itself: its author's indexes may say otherwise."""
    return f"FROM main.{quoted(name)} NOT INDEXED"


def _kinds(connection: sqlite3.Connection) -> dict[str, str]:
    """Return whether each name in the file is a table, a view or a virtual table."""
    listed = connection.execute("PRAGMA table_list").fetchall()
    return {row[1]: row[2] for row in listed if row[0] == "main" and not row[1].startswith("sqlite_")}


def _heard(answer: bytes) -> str:
    """Return an answer of a look at a table, or raise if it is about pages; others are about values."""
    if answer.startswith(b"***"):
        raise sqlite3.DatabaseError("the tree of pages is damaged")
    return answer.decode()


def _allowed(action: int, one: str | None, two: str | None, _: str | None, by: str | None) -> int:
    """Allow to read columns and to ask which there are, to us and not to a view or trigger."""
    if by is None and (
        action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
        or (action == sqlite3.SQLITE_PRAGMA and one in _PRAGMAS)
        or (action == sqlite3.SQLITE_FUNCTION and two in _FUNCTIONS)
    ):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _ending(steps: int) -> Callable[[], bool]:
    """Return what says, asked every so many steps, whether there were too many."""
    left = iter(range(steps // _EVERY))
    return lambda: next(left, None) is None


def _damaged(path: Path) -> InputError:
    return InputError(
        f"{path} cannot be read as an SQLite database; it may be damaged or locked",
        code="table.damaged",
        path=path,
    )
