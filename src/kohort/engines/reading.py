"""`Reading`: released tables as their reader finds them, whoever wrote them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from kohort.arrays import IntArray
from kohort.models import Reference
from kohort.plan import Plan
from kohort.preparation.kind import Kind
from kohort.table import Table
from kohort.verification.judgement import Original
from kohort.verification.judges import Contents, Verdict

People: TypeAlias = Sequence[int] | IntArray | Path  # of each released row: told, or in a file that says so


@dataclass(frozen=True, eq=False)
class Known:
    """By what released tables are judged, for want of whoever made them."""

    plan: Plan
    kind: Kind
    original: Original | None = None  # as `Reading.beside` found it
    people: People | None = None
    reference: Reference | None = None  # what is known of the original where it is not at hand


class Reading(Protocol):
    """Released tables, read once: counted, told and judged from their cells."""

    @property
    def n_rows(self) -> int:
        """The number of released records."""

    def beside(self, original: Any, plan: Plan) -> Original:
        """Read the original, and build what the plan says of it anew; it is then laid beside the release."""

    def judge(self, known: Known) -> list[Verdict]:
        """Return a verdict on every promise; on what cannot be told, that it is not judged."""

    def contents(self, plan: Plan) -> Contents:
        """Return what the tables say; raises InputError where they are not those of a release."""

    def tuples(self, names: Sequence[str]) -> tuple[Table, IntArray]:
        """Return the distinct combinations of some columns of the table, and how many records hold each.

        Raises InputError where one of them is not there.
        """

    def nothing_else(self) -> Verdict:
        """Return whether the files hold their tables and nothing beside them."""

    def close(self) -> None:
        """Give back what it takes to hold them."""
