"""Judges a written file without holding its rows: GROUP BY over its cells, beside those of the original.

Nothing here comes from whoever made the release but the claim which original row each released row is.
Both files are read anew, as text, and everything is compared by what it says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram
from kohort.errors import VerificationError
from kohort.hierarchy import Hierarchy, meaning
from kohort.models import Attribute, PrivacyModel, Reference
from kohort.table import Table
from kohort.table.scratch import Scratch
from kohort.table.streaming import TableStream, open_released
from kohort.table.texts import spelled
from kohort.table.whole_numbers import whole
from kohort.verification.promises import judge_classes
from kohort.verification.shape import judge_shape
from kohort.verification.truth import PROMISE
from kohort.verification.verdict import Verdict

_MANY = "SELECT count(*) FROM "


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
) -> list[Verdict]:
    """Return the verdicts on promises, shape and truth of a written file.

    Truth is proved row by row: every released quasi-identifier covers the value of the original row, every
    other cell is the same, and no original row is released twice.
    """
    written = open_released(sources.written)
    shape = judge_shape(_named(written.names), declared)
    if not shape.holds:
        return [shape]
    with Scratch(memory) as scratch:
        told = {name: f"w{i}" for i, name in enumerate(declared)}
        true = {name: f"o{i}" for i, name in enumerate([*declared, respondent]) if name is not None}
        n_written = _shelve(scratch, "written", written, told)
        _shelve(scratch, "original", sources.original, true)
        n_placed = _place(scratch, sources.order)
        if n_written != n_placed:
            note = f"{n_written:,} rows were written instead of {n_placed:,}"
            return [Verdict(shape.promise, False, note=note)]
        quasi = {hierarchy.name: told[hierarchy.name] for hierarchy in hierarchies}
        person = None if respondent is None else true[respondent]
        labels, classes = _classes(scratch, quasi, told, reference, person)
        return [
            *judge_classes(classes, labels, models, reference),
            shape,
            _judge_truth(scratch, hierarchies, told, true, n_written),
        ]


def _named(names: Sequence[str]) -> Table:
    return Table.from_arrow(pa.table({name: pa.nulls(0) for name in names}))


def _shelve(scratch: Scratch, shelf: str, stream: TableStream, places: Mapping[str, str]) -> int:
    """Put the cells of a file as text on a shelf of the scratch; return the number of rows."""
    path = scratch.path(f"{shelf}.parquet")
    n_rows = 0
    schema = pa.schema([(place, pa.string()) for place in places.values()])
    with pyarrow.parquet.ParquetWriter(path, schema, compression="lz4") as writer:
        for piece in stream.pieces(list(places)):
            cells = {p: spelled(piece[n].values).take(pa.array(piece[n].codes)) for n, p in places.items()}
            writer.write_table(pa.table(cells, schema=schema))
            n_rows += piece.n_rows
    _view(scratch, shelf, path)
    return n_rows


def _view(scratch: Scratch, shelf: str, path: Path) -> None:
    scratch.run(
        f"CREATE VIEW {shelf} AS SELECT * EXCLUDE (file_row_number), file_row_number AS place "
        f"FROM read_parquet('{path}', file_row_number = true)"
    )


def _place(scratch: Scratch, order: Path) -> int:
    """Put every written row beside the original row that it claims to be; return the number of claims."""
    _view(scratch, "claimed", order)
    beside = scratch.path("beside.parquet")
    scratch.run(
        "COPY (SELECT written.*, original.*, claimed.row FROM written JOIN claimed ON written.place = claimed.place "
        f"JOIN original ON original.place = claimed.row) TO '{beside}' (FORMAT parquet, COMPRESSION lz4)"
    )
    scratch.run(f"CREATE VIEW beside AS SELECT * FROM '{beside}'")
    return scratch.number(f"{_MANY} claimed")


def _classes(
    scratch: Scratch,
    quasi: Mapping[str, str],
    told: Mapping[str, str],
    reference: Reference,
    person: str | None,
) -> tuple[Table, Classes]:
    """Return the released values of the quasi-identifiers, and the classes that they form."""
    columns = ", ".join(quasi.values())
    tuples = scratch.table(f"SELECT {columns}, count(*) AS n FROM beside GROUP BY {columns}")
    n = tuples.num_rows
    scratch.keep("tuples", tuples.append_column("class", pa.array(np.arange(n), pa.int64())))
    labels = Table.from_arrow(tuples.select(list(quasi.values())).rename_columns(list(quasi)))
    rows = whole(tuples, "n")
    same = " AND ".join(f"beside.{place} IS NOT DISTINCT FROM tuples.{place}" for place in quasi.values())

    def counted(place: str) -> pa.Table:
        return scratch.table(
            f"SELECT class, beside.{place} AS value, count(*) AS n FROM beside JOIN tuples ON {same} GROUP BY ALL"
        )

    people = None if person is None else _people(counted(person), n)
    return labels, Classes(
        codes=np.column_stack([labels[name].codes for name in quasi]).astype(np.int32),
        levels=(0,) * len(quasi),
        sizes=rows if people is None else people.distinct(),
        rows=rows,
        sensitive={
            name: _histogram(counted(told[name]), attribute, n)
            for name, attribute in reference.attributes.items()
            if name in told
        },
        respondents=people,
    )


def _histogram(found: pa.Table, attribute: Attribute, n: int) -> Histogram:
    values = Table.from_arrow(found.select(["value"]))["value"]
    code_of = {label: code for code, label in enumerate(attribute.labels)}
    try:
        codes = np.array([code_of[text] for text in values.texts], np.int32)
    except KeyError:
        raise VerificationError(
            f"the release holds values of {attribute.name!r} that the original does not have"
        ) from None
    return Histogram.of(
        whole(found, "class"), codes[values.codes], n, len(attribute.labels), whole(found, "n")
    )


def _people(found: pa.Table, n: int) -> Histogram:
    who = Table.from_arrow(found.select(["value"]))["value"]
    return Histogram.of(whole(found, "class"), who.codes, n, len(who.values), whole(found, "n"))


def _judge_truth(
    scratch: Scratch,
    hierarchies: Sequence[Hierarchy],
    told: Mapping[str, str],
    true: Mapping[str, str],
    n_rows: int,
) -> Verdict:
    if scratch.number("SELECT count(DISTINCT row) FROM beside") != n_rows:
        return Verdict(
            PROMISE, False, note="an original row was released more than once, or is none of the original"
        )
    covered = {hierarchy.name: hierarchy for hierarchy in hierarchies}
    for name, place in told.items():
        hierarchy = covered.get(name)
        if not (
            _same(scratch, place, true[name])
            if hierarchy is None
            else _covers(scratch, place, true[name], hierarchy)
        ):
            return Verdict(PROMISE, False, note=f"column {name!r} holds a value that is not true of its row")
    return Verdict(PROMISE, True, note=f"every cell of {n_rows:,} rows covers the original value")


def _same(scratch: Scratch, told: str, true: str) -> bool:
    return scratch.number(f"{_MANY} beside WHERE {told} IS DISTINCT FROM {true}") == 0


def _covers(scratch: Scratch, told: str, true: str, hierarchy: Hierarchy) -> bool:
    """Say whether every released label covers all original values beside which it stands."""
    pairs = Table.from_arrow(scratch.table(f"SELECT DISTINCT {told} AS told, {true} AS true FROM beside"))
    labels, values = pairs["told"], pairs["true"]
    ground: IntArray = hierarchy.encode(values.texts)[values.codes]
    order = np.argsort(labels.codes, kind="stable")
    starts = np.searchsorted(labels.codes[order], np.arange(len(labels.values) + 1))
    for code, text in enumerate(labels.texts):
        mask = meaning(hierarchy, text)
        if mask is None or not mask[ground[order[starts[code] : starts[code + 1]]]].all():
            return False
    return True
