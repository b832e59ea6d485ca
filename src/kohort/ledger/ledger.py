"""`Ledger`: the file of all drafts and releases, and how a new one goes together with those that were shared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from kohort.errors import InputError
from kohort.ledger.entry import Entry, named_before
from kohort.ledger.file import Book, is_blank, open_book
from kohort.ledger.hashed_columns import name_of
from kohort.ledger.held import Held
from kohort.ledger.keys import check_value, key_path
from kohort.ledger.known_outside import can_be_laid_open, known_outside
from kohort.ledger.recognised import recognised
from kohort.ledger.together import Together, compose
from kohort.paths import named

SCATTERED = "the plan names no respondent, so that nobody can be recognised"
FORGOTTEN = "its people were forgotten"
UNNAMED = "its plan named no respondent, so that nobody can be recognised"
OTHERWISE = "its people are named by another column"
SPELLED = "it was recorded by an earlier version of Kohort, which took ids that are spelled otherwise for other people"
FORMLESS = (
    "it was recorded by an earlier version of Kohort, which did not note in which form columns are told"
)
PLACELESS = (
    "it was recorded by an earlier version of Kohort, which did not note which row tells what, and its rows tell a column "
    "that a release calls quasi"
)

_SPELLED_ALIKE = (
    "was recorded by an earlier version of Kohort, which took values that are spelled alike for one, and "
)
UNWRITTEN = f"it {_SPELLED_ALIKE}tells a column that another release tells too"
NEW_UNWRITTEN = f"the release that is compared with it {_SPELLED_ALIKE}both tell a column"


@dataclass(frozen=True)
class Comparison:
    """How a release goes together with the others that were shared and not withdrawn."""

    compared: tuple[int, ...]
    not_compared: dict[int, str]  # and why
    together: Together | None  # None: with nothing
    drafts: tuple[int, ...] = ()  # those that nobody marked as shared: not compared
    book: str = ""  # in which ledger, by what tells its key from any other
    marked_before: bool = False  # it is shared already
    changing: str | None = (
        None  # the column that by itself tells nothing that agrees of most of whom nothing does
    )


@dataclass(frozen=True)
class _New:
    """The release that is compared: its number, and how its respondent column is named, now and before."""

    number: int
    held: Held
    respondent: int | None
    before: int | None
    columns: Sequence[str] = ()  # their names, where they are known


class Ledger:
    """The releases about some people; opened for each act and closed again, so that it is locked only briefly.

    A release is recorded as a draft. It counts for others once it is shared, until it is withdrawn.
    """

    def __init__(self, path: Path) -> None:
        self.path = named(path, "the ledger")

    def releases(self) -> list[dict[str, Any]]:
        """Return all releases, the earliest first."""
        with self._reading() as book:
            return book.releases()

    def book(self) -> str:
        """Return what tells the key of this ledger from any other, as audits note it."""
        with self._reading() as book:
            return check_value(book.key)

    def check(self) -> None:
        """Refuse a ledger that cannot be used, before a search is made in vain."""
        if _was_there(self.path):
            with self._reading():
                pass

    def compare(self, entry: Entry) -> Comparison:
        """Compare a release with all that were shared and not withdrawn, also those of the same directory."""
        if not _was_there(self.path):
            return Comparison((), {}, None)
        with self._reading() as book:
            return _compared(book, _new(book, book.next_number(), entry))

    @contextmanager
    def recording(
        self, entry: Entry, directory: Path, files: Mapping[str, str] | None = None
    ) -> Iterator[tuple[int, Comparison]]:
        """Compare a release and record it as a draft, in one act: of two runs at once, the second sees the first.

        Nothing is recorded where the caller refuses the comparison by an exception. By the digests of its `files` it is
        known again when it is shared.
        """
        with open_book(self.path, writing=True) as book:
            new = _new(book, book.next_number(), entry)
            yield new.number, _compared(book, new)
            book.add(_line(new.number, entry, book.key, directory, files or {}), new.held)

    @contextmanager
    def sharing(
        self,
        number: int,
        files: Mapping[str, str],
        respondent: str | None,
        book_of: str = "",
        columns: Sequence[str] = (),
    ) -> Iterator[Comparison]:
        """Compare a draft with everything shared and mark it as shared, in one act.

        Nothing is marked where the caller refuses the comparison by an exception. Refused is what was recorded of other
        files or, by what `book_of` says of its key, in another ledger, and what cannot be compared any more.
        """
        with self._writing() as book:
            line = self._demand(book, number)
            self._demand_known(line, files, book_of in ("", check_value(book.key)))
            new = _New(
                number, book.held(number), line["respondent"], named_before(respondent, book.key), columns
            )
            before = line["shared"] is not None and not line["withdrawn"]
            yield replace(_compared(book, new), marked_before=before)
            book.mark(number, shared=line["shared"] or _now(), withdrawn=False)

    @contextmanager
    def entering(
        self, entry: Entry, directory: Path, files: Mapping[str, str]
    ) -> Iterator[tuple[int, Comparison]]:
        """Compare a release that was never a draft here and record it as shared, in one act; one of the same files once only."""
        with open_book(self.path, writing=True) as book:
            noted = json.dumps(dict(files), sort_keys=True)
            known = next((r for r in book.releases() if r["files"] == noted and _counts(r)), None)
            new = _new(book, book.next_number() if known is None else known["id"], entry)
            yield new.number, replace(_compared(book, new), marked_before=known is not None)
            if known is None:
                book.add(_line(new.number, entry, book.key, directory, files) | {"shared": _now()}, new.held)

    def record(self, entry: Entry, directory: Path) -> int:
        """Add a release that was shared, whatever it gives away; return its number."""
        with self.recording(entry, directory) as (number, _):
            pass
        self.mark_shared(number)
        return number

    def amend(
        self,
        *,
        withdraw: int | None = None,
        shared: int | None = None,
        forget: int | None = None,
        discard_drafts: bool = False,
    ) -> list[int]:
        """Mark or erase releases, everything that is asked for or nothing; return the drafts that were discarded.

        Withdrawn is one that nobody has: it is not compared any more. Shared is one that somebody has, whatever it gives away:
        from now on it counts. Of one that is forgotten, who was in it is erased; unless it is withdrawn too, later ones say
        that they were not compared with it. Discarded drafts are withdrawn and forgotten.
        """
        with self._writing() as book:
            if withdraw is not None:
                self._demand(book, withdraw)
                book.mark(withdraw, withdrawn=True)
            if shared is not None:
                before = self._demand(book, shared)["shared"]
                book.mark(shared, shared=before or _now(), withdrawn=False)
            if forget is not None:
                self._demand(book, forget)
                book.erase(forget)
                book.mark(forget, forgotten=True)
            drafts = [r["id"] for r in book.releases() if _is_draft(r)] if discard_drafts else []
            for number in drafts:
                book.erase(number)
                book.mark(number, withdrawn=True, forgotten=True)
        return drafts

    def mark_shared(self, number: int) -> None:
        """Mark a release as one that somebody has."""
        self.amend(shared=number)

    def withdraw(self, number: int) -> None:
        """Mark a release as one that nobody has."""
        self.amend(withdraw=number)

    def forget(self, number: int) -> None:
        """Erase who was in a release."""
        self.amend(forget=number)

    def discard_drafts(self) -> list[int]:
        """Mark all drafts as ones that nobody has and erase who was in them; return their numbers."""
        return self.amend(discard_drafts=True)

    def retract(self, number: int) -> None:
        """Take a release out that never came to stand."""
        with self._writing() as book:
            book.remove(number)

    def _demand(self, book: Book, number: int) -> dict[str, Any]:
        """Return what is noted of a release, which must be there."""
        known = {release["id"]: release for release in book.releases()}
        if number not in known:
            there = ", ".join(map(str, known)) or "none"
            raise InputError(
                f"{self.path}: there is no release {number}; there are: {there}",
                code="ledger.unknown-release",
                path=self.path,
                release=number,
            )
        return known[number]

    def _demand_known(self, line: Mapping[str, Any], files: Mapping[str, str], here: bool) -> None:
        """Refuse to share what was recorded of other files or elsewhere, or of people who were forgotten."""
        number = line["id"]
        if not here or (line["files"] is not None and json.loads(line["files"]) != dict(files)):
            whose = (
                "release {0} was recorded of other files than these"
                if here
                else "this release was recorded in another ledger"
            )
            raise InputError(
                f"{self.path}: {whose.format(number)}, so that nobody knows who is in them; name "
                "the ledger in which this release was recorded, or make it anew",
                code="ledger.not-shared",
                path=self.path,
                release=number,
            )
        lost = "who is in release {0} was forgotten" if line["forgotten"] else ""
        if line["forms"] is None:
            lost = lost or "release {0} was recorded by an earlier version of Kohort"
        if lost:
            raise InputError(
                f"{self.path}: {lost.format(number)}, so that it cannot be compared any more; make it anew, or, "
                "if somebody has it already, mark it by its number",
                code="ledger.not-shared",
                path=self.path,
                release=number,
            )

    @contextmanager
    def _writing(self) -> Iterator[Book]:
        self._demand_there()
        with open_book(self.path, writing=True) as book:
            yield book

    @contextmanager
    def _reading(self) -> Iterator[Book]:
        self._demand_there()
        with open_book(self.path, writing=False) as book:
            yield book

    def _demand_there(self) -> None:
        if not _was_there(self.path):
            raise InputError(
                f"{self.path}: there is no ledger; it stands beside the releases, or where KOHORT_LEDGER or [output] ledger "
                "says: name it (a release with a respondent, or with [output] ledger, makes one)",
                code="ledger.missing",
                path=self.path,
            )


def _was_there(path: Path) -> bool:
    """Say whether there is a ledger, or was one: its key still is there. Of a blank file the next release makes one."""
    return key_path(path).exists() or (path.exists() and not is_blank(path))


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def _is_draft(release: Mapping[str, Any]) -> bool:
    """Tell whether nobody said of a release that somebody has it, or that nobody has."""
    return release["shared"] is None and not release["withdrawn"]


def _counts(release: Mapping[str, Any]) -> bool:
    """Tell whether somebody has a release, and nobody said that none does any more."""
    return release["shared"] is not None and not release["withdrawn"]


def _new(book: Book, number: int, entry: Entry) -> _New:
    names = entry.named_by(book.key), entry.named_before(book.key)
    return _New(number, entry.hashed(book.key), *names, entry.columns())


def _line(number: int, entry: Entry, key: bytes, directory: Path, files: Mapping[str, str]) -> dict[str, Any]:
    people = entry.persons[1]
    return {
        "id": number,
        "made": _now(),
        "directory": str(directory),
        "plan": entry.plan,
        "promises": json.dumps(entry.promises),
        "people": len(np.unique(people)) if entry.respondent is not None else None,
        "rows": len(entry.class_of),
        "classes": len(np.unique(entry.class_of)),
        "respondent": entry.named_by(key),
        "withdrawn": False,
        "forgotten": False,
        "shared": None,
        "files": json.dumps(dict(files), sort_keys=True),
    }


def _compared(book: Book, new: _New) -> Comparison:
    others = [release for release in book.releases() if release["id"] != new.number]
    standing = [release for release in others if _counts(release)]
    reasons = {release["id"]: _hindrance(release, new) for release in standing}
    held = {number: book.held(number) for number, reason in reasons.items() if not reason}
    hidden = _not_noted(held, new.held)
    reasons |= hidden
    earlier: Sequence[Held] = [one for number, one in held.items() if number not in hidden]
    hindered = {number: reason for number, reason in reasons.items() if reason}
    together = compose(new.held, earlier) if earlier else None
    drafts = tuple(release["id"] for release in others if _is_draft(release))
    changing = None if together is None or together.changing is None else together.changing
    name = None if changing is None else name_of(book.key, changing, new.columns)
    compared = tuple(one.number for one in earlier)
    return Comparison(compared, hindered, together, drafts, check_value(book.key), changing=name)


def _not_noted(held: Mapping[int, Held], new: Held) -> dict[int, str]:
    """Return which releases cannot be compared for what an earlier version did not note, and why: of rows, and of spellings."""
    releases = [*held.values(), new]
    by_name = recognised(releases)
    known = known_outside(by_name)
    told = [one.columns | plain.columns for one, plain in zip(releases, by_name, strict=True)]
    found = {}
    for j, number in enumerate(held):
        others = [*told[:j], *told[j + 1 :]] if releases[j].spellings is None else told[-1:]
        unwritten = releases[j].spellings is None or new.spellings is None
        if not (can_be_laid_open(by_name[j], known) and can_be_laid_open(by_name[-1], known)):
            found[number] = PLACELESS
        elif unwritten and told[j] & frozenset().union(*others):
            found[number] = NEW_UNWRITTEN if releases[j].spellings is not None else UNWRITTEN
    return found


def _hindrance(release: Mapping[str, Any], new: _New) -> str:
    """Return why a release cannot be compared with; empty where it can."""
    if new.respondent is None:
        return SCATTERED
    if release["respondent"] is None:
        return UNNAMED
    if release["respondent"] == new.before:
        return SPELLED
    if release["respondent"] != new.respondent:
        return OTHERWISE
    if release["forgotten"]:
        return FORGOTTEN
    return FORMLESS if release["forms"] is None else ""
