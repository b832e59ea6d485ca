"""Released tables that were read whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import group_columns
from kohort.engines.reading import Known, People
from kohort.plan import Plan
from kohort.preparation.kind import Kind
from kohort.preparation.sources import reread
from kohort.table import Column, Table
from kohort.table.reading import read_table
from kohort.verification.judgement import Original, any_release, judged_or_failed, person_of_each
from kohort.verification.judges import Contents, Verdict
from kohort.verification.judges.beside import judge_beside


@dataclass(frozen=True, eq=False)
class TablesInMemory:
    """The tables of a release by stem, and the files that they stand in."""

    tables: Mapping[str, Table]
    files: Mapping[str, Path]
    source: Callable[[Any, Plan], Any] = lambda told, _: told  # how the engine reads an original

    @classmethod
    def of(
        cls, written: Mapping[str, Any], foreign: Plan | None, source: Callable[[Any, Plan], Any]
    ) -> TablesInMemory:
        """Read them: files as Kohort writes them, or as a plan says where others did; frames by their cells."""
        files = {stem: Path(told) for stem, told in written.items() if isinstance(told, str | Path)}
        tables = {
            stem: reread(told) if foreign is None else any_release(told, foreign)
            for stem, told in written.items()
        }
        return cls(tables, files, source)

    @property
    def n_rows(self) -> int:
        """The number of released records."""
        return self._rows.n_rows

    @property
    def _rows(self) -> Table:
        return next(iter(self.tables.values()))

    def beside(self, original: Any, plan: Plan) -> Original:
        """Read the original."""
        return Original.of(self.source(original, plan), plan)

    def judge(self, known: Known) -> list[Verdict]:
        """Return a verdict on every promise."""
        people = None if known.people is None else _person_of_each(known.people, self.n_rows)
        return judged_or_failed(
            self.tables, known.plan, known.kind, known.original, people, reference=known.reference
        )

    def contents(self, plan: Plan) -> Contents:
        """Return what the tables say."""
        return Kind.of(plan).layout.contents(self.tables, plan.quasi, plan.sensitive)

    def tuples(self, names: Sequence[str]) -> tuple[Table, IntArray]:
        """Return the distinct combinations of some columns of the table, and how many records hold each."""
        table = self._rows
        codes, place = group_columns([table[name].codes for name in names])
        columns = (Column(name, codes[:, j], table[name].values) for j, name in enumerate(names))
        return Table.of(columns, len(codes)), np.bincount(place, minlength=len(codes))

    def nothing_else(self) -> Verdict:
        """Return whether the files hold nothing beside their tables."""
        return judge_beside({self.files[stem]: table for stem, table in self.tables.items()})

    def close(self) -> None:
        """Nothing is held but memory."""


def _person_of_each(people: People, n_rows: int) -> IntArray:
    told = read_table(people)["respondent"].codes if isinstance(people, Path) else people
    return person_of_each(told, n_rows)
