"""Judges columns that are released as they are where the others are perturbed: each combination of them as often as there is."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.arrays import IntArray
from kohort.table import Table
from kohort.verification.judges.cells import Cells
from kohort.verification.judges.matching import match_rows
from kohort.verification.judges.truth import judge_truth
from kohort.verification.judges.truth_on_disk import judge_matching
from kohort.verification.judges.verdict import Verdict

PROMISE = "columns released as they are hold the original's rows"
UNKNOWN = "not judged: it takes the original table to tell"
OTHERS = "some rows hold a combination of values that the original does not have, or not so often"


def judge_as_they_are(
    released: Table, original: Table | None, names: Sequence[str], rows: IntArray | None
) -> list[Verdict]:
    """Return whether each released row holds, in all of these columns together, what an original row of its own does.

    `rows` tells which, where that is known. Nothing is said where there are no such columns.
    """
    if not names:
        return []
    if original is None:
        return [Verdict(PROMISE, None, note=UNKNOWN)]
    told = Table.of((released[name] for name in names), released.n_rows)
    if rows is None:
        return [_said(match_rows(told, original, ()) is not None)]
    return [_said(judge_truth(told, original, (), rows).holds)]


def judge_as_they_are_on_disk(
    cells: Cells, known: bool, names: Sequence[str], n_rows: int, room: int
) -> list[Verdict]:
    """Return the same, where the rows are on disk; `known`: the original is laid beside them."""
    if not names:
        return []
    if not known:
        return [Verdict(PROMISE, None, note=UNKNOWN)]
    found = judge_matching(cells, (), names, n_rows, room)
    return [Verdict(PROMISE, None, note=found.note) if found.holds is None else _said(found.holds)]


def _said(holds: bool | None) -> Verdict:
    return Verdict(PROMISE, holds, note="" if holds else OTHERS)
