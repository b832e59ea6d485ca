"""`Scratch`: room on disk for tables that do not fit in memory, and a DuckDB connection that spills there."""

from __future__ import annotations

import os
import secrets
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa

from kohort.errors import InputError
from kohort.folders.claims import BusyError, Claim, abandoned, claim
from kohort.refusals import reason
from kohort.table.budget import spelled_bytes
from kohort.table.formats.database_stream import arrow_reader

ROWS = 1 << 17  # in a piece that DuckDB hands over
GROUP, SHARE = (
    64_000_000,
    12,
)  # bytes of a row group that DuckDB makes, at most, and at most of its memory: each thread makes some
PREFIX = "kohort-scratch-"
_TRIES = 20  # to hold a new folder before somebody else does


class Scratch:
    """A folder that only the owner can enter, gone when this is closed or the program ends.

    It lies where the system puts temporary files (`TMPDIR`); what a killed program left there is removed first.
    DuckDB holds at most `memory` ("2GB"; by default half of the machine's) and writes the rest to the folder.
    Extensions are never loaded.
    """

    def __init__(self, memory: str | None = None) -> None:
        import duckdb

        sweep()
        claimed = claimed_folder()
        self._folder = claimed.folder
        settings = {
            "temp_directory": str(self.path("spill")),
            "preserve_insertion_order": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
        try:
            self._connection = duckdb.connect(":memory:", config=settings)
            self._end = weakref.finalize(self, _clear, self._connection, claimed)
            self._draws = False
            self._memory = (memory or "50%").replace("'", "")
            self._connection.execute(f"SET memory_limit = '{self._memory}'")
        except duckdb.Error:
            self.close()
            raise InputError(
                f"memory {memory!r}: write it as 500MB or 4GB",
                code="engine.memory",
                option="memory",
                value=memory,
            ) from None

    @property
    def folder(self) -> Path:
        """The folder."""
        return self._folder

    def path(self, name: str) -> Path:
        """Return where a file of that name lies."""
        return self._folder / name

    def run(self, statement: str) -> None:
        """Carry out a statement that returns nothing."""
        with _told_plainly():
            self._connection.execute(statement)

    def table(self, query: str) -> pa.Table:
        """Return the result of a query."""
        with _told_plainly():
            return self._connection.sql(query).to_arrow_table()

    def number(self, query: str) -> int:
        """Return the one whole number that a query asks for."""
        return int(self.table(query).column(0)[0].as_py())

    def pieces(self, query: str, rows: int | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the result of a query piece by piece, as it is made."""
        with _told_plainly():
            yield from arrow_reader(self._connection.sql(query), rows or ROWS)

    def write(self, query: str, path: Path) -> None:
        """Write the result of a query as Parquet, in any order; row groups are no larger than memory allows.

        Each thread makes a row group, and DuckDB takes several times what is in it. Where that is too much, as it is with
        long texts, one thread makes small ones.
        """
        import duckdb

        copied = f"COPY ({query}) TO {literal(path)} (FORMAT parquet, COMPRESSION lz4, ROW_GROUP_SIZE_BYTES "
        with _told_plainly():
            try:
                self._connection.execute(f"{copied}{min(GROUP, self.memory // SHARE)})")
            except duckdb.OutOfMemoryException:
                with self.alone():
                    self._connection.execute(f"{copied}{self.memory // (4 * SHARE)})")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let one thread do what several have no room for."""
        self.run("SET threads = 1")
        try:
            yield
        finally:
            self.run("RESET threads")

    @cached_property
    def memory(self) -> int:
        """How many bytes DuckDB may hold."""
        told = self._connection.execute("SELECT current_setting('memory_limit')").fetchone()
        return spelled_bytes(told[0]) if told else 0

    @cached_property
    def threads(self) -> int:
        """How many threads DuckDB works with."""
        return self.number("SELECT current_setting('threads')")

    def keep(self, name: str, table: pa.Table) -> None:
        """Make an Arrow table a table of the connection."""
        self._connection.register("handed over", table)
        self.run(f'CREATE OR REPLACE TABLE {name} AS SELECT * FROM "handed over"')
        self._connection.unregister("handed over")

    def drawn(self, column: str) -> str:
        """Return the SQL of a number for each row that the operating system draws, whatever the whole numbers of a column are."""
        if not self._draws:
            self._connection.create_function(
                "drawn", _drawn, ["BIGINT"], "UBIGINT", type="arrow", side_effects=True
            )
            self._draws = True
        return f"drawn({column})"

    @contextmanager
    def doubting(self) -> Iterator[None]:
        """Believe no statistics of the files that are read: DuckDB counts in as few bits as these promise, and a lie breaks it."""
        self.run("SET disabled_optimizers = 'statistics_propagation'")
        try:
            yield
        finally:
            self.run("RESET disabled_optimizers")

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Give back what DuckDB holds beside the folder, as far as it can, for others to take meanwhile."""
        self._allow("64MB")
        try:
            yield
        finally:
            self._allow(self._memory)

    def _allow(self, memory: str) -> None:
        import duckdb

        with suppress(duckdb.Error):  # what is in use stays
            self._connection.execute(f"SET memory_limit = '{memory}'")

    def close(self) -> None:
        """Close the connection and remove the folder."""
        self._end()

    def __enter__(self) -> Scratch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _drawn(rows: pa.ChunkedArray) -> pa.Array:
    return pa.Array.from_buffers(pa.uint64(), len(rows), [None, pa.py_buffer(os.urandom(8 * len(rows)))])


def literal(path: Path) -> str:
    """Return a path as SQL writes it."""
    return "'" + str(path).replace("'", "''") + "'"


def sweep() -> None:
    """Remove the scratch folders of programs that were killed; of others, living or not Kohort's, none."""
    place = Path(tempfile.gettempdir())
    for name in os.listdir(place):
        held = abandoned(place / name) if name.startswith(PREFIX) else None
        if held is not None:
            _remove(held)


def claimed_folder() -> Claim:
    """Return a fresh scratch folder of this process; where somebody is quicker to take one, another."""
    try:
        for _ in range(_TRIES):
            with suppress(BusyError, FileExistsError):
                return claim(Path(tempfile.gettempdir(), f"{PREFIX}{secrets.token_hex(8)}"))
        why = "other programs take every folder"
    except OSError as problem:
        why = reason(problem)
    raise _no_room(why)


@contextmanager
def in_scratch() -> Iterator[None]:
    """Tell what the system refuses to write in a scratch folder as that, whatever else is written meanwhile."""
    try:
        yield
    except OSError as problem:
        raise _no_room(reason(problem)) from None


def _no_room(why: str = "") -> InputError:
    told = f" ({why})" if why else ""
    return InputError(
        f"temporary files cannot be written in {tempfile.gettempdir()}{told}; set TMPDIR to a disk with more room",
        code="engine.no-room",
    )


def _remove(held: Claim) -> None:
    with suppress(OSError):
        held.clear()
    held.close()


def _clear(connection: Any, held: Claim) -> None:
    connection.close()
    _remove(held)


@contextmanager
def _told_plainly() -> Iterator[None]:
    """Turn what only the caller can mend into an error that says how."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException:
        raise InputError(
            "the duckdb engine ran out of memory or of room for temporary files; allow it more memory, or set "
            "TMPDIR to a disk with more room",
            code="engine.out-of-memory",
        ) from None
    except duckdb.IOException:
        raise _no_room() from None
