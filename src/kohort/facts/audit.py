"""`Audit`: what the holder keeps of a release, as audit.json spells it."""

from __future__ import annotations

from typing import Generic, Literal, TypeVar

import msgspec

from kohort.facts.fact import VERSION, Count, Digest, Fact, Free
from kohort.facts.head import PrivateHead

F = TypeVar("F", bound=PrivateHead)


class Noted(Fact, frozen=True):
    """How a sensitive column is distributed in the original."""

    labels: tuple[str | None, ...]
    totals: tuple[Count, ...]
    held: list[tuple[list[Count], Count]] | None = None  # sets of values, and how many people hold each

    def __post_init__(self) -> None:
        people = sum(count for _, count in self.held or [])
        values = [value for values, _ in self.held or [] for value in values]
        if len(self.labels) != len(self.totals) or people > sum(self.totals):
            raise ValueError("counts and values do not fit")
        if max(values, default=-1) >= len(self.labels):
            raise ValueError("people hold values that there are not")


class NotedOriginal(Fact, frozen=True):
    """What is noted of the original, so that the release can be judged without it."""

    people: Count | None = None  # where some have several rows
    reference: dict[str, Noted] = msgspec.field(default_factory=dict)  # sensitive columns


class Provenance(Fact, frozen=True, kw_only=True):
    """What a release was made from: the whole plan, the original and how its sensitive columns are distributed."""

    plan: Free
    base: str  # what paths in the plan are relative to
    original: str | None = None  # the file that it was made from; null where it was a data frame
    original_digest: Digest | None = (
        None  # of that file before it was read; null where it is large, or was none
    )
    engine: str | None = None  # that of another package which read it; null where one of Kohort's did
    seed: int | None = None
    people: Count | None = None  # where some have several rows
    reference: dict[str, Noted]  # sensitive columns of the original


class Audit(Provenance, Generic[F], frozen=True, kw_only=True):
    """The private audit: what the holder knows of a release, and its files to the byte."""

    version: Literal[2] = VERSION
    facts: F  # of the release's shape
    files: dict[str, Digest]  # every public file
    private_files: dict[str, Digest]  # the tables beside the audit
