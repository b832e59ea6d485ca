"""Judges whether groups hold what the original says of their rows."""

from __future__ import annotations

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Histogram, group_columns
from kohort.table import Table
from kohort.verification.judges.group_contents import GROUP, GroupContents
from kohort.verification.judges.verdict import Verdict

TRUE_COUNTS = "truthful counts"


def judge_counts(
    rows: Table, values: Table, column: str, original: Table, origin: IntArray | None
) -> Verdict:
    """Return whether each group's counts are those of the original rows in it.

    `origin` names the original row of each released one. Without it rows that look alike cannot be told apart, and
    which of them is in which group is unknown. Then it is judged whether the counts can be true: all groups
    together hold the original's values, and every row whose like in the original all have one value finds it in
    its group.
    """
    told = GroupContents.of(rows, values, column)
    size = len(original[column].values) + 1  # one more for values that the original does not have
    code_of = {text: code for code, text in enumerate(original[column].texts)}
    claimed = np.array([code_of.get(text, size - 1) for text in told.values.texts], np.int64)
    said = told.histogram(claimed[told.values.codes], size)
    if origin is None:
        possible = _all_told(said, original, column) and _demands_met(told, said, rows, original, column)
        return Verdict("counts that can be true of the original's rows", possible)
    true = Histogram.of(told.group_of, original[column].codes[origin], told.n_groups, size)
    pairs = ((true.starts, said.starts), (true.values, said.values), (true.counts, said.counts))
    return Verdict(TRUE_COUNTS, all(np.array_equal(one, other) for one, other in pairs))


def _all_told(said: Histogram, original: Table, column: str) -> bool:
    return np.array_equal(said.totals(), [*original[column].counts(), 0])


def _demands_met(told: GroupContents, said: Histogram, rows: Table, original: Table, column: str) -> bool:
    """Tell whether each group holds every value that some of its rows must have."""
    shared = [name for name in rows.names if name != GROUP and name in original.columns]
    n = original.n_rows
    _, alike = group_columns([_together(original, rows, name) for name in shared])
    kinds = Histogram.of(alike[:n], original[column].codes, int(alike.max()) + 1, said.size)
    single = kinds.distinct() == 1
    only = np.zeros(len(single), np.int64)
    only[single] = kinds.values[kinds.starts[:-1][single]]
    bound = single[alike[n:]]
    needed = Histogram.of(told.group_of[bound], only[alike[n:]][bound], told.n_groups, said.size)
    keys, held = (h.owners * said.size + h.values for h in (needed, said))
    place = np.minimum(np.searchsorted(held, keys), max(len(held) - 1, 0))
    return bool(((held[place] == keys) & (said.counts[place] >= needed.counts)).all()) if len(keys) else True


def _together(original: Table, rows: Table, name: str) -> IntArray:
    """Return a column of both tables, one after the other, coded by what it says."""
    code_of = {text: code for code, text in enumerate(original[name].texts)}
    told = [code_of.setdefault(text, len(code_of)) for text in rows[name].texts]
    return np.concatenate([original[name].codes, np.array(told, np.int32)[rows[name].codes]]).astype(np.int32)
