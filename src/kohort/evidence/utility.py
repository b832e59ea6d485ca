"""What a release keeps: accuracy and completeness, distributions of columns and pairs, numbers."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.evidence.grain import grain
from kohort.evidence.people_told import people_in_all, people_of_quasi
from kohort.evidence.plain import finite
from kohort.facts.utility import Divergence, Marginal, PairDivergence, Quality
from kohort.hierarchy import Hierarchy, meaning
from kohort.metrics import Outcome
from kohort.metrics.divergence import Coded, marginal_divergences, pair_divergences
from kohort.metrics.quality import accuracy, completeness
from kohort.recode import Problem, Recoded
from kohort.recode.marginals import Marginal as Counted
from kohort.recode.marginals import marginal
from kohort.recode.recoded import ReleasedColumn

AFFORDABLE = 4_000_000  # (released label, ground value) pairs of a column
PAIRS = 2_000_000  # (tuple, pair of columns) looked at for the divergence of pairs


def quality(outcome: Outcome, truthful: bool) -> Quality:
    """Return how much is released and, where values are generalized, how exactly."""
    exact = float(accuracy(outcome)) if truthful else None
    return Quality(accuracy=exact, completeness=float(completeness(outcome)))


def marginals(problem: Problem, recoded: Recoded, k: int) -> tuple[Marginal, ...]:
    """Return the distribution of each quasi-identifier before and after: in rows, and in per cent for pictures.

    Per cents are whole, or coarser where one per cent is fewer than k people. Labels of fewer than k people (records, where
    nobody is named) of which no row is released are counted, and not named.
    """
    found = [(j, marginal(problem, recoded, j)) for j in range(len(problem.names))]
    step = 100 * grain(k, people_in_all(problem))
    return tuple(
        _marginal(one, people_of_quasi(problem, j, one.level) >= k, step)
        for j, one in found
        if one is not None
    )


def _marginal(found: Counted, crowded: BoolArray, step: float) -> Marginal:
    """Return the distribution as it is told; `crowded` marks the labels of the level that k people share."""
    crowded = crowded[found.codes]
    shown = np.flatnonzero((found.after > 0) | crowded)
    gone = (found.after == 0) & ~crowded
    before, after = (_percents(counts, step)[shown] for counts in (found.before, found.after))
    return Marginal(
        name=found.name,
        labels=tuple("missing" if found.labels[i] is None else str(found.labels[i]) for i in shown),
        before=tuple(before.tolist()),
        after=tuple(after.tolist()),
        rows=tuple((int(found.before[i]), int(found.after[i])) for i in shown),
        vanished=int(gone.sum()),
        vanished_rows=int(found.before[gone].sum()),
        distance=_distance(found.before, found.after),
    )


def _percents(counts: IntArray, step: float) -> IntArray:
    return np.asarray(np.round(100 * counts / max(counts.sum(), 1) / step) * step).astype(np.int64)


def _distance(before: IntArray, after: IntArray) -> float | None:
    """Return half the sum of the differences between shares: 0 exactly where they are the same; None of no rows."""
    n, m = int(before.sum()), int(after.sum())
    if not n or not m:
        return None
    differences = (abs(int(b) * m - int(a) * n) for b, a in zip(before, after, strict=True))
    return sum(differences) / (2 * n * m)


def divergence(problem: Problem, recoded: Recoded, outcome: Outcome) -> Divergence:
    """Return the Kullback–Leibler divergence of every column and every pair, in bits per record.

    A column whose released values are no generalizations, or too many to look at, is left out; pairs
    are left out where all of them together would take long.
    """
    released, covers, places = outcome.classes.codes.copy(), [], []
    for j, (hierarchy, column) in enumerate(zip(problem.hierarchies, recoded.columns, strict=True)):
        used = np.flatnonzero(np.bincount(released[:, j]))
        released[:, j] = np.searchsorted(used, released[:, j])
        covered = _cover(hierarchy, column, used)
        if covered is not None:
            covers.append(covered)
            places.append(j)
    if not places:
        return Divergence(columns={}, pairs=None)
    shown = Coded(released[:, places], outcome.classes.rows)
    names = [problem.names[j] for j in places]
    bits = marginal_divergences([problem.totals[j] for j in places], shown, covers)
    count = len(list(combinations(names, 2)))
    pairs = None
    if problem.nodes is None and count * len(problem.base) <= PAIRS:
        original = Coded(problem.base.codes[:, places], problem.base.rows)
        found = pair_divergences(original, shown, covers)
        pairs = tuple(PairDivergence((names[i], names[j]), finite(told)) for (i, j), told in found.items())
    return Divergence(columns=dict(zip(names, map(finite, bits.tolist()), strict=True)), pairs=pairs)


def _cover(hierarchy: Hierarchy, column: ReleasedColumn, used: IntArray) -> BoolArray | None:
    """Return the ground values that each label in use stands for; None where that is unknown or too much."""
    if len(used) * hierarchy.size > AFFORDABLE:
        return None
    for level in hierarchy.levels:
        if level.labels == column.labels:
            return np.asarray(level.of_ground == used[:, None])
    masks = [meaning(hierarchy, column.labels[code]) for code in used]
    if any(mask is None or not mask.any() for mask in masks):
        return None
    return np.array(masks)
