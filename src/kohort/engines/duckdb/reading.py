"""Released tables whose rows are put on disk, and judged by GROUP BY over their cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Generic

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.classes import Classes
from kohort.engines.duckdb.streams import stream_of
from kohort.engines.place import Place, S
from kohort.engines.reading import Known, People
from kohort.errors import InputError, VerificationError
from kohort.hierarchy.weight import label_bytes
from kohort.models import Reference
from kohort.models.model import guards_of
from kohort.plan import Plan
from kohort.plan.coarse import coarse_columns
from kohort.plurals import many
from kohort.preparation import check_names, quasi_hierarchies, reference_of
from kohort.preparation.reference import People as PeopleOf
from kohort.preparation.sources import as_released, read_source, reread
from kohort.table import Table
from kohort.table.budget import Budget
from kohort.table.scratch import Scratch
from kohort.table.streaming import TableStream, open_released
from kohort.table.text_room import TextRoom, decoded_bytes
from kohort.table.value_room import ValueRoom
from kohort.verification.judgement import READABLE, TRUTH_UNKNOWN, Original, carried, limits, told_of
from kohort.verification.judges import (
    Contents,
    Verdict,
    judge_coarse,
    judge_level_bounds,
    judge_open_ends,
    judge_shape,
    judge_suppression,
    left_blank,
    told_again,
)
from kohort.verification.judges.as_they_are import judge_as_they_are_on_disk
from kohort.verification.judges.beside import judge_beside
from kohort.verification.judges.beside_on_disk import judge_beside_streamed
from kohort.verification.judges.cell_store import NAMED, ORIGINAL, WRITTEN, CellStore
from kohort.verification.judges.classes_on_disk import (
    RowsOnDisk,
    labels_on_disk,
    named_only,
    own_reference_on_disk,
    pairs_of,
    tuples_on_disk,
    values_on_disk,
)
from kohort.verification.judges.contents_on_disk import contents_on_disk
from kohort.verification.judges.perturbed import Perturbation, judge_perturbed
from kohort.verification.judges.promises import judge_classes
from kohort.verification.judges.tallies_on_disk import tally_of
from kohort.verification.judges.tally import Tally
from kohort.verification.judges.truth import PROMISE as TRUTH
from kohort.verification.judges.truth_on_disk import judge_matching, true_of_all

FEW_CELLS, FEW_BYTES = 1 << 20, 1 << 24  # so that nobody minds holding them


class OnDisk:
    """Room for the cells of tables on disk."""

    def __init__(self, memory: str | None) -> None:
        budget = Budget.of(memory)
        self._room, self._texts = budget.room, TextRoom.of(budget)
        self._values: ValueRoom | None = None
        self._scratch = Scratch(budget.duckdb)

    @property
    def room(self) -> int:
        """How many bytes tuples may take in memory, beside the distinct values."""
        return self._room if self._values is None else self._values.left

    def hold_labels(self, name: str, n_bytes: int) -> None:
        """Take so many bytes of it for the labels of a column; refuses by name where they are not left."""
        assert self._values is not None  # cells were put in
        self._values.hold_labels(name, n_bytes)

    def shelves(self, apart: Sequence[str], together: Sequence[str]) -> CellStore:
        """Return where cells are put."""
        self._values = ValueRoom(self._room, apart)
        return CellStore(self._scratch, apart, together, foreign=True, room=self._values)

    def original(self, source: Any, plan: Plan) -> TableStream:
        """Return an original as the plan says it is read, and told."""
        coarse, stream = coarse_columns(plan), stream_of(source, plan)
        self.demand_room(stream, plan.released)
        return stream.telling(partial(told_again, coarse=coarse), coarse)

    def demand_room(self, stream: TableStream, columns: Sequence[str]) -> None:
        """Refuse a file with a column that cannot be read within the bound."""
        self._texts.check_file(stream.path, frozenset(columns))

    def nothing_else(self, written: TableStream) -> Verdict:
        """Return whether a file holds nothing beside its table."""
        return judge_beside_streamed(written, self._scratch.folder)

    def close(self) -> None:
        """Remove the rows from disk."""
        self._scratch.close()


def tables_on_disk(written: Path, plan: Plan, memory: str | None, foreign: bool) -> TablesOnDisk[TableStream]:
    """Read the table of a release; one that others may have written as the plan or the file itself says.

    That it was not written as Kohort does may show in any of its rows, not only in the first.
    """
    if not foreign:
        return _read(open_released(written), plan, memory)
    try:
        stream = open_released(written)
        if set(plan.quasi) <= set(stream.names):
            return _read(stream, plan, memory)
    except InputError as problem:
        if problem.wants_room:
            raise
    return _read(stream_of(written, as_released(plan)), plan, memory)


def _read(stream: TableStream, plan: Plan, memory: str | None) -> TablesOnDisk[TableStream]:
    place = OnDisk(memory)
    try:
        place.demand_room(stream, stream.names)
    except BaseException:
        place.close()
        raise
    return TablesOnDisk(stream, plan, place)


class TablesOnDisk(Generic[S]):
    """One released table whose rows are elsewhere; the original is laid beside it where that is at hand.

    On disk by DuckDB, or wherever else a `Place` has room for the cells of tables.
    """

    def __init__(self, written: S, plan: Plan, place: Place[S]) -> None:
        self._written, self._place = written, place
        read: set[str] = set().union(*(model.reads - guards_of(model) for model in plan.require))
        self._sensitive = tuple(dict.fromkeys([*plan.sensitive, *sorted(read)]))
        self._tally: Tally | None = None
        self._cells = place.shelves([*plan.quasi, *plan.guards], self._sensitive)
        try:
            self.n_rows = self._cells.put(WRITTEN, written, written.names)
        except BaseException:
            self.close()
            raise
        if not self.n_rows:
            self.close()
            raise InputError(
                f"{written.path} has columns but no rows; there is nothing to release",
                code="table.empty",
                path=written.path,
            )

    def beside(self, original: Any, plan: Plan) -> Original:
        """Read the original, and build its hierarchies and distributions anew from its values and their counts."""
        stream = self._place.original(original, plan)
        check_names(stream.names, plan)
        respondent = plan.input.respondent
        people = () if respondent is None else (respondent,)
        counted = [name for name in plan.columns if self._cells.is_coded(ORIGINAL, name)]
        names = tuple(dict.fromkeys([*plan.released, *counted, *people]))
        n_rows = self._cells.put(ORIGINAL, stream, names)
        profile = Table.of((self._cells.column(ORIGINAL, name) for name in counted), n_rows)
        population = (
            None if plan.input.population is None else read_source(plan.base / plan.input.population, plan)[0]
        )
        for name in plan.quasi:
            weight = label_bytes(name, plan.columns[name].hierarchy, profile[name].texts, plan.base)
            self._place.hold_labels(name, weight)
        hierarchies = quasi_hierarchies(profile, plan, population)
        held = None if respondent is None else self._people(profile, respondent, plan.sensitive)
        return Original(profile, hierarchies, reference_of(profile, plan, hierarchies, population, held))

    def _people(self, profile: Table, respondent: str, sensitive: Sequence[str]) -> PeopleOf | None:
        """Return the people of the original, and what each holds; None where a row is a person."""
        who = self._cells.place(ORIGINAL, respondent)
        number = self._cells.number(f"SELECT count(*) FROM (SELECT DISTINCT {who} FROM {ORIGINAL})")
        if number == profile.n_rows:
            return None
        pairs = {
            name: pairs_of(self._cells, ORIGINAL, who, self._cells.column(ORIGINAL, name))
            for name in sensitive
        }
        return PeopleOf(number, pairs)

    def judge(self, known: Known) -> list[Verdict]:
        """Return a verdict on every promise; a table that contradicts its plan or original fails with the reason."""
        rows = self._rows(known.people)
        if all(name in self._written.names for name in known.plan.quasi):
            if rows.who is None:
                self._tally = self._tallied(known)
                rows = replace(rows, tally=self._tally)
            sensitive = [name for name in known.plan.sensitive if name in self._written.names]
            rows.demand_room(known.plan.quasi, sensitive, self._place.room)
        try:
            return self._judged(known, rows)
        except (InputError, VerificationError) as problem:
            if problem.wants_room:
                raise
            return [Verdict(READABLE, False, note=str(problem))]

    def _tallied(self, known: Known) -> Tally | None:
        """Return what is counted by one look at the rows, beside those of the original where they must be true of it."""
        beside = None if known.original is None or not known.kind.generalizes else known.original.hierarchies
        return tally_of(self._cells, known.plan.quasi, self._held(), beside, self._place.room)

    def _held(self) -> list[str]:
        """Return the columns whose values are counted in every class."""
        return [name for name in self._sensitive if name in self._written.names]

    def _judged(self, known: Known, rows: RowsOnDisk) -> list[Verdict]:
        plan, original = known.plan, known.original
        names = known.kind.layout.declared(plan.released)
        shape = judge_shape(named_only(self._written.names), names)
        if not shape.holds:
            return [shape]
        told = known.reference if original is None else original.reference
        reference: Reference = told or own_reference_on_disk(rows, names, plan.require)
        attributes = [reference.attributes[name] for name in reference.attributes if name in names]
        twice = rows.classes(plan.quasi, attributes)
        labels = labels_on_disk(self._cells, plan.quasi)
        promises = judge_classes(twice, labels, plan.require, reference, alone=told is None)
        if plan.input.respondent is not None and known.people is None:
            promises = known.kind.layout.without_people(promises, plan.require)
        hierarchies = None if original is None else original.hierarchies
        coarse = coarse_columns(plan)
        bounded = (labels, plan.quasi, twice.classes.codes, plan.level_bounds, hierarchies)
        levels = judge_level_bounds(*bounded, plan.leaves_blank)
        blank = int(twice.classes.rows[left_blank(*bounded)].sum()) if plan.leaves_blank else None
        return [
            *promises,
            shape,
            *levels,
            *judge_open_ends(labels, plan.open_ends, known.kind.truthful),
            *judge_coarse(values_on_disk(self._cells, coarse), coarse),
            *(
                self._truth(names, original)
                if known.kind.perturbation is None
                else self._perturbed(known.kind.perturbation, labels, twice.classes, plan, original)
            ),
            judge_suppression(self.n_rows, *limits(plan, known.kind, original), blank),
        ]

    def _perturbed(
        self, way: Perturbation, labels: Table, classes: Classes, plan: Plan, original: Original | None
    ) -> list[Verdict]:
        rows = (classes.codes, classes.rows)
        told = None if original is None else told_of(labels, rows, plan, original)
        room = self._place.room
        as_they_are = judge_as_they_are_on_disk(
            self._cells, original is not None, carried(plan), self.n_rows, room
        )
        return [*as_they_are, judge_perturbed(way, told)]

    def _truth(self, names: Sequence[str], original: Original | None) -> list[Verdict]:
        if original is None:
            return [Verdict(TRUTH, None, note=TRUTH_UNKNOWN)]
        if self._tally is not None and self._tally.true:
            return [true_of_all(self.n_rows)]
        return [judge_matching(self._cells, original.hierarchies, names, self.n_rows, self._place.room)]

    def _rows(self, people: People | None) -> RowsOnDisk:
        if people is None:
            return RowsOnDisk(self._cells, WRITTEN)
        told = people if isinstance(people, Path) else pa.table({"respondent": np.asarray(people)})
        number = self._cells.name_people(told)
        if number != self.n_rows:
            raise InputError(
                f"the release has {many(self.n_rows, 'row')}, and people are named for {number:,}",
                code="verify.people",
                rows=self.n_rows,
                found=number,
            )
        return RowsOnDisk(self._cells, NAMED, "respondent")

    def contents(self, plan: Plan) -> Contents:
        """Return what the table says; raises InputError where it is not that of a release."""
        for name in plan.quasi:
            named_only(self._written.names)[name]
        sensitive = [name for name in plan.sensitive if name in self._written.names]
        if self._tally is None or self._tally.quasi != tuple(plan.quasi):
            self._tally = tally_of(self._cells, plan.quasi, self._held(), None, self._place.room)
        return contents_on_disk(self._cells, self._written.names, plan.quasi, sensitive, self._tally)

    def tuples(self, names: Sequence[str]) -> tuple[Table, IntArray]:
        """Return the distinct combinations of some columns of the table, and how many records hold each."""
        for name in names:
            named_only(self._written.names)[name]
        return tuples_on_disk(self._cells, WRITTEN, names)

    def nothing_else(self) -> Verdict:
        """Return whether the file holds nothing beside its table; a small one is rewritten in memory."""
        path = self._written.path
        few = self.n_rows * len(self._written.names) <= FEW_CELLS
        if path.is_file() and few and decoded_bytes(path) <= FEW_BYTES:
            return judge_beside({path: reread(path)})
        return self._place.nothing_else(self._written)

    def close(self) -> None:
        """Give back the room that they take."""
        self._place.close()
