"""Judges a written file without holding its rows: GROUP BY over its cells, beside those of the original.

Nothing here comes from whoever made the release but the claim which original row each released row is.
Both files are read anew, and everything is compared by what it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram, Holders, group
from kohort.errors import VerificationError
from kohort.hierarchy import Hierarchy, meaning
from kohort.models import Attribute, PrivacyModel, Reference
from kohort.table import Column, Table
from kohort.table.counted import CountedColumn
from kohort.table.scratch import Scratch
from kohort.table.streaming import TableStream, open_released
from kohort.table.whole_numbers import whole
from kohort.verification.judges.cell_store import ORIGINAL, WRITTEN, CellStore
from kohort.verification.judges.contents import Contents
from kohort.verification.judges.contents_on_disk import contents_on_disk
from kohort.verification.judges.judged import Judged
from kohort.verification.judges.level_bounds import Bounds, judge_level_bounds
from kohort.verification.judges.open_ends import Ends, judge_open_ends
from kohort.verification.judges.promises import judge_classes
from kohort.verification.judges.shape import judge_shape
from kohort.verification.judges.suppression import judge_suppression
from kohort.verification.judges.truth import PROMISE
from kohort.verification.judges.verdict import Verdict


@dataclass(frozen=True)
class Sources:
    """What is compared: the written file, the original, and which original row each written row claims to be."""

    written: Path
    original: TableStream
    order: Path  # Parquet: `row`, the number of the original row, per written row


def judge_written(
    sources: Sources,
    declared: Sequence[str],
    models: Sequence[PrivacyModel],
    hierarchies: Sequence[Hierarchy],
    reference: Reference,
    respondent: str | None = None,
    memory: str | None = None,
    bounds: Bounds | None = None,
    max_left_out: int | None = None,
    open_ends: Ends | None = None,
) -> Judged:
    """Return the verdicts on promises, shape, truth and suppression of a written file, and what it says.

    People are counted by the `respondent` column of the original. Truth is proved row by row: every released
    quasi-identifier covers the value of the original row, every other cell is the same, and no original row
    is released twice.
    """
    written = open_released(sources.written)
    shape = judge_shape(_named(written.names), declared)
    if not shape.holds:
        return Judged([shape], _untold)
    quasi = [hierarchy.name for hierarchy in hierarchies]
    sensitive = [name for name in reference.attributes if name in declared]
    true = list(dict.fromkeys([*declared, *([] if respondent is None else [respondent])]))
    with Scratch(memory) as scratch:
        cells = CellStore(scratch, quasi, sensitive)
        n_written = cells.put(WRITTEN, written, declared)
        cells.put(ORIGINAL, sources.original, true)
        n_claimed = cells.join(sources.order)
        if n_written != n_claimed:
            note = f"{n_written:,} rows were written instead of {n_claimed:,}"
            return Judged([Verdict(shape.promise, False, note=note)], _untold)
        truth = _judge_truth(cells, hierarchies, declared, n_written)
        classes = _classes(cells, quasi, [reference.attributes[name] for name in sensitive], respondent)
        labels = _labels(cells, quasi)
        promises = judge_classes(classes, labels, models, reference)
        levels = judge_level_bounds(labels, quasi, classes.codes, bounds or {}, hierarchies)
        beyond = judge_open_ends(labels, open_ends or {})
        left_out = judge_suppression(n_written, reference.n_rows, max_left_out)
        told = contents_on_disk(cells, written.names, quasi, sensitive)
        return Judged([*promises, shape, *levels, *beyond, truth, left_out], lambda: told)


def _untold() -> Contents:
    raise VerificationError("the file that was written does not hold the rows or columns of the release")


def _named(names: Sequence[str]) -> Table:
    return Table.of((CountedColumn.of(name, pa.nulls(0), np.zeros(0, np.int64)) for name in names), 0)


def _labels(cells: CellStore, quasi: Sequence[str]) -> Table:
    """Return the released values by code; rows are not looked at."""
    columns = (
        Column(name, np.zeros(0, np.int32), pa.array(cells.texts(WRITTEN, name), pa.string()))
        for name in quasi
    )
    return Table.of(columns, 0)


def _classes(
    cells: CellStore, quasi: Sequence[str], sensitive: Sequence[Attribute], respondent: str | None
) -> Classes:
    """Return the classes that the released quasi-identifiers form, counted by one GROUP BY for each histogram."""
    places = [cells.place(WRITTEN, name) for name in quasi]

    def counted(value: str, person: str = "0") -> tuple[IntArray, IntArray, pa.Table]:
        found = cells.table(
            f"SELECT {', '.join(places)}, {value} AS value, {person} AS person, count(*) AS n "
            "FROM beside GROUP BY ALL"
        )
        return *group(np.column_stack([whole(found, place) for place in places]).astype(np.int32)), found

    codes, class_of, found = counted("0")
    rows = np.bincount(class_of, whole(found, "n"), minlength=len(codes)).astype(np.int64)
    histograms = {}
    for attribute in sensitive:
        _, class_of, found = counted(cells.place(WRITTEN, attribute.name))
        values = _coded_as(attribute, cells)[whole(found, "value")]
        size = len(attribute.labels)
        histograms[attribute.name] = Histogram.of(class_of, values, len(codes), size, whole(found, "n"))
    if respondent is None:
        return Classes(codes, (0,) * len(quasi), rows, rows, histograms)
    who = cells.place(ORIGINAL, respondent)
    _, class_of, found = counted(who)
    person = Table.from_arrow(found.select(["value"]))["value"]
    people = Histogram.of(class_of, person.codes, len(codes), len(person.values), whole(found, "n"))
    holders = {}
    if int(people.totals().max(initial=0)) > 1:
        for attribute in sensitive:
            _, class_of, found = counted(cells.place(WRITTEN, attribute.name), who)
            values = _coded_as(attribute, cells)[whole(found, "value")]
            person = Table.from_arrow(found.select(["person"]))["person"]
            holders[attribute.name] = Holders.of(
                class_of, person.codes, values, len(codes), len(attribute.labels)
            )
    return Classes(codes, (0,) * len(quasi), people.distinct(), rows, histograms, people, holders)


def _coded_as(attribute: Attribute, cells: CellStore) -> IntArray:
    """Return the code that the original's distribution has for each released value."""
    code_of = {label: code for code, label in enumerate(attribute.labels)}
    texts = cells.texts(WRITTEN, attribute.name)
    if any(text not in code_of for text in texts):
        raise VerificationError(
            f"the release holds values of {attribute.name!r} that the original does not have"
        )
    return np.array([code_of[text] for text in texts], np.int32)


def _judge_truth(
    cells: CellStore, hierarchies: Sequence[Hierarchy], declared: Sequence[str], n_rows: int
) -> Verdict:
    if cells.number("SELECT count(DISTINCT row) FROM beside") != n_rows:
        return Verdict(PROMISE, False, note="an original row was released more than once")
    covered = {hierarchy.name: hierarchy for hierarchy in hierarchies}
    for name in declared:
        hierarchy = covered.get(name)
        if not (_same(cells, name) if hierarchy is None else _covers(cells, hierarchy)):
            return Verdict(PROMISE, False, note=f"column {name!r} holds a value that is not true of its row")
    return Verdict(PROMISE, True, note=f"every cell of {n_rows:,} rows covers the original value")


def _same(cells: CellStore, name: str) -> bool:
    told, true = cells.place(WRITTEN, name), cells.place(ORIGINAL, name)
    return cells.number(f"SELECT count(*) FROM beside WHERE {told} IS DISTINCT FROM {true}") == 0


def _covers(cells: CellStore, hierarchy: Hierarchy) -> bool:
    """Say whether every released label covers all original values beside which it stands."""
    name = hierarchy.name
    told, true = cells.place(WRITTEN, name), cells.place(ORIGINAL, name)
    pairs = cells.table(f"SELECT DISTINCT {told} AS told, {true} AS true FROM beside ORDER BY told")
    ground = hierarchy.encode(cells.texts(ORIGINAL, name))[whole(pairs, "true")]
    texts = cells.texts(WRITTEN, name)
    starts = np.searchsorted(whole(pairs, "told"), np.arange(len(texts) + 1))
    for code, text in enumerate(texts):
        mask = meaning(hierarchy, text)
        if mask is None or not mask[ground[starts[code] : starts[code + 1]]].all():
            return False
    return True
