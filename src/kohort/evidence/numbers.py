"""Columns of numbers before and after: means, medians, deviations, correlations."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.arrays import FloatArray, IntArray
from kohort.hierarchy import Hierarchy, meaning
from kohort.metrics.cover import midpoints
from kohort.metrics.moments import correlations, moments
from kohort.plan import Plan
from kohort.recode import Problem, Recoded
from kohort.recode.recoded import ReleasedColumn
from kohort.table import Table

AFFORDABLE = 4_000_000  # (released label, ground value) pairs of a column
SAMPLED = 50_000  # rows that correlations look at
MEASURED = ("intervals", "file")  # kinds of hierarchy of measured numbers; masks and trees are for codes
COLUMNS = 8  # columns of numbers that correlations look at


@dataclass(frozen=True, eq=False)
class Numbers:
    """One column of numbers: a number per code, and a code per row; `after` of released rows only.

    A generalized number is taken as the mean of the ground numbers that it may be.
    """

    name: str
    before: FloatArray
    before_codes: IntArray
    after: FloatArray
    after_codes: IntArray


def numeric_columns(table: Table, plan: Plan, problem: Problem, recoded: Recoded) -> list[Numbers]:
    """Return the released columns that hold numbers, before and after."""
    rows = recoded.rows()
    found = []
    for name in plan.released:
        if name in problem.names:
            j = problem.names.index(name)
            hierarchy, column = problem.hierarchies[j], recoded.columns[j]
            if (plan.columns[name].hierarchy or {}).get("kind") not in MEASURED:
                continue
            after = None if hierarchy.numbers is None else _released(hierarchy, column)
            if hierarchy.numbers is not None and after is not None:
                ground = problem.base.codes[:, j][problem.class_of]
                found.append(Numbers(name, hierarchy.numbers, ground, after, recoded.codes(j, rows)))
        elif _is_numeric(table[name].values.type):
            codes, values = table[name].codes, _floats(table[name].values)
            found.append(Numbers(name, values, codes, values, codes[rows]))
    return found


def number_facts(columns: list[Numbers]) -> list[dict[str, Any]]:
    """Return the moments of each column before and after."""
    told = []
    for column in columns:
        before = moments(column.before, np.bincount(column.before_codes, minlength=len(column.before)))
        after = moments(column.after, np.bincount(column.after_codes, minlength=len(column.after)))
        if before.mean is not None and after.mean is not None:
            told.append(
                {
                    "name": column.name,
                    **{
                        figure: [getattr(before, figure), getattr(after, figure)]
                        for figure in ("mean", "median", "deviation")
                    },
                }
            )
    return told


def correlation_facts(columns: list[Numbers]) -> list[dict[str, Any]]:
    """Return the correlation of every two columns before and after, of a sample where there are many rows."""
    columns = columns[:COLUMNS]
    if len(columns) < 2:
        return []
    before, after = (
        _correlations([(c.before, c.before_codes) for c in columns]),
        _correlations([(c.after, c.after_codes) for c in columns]),
    )
    return [
        {
            "columns": [columns[i].name, columns[j].name],
            "before": float(before[i, j]),
            "after": float(after[i, j]),
        }
        for i, j in combinations(range(len(columns)), 2)
        if np.isfinite(before[i, j])
    ]


def _correlations(columns: list[tuple[FloatArray, IntArray]]) -> FloatArray:
    n = len(columns[0][1])
    taken = (
        slice(None) if n <= SAMPLED else np.random.default_rng(0).choice(n, SAMPLED, replace=False)
    )  # the seed is public: the sample tells nothing that the figures do not
    rows = np.column_stack([numbers[codes[taken]] for numbers, codes in columns])
    return correlations(rows, np.ones(len(rows), np.int64))


def _released(hierarchy: Hierarchy, column: ReleasedColumn) -> FloatArray | None:
    """Return the number that each released label stands for, nan for missing; None where that is unknown."""
    assert hierarchy.numbers is not None
    if column.ground:
        return hierarchy.numbers
    for level in hierarchy.levels:
        if level.labels == column.labels:
            known = ~np.isnan(hierarchy.numbers)
            codes = level.of_ground[known]
            count = np.bincount(codes, minlength=len(level.labels))
            total = np.bincount(codes, hierarchy.numbers[known], minlength=len(level.labels))
            return np.asarray(np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0))
    if len(column.labels) * hierarchy.size > AFFORDABLE:
        return None
    told = np.full(len(column.labels), np.nan)
    for i, label in enumerate(column.labels):
        mask = None if label is None else meaning(hierarchy, label)
        if mask is not None and mask.any():
            told[i] = midpoints(hierarchy.numbers, mask[None, :])[0]
        elif label is not None:
            try:
                told[i] = float(label)  # a mean: a number that stands for itself
            except ValueError:
                return None
    return told


def _is_numeric(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _floats(values: pa.Array) -> FloatArray:
    return np.array([np.nan if value is None else float(value) for value in values.to_pylist()])
