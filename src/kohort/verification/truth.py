"""Proves that every released row is a truthful generalization of an original one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy, meaning
from kohort.table import Column, Table
from kohort.verification.verdict import Verdict

PROMISE = "truthful"
DENSE = 1 << 27  # (label, value) pairs that are marked in a table instead of sorted


def judge_truth(
    released: Table, original: Table, hierarchies: Sequence[Hierarchy], rows: IntArray
) -> Verdict:
    """Return whether every released row tells the truth of the original row it came from.

    `rows` names the original row of every released row, each at most once. A quasi-identifier is truthful
    when its released value covers the original one; any other column when it is the same.
    """
    if len(np.unique(rows)) < len(rows):
        return Verdict(PROMISE, False, note="an original row was released more than once")
    covered = {hierarchy.name: hierarchy for hierarchy in hierarchies}
    for column in released:
        source = original[column.name]
        hierarchy = covered.get(column.name)
        true = _same(column, source, rows) if hierarchy is None else _covers(column, source, hierarchy, rows)
        if not true:
            return Verdict(
                PROMISE, False, note=f"column {column.name!r} holds a value that is not true of its row"
            )
    return Verdict(PROMISE, True, note=f"every cell of {len(rows):,} rows covers the original value")


def _same(column: Column, source: Column, rows: IntArray) -> bool:
    code_of = {text: code for code, text in enumerate(source.texts)}
    codes = np.array([code_of.get(text, -1) for text in column.texts], np.int64)
    return bool((codes[column.codes] == source.codes[rows]).all())


def _covers(column: Column, source: Column, hierarchy: Hierarchy, rows: IntArray) -> bool:
    ground = hierarchy.encode(source.texts)[source.codes[rows]].astype(np.int64)
    seen = distinct_pairs(column.codes, ground, len(column.texts), hierarchy.size)
    for label, values in seen:
        mask = meaning(hierarchy, column.texts[label])
        if mask is None or not mask[values].all():
            return False
    return True


def distinct_pairs(
    labels: IntArray, values: IntArray, n_labels: int, n_values: int
) -> Iterator[tuple[int, IntArray]]:
    """Yield every label with the distinct values it stands beside."""
    keys = labels * np.int64(n_values) + values
    if n_labels * n_values <= DENSE:
        present = np.zeros(n_labels * n_values, np.bool_)
        present[keys] = True
        keys = np.flatnonzero(present)
    else:
        keys = np.unique(keys)
    starts = np.searchsorted(keys, np.arange(n_labels + 1) * n_values)
    for label in range(n_labels):
        yield label, keys[starts[label] : starts[label + 1]] - label * n_values
