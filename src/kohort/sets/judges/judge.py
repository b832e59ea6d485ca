"""Released sets: what they tell, whether they keep their promises, whether they are true of the original."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.arrays import BoolArray, IntArray
from kohort.hierarchy import Hierarchy
from kohort.plurals import many
from kohort.sets.baskets import Baskets
from kohort.sets.held_items import HeldItems
from kohort.sets.judges.recount import smallest_support
from kohort.sets.k_m import KM
from kohort.table import Column, Table
from kohort.table.texts import spelled
from kohort.table.whole_numbers import plain_numbers
from kohort.verification.judges import Verdict

EMPTY = "{}"  # a set without items, as it is written
COLUMNS = "nothing but the sets is released"
SPELLING = "every set is written in one way: each label once, in the order of their texts"
MEANING = "every item is told by one label, the same in all sets"
TRUTH = "every released set tells what one person of the original holds, no more and no less"
UNKNOWN = "not judged: it takes the original table to tell"


@dataclass(frozen=True, eq=False)
class OriginalSets:
    """What a release must be true of: who holds which items, and what the labels mean."""

    held: HeldItems
    hierarchy: Hierarchy


@dataclass(frozen=True, eq=False)
class ToldSets:
    """The labels of a written table in the order of their texts, and the sets of them, row by row."""

    labels: tuple[str, ...]
    sets: Baskets
    unfit: int  # rows whose cell is not written as a set is


def told_sets(table: Table, name: str, separator: str) -> ToldSets:
    """Return the sets that a written table tells."""
    column = table[name]
    cells = spelled(column.values)
    empty = pc.equal(cells, EMPTY).fill_null(False)
    lists = pc.split_pattern(pc.if_else(empty, None, cells), separator)
    told = lists.flatten().dictionary_encode()
    labels = tuple(sorted(told.dictionary.to_pylist()))
    place = {label: code for code, label in enumerate(labels)}
    codes = np.array([place[label] for label in told.dictionary.to_pylist()], np.int64)[
        plain_numbers(told.indices)
    ]
    sizes = plain_numbers(pc.list_value_length(lists).fill_null(0)).astype(np.int64)
    unfit = plain_numbers(pc.and_not(cells.is_null(), empty).cast(pa.int8())).astype(np.bool_)
    unfit |= _misspelled(labels, codes, sizes)
    return ToldSets(labels, _by_row(column, codes, sizes), int(unfit[column.codes].sum()))


def _misspelled(labels: Sequence[str], codes: IntArray, sizes: IntArray) -> BoolArray:
    """Mark the cells with a label that is blank or has blanks around it, or with labels that do not ascend."""
    blank = np.array([not label or label != label.strip() for label in labels], np.bool_)[codes]
    owner = np.repeat(np.arange(len(sizes)), sizes)
    falling = np.zeros(len(codes), np.bool_)
    falling[1:] = (np.diff(owner) == 0) & (np.diff(codes) <= 0)
    return np.bincount(owner[blank | falling], minlength=len(sizes)) > 0


def _by_row(column: Column, codes: IntArray, sizes: IntArray) -> Baskets:
    """Return the sets of all rows from those of the distinct cells."""
    own = sizes[column.codes]
    ends = np.cumsum(own)
    begins = (np.cumsum(sizes) - sizes)[column.codes]
    places = np.repeat(begins - ends + own, own) + np.arange(int(own.sum()))
    return Baskets(np.concatenate([[0], ends]).astype(np.int64), codes[places])


def judge_sets(
    table: Table, name: str, separator: str, models: Sequence[KM], original: OriginalSets | None = None
) -> list[Verdict]:
    """Return a verdict on every promise of released sets; on what cannot be told, that it is not judged."""
    columns = Verdict(COLUMNS, table.names == (name,), note="" if table.names == (name,) else "other columns")
    if not columns.holds:
        return [columns]
    told = told_sets(table, name, separator)
    spelling = Verdict(
        SPELLING, not told.unfit, note=f"{many(told.unfit, 'row is', 'rows are')} not" if told.unfit else ""
    )
    if not spelling.holds:
        return [columns, spelling]
    return [
        *(judge_promise(told, model) for model in models),
        columns,
        spelling,
        *_judge_truth(told, original),
    ]


def judge_promise(told: ToldSets, model: KM) -> Verdict:
    """Return whether every combination of at most m labels is held by nobody or by k."""
    least = smallest_support(told.sets, len(told.labels), model.m)
    if least is None:
        return Verdict(model.label, True, note="nobody holds anything")
    return Verdict(model.label, least >= model.k, float(least))


def _judge_truth(told: ToldSets, original: OriginalSets | None) -> list[Verdict]:
    if original is None:
        return [Verdict(MEANING, None, note=UNKNOWN), Verdict(TRUTH, None, note=UNKNOWN)]
    label_of = _label_of_each(told.labels, original)
    if label_of is None:
        note = "a label is not one of the hierarchy, covers another, or an item has none"
        return [Verdict(MEANING, False, note=note)]
    true = original.held.baskets.recoded(label_of)
    same = _multiset(true) == _multiset(told.sets)
    note = (
        f"all sets of {many(told.sets.n_people, 'person', 'people')}"
        if same
        else "some sets are those of nobody"
    )
    return [Verdict(MEANING, True), Verdict(TRUTH, same, note=note)]


def _label_of_each(labels: Sequence[str], original: OriginalSets) -> IntArray | None:
    """Return the one released label over each item of the original; None where there is none, or several."""
    hierarchy, held = original.hierarchy, original.held
    label_of = np.full(hierarchy.size, -1, np.int64)
    for code, label in enumerate(labels):
        covered = next(
            (lv.of_ground == lv.code_of[label] for lv in hierarchy.levels if label in lv.code_of), None
        )
        if covered is None or (label_of[covered] >= 0).any():
            return None
        label_of[covered] = code
    found = label_of[hierarchy.encode(held.items, held.counts())]
    return None if (found < 0).any() else found


def _multiset(sets: Baskets) -> Counter[bytes]:
    """Return how many people have each set."""
    items = sets.items.astype(np.int64)
    return Counter(items[start:end].tobytes() for start, end in pairwise(sets.starts.tolist()))
