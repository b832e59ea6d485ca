"""`Reopened`: a release beside its original again, reduced to the classes that were searched."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from kohort.algorithms import Silent, algorithm
from kohort.arrays import BoolArray
from kohort.card import Card
from kohort.errors import InputError
from kohort.evidence.why import STEM, Standpoint
from kohort.facts import ReleaseFacts
from kohort.folders.originals import file_digest
from kohort.folders.release_folder import AUDIT, private_of, settled
from kohort.folders.workshop import recover
from kohort.plan import Plan
from kohort.plan.rules import demand_offer
from kohort.preparation.sources import called
from kohort.release.documents import load_audit
from kohort.release.opening import open_release, original_of
from kohort.shapes import Job
from kohort.tables.steps import HeldTable, PreparedTable
from kohort.tables.table_shape import TableShape
from kohort.verification.judges.folder import changed

FILE = f"{STEM}.parquet"


@dataclass(frozen=True, eq=False)
class Reopened:
    """The facts of a release, its original, and which rows of this were left out."""

    directory: Path
    plan: Plan
    facts: ReleaseFacts
    prepared: PreparedTable
    kept: pa.Table | None  # what the private folder tells of rows that were left out
    same_bytes: bool | None = (
        None  # whether the original is that file to the byte; None where its digest was not kept
    )

    @classmethod
    def of(cls, directory: Path, original: Any = None) -> Reopened:
        """Read the private folder and the original; refuse what is not there, was changed, or is another table."""
        final = settled(directory)
        recover(final)
        private = private_of(final)
        _demand_private(final, private)
        opened = open_release(final)
        plan = opened.plan()
        demand_offer(plan, "explain")
        audit = load_audit(private / AUDIT)
        tables = {name: digest for name, digest in audit.private_files.items() if name == FILE}
        if changed(private, tables):
            raise InputError(
                f"{private / FILE} was changed or is missing, so that nobody knows which rows were left out; restore it, or make "
                "the release anew",
                code="release.document",
                path=private / FILE,
            )
        rows = pyarrow.parquet.read_table(private / FILE) if tables else None
        place = original_of(original, opened.audit)
        if place is None:
            raise InputError(
                f"{directory}: the table that the release was made from was handed over and no file, or is not where it was; hand "
                "it over as original=…, a path or a frame",
                code="explain.original",
                path=directory,
            )
        held = TableShape().read(Job(place, plan, Silent()))
        noted = audit.original_digest if isinstance(place, str | Path) else None
        same = None if noted is None else file_digest(Path(place)) == noted
        found = cls(final, plan, audit.facts, held.prepare(), rows, same)
        found._demand_same(place)
        return found

    @property
    def held(self) -> HeldTable:
        """The original."""
        return self.prepared.held

    @property
    def card(self) -> Card:
        """What is known of the algorithm that made the release."""
        return algorithm(self.facts.algorithm.name).card

    @cached_property
    def stand(self) -> Standpoint:
        """The classes by which it is told why a row is where it is."""
        return Standpoint.of(self.prepared.problem, self.facts.levels if self.card.levels else None)

    @cached_property
    def left_out(self) -> BoolArray:
        """Which rows were left out: as the private folder tells, else those of the classes that break promises at the levels."""
        lost = np.zeros(self.facts.rows, np.bool_)
        if self.kept is not None:
            lost[self.kept["row"].to_numpy() - 1] = True
            return lost
        if not self.facts.suppressed:
            return lost
        if self.stand.by_levels:
            failing: BoolArray = np.asarray(self.stand.broken.any(axis=0))
            lost = failing[self.stand.of_base][self.prepared.problem.class_of]
            if int(lost.sum()) == self.facts.suppressed:
                return lost
        raise InputError(
            f"{self.directory}: which rows were left out was not kept: an engine that keeps rows elsewhere, or an earlier Kohort, "
            f"made this release by {self.card.name}, which does not leave out whole classes of levels; make it anew with the "
            "memory engine",
            code="engine.needs-rows",
            path=self.directory,
        )

    def _demand_same(self, place: Any) -> None:
        """Refuse an original that is not the table the release was made from, as far as that can be seen."""
        told, problem = self.kept, self.prepared.problem
        same = problem.n_rows == self.facts.rows
        if same and told is not None:
            classes = self.stand.of_base[problem.class_of[told["row"].to_numpy() - 1]]
            found = (self.stand.classes.sizes[classes], self.stand.classes.rows[classes])
            same = all(
                np.array_equal(now, told[name].to_numpy())
                for now, name in zip(found, ("people", "rows"), strict=True)
            )
        if not same:
            raise InputError(
                f"{called(place)} is not the table that the release was made from, or was changed since; name the one "
                "it was made from",
                code="explain.original",
                **({"path": place} if isinstance(place, str | Path) else {}),
            )


def _demand_private(directory: Path, private: Path) -> None:
    if not directory.is_dir() or not (private / AUDIT).exists():
        raise InputError(
            f"{directory} is not a release with its private folder ({private.name}) beside it; explain it where it was made",
            code="release.not-one",
            path=directory,
        )
