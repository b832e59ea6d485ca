"""Truth proved where the rows are on disk: row by row where it is claimed which is which, else by matching tuples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy, meaning
from kohort.plurals import many
from kohort.table.whole_numbers import whole
from kohort.verification.judges.cell_store import BESIDE, ORIGINAL, WRITTEN
from kohort.verification.judges.cells import Cells
from kohort.verification.judges.classes_on_disk import tuples_on_disk
from kohort.verification.judges.matching import can_match, coverage
from kohort.verification.judges.same_values import codes_among
from kohort.verification.judges.tallies_on_disk import told_no_more_than_true
from kohort.verification.judges.truth import PROMISE, UNMATCHED
from kohort.verification.judges.verdict import Verdict

PER_MARK = 2  # bytes of a label and an original value that it may cover, once by itself and once with the other columns
PER_CELL = 40  # bytes of a distinct tuple in memory, for each of its cells
TOO_MANY = "not judged: whether each row can stand for one of the original takes more memory than there is; allow more memory"


def judge_claims(
    cells: Cells, hierarchies: Sequence[Hierarchy], declared: Sequence[str], n_rows: int
) -> Verdict:
    """Return whether every written row tells the truth of the original row that it claims to be."""
    if cells.number(f"SELECT count(DISTINCT row) FROM {BESIDE}") != n_rows:
        return Verdict(PROMISE, False, note="an original row was released more than once")
    covered = {hierarchy.name: hierarchy for hierarchy in hierarchies}
    for name in declared:
        hierarchy = covered.get(name)
        if not (_same(cells, name) if hierarchy is None else _covers(cells, hierarchy)):
            return Verdict(PROMISE, False, note=f"column {name!r} holds a value that is not true of its row")
    return true_of_all(n_rows)


def judge_matching(
    cells: Cells, hierarchies: Sequence[Hierarchy], declared: Sequence[str], n_rows: int, room: int
) -> Verdict:
    """Return whether each written row can stand for an original row of its own.

    Where labels do not overlap, by tallies on disk. Else as `match_rows` finds out, over distinct tuples with all columns that
    are released as they are; where these take more than `room` bytes, it is not judged.
    """
    covered = {hierarchy.name for hierarchy in hierarchies}
    quasi, carried = [h.name for h in hierarchies], [name for name in declared if name not in covered]
    if told_no_more_than_true(cells, hierarchies, carried):
        return true_of_all(n_rows)
    shelves = {
        shelf: [cells.place(shelf, name) for name in (*carried, *quasi)] for shelf in (WRITTEN, ORIGINAL)
    }
    if any(
        _distinct(cells, shelf, places) * len(places) * PER_CELL > room for shelf, places in shelves.items()
    ):
        return Verdict(PROMISE, None, note=TOO_MANY)
    (told, told_counts), (true, true_counts) = (
        tuples_on_disk(cells, shelf, [*carried, *quasi]) for shelf in (WRITTEN, ORIGINAL)
    )
    left = [codes_among(told[name].texts, true[name].texts)[told[name].codes] for name in carried]
    right = [true[name].codes for name in carried]
    if any((codes < 0).any() for codes in left):
        return Verdict(PROMISE, False, note=UNMATCHED)
    marks = sum(len(told[name].texts) * len(true[name].texts) for name in quasi)
    if marks * PER_MARK > room:
        return Verdict(PROMISE, None, note=TOO_MANY)
    masks = []
    for hierarchy in hierarchies:
        released, source = told[hierarchy.name], true[hierarchy.name]
        there, place = np.unique(hierarchy.encode(source.texts), return_inverse=True)
        mask = coverage(released, hierarchy, there)
        if mask is None:
            return Verdict(PROMISE, False, note=UNMATCHED)
        masks.append(mask)
        left.append(released.codes)
        right.append(place[source.codes])
    possible = can_match(_stacked(left), told_counts, _stacked(right), true_counts, masks)
    return true_of_all(n_rows) if possible else Verdict(PROMISE, False, note=UNMATCHED)


def _distinct(cells: Cells, shelf: str, places: Sequence[str]) -> int:
    return cells.number(f"SELECT count(*) FROM (SELECT 1 FROM {shelf} GROUP BY {', '.join(places)})")


def true_of_all(n_rows: int) -> Verdict:
    """Return that all that is told is true."""
    return Verdict(PROMISE, True, note=f"every cell of {many(n_rows, 'row')} covers the original value")


def _stacked(columns: Sequence[IntArray]) -> IntArray:
    return np.column_stack(columns).astype(np.int32)


def _same(cells: Cells, name: str) -> bool:
    told, true = cells.place(WRITTEN, name), cells.place(ORIGINAL, name)
    return cells.number(f"SELECT count(*) FROM {BESIDE} WHERE {told} IS DISTINCT FROM {true}") == 0


def _covers(cells: Cells, hierarchy: Hierarchy) -> bool:
    """Say whether every released label covers all original values beside which it stands."""
    name = hierarchy.name
    told, true = cells.place(WRITTEN, name), cells.place(ORIGINAL, name)
    pairs = cells.table(f"SELECT DISTINCT {told} AS told, {true} AS true FROM {BESIDE} ORDER BY told")
    ground = hierarchy.encode(cells.texts(ORIGINAL, name))[whole(pairs, "true")]
    texts = cells.texts(WRITTEN, name)
    starts = np.searchsorted(whole(pairs, "told"), np.arange(len(texts) + 1))
    for code, text in enumerate(texts):
        mask = meaning(hierarchy, text)
        if mask is None or not mask[ground[starts[code] : starts[code + 1]]].all():
            return False
    return True
