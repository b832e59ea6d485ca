"""Task utility: the same small model, trained on the original and on the release, tested on original rows.

The model is a logistic regression (scikit-learn, the extra `learn`). A generalized value enters it as what
it says: a category as equal shares of the categories under it, a number as the middle of its interval. So a
model trained on the release can be asked about original rows as they are.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.arrays import FloatArray, IntArray
from kohort.errors import InputError
from kohort.hierarchy import SUPPRESSED, Hierarchy
from kohort.metrics.cover import cover, midpoints, spread
from kohort.table import Table
from kohort.table.formats.extras import extra


@dataclass(frozen=True)
class TaskUtility:
    """Accuracies on held-out original rows; `baseline` always says the most frequent value."""

    target: str
    original: float
    release: float
    baseline: float
    trained_on: tuple[int, int]  # rows of the original, of the release
    tested_on: int

    @property
    def kept(self) -> float | None:
        """The share of what the original teaches beyond the baseline that the release teaches too."""
        gain = self.original - self.baseline
        return (self.release - self.baseline) / gain if gain > 0 else None


def task_utility(
    original: pa.Table,
    release: pa.Table,
    target: str,
    features: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    *,
    held_out: pa.Table | None = None,
    test_share: float = 0.3,
    most_rows: int = 20_000,
    seed: int = 0,
) -> TaskUtility:
    """Train on original and release, test on held-out original rows, return both accuracies.

    Without `held_out`, a random `test_share` of the original is held out; the release may then hold those people
    too, in generalized form, which favours it slightly. Rows are sampled down to `most_rows` for
    training. Features without a hierarchy are taken value by value. Suppressed rows of the release are used
    as far as they tell anything.
    """
    _check(original, release, target, features)
    rng = np.random.default_rng(seed)
    if held_out is None:
        test = np.zeros(original.num_rows, np.bool_)
        test[rng.permutation(original.num_rows)[: max(round(original.num_rows * test_share), 1)]] = True
        held_out, original = original.filter(pa.array(test)), original.filter(pa.array(~test))
    if min(original.num_rows, release.num_rows, held_out.num_rows) == 0:
        raise InputError("task utility: there are no rows to train on or to test on", code="table.empty")
    tables = [_sampled(original, most_rows, rng), _sampled(release, most_rows, rng), held_out]
    encoded = [Table.from_arrow(table.select([*features, target])) for table in tables]
    matrices = _features(encoded, features, hierarchies)
    answers = _answers(encoded, target)
    known = answers[2]
    original_score, release_score = (
        float((_predicted(matrices[i], answers[i], matrices[2]) == known).mean()) for i in (0, 1)
    )
    most_frequent = np.bincount(answers[0]).argmax()
    baseline = float((known == most_frequent).mean())
    rows = (tables[0].num_rows, tables[1].num_rows)
    return TaskUtility(target, original_score, release_score, baseline, rows, held_out.num_rows)


def _predicted(train: FloatArray, answers: IntArray, test: FloatArray) -> IntArray:
    if len(np.unique(answers)) == 1:
        return np.full(len(test), answers[0])
    extra("sklearn", "learn", "task utility")
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with warnings.catch_warnings(), threadpool_limits(1):  # matrices so small are quickest on one core
        warnings.simplefilter("ignore", ConvergenceWarning)  # a rough fit serves both sides alike
        model: Any = LogisticRegression(max_iter=300).fit(train, answers)
    return np.asarray(model.predict(test), np.int64)


def _features(
    tables: Sequence[Table], names: Sequence[str], hierarchies: Mapping[str, Hierarchy]
) -> list[FloatArray]:
    columns: list[list[FloatArray]] = [[] for _ in tables]
    for name in names:
        hierarchy = hierarchies.get(name) or _flat(name, tables)
        numbers = hierarchy.numbers
        if numbers is not None:
            middle, scale = np.nanmean(numbers), np.nanstd(numbers) or 1.0
        for place, table in zip(columns, tables, strict=True):
            covers = cover(hierarchy, table[name].texts)
            if numbers is None:
                place.append(spread(covers)[table[name].codes])
            else:
                scaled = (midpoints(numbers, covers) - middle) / scale
                told = np.column_stack([np.nan_to_num(scaled), np.isnan(scaled)])
                place.append(told[table[name].codes])
    return [np.hstack(parts) for parts in columns]


def _flat(name: str, tables: Sequence[Table]) -> Hierarchy:
    """Return a hierarchy of the values that occur, for a column that has none."""
    values = dict.fromkeys(text for table in tables for text in table[name].texts if text != SUPPRESSED)
    return Hierarchy.from_rows(name, [(value, SUPPRESSED) for value in values or [None]])


def _answers(tables: Sequence[Table], target: str) -> list[IntArray]:
    numbering: dict[str | None, int] = {}
    found = []
    for table in tables:
        codes = [numbering.setdefault(text, len(numbering)) for text in table[target].texts]
        found.append(np.array(codes, np.int64)[table[target].codes])
    return found


def _sampled(table: pa.Table, most: int, rng: np.random.Generator) -> pa.Table:
    if table.num_rows <= most:
        return table
    return table.take(pa.array(rng.permutation(table.num_rows)[:most]))


def _check(original: pa.Table, release: pa.Table, target: str, features: Sequence[str]) -> None:
    for where, table in (("original", original), ("release", release)):
        lacking = [name for name in (*features, target) if name not in table.column_names]
        if lacking:
            raise InputError(
                f"task utility: the {where} has no column {lacking[0]!r}",
                code="table.unknown-column",
                column=lacking[0],
            )
    if not features or target in features:
        raise InputError(
            "task utility: name at least one feature, and not the target among them", code="metric.target"
        )
