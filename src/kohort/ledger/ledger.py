"""`Ledger`: the file of all releases, and how a new one goes together with them."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from kohort.errors import InputError
from kohort.ledger.entry import Entry

_SCHEMA = """
CREATE TABLE IF NOT EXISTS releases (id INTEGER PRIMARY KEY, made TIMESTAMP, directory VARCHAR, plan VARCHAR,
    promises VARCHAR, people BIGINT, rows BIGINT, classes BIGINT, k INTEGER, replaced BOOLEAN);
CREATE TABLE IF NOT EXISTS members (release INTEGER, person BIGINT, row BIGINT, class BIGINT);
CREATE TABLE IF NOT EXISTS contents (release INTEGER, class BIGINT, attribute BIGINT, value BIGINT);
"""
# Rows of one person in two releases belong together if they are the same original row; whoever stands in one class
# only of either release is linked to all of theirs in the other.
_LINKS = """
CREATE OR REPLACE TEMP TABLE links AS
WITH old AS (SELECT * FROM members WHERE release = $release),
     one AS (SELECT person FROM old GROUP BY person HAVING count(DISTINCT class) = 1),
     other AS (SELECT person FROM incoming GROUP BY person HAVING count(DISTINCT class) = 1)
SELECT DISTINCT o.person, o.class AS old_class, n.class AS new_class
FROM old o JOIN incoming n ON o.person = n.person
WHERE o.row = n.row OR o.person IN (FROM one) OR o.person IN (FROM other)
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


@dataclass(frozen=True)
class Comparison:
    """How a new release and one earlier release go together."""

    release: int
    shared: int  # people in both
    below_k: int  # of them, in an intersection of fewer people than both releases promise
    smallest: int | None
    single_value: int  # left with one sensitive value, though each release alone leaves several


class Ledger:
    """The DuckDB file of all releases; opened for each act and closed again, so that it is locked only briefly."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def releases(self) -> list[dict[str, Any]]:
        """Return all releases, the earliest first."""
        if not self.path.exists():
            raise InputError(
                f"{self.path}: there is no ledger; it stands beside the releases, or where KOHORT_LEDGER or [output] ledger "
                "says: name it with --ledger (a release with a respondent, or with [output] ledger, makes one)"
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
