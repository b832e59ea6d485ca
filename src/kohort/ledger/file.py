"""`Book`: the DuckDB file of a ledger, sealed with its key: what was damaged, edited or put back is not believed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.ledger.connection import connected, owners_only, tables_of
from kohort.ledger.hashed_columns import CONTENTS, LINES, MEMBERS, PLACES, SPELLINGS
from kohort.ledger.held import Held, quasi_before
from kohort.ledger.keys import check_value, key_path, load_key, new_key, note_states, seal, settle_key

VERSION = 6
# 5 without `places` and `spellings`, so that it is not known which row tells which line, nor how values were written; 4 without
# `earlier` too, 3 without forms too, so that its releases cannot be compared, 2 without `lines` and drafts too
BEFORE = (2, 3, 4, 5)
_SCHEMA = """
CREATE TABLE ledger (version INTEGER, key_check VARCHAR, seal VARCHAR);
CREATE TABLE releases (id INTEGER PRIMARY KEY, made TIMESTAMP, directory VARCHAR, plan VARCHAR, promises VARCHAR,
    people BIGINT, rows BIGINT, classes BIGINT, k INTEGER, least VARCHAR, respondent BIGINT, withdrawn BOOLEAN,
    forgotten BOOLEAN, digest VARCHAR, shared TIMESTAMP, files VARCHAR, forms VARCHAR);
CREATE TABLE members (release INTEGER, person BIGINT, row BIGINT, class BIGINT);
CREATE TABLE contents (release INTEGER, class BIGINT, attribute BIGINT, value BIGINT);
"""
_LINES = "CREATE TABLE lines (release INTEGER, class BIGINT, line BIGINT, attribute BIGINT, value BIGINT);"
_EARLIER = "CREATE TABLE earlier (seal VARCHAR);"  # of every state before, so that a newer copy is told from an older one
_PLACES = "CREATE TABLE places (release INTEGER, line BIGINT);"  # of each row of the members, in their order
_SPELLINGS = "CREATE TABLE spellings (release INTEGER, value BIGINT, plain BIGINT, several BIGINT);"
_TABLES = {"members": MEMBERS, "contents": CONTENTS, "lines": LINES, "places": PLACES, "spellings": SPELLINGS}
_ADDED = ("lines", "places", "spellings")  # of a version before there are none


class Book:
    """An open ledger whose key and seal were found right; `state` is the seal under which it was found, "" of a new one."""

    def __init__(self, path: Path, connection: Any, key: bytes, state: str = "") -> None:
        self._path, self._connection, self.key, self._state = path, connection, key, state

    def releases(self) -> list[dict[str, Any]]:
        """Return what is noted of every release, the earliest first; `shared` is None of drafts."""
        return [_told(line) | {"promises": json.loads(line["promises"])} for line in self._lines()]

    def next_number(self) -> int:
        """Return the number of the next release."""
        return max((line["id"] for line in self._lines()), default=0) + 1

    def held(self, number: int) -> Held:
        """Return a release as it is compared; refuse one whose people or values are not those that were recorded."""
        line = next(line for line in self._lines() if line["id"] == number)
        parts = {table: self._part(table, number) for table in _TABLES}
        if _digest(self.key, parts) != line["digest"]:
            raise _changed(self._path, f"the people or values of release {number}")
        least = {int(attribute): count for attribute, count in json.loads(line["least"]).items()}
        forms, marks, quasi, names = _forms(line["forms"])
        rows, contents, lines = parts["members"], parts["contents"], parts["lines"]
        if quasi is None:
            quasi = quasi_before(forms, contents, lines)
            return Held(number, line["k"], least, rows, contents, lines, forms, marks, quasi)
        places, spellings = parts["places"]["line"], None if names is None else parts["spellings"]
        return Held(
            number,
            line["k"],
            least,
            rows,
            contents,
            lines,
            forms,
            marks,
            quasi,
            places,
            spellings,
            names or {},
        )

    def add(self, line: Mapping[str, Any], held: Held) -> None:
        """Add a release."""
        number = line["id"]
        places = np.zeros(0, np.int64) if held.places is None else held.places
        parts = {
            "members": held.members,
            "contents": held.contents,
            "lines": held.lines,
            "places": {"line": places},
            "spellings": held.spellings or _none("spellings"),
        }
        for table, part in parts.items():
            self._connection.register("handed over", pa.table(dict(part)))
            columns = ", ".join(_TABLES[table])
            self._run(f'INSERT INTO {table} SELECT ?, {columns} FROM "handed over"', [number])
        whole = dict(line) | {
            "k": held.k,
            "least": json.dumps(dict(held.least)),
            "forms": _noted(held),
            "digest": _digest(self.key, parts),
        }
        marks = ", ".join("?" * len(whole))
        self._run(f"INSERT INTO releases ({', '.join(whole)}) VALUES ({marks})", list(whole.values()))

    def erase(self, number: int) -> None:
        """Take people and values of a release out."""
        for table in _TABLES:
            self._run(f"DELETE FROM {table} WHERE release = ?", [number])
        nobody = {table: _none(table) for table in _TABLES}
        self._run("UPDATE releases SET digest = ? WHERE id = ?", [_digest(self.key, nobody), number])

    def remove(self, number: int) -> None:
        """Take a release out altogether."""
        self.erase(number)
        self._run("DELETE FROM releases WHERE id = ?", [number])

    def mark(self, number: int, **states: bool | datetime) -> None:
        """Set states of a release."""
        for name, state in states.items():
            self._run(f"UPDATE releases SET {name} = ? WHERE id = ?", [state, number])

    def bring_up(self) -> None:
        """Make what a ledger of a version before has not; its releases stay as they were recorded.

        The first knew no drafts: whatever it holds may have been shared, and counts.
        """
        made_since = {"lines": _LINES, "places": _PLACES, "spellings": _SPELLINGS, "earlier": _EARLIER}
        for table, made in made_since.items():
            if table not in tables_of(self._connection):
                self._run(made)
        if "shared" not in self._columns():
            for column in ("shared TIMESTAMP", "files VARCHAR"):
                self._run(f"ALTER TABLE releases ADD COLUMN {column}")
            self._run("UPDATE releases SET shared = made")
        if "forms" not in self._columns():
            self._run("ALTER TABLE releases ADD COLUMN forms VARCHAR")
        self._run("UPDATE ledger SET version = ?", [VERSION])

    def _columns(self) -> set[str]:
        asked = "SELECT column_name FROM duckdb_columns() WHERE table_name = 'releases'"
        return {row[0] for row in self._run(asked).fetchall()}

    def sealed(self) -> str:
        """Return the seal over what is noted of all releases, and over the seals before, from when these are kept."""
        told: Any = self._lines()
        if "earlier" in tables_of(self._connection):
            told = {"releases": told, "earlier": self._earlier()}
        content = json.dumps(told, sort_keys=True, default=str)
        return seal(self.key, content.encode("utf-8", "surrogatepass"))

    def close_seal(self) -> str:
        """Put the seal on what was changed, and return it."""
        if self._state:
            self._run("INSERT INTO earlier VALUES (?)", [self._state])
        told = self.sealed()
        self._run("UPDATE ledger SET seal = ?", [told])
        return told

    def note_next(self, state: str) -> None:
        """Note that the ledger may be found as it was, or in the state that is about to be written."""
        note_states(self._path, self.key, self._state, state)

    def demand_newest(self, states: tuple[str, ...]) -> None:
        """Refuse a ledger that none of the noted states led to: what was recorded since would not be compared.

        One that went on from a noted state is newer than the note. Without a note, as before there were any, it is believed.
        """
        if states and not {self._state, *self._earlier()}.intersection(states):
            raise InputError(
                f"{self._path}: an older copy of the ledger was put back, or one that was gone on with elsewhere: releases that "
                f"were recorded since are not in it and would not be compared. Put back the newest copy (and {self._path.name}.wal "
                'with it, if it is there). Where that is lost, name another ledger with [output] ledger = "…", knowing that no '
                "earlier release will be compared",
                code="ledger.older",
                path=self._path,
            )
        if states != (self._state,):
            with suppress(OSError):  # such as on a disk that may only be read; the next act notes it
                note_states(self._path, self.key, self._state)

    def _earlier(self) -> list[str]:
        if "earlier" not in tables_of(self._connection):
            return []
        return [row[0] for row in self._run("SELECT seal FROM earlier ORDER BY rowid").fetchall()]

    def _lines(self) -> list[dict[str, Any]]:
        found = self._run("SELECT * FROM releases ORDER BY id").fetchall()
        names = [column[0] for column in self._connection.description]
        return [dict(zip(names, row, strict=True)) for row in found]

    def _part(self, table: str, number: int) -> dict[str, IntArray]:
        if table not in tables_of(self._connection):
            return _none(table)
        asked = f"SELECT {', '.join(_TABLES[table])} FROM {table} WHERE release = ? ORDER BY rowid"
        return dict(self._run(asked, [number]).fetchnumpy())

    def _run(self, statement: str, values: list[Any] | None = None) -> Any:
        return self._connection.execute(statement, values or [])


@contextmanager
def open_book(path: Path, writing: bool) -> Iterator[Book]:
    """Open a ledger, one writer at a time; what is written stands whole when the block ends, else not at all."""
    if not path.exists() and key_path(path).exists():
        raise InputError(
            f"{path}: the ledger is missing, though its key is there: restore it. To begin anew, knowing that no earlier "
            f"release will be compared, remove {key_path(path)}",
            code="ledger.missing",
            path=path,
        )
    try:
        with connected(path, writing) as connection:
            if writing and not tables_of(connection):
                _begin(path, connection)
            book = _checked(path, connection)
            if not writing:
                yield book
                return
            connection.execute("BEGIN")
            book.bring_up()
            yield book
            state = book.close_seal()
            book.note_next(
                state
            )  # first: wherever a run is killed, the ledger stands in a state that is noted
            _commit(connection)
            with suppress(OSError):  # it stands, and both states are noted
                note_states(path, book.key, state)
    except InputError as problem:
        if writing and problem.code == "ledger.refused":
            with suppress(InputError), open_book(path, writing=False):
                pass  # which notes the one state in which it is
        raise


def is_blank(path: Path) -> bool:
    """Say whether a file was made for a ledger and holds nothing yet: a run that made it was killed, or its disk was full."""
    if path.is_file() and path.stat().st_size == 0:
        raise InputError(
            f"{path} is empty, and no ledger: remove it, and the next release makes one",
            code="ledger.unreadable",
            path=path,
        )
    with connected(path, writing=False) as connection:
        return not tables_of(connection)


def _begin(path: Path, connection: Any) -> None:
    """Make the tables of a new ledger. Its key gets its name last: a key that has it is the key of a whole ledger."""
    if key_path(path).exists():
        raise InputError(
            f"{path}: the ledger is empty, though its key is there: restore it",
            code="ledger.damaged",
            path=path,
        )
    key = new_key(path)
    connection.execute("BEGIN")
    connection.execute(_SCHEMA + _LINES + _PLACES + _SPELLINGS + _EARLIER)
    connection.execute("INSERT INTO ledger VALUES (?, ?, '')", [VERSION, check_value(key)])
    Book(path, connection, key).close_seal()
    _commit(connection)
    settle_key(path)


def _commit(connection: Any) -> None:
    with owners_only():
        connection.execute("COMMIT")


def _checked(path: Path, connection: Any) -> Book:
    tables = tables_of(connection)
    if "ledger" not in tables:
        old = (
            "was written by an earlier version of Kohort, which could not tell a wrong key from the right one"
        )
        reason = old if {"releases", "members"} <= tables else "is not a ledger of Kohort"
        raise InputError(
            f'{path} {reason}, so it cannot be read; name another ledger with [output] ledger = "…" (what stands in this '
            "one is not compared then)",
            code="ledger.unreadable",
            path=path,
        )
    found = connection.execute("SELECT version, key_check, seal FROM ledger").fetchall()
    if len(found) != 1:
        raise _changed(path, "its key and seal")
    version, check, told = found[0]
    if version not in (*BEFORE, VERSION):
        known = ", ".join(map(str, BEFORE))
        raise InputError(
            f"{path} is a ledger of version {version}; this Kohort reads versions {known} and {VERSION}",
            code="ledger.version",
            path=path,
            value=version,
            allowed=(*BEFORE, VERSION),
        )
    key, states = load_key(path, check)
    book = Book(path, connection, key, told)
    if book.sealed() != told:
        raise _changed(path, "its list of releases")
    book.demand_newest(states)
    return book


def _told(line: dict[str, Any]) -> dict[str, Any]:
    """Return what is noted of a release, also where the ledger was written when there were no drafts or forms."""
    return {"shared": line["made"], "files": None, "forms": None} | line


def _noted(held: Held) -> str:
    """Return how a release tells columns, as the ledger notes it: forms, what is missing, what is quasi, plain names."""
    marks = {attribute: sorted(values) for attribute, values in held.marks.items()}
    told = {"forms": dict(held.forms), "marks": marks}
    if held.places is not None:
        told |= {"quasi": sorted(held.quasi), "names": dict(held.names)}
    return json.dumps(told)


def _forms(
    noted: str,
) -> tuple[dict[int, int], dict[int, frozenset[int]], frozenset[int] | None, dict[int, int] | None]:
    told = json.loads(noted)
    forms = {int(form): as_read for form, as_read in told["forms"].items()}
    marks = {int(attribute): frozenset(values) for attribute, values in told["marks"].items()}
    quasi = frozenset(told["quasi"]) if "quasi" in told else None
    names = {int(name): plain for name, plain in told["names"].items()} if "names" in told else None
    return forms, marks, quasi, names


def _none(table: str) -> dict[str, IntArray]:
    return {name: np.zeros(0, np.int64) for name in _TABLES[table]}


def _digest(key: bytes, parts: Mapping[str, Mapping[str, IntArray]]) -> str:
    """Return a seal over what was recorded of a release; what was added since counts only where there is some."""
    content = hashlib.sha256()
    for table, names in _TABLES.items():
        if table in _ADDED and not len(parts[table][names[0]]):
            continue
        for name in names:
            column = np.ascontiguousarray(parts[table][name], "<i8")
            content.update(f"{table}.{name}:{len(column)};".encode())
            content.update(column.tobytes())
    return seal(key, content.digest())


def _changed(path: Path, what: str) -> InputError:
    return InputError(
        f"{path}: {what} were damaged or changed by other hands, so that nothing in it can be believed; restore it, or name "
        'another ledger with [output] ledger = "…"',
        code="ledger.damaged",
        path=path,
    )
