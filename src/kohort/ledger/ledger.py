"""`Ledger`: the file of all releases, and how a new one goes together with them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from kohort.errors import InputError
from kohort.ledger.entry import Entry
from kohort.ledger.file import Book, open_book
from kohort.ledger.keys import key_path
from kohort.ledger.together import Held, Together, compose

SCATTERED = "the plan names no respondent, so that nobody can be recognised"
FORGOTTEN = "its people were forgotten"
UNNAMED = "its plan named no respondent, so that nobody can be recognised"
OTHERWISE = "its people are named by another column"
SPELLED = "it was recorded by an earlier version of Kohort, which took ids that are spelled otherwise for other people"


@dataclass(frozen=True)
class Comparison:
    """How a new release goes together with the earlier ones that were not withdrawn."""

    compared: tuple[int, ...]
    not_compared: dict[int, str]  # and why
    together: Together | None  # None: with nothing


class Ledger:
    """The releases about some people; opened for each act and closed again, so that it is locked only briefly."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def releases(self) -> list[dict[str, Any]]:
        """Return all releases, the earliest first."""
        with self._reading() as book:
            return book.releases()

    def check(self) -> None:
        """Refuse a ledger that cannot be used, before a search is made in vain."""
        if _was_there(self.path):
            with self._reading():
                pass

    def compare(self, entry: Entry) -> Comparison:
        """Compare a release with all earlier ones that were not withdrawn, also those of the same directory."""
        if not _was_there(self.path):
            return Comparison((), {}, None)
        with self._reading() as book:
            return _compared(book, entry, entry.hashed(book.key))

    @contextmanager
    def recording(self, entry: Entry, directory: Path) -> Iterator[tuple[int, Comparison]]:
        """Compare a release and record it, in one act: of two runs at once, the second sees the first.

        Nothing is recorded where the caller refuses the comparison by an exception.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open_book(self.path, writing=True) as book:
            number, held = book.next_number(), entry.hashed(book.key)
            yield number, _compared(book, entry, held)
            book.add(_line(number, entry, book.key, directory), held)

    def record(self, entry: Entry, directory: Path) -> int:
        """Add a release whatever it gives away; return its number."""
        with self.recording(entry, directory) as (number, _):
            return number

    def retract(self, number: int) -> None:
        """Take a release out that never came to stand."""
        with open_book(self.path, writing=True) as book:
            book.remove(number)

    def withdraw(self, number: int) -> None:
        """Mark a release as one that nobody has: it is not compared any more."""
        self._mark(number, withdrawn=True)

    def forget(self, number: int) -> None:
        """Erase who was in a release. Unless it is withdrawn too, later ones say that they were not compared with it."""
        with open_book(self.path, writing=True) as book:
            self._demand(book, number)
            book.erase(number)
            book.mark(number, forgotten=True)

    def _mark(self, number: int, **states: bool) -> None:
        with open_book(self.path, writing=True) as book:
            self._demand(book, number)
            book.mark(number, **states)

    def _demand(self, book: Book, number: int) -> None:
        known = [release["id"] for release in book.releases()]
        if number not in known:
            there = ", ".join(map(str, known)) or "none"
            raise InputError(
                f"{self.path}: there is no release {number}; there are: {there} (kohort history)",
                code="ledger.unknown-release",
                path=self.path,
                release=number,
            )

    @contextmanager
    def _reading(self) -> Iterator[Book]:
        if not _was_there(self.path):
            raise InputError(
                f"{self.path}: there is no ledger; it stands beside the releases, or where KOHORT_LEDGER or [output] ledger "
                "says: name it (a release with a respondent, or with [output] ledger, makes one)",
                code="ledger.missing",
                path=self.path,
            )
        with open_book(self.path, writing=False) as book:
            yield book


def _was_there(path: Path) -> bool:
    """Say whether there is a ledger, or was one: its key still is there."""
    return path.exists() or key_path(path).exists()


def _line(number: int, entry: Entry, key: bytes, directory: Path) -> dict[str, Any]:
    people = entry.persons[1]
    return {
        "id": number,
        "made": datetime.now(UTC).replace(tzinfo=None),
        "directory": str(directory),
        "plan": entry.plan,
        "promises": json.dumps(entry.promises),
        "people": len(np.unique(people)) if entry.respondent is not None else None,
        "rows": len(entry.class_of),
        "classes": len(np.unique(entry.class_of)),
        "respondent": entry.named_by(key),
        "withdrawn": False,
        "forgotten": False,
    }


def _compared(book: Book, entry: Entry, held: Held) -> Comparison:
    standing = [release for release in book.releases() if not release["withdrawn"]]
    reasons = {release["id"]: _hindrance(release, entry, book.key) for release in standing}
    found = [number for number, reason in reasons.items() if not reason]
    hindered = {number: reason for number, reason in reasons.items() if reason}
    earlier: Sequence[Held] = [book.held(number) for number in found]
    together = compose(held, earlier) if earlier else None
    return Comparison(tuple(found), hindered, together)


def _hindrance(release: dict[str, Any], entry: Entry, key: bytes) -> str:
    """Return why an earlier release cannot be compared with; empty where it can."""
    if entry.respondent is None:
        return SCATTERED
    if release["respondent"] is None:
        return UNNAMED
    if release["respondent"] == entry.named_before(key):
        return SPELLED
    if release["respondent"] != entry.named_by(key):
        return OTHERWISE
    return FORGOTTEN if release["forgotten"] else ""
