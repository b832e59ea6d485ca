"""`Published`: what a shape hands over to be released. Whoever writes, records and reports it asks, and assumes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import pyarrow as pa

from kohort.errors import InputError
from kohort.facts import NotedOriginal, PrivateHead
from kohort.facts.promises import VerdictFacts
from kohort.ledger import Recorded
from kohort.table import Table
from kohort.verification.judges import Verdict

Content: TypeAlias = Table | pa.Table | Callable[[Path], None]  # a table, or what writes it to a file


@runtime_checkable
class Placed(Protocol):
    """What writes a table that does not stand in the folder of its release: until that stands, under another name."""

    def __call__(self, path: Path) -> None:
        """Write the table, and to the file what stands for it in the folder."""

    def stand(self) -> None:
        """Give the table its name."""

    def settle(self) -> None:
        """Leave the table to its release, which stands."""

    def withdraw(self) -> None:
        """Remove what was written, if anything was."""


Facts: TypeAlias = PrivateHead  # a shape's own derive from it


class Shown(NamedTuple):
    """What a release shows of itself in a few words, to whoever holds its tables and the public plan."""

    headline: str
    verdicts: Sequence[VerdictFacts]
    cautions: Sequence[str] = ()  # what must not be overlooked


class Judgement(Protocol):
    """What a reading of written tables came to."""

    @property
    def verdicts(self) -> list[Verdict]:
        """A verdict on every promise."""

    def told(self, facts: Facts) -> Facts:
        """Return private facts with what the reading showed beside the verdicts, if anything."""

    def documents(self, digests: Mapping[str, str]) -> dict[str, bytes]:
        """Return manifest and report by file name; they follow from what was read, and the digests of the tables."""

    def shown(self) -> Shown:
        """Return what `repr` says; it follows from what was read and the public plan, for notebooks are shared."""


class Published(Protocol):
    """The tables of a release, who judges what is written of them, and what else is told of it."""

    @property
    def tables(self) -> Mapping[str, Content]:
        """The public tables by file stem; where an engine keeps the rows, what writes them."""

    @property
    def private_tables(self) -> Mapping[str, Content]:
        """What is kept beside the audit, so that the release can be judged again."""

    def facts(self) -> Facts:
        """Return what is told of it to the holder of the original: aggregates, no raw value."""

    def judge(self, written: Mapping[str, Any]) -> Judgement:
        """Read written tables and judge them; the judge knows the original and shares nothing with the search."""

    def noted(self) -> NotedOriginal:
        """Return what the private audit notes of the original, so that the release can be judged without it."""

    def record(self, directory: Path, files: Mapping[str, str]) -> Recorded:
        """Compare the release with those that were shared and record it before it stands, where releases are recorded.

        `files` are the digests of its tables as they were written.
        """

    def page(self, facts: Facts) -> str:
        """Return the private report."""

    def screen(self, facts: Facts) -> str:
        """Return the first screen of the private report, for the holder's notebook."""

    def cautions(self, facts: Facts) -> list[str]:
        """Return what must not be overlooked, in few words, for the holder of the original."""

    def convert(self, released: Content) -> Any:
        """Return a released table in the type of the source; refuses one whose rows cannot be handed over."""


def in_memory(content: Content) -> pa.Table:
    """Return a released table with its rows; refuses one whose rows are elsewhere."""
    if callable(content):
        raise InputError(
            "the rows of this release are not in memory; save it, and read what was written",
            code="release.not-in-memory",
        )
    return content.to_arrow() if isinstance(content, Table) else content
