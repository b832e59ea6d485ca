"""`Inspection`: the tables of a release folder, read once, wherever their rows are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kohort.plan import Plan
from kohort.preparation.sources import reread
from kohort.shapes.judgement_case import Findings, Terms
from kohort.table import Table
from kohort.verification.judges import Verdict
from kohort.verification.judges.beside import judge_beside

if TYPE_CHECKING:
    from kohort.shapes.shape import Shape


class Inspection(Protocol):
    """What whoever verifies a folder asks of its tables."""

    def judge(self, terms: Terms) -> Findings:
        """Judge the tables by what is at hand beside them."""

    def documents(self, plan: Plan, digests: Mapping[str, str]) -> dict[str, bytes]:
        """Return manifest and report, which follow from the written tables and the public plan alone."""

    def nothing_else(self) -> Verdict:
        """Return whether the files hold their tables and nothing beside them."""

    def close(self) -> None:
        """Give back what it takes to hold them."""


@dataclass(frozen=True, eq=False)
class WholeTables:
    """Tables in memory, which every shape judges."""

    shape: Shape
    tables: Mapping[str, Table]
    files: Mapping[str, Path]

    @classmethod
    def of(cls, shape: Shape, files: Mapping[str, Path]) -> WholeTables:
        """Read the files; raises InputError where they cannot be."""
        return cls(shape, {stem: reread(path) for stem, path in files.items()}, files)

    def judge(self, terms: Terms) -> Findings:
        """Judge the tables."""
        return self.shape.judge(self.tables, terms)

    def documents(self, plan: Plan, digests: Mapping[str, str]) -> dict[str, bytes]:
        """Return manifest and report."""
        return self.shape.documents(self.tables, plan, digests)

    def nothing_else(self) -> Verdict:
        """Return whether each file is what Kohort writes of its cells."""
        return judge_beside({self.files[stem]: table for stem, table in self.tables.items()})

    def close(self) -> None:
        """Nothing is held but memory."""
