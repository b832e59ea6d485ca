"""Judges a written file without holding its rows: GROUP BY over its cells, beside those of the original.

Nothing here comes from whoever made the release but the claim which original row each released row is.
Both files are read anew, and everything is compared by what it says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kohort.errors import VerificationError
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.coarse import Coarse
from kohort.models import PrivacyModel, Reference
from kohort.plurals import many
from kohort.table.piece_bytes import give_back
from kohort.table.scratch import Scratch
from kohort.table.streaming import TableStream, open_released
from kohort.verification.judges.cell_store import BESIDE, ORIGINAL, WRITTEN, CellStore
from kohort.verification.judges.classes_on_disk import (
    RowsOnDisk,
    labels_on_disk,
    named_only,
    values_on_disk,
)
from kohort.verification.judges.coarse_cells import judge_coarse
from kohort.verification.judges.contents import Contents
from kohort.verification.judges.contents_on_disk import contents_on_disk
from kohort.verification.judges.declared_columns import judge_shape
from kohort.verification.judges.judged import Judged
from kohort.verification.judges.level_bounds import Bounds, judge_level_bounds, left_blank
from kohort.verification.judges.open_ends import Ends, judge_open_ends
from kohort.verification.judges.promises import judge_classes
from kohort.verification.judges.recounted import demand_counts
from kohort.verification.judges.suppression import judge_suppression
from kohort.verification.judges.tallies_on_disk import tally_of, told_no_more_than_true
from kohort.verification.judges.truth_on_disk import judge_claims, true_of_all
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
    coarse: Mapping[str, Coarse] | None = None,
    blank: bool = False,
) -> Judged:
    """Return the verdicts on promises, shape, truth and suppression of a written file, and what it says.

    People are counted by the `respondent` column of the original. Truth is proved by tallies, where labels do not overlap and
    nobody asks whose a row is. Else row by row: every released quasi-identifier covers the value of the original row, every
    other cell is the same, and no original row is released twice.
    """
    written = open_released(sources.written)
    shape = judge_shape(named_only(written.names), declared)
    if not shape.holds:
        return Judged([shape], untold)
    quasi = [hierarchy.name for hierarchy in hierarchies]
    sensitive = [name for name in reference.attributes if name in declared]
    true = list(dict.fromkeys([*declared, *([] if respondent is None else [respondent])]))
    with Scratch(memory) as scratch:
        cells = CellStore(scratch, quasi, sensitive)
        n_written = cells.put(WRITTEN, written, declared)
        cells.put(ORIGINAL, sources.original, true)
        n_claimed = cells.claim(sources.order)
        if n_written != n_claimed:
            note = f"{many(n_written, 'row was', 'rows were')} written instead of {n_claimed:,}"
            return Judged([Verdict(shape.promise, False, note=note)], untold)
        carried = [name for name in declared if name not in quasi]
        tally = None if respondent is not None else tally_of(cells, quasi, sensitive, hierarchies)
        if tally is not None and tally.true:
            rows, truth = RowsOnDisk(cells, WRITTEN, tally=tally), true_of_all(n_written)
        elif respondent is None and tally is None and told_no_more_than_true(cells, hierarchies, carried):
            rows, truth = RowsOnDisk(cells, WRITTEN), true_of_all(n_written)
        else:
            cells.join()
            who = None if respondent is None else cells.place(ORIGINAL, respondent)
            rows, truth = (
                RowsOnDisk(cells, BESIDE, who),
                judge_claims(cells, hierarchies, declared, n_written),
            )
        return judge_cells(
            rows,
            Promised(
                tuple(declared),
                tuple(models),
                tuple(hierarchies),
                reference,
                respondent,
                bounds or {},
                max_left_out,
                open_ends or {},
                coarse or {},
                blank,
            ),
            n_written,
            shape,
            truth,
        )


@dataclass(frozen=True, eq=False)
class Promised:
    """What is said of a written table, which it is held to."""

    declared: tuple[str, ...]
    models: tuple[PrivacyModel, ...]
    hierarchies: tuple[Hierarchy, ...]
    reference: Reference
    respondent: str | None
    bounds: Bounds
    max_left_out: int | None
    open_ends: Ends
    coarse: Mapping[str, Coarse]
    blank: bool = False  # what is left out stands there, with nothing told of it

    @property
    def quasi(self) -> list[str]:
        """The quasi-identifiers."""
        return [hierarchy.name for hierarchy in self.hierarchies]

    @property
    def sensitive(self) -> list[str]:
        """The columns whose distribution in the original is known."""
        return [name for name in self.reference.attributes if name in self.declared]


def judge_cells(
    rows: RowsOnDisk, promised: Promised, n_written: int, shape: Verdict, truth: Verdict
) -> Judged:
    """Return the verdicts on cells that are counted, shape and truth being judged already, and what they say."""
    cells, quasi, reference = rows.cells, promised.quasi, promised.reference
    known = [reference.attributes[name] for name in promised.sensitive]
    for attribute in known:
        counted = cells.column(ORIGINAL, attribute.name)
        demand_counts(attribute, counted.texts, counted.counts())
    twice = rows.classes(quasi, known)
    give_back()
    labels = labels_on_disk(cells, quasi)
    promises = judge_classes(twice, labels, promised.models, reference)
    bounded = (labels, quasi, twice.classes.codes, promised.bounds, promised.hierarchies)
    levels = judge_level_bounds(*bounded, promised.blank)
    blank = int(twice.classes.rows[left_blank(*bounded)].sum()) if promised.blank else None
    del twice, bounded
    give_back()  # what is said is counted anew, and takes as much
    beyond = judge_open_ends(labels, promised.open_ends)
    coarsely = judge_coarse(values_on_disk(cells, promised.coarse), promised.coarse)
    left_out = judge_suppression(n_written, reference.n_rows, promised.max_left_out, blank)
    told = contents_on_disk(cells, promised.declared, quasi, promised.sensitive, rows.tally)
    return Judged([*promises, shape, *levels, *beyond, *coarsely, truth, left_out], lambda: told)


def untold() -> Contents:
    """Refuse to tell what a file says that does not hold the release."""
    raise VerificationError(
        "the file that was written does not hold the rows or columns of the release", code="verify.failed"
    )
