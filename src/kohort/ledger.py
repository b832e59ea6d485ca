"""The release ledger: who was released when, in which class; private, by keyed hashes only.

Two releases about the same people can give away together what neither gives away alone: whoever stands in class
a of one and in class b of the other hides only among the people of a ∩ b, and has a sensitive value that
occurs in both. The ledger keeps, for each release, the class of every person, so that a new release
can be compared with all earlier ones before it leaves the house.

Persons, rows and values stand in it as HMAC-SHA-256 under a random key, cut to 64 bits, never as they are and
never as a bare hash, which could be reversed by trying names. The key lies beside the ledger, readable by its
owner alone. Ledger and key belong to the private zone.

A release that takes the place of an earlier one in the same directory replaces it in the ledger too: the
earlier one stays in the history and is not compared any more.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.classes import group
from kohort.errors import InputError
from kohort.plan import Plan
from kohort.table import Role, Table

FILE = "kohort-ledger.duckdb"
LOCATION = "KOHORT_LEDGER"  # environment variable
GROUP = "group"  # the column of Anatomy's tables that tells the class

_SCHEMA = """
CREATE TABLE IF NOT EXISTS releases (id INTEGER PRIMARY KEY, made TIMESTAMP, directory VARCHAR, plan VARCHAR,
    promises VARCHAR, people BIGINT, rows BIGINT, classes BIGINT, k INTEGER, replaced BOOLEAN);
CREATE TABLE IF NOT EXISTS members (release INTEGER, person BIGINT, row BIGINT, class BIGINT);
CREATE TABLE IF NOT EXISTS contents (release INTEGER, class BIGINT, attribute BIGINT, value BIGINT);
"""
# Who links how: rows of one person in two releases belong together if they are the same original row, or if the
# person stands in one class only on both sides.
_LINKS = """
CREATE OR REPLACE TEMP TABLE links AS
WITH old AS (SELECT * FROM members WHERE release = $release),
     one AS (SELECT person FROM old GROUP BY person HAVING count(DISTINCT class) = 1),
     other AS (SELECT person FROM incoming GROUP BY person HAVING count(DISTINCT class) = 1)
SELECT DISTINCT o.person, o.class AS old_class, n.class AS new_class
FROM old o JOIN incoming n ON o.person = n.person
WHERE o.row = n.row OR (o.person IN (FROM one) AND o.person IN (FROM other))
"""
_CROWDS = """
WITH crowds AS (
    SELECT o.class AS old_class, n.class AS new_class, count(DISTINCT o.person) AS people
    FROM members o JOIN incoming n ON o.person = n.person WHERE o.release = $release GROUP BY ALL),
smallest AS (SELECT l.person, min(c.people) AS people FROM links l JOIN crowds c USING (old_class, new_class) GROUP BY 1)
SELECT count(*), count(*) FILTER (people < $k), min(people) FROM smallest
"""
_SINGLES = """
WITH old AS (SELECT * FROM contents WHERE release = $release),
     pairs AS (SELECT DISTINCT old_class, new_class FROM links),
     old_counts AS (SELECT class, attribute, count(*) AS n FROM old GROUP BY ALL),
     new_counts AS (SELECT class, attribute, count(*) AS n FROM held GROUP BY ALL),
     shared AS (
        SELECT p.old_class, p.new_class, o.attribute, count(*) AS n
        FROM pairs p JOIN old o ON o.class = p.old_class
        JOIN held h ON h.class = p.new_class AND h.attribute = o.attribute AND h.value = o.value GROUP BY ALL)
SELECT count(DISTINCT l.person) FROM links l JOIN shared s USING (old_class, new_class)
JOIN old_counts a ON a.class = s.old_class AND a.attribute = s.attribute
JOIN new_counts b ON b.class = s.new_class AND b.attribute = s.attribute
WHERE s.n = 1 AND a.n > 1 AND b.n > 1
"""


@dataclass(frozen=True, eq=False)
class Entry:
    """A release as the ledger keeps it; `hashed` turns what must not be told into keyed hashes."""

    persons: Sequence[str]  # one text per distinct person
    person_of: IntArray  # per released row
    rows: Sequence[str] | None  # one text per released row, where somebody has several
    class_of: IntArray  # per released row
    values: Mapping[
        str, tuple[Sequence[str | None], IntArray]
    ]  # sensitive column: texts, code per released row
    k: int
    promises: tuple[str, ...]
    plan: str  # digest of the plan

    def members(self, key: bytes) -> pa.Table:
        """Return person, row and class of every released row."""
        people = _hashes(key, "person", self.persons)[self.person_of]
        rows = people if self.rows is None else _hashes(key, "row", self.rows)
        return pa.table({"person": people, "row": rows, "class": self.class_of.astype(np.int64)})

    def contents(self, key: bytes) -> pa.Table:
        """Return which sensitive values occur in which class."""
        found: list[IntArray] = [np.zeros((0, 3), np.int64)]
        for name, (texts, codes) in self.values.items():
            pairs, _ = group(np.column_stack([self.class_of, codes]).astype(np.int64))
            attribute = int(_hashes(key, "attribute", [name])[0])
            told = _hashes(key, f"value of {name}", ["" if t is None else f"={t}" for t in texts])
            columns = [pairs[:, 0], np.full(len(pairs), attribute, np.int64), told[pairs[:, 1]]]
            found.append(np.column_stack(columns))
        table = np.concatenate(found)
        return pa.table({"class": table[:, 0], "attribute": table[:, 1], "value": table[:, 2]})


@dataclass(frozen=True)
class Comparison:
    """How a new release and one earlier release go together."""

    release: int
    shared: int  # people in both
    below_k: int  # of them, in an intersection of fewer people than both releases promise
    smallest: int | None
    single_value: int  # left with one sensitive value, though each release alone leaves several


@dataclass(frozen=True, eq=False)
class Pending:
    """A release that was compared and is yet to be recorded."""

    facts: dict[str, Any]  # for the public: how many releases, shares in whole per cent
    private: dict[str, Any]
    record: Callable[[], None] = field(default=lambda: None)


class Ledger:
    """The DuckDB file of all releases; opened for each act and closed again, so that it is locked only briefly."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def releases(self) -> list[dict[str, Any]]:
        """Return all releases, the earliest first."""
        if not self.path.exists():
            raise InputError(
                f"{self.path}: there is no ledger; a release with [output] ledger or a respondent makes one"
            )
        with self._open(read_only=True) as connection:
            found = connection.execute("SELECT * FROM releases ORDER BY id").fetchall()
            names = [column[0] for column in connection.description]
        return [
            dict(zip(names, row, strict=True)) | {"promises": json.loads(row[names.index("promises")])}
            for row in found
        ]

    def compare(self, entry: Entry, directory: Path) -> list[Comparison]:
        """Compare a release with all earlier ones that still stand, but for the one it takes the place of."""
        if not self.path.exists():
            return []
        with self._open(read_only=True) as connection:
            earlier = connection.execute(
                "SELECT id, k FROM releases WHERE NOT replaced AND directory <> ? ORDER BY id",
                [str(directory)],
            ).fetchall()
            if not earlier:
                return []
            key = self._key()
            connection.register("incoming", entry.members(key))
            connection.register("held", entry.contents(key))
            return [_compared(connection, release, min(k, entry.k)) for release, k in earlier]

    def record(self, entry: Entry, directory: Path) -> int:
        """Add a release; one of the same directory is marked as replaced. Returns its number."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        key = self._key()
        with self._open() as connection:
            connection.execute(_SCHEMA)
            connection.execute("BEGIN")
            connection.execute("UPDATE releases SET replaced = true WHERE directory = ?", [str(directory)])
            (number,) = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM releases").fetchall()[0]
            connection.register("incoming", entry.members(key))
            connection.register("held", entry.contents(key))
            connection.execute("INSERT INTO members SELECT ?, person, row, class FROM incoming", [number])
            connection.execute("INSERT INTO contents SELECT ?, class, attribute, value FROM held", [number])
            connection.execute(
                "INSERT INTO releases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, false)",
                [number, datetime.now(UTC).replace(tzinfo=None), str(directory), entry.plan, json.dumps(entry.promises),
                 len(np.unique(entry.person_of)), len(entry.class_of), len(np.unique(entry.class_of)), entry.k],
            )  # fmt: skip
            connection.execute("COMMIT")
        return int(number)

    @contextmanager
    def _open(self, read_only: bool = False) -> Iterator[Any]:
        import duckdb

        umask = os.umask(0o077)  # the file and its log are nobody else's
        try:
            connection = duckdb.connect(str(self.path), read_only=read_only)
        except duckdb.Error as problem:
            raise InputError(f"{self.path}: {_reason(str(problem))}") from None
        finally:
            os.umask(umask)
        try:
            yield connection
        except duckdb.Error as problem:
            raise InputError(f"{self.path}: {_reason(str(problem))}") from None
        finally:
            connection.close()

    def _key(self) -> bytes:
        """Return the key of the hashes; made with the first release."""
        place = self.path.with_name(self.path.name + ".key")
        try:
            if not place.exists():
                if self.path.exists():
                    raise InputError(
                        f"{place} is missing, and without it nobody can be found in the ledger; restore it, or name another "
                        'ledger with [output] ledger = "…"'
                    )
                handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(handle, "wb") as file:
                    file.write(secrets.token_bytes(32))
            key = place.read_bytes()
        except OSError as problem:
            raise InputError(f"{place}: the key of the ledger cannot be used ({problem.strerror})") from None
        if len(key) != 32:
            raise InputError(f"{place} is not the key of a ledger: it must hold 32 bytes")
        return key


def _reason(problem: str) -> str:
    if "lock" in problem.lower():
        return "the ledger is in use by another program; try again when that has ended"
    return 'the ledger cannot be read or written; restore it, or name another one with [output] ledger = "…"'


def _compared(connection: Any, release: int, k: int) -> Comparison:
    connection.execute(_LINKS, {"release": release})
    shared, below, smallest = connection.execute(_CROWDS, {"release": release, "k": k}).fetchall()[0]
    (single,) = connection.execute(_SINGLES, {"release": release}).fetchall()[0]
    return Comparison(
        release, int(shared), int(below), None if smallest is None else int(smallest), int(single)
    )


def ledger_path(plan: Plan, directory: Path) -> Path | None:
    """Return where releases are recorded; None where they are not.

    As `[output] ledger` says, relative to the plan; without it in KOHORT_LEDGER or beside the release, if a
    respondent column is named: then the table is known to be about people who may come again. `ledger = ""`
    records nothing.
    """
    told = plan.output.ledger
    if told == "" or (told is None and plan.input.respondent is None):
        return None
    if told is not None:
        return plan.base / told
    return Path(os.environ[LOCATION]) if os.environ.get(LOCATION) else directory.parent / FILE


def recorder(
    table: Table, plan: Plan, tables: Mapping[str, Table], rows: IntArray
) -> Callable[[Path], Pending | None]:
    """Return what compares a release with earlier ones when it is saved, and records it once it stands.

    A ledger that cannot be used does not lose the release: it is written, and then the problem is raised.
    """

    def compare(directory: Path) -> Pending | None:
        directory = directory.resolve()
        path = ledger_path(plan, directory)
        if path is None:
            return None
        ledger, entry = Ledger(path), entry_of(table, plan, tables, rows)
        try:
            found = ledger.compare(entry, directory)
        except InputError as problem:
            return _failed(problem, directory)
        return Pending(*_told(found, entry), lambda: _record(ledger, entry, directory))

    return compare


def _record(ledger: Ledger, entry: Entry, directory: Path) -> None:
    try:
        ledger.record(entry, directory)
    except (InputError, OSError) as problem:
        raise _unrecorded(problem, directory) from None


def _failed(problem: InputError, directory: Path) -> Pending:
    def complain() -> None:
        raise _unrecorded(problem, directory)

    return Pending({"compared": None}, {"compared": None, "problem": str(problem)}, complain)


def _unrecorded(problem: Exception, directory: Path) -> InputError:
    return InputError(
        f"the release was verified and stands in {directory}, but it is not in the ledger, nor compared with what a later "
        f"release may add: {problem}. Do not share it before it is recorded: run the same command again"
    )


def _told(found: list[Comparison], entry: Entry) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the public may know of the comparison, and all of it."""
    people = max(len(np.unique(entry.person_of)), 1)
    worst = {
        name: max((getattr(c, name) for c in found), default=0)
        for name in ("shared", "below_k", "single_value")
    }
    public: dict[str, Any] = {"compared": len(found)}
    public |= {name: round(count / people, 2) for name, count in worst.items()}
    smallest = [c.smallest for c in found if c.smallest is not None]
    private = {
        "compared": len(found),
        **worst,
        "smallest": min(smallest, default=None),
        "releases": [c.__dict__ for c in found],
    }
    return public, private


def entry_of(table: Table, plan: Plan, tables: Mapping[str, Table], rows: IntArray) -> Entry:
    """Return a release as the ledger keeps it, from the original rows in the order they were released."""
    person_texts, person_of = _persons(table, plan, rows)
    return Entry(
        persons=person_texts,
        person_of=person_of,
        rows=None if plan.input.respondent is None else _row_texts(table, table.names, rows),
        class_of=_class_of(plan, tables["table"]),
        values={
            name: (table[name].texts, table[name].codes[rows])
            for name in plan.sensitive
            if name in table.columns
        },
        k=max((int(k) for k in (getattr(m, "k", None) for m in plan.require) if k is not None), default=2),
        promises=tuple(model.label for model in plan.require),
        plan=hashlib.sha256(json.dumps(plan.to_dict(), sort_keys=True, default=str).encode()).hexdigest(),
    )


def _persons(table: Table, plan: Plan, rows: IntArray) -> tuple[Sequence[str], IntArray]:
    """Return who is released: by the respondent column, else by identifiers, else by the whole row."""
    if plan.input.respondent is not None:
        column = table[plan.input.respondent]
        return [str(text) for text in column.texts], column.codes[rows]
    names = [name for name in plan.named(Role.IDENTIFIER) if name in table.columns]
    return _row_texts(table, names or list(plan.columns), rows), np.arange(len(rows))


def _row_texts(table: Table, names: Sequence[str], rows: IntArray) -> list[str]:
    """Return each row as one text; JSON, so that no two different rows read alike."""
    columns = [np.array(table[name].texts, dtype=object)[table[name].codes[rows]] for name in sorted(names)]
    return [json.dumps(cells) for cells in zip(*columns, strict=True)]


def _class_of(plan: Plan, released: Table) -> IntArray:
    names = [GROUP] if GROUP in released.columns and GROUP not in plan.columns else list(plan.quasi)
    return group(np.column_stack([released[name].codes for name in names]).astype(np.int32))[1]


def _hashes(key: bytes, domain: str, texts: Sequence[str]) -> IntArray:
    """Return the first 64 bits of the HMAC of every text, as whole numbers."""
    start = hmac.new(key, domain.encode() + b"\0", hashlib.sha256)
    found = np.empty(len(texts), np.int64)
    for i, text in enumerate(texts):
        state = start.copy()
        state.update(text.encode("utf-8", "surrogatepass"))
        found[i] = int.from_bytes(state.digest()[:8], "big", signed=True)
    return found
