"""Proves that every released row is a truthful generalization of an original one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy, covered
from kohort.plurals import many
from kohort.table import Column, Table
from kohort.verification.judges.same_values import codes_among
from kohort.verification.judges.verdict import Verdict

PROMISE = "truthful"
UNMATCHED = (
    "some released rows generalize no row of the original, or are told in a form that is not read here (intervals as `[20, 30)`, "
    "with a blank; numbers and truth values by one rule for a column)"
)
DENSE = 1 << 27  # (label, value) pairs that are marked in a table instead of sorted


def judge_truth(
    released: Table, original: Table, hierarchies: Sequence[Hierarchy], rows: IntArray
) -> Verdict:
    """Return whether every released row tells the truth of the original row it came from.

    `rows` names the original row of every released row, each at most once. A quasi-identifier is truthful
    when its released value covers the original one; any other column when it is the same.
    """
    taken = np.zeros(int(rows.max(initial=-1)) + 1, np.bool_)
    taken[rows] = True
    if np.count_nonzero(taken) < len(rows):
        return Verdict(PROMISE, False, note="an original row was released more than once")
    of = {hierarchy.name: hierarchy for hierarchy in hierarchies}
    for column in released:
        source = original[column.name]
        hierarchy = of.get(column.name)
        true = _same(column, source, rows) if hierarchy is None else _covers(column, source, hierarchy, rows)
        if not true:
            return Verdict(
                PROMISE, False, note=f"column {column.name!r} holds a value that is not true of its row"
            )
    return Verdict(PROMISE, True, note=f"every cell of {many(len(rows), 'row')} covers the original value")


def _same(column: Column, source: Column, rows: IntArray) -> bool:
    codes = codes_among(column.texts, source.texts)
    return bool((codes[column.codes] == source.codes[rows]).all())


def _covers(column: Column, source: Column, hierarchy: Hierarchy, rows: IntArray) -> bool:
    ground = hierarchy.encode(source.texts)
    for label, values in _values_beside(column, source, rows):
        codes = covered(hierarchy, column.texts[label])
        if codes is None or not _among(ground[values], codes):
            return False
    return True


def _among(values: IntArray, codes: IntArray) -> bool:
    """Say whether all values are among ascending codes."""
    places = np.searchsorted(codes, values)
    return bool((places < len(codes)).all() and (codes[places] == values).all())


def _values_beside(column: Column, source: Column, rows: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Yield every released label with the distinct original values that it stands for."""
    shape = (len(column.values), len(source.values))
    if shape[0] * shape[1] <= DENSE:
        from kohort.verification.judges.truth_kernels import mark_pairs

        seen = np.zeros(shape, np.bool_)
        mark_pairs(column.codes, source.codes, rows, seen)
        yield from ((label, np.flatnonzero(seen[label])) for label in range(shape[0]))
        return
    keys = np.unique(column.codes * np.int64(shape[1]) + source.codes[rows])
    starts = np.searchsorted(keys, np.arange(shape[0] + 1) * shape[1])
    for label in range(shape[0]):
        yield label, keys[starts[label] : starts[label + 1]] - label * shape[1]
