"""How the file of a ledger is opened: by one writer at a time, for nobody else's eyes; and what is said where it cannot be."""

from __future__ import annotations

import errno
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Any

from kohort.errors import InputError
from kohort.refusals import cause_of, reason, remedy

_NO_LINKS = (
    errno.EPERM,
    errno.ENOTSUP,
    errno.ENOSYS,
)  # of disks that know none: there DuckDB makes it in its place
_NEW = ".new"  # what the name of a file ends in that is being made
PATIENCE = 10.0  # seconds to wait for another program that has the ledger open


@contextmanager
def connected(path: Path, writing: bool) -> Iterator[Any]:
    """Connect with a ledger, once no other program has it open; what the system refuses is told as what it is."""
    import duckdb

    if path.exists() and not path.is_file():  # a pipe would be waited for, a device has no end
        raise InputError(
            f'{path} is no plain file, and no ledger; name another one with [output] ledger = "…"',
            code="ledger.unreadable",
            path=path,
        )
    before: list[Any] | None = None
    try:
        if writing:
            _sweep(path)
            if not path.exists():
                _make_blank(path)
        connection = _patiently(path, writing)
        try:
            before = noted(connection)
            yield connection
        finally:
            with owners_only():
                connection.close()
    except (duckdb.Error, OSError) as problem:
        raise _unusable(path, problem, before, writing) from None


def tables_of(connection: Any) -> set[str]:
    """Return the names of the tables that a ledger has by now."""
    return {row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}


def noted(connection: Any) -> list[Any]:
    """Return what is noted of every release, as it stands in the file."""
    if "releases" not in tables_of(connection):
        return []
    return list(connection.execute("SELECT * FROM releases ORDER BY id").fetchall())


@contextmanager
def owners_only() -> Iterator[None]:
    """Let the file and its logs be nobody else's: DuckDB makes these when it opens, commits and closes."""
    umask = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(umask)


def own_draft(path: Path) -> str:
    """Return what a file beside a ledger is called while it is made: by no other run, and known when its maker is gone."""
    return f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}{_NEW}"


def _make_blank(path: Path) -> None:
    """Make the file of a ledger whole or not at all: where there is no room, DuckDB leaves one of no bytes and reads it no more."""
    import duckdb

    path.parent.mkdir(parents=True, exist_ok=True)
    blank = path.with_name(own_draft(path))
    try:
        with owners_only():
            duckdb.connect(str(blank)).close()
        os.link(blank, path)
    except FileExistsError:
        return  # another run was quicker
    except OSError as problem:
        if problem.errno not in _NO_LINKS:
            raise
    finally:
        blank.unlink(missing_ok=True)


def _sweep(path: Path) -> None:
    """Take away what runs left that were killed while they made a file; of one that is at work nothing."""
    for left in path.parent.glob(f"{escape(path.name)}.*{_NEW}"):
        maker = left.name.removeprefix(f"{path.name}.").partition("-")[0]
        if os.name == "posix" and maker.isdecimal() and not _is_at_work(int(maker)):
            left.unlink(missing_ok=True)


def _is_at_work(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # somebody else's
    return True


def _patiently(path: Path, writing: bool) -> Any:
    """Connect, once no other program has the ledger open."""
    import duckdb

    end = time.monotonic() + PATIENCE
    while True:
        try:
            with owners_only():
                return duckdb.connect(str(path), read_only=not writing)
        except duckdb.IOException as problem:
            if "could not set lock" not in str(problem).lower():
                raise
            if time.monotonic() > end:
                raise InputError(
                    f"{path}: the ledger is in use by another program; try again when that has ended",
                    code="ledger.busy",
                    path=path,
                ) from None
        time.sleep(0.05)


def _unusable(path: Path, problem: Exception, before: list[Any] | None, writing: bool) -> InputError:
    """Return what is so: it is damaged, or the system refused, and then whether what was asked for stands all the same.

    `before` is what was noted in it, None where it was not opened.
    """
    if cause_of(problem) is None:
        return InputError(
            f'{path}: the ledger cannot be read or written; restore it, or name another one with [output] ledger = "…"',
            code="ledger.unreadable",
            path=path,
        )
    if not writing:
        return InputError(
            f"{path}: the ledger cannot be read ({reason(problem)}); {remedy(problem)}, then do the same again",
            code="ledger.refused",
            path=path,
        )
    if before is None or _stands(path) == before:
        return InputError(
            f"{path}: the ledger, its log or its key cannot be written ({reason(problem)}); no release in it was changed: "
            f"{remedy(problem)}, then do the same again",
            code="ledger.refused",
            path=path,
        )
    return InputError(
        f"{path}: the ledger, its log or its key cannot be written ({reason(problem)}), and nobody knows whether what was asked "
        f"for stands in it: {remedy(problem)}, then look at its releases before you do the same again",
        code="ledger.unsure",
        path=path,
    )


def _stands(path: Path) -> list[Any] | None:
    """Return what is noted in a ledger now; None where it cannot be read."""
    import duckdb

    with (
        suppress(duckdb.Error),
        owners_only(),
    ):  # a log of what was not written goes again when it is opened to be written
        if path.with_name(f"{path.name}.wal").exists():
            duckdb.connect(str(path)).close()
    with suppress(duckdb.Error):
        if not path.exists():
            return []
        with duckdb.connect(str(path), read_only=True) as connection:
            return noted(connection)
    return None
