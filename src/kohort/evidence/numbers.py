"""Columns of numbers before and after: means, medians, deviations, correlations."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.evidence.plain import finite
from kohort.facts.utility import Correlation, Moments
from kohort.hierarchy import AVAILABLE_BUILDERS, Hierarchy, meaning
from kohort.hierarchy.numerals import numbers_of
from kohort.metrics.cover import midpoints
from kohort.metrics.moments import correlations, moments
from kohort.plan import Plan
from kohort.recode import Problem, Recoded
from kohort.recode.recoded import ReleasedColumn
from kohort.table import Column, Table

AFFORDABLE = 4_000_000  # (released label, ground value) pairs of a column
FEWEST, MOST = 3, 200_000  # distinct values of a column of numbers
SAMPLED = 50_000  # rows that correlations look at
COLUMNS = 8  # columns of numbers that correlations look at


@dataclass(frozen=True, eq=False)
class Numbers:
    """One column of numbers: a number per code, and a code per row; `after` of released rows only.

    Where an engine keeps the rows there is a code per base class instead, and the records of each.

    A generalized number is taken as the mean of the ground numbers that it may be.
    """

    name: str
    before: FloatArray
    before_codes: IntArray
    after: FloatArray
    after_codes: IntArray
    before_records: IntArray | None = None
    after_records: IntArray | None = None
    together: bool = True  # whether codes of different columns at the same place are of the same records


def numeric_columns(table: Table, plan: Plan, problem: Problem, recoded: Recoded) -> list[Numbers]:
    """Return the released columns that hold numbers, before and after."""
    rows = recoded.rows()
    found = []
    for name in plan.released:
        if name in problem.names:
            j = problem.names.index(name)
            hierarchy, column = problem.hierarchies[j], recoded.columns[j]
            if not _measured(plan, name):
                continue
            after = None if hierarchy.numbers is None else _released(hierarchy, column)
            if hierarchy.numbers is not None and after is not None:
                found.append(_generalized(problem, recoded, j, rows, hierarchy.numbers, after))
        elif problem.has_rows:
            codes, values = table[name].codes, _carried(table[name])
            if values is not None:
                found.append(Numbers(name, values, codes, values, codes[rows]))
    return found


def _measured(plan: Plan, name: str) -> bool:
    """Tell whether the plan takes the numbers of a column as quantities; elsewhere they are codes."""
    spec = plan.columns[name].hierarchy
    return spec is not None and "kind" in spec and AVAILABLE_BUILDERS[spec["kind"]].card.measures


def _generalized(
    problem: Problem, recoded: Recoded, j: int, rows: IntArray, before: FloatArray, after: FloatArray
) -> Numbers:
    name, ground = problem.names[j], problem.base.codes[:, j]
    if problem.has_rows:
        return Numbers(name, before, ground[problem.class_of], after, recoded.codes(j, rows))
    kept, records = recoded.kept, problem.base.rows
    if problem.nodes is not None:
        ground, records = np.arange(len(problem.totals[j]), dtype=np.int32), problem.totals[j]
        return Numbers(
            name,
            before,
            ground,
            after,
            recoded.columns[j].codes[kept],
            records,
            problem.base.rows[kept],
            False,
        )
    return Numbers(name, before, ground, after, recoded.columns[j].codes[kept], records, records[kept])


def number_facts(columns: list[Numbers]) -> tuple[Moments, ...]:
    """Return the moments of each column before and after."""
    told = []
    for column in columns:
        before = moments(column.before, _counts(column.before, column.before_codes, column.before_records))
        after = moments(column.after, _counts(column.after, column.after_codes, column.after_records))
        if before.mean is not None and after.mean is not None:
            told.append(
                Moments(
                    name=column.name,
                    mean=(_finite(before.mean), _finite(after.mean)),
                    median=(_finite(before.median), _finite(after.median)),
                    deviation=(_finite(before.deviation), _finite(after.deviation)),
                )
            )
    return tuple(told)


def _finite(figure: float | None) -> float | None:
    return None if figure is None else finite(figure)


def correlation_facts(columns: list[Numbers]) -> tuple[Correlation, ...]:
    """Return the correlation of every two columns before and after, of a sample where there are many rows."""
    columns = columns[:COLUMNS]
    if len(columns) < 2 or not all(column.together for column in columns):
        return ()
    before, after = (
        _correlations([(c.before, c.before_codes) for c in columns], columns[0].before_records),
        _correlations([(c.after, c.after_codes) for c in columns], columns[0].after_records),
    )
    return tuple(
        Correlation((columns[i].name, columns[j].name), float(before[i, j]), finite(after[i, j]))
        for i, j in combinations(range(len(columns)), 2)
        if np.isfinite(before[i, j])
    )


def _counts(numbers: FloatArray, codes: IntArray, records: IntArray | None) -> IntArray:
    return np.bincount(codes, records, minlength=len(numbers)).astype(np.int64)


def _correlations(columns: list[tuple[FloatArray, IntArray]], records: IntArray | None) -> FloatArray:
    n = len(columns[0][1])
    if records is not None:
        return correlations(np.column_stack([numbers[codes] for numbers, codes in columns]), records)
    taken = (
        slice(None) if n <= SAMPLED else np.random.default_rng(0).choice(n, SAMPLED, replace=False)
    )  # the seed is public: the sample tells nothing that the figures do not
    rows = np.column_stack([numbers[codes[taken]] for numbers, codes in columns])
    return correlations(rows, np.ones(len(rows), np.int64))


def _released(hierarchy: Hierarchy, column: ReleasedColumn) -> FloatArray | None:
    """Return the number that each released label stands for, nan for missing; None where that is unknown."""
    assert hierarchy.numbers is not None
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


def _carried(column: Column) -> FloatArray | None:
    """Return the distinct values of a column that is released as it is, as numbers; None where they are not."""
    return numbers_of(column.texts) if FEWEST <= len(column.values) <= MOST else None
