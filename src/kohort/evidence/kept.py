"""What a release keeps: accuracy and completeness, distributions of columns and pairs, numbers."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.evidence.grain import grain
from kohort.evidence.plain import finite
from kohort.facts.kept import Divergence, Marginal, PairDivergence, Quality
from kohort.hierarchy import Hierarchy, meaning
from kohort.metrics import Outcome
from kohort.metrics.divergence import Coded, marginal_divergences, pair_divergences
from kohort.metrics.quality import accuracy, completeness
from kohort.recode import Problem, Recoded
from kohort.recode.marginals import marginal
from kohort.recode.recoded import ReleasedColumn

AFFORDABLE = 4_000_000  # (released label, ground value) pairs of a column
PAIRS = 2_000_000  # (tuple, pair of columns) looked at for the divergence of pairs


def quality(outcome: Outcome) -> Quality:
    """Return how much is released, and how exactly."""
    return Quality(accuracy=float(accuracy(outcome)), completeness=float(completeness(outcome)))


def marginals(problem: Problem, recoded: Recoded, k: int) -> tuple[Marginal, ...]:
    """Return the distribution of each quasi-identifier before and after, in whole per cent or more coarsely.

    Exact counts before minus exact counts after would tell who was suppressed; so both are rounded to whole
    per cent, and where one per cent is fewer than k records, to a step that is not.
    """
    told = []
    step = 100 * grain(k, problem.n_rows)
    for j in range(len(problem.names)):
        found = marginal(problem, recoded, j)
        if found is not None:
            before, after = (
                (np.round(100 * counts / max(counts.sum(), 1) / step) * step).astype(int)
                for counts in (found.before, found.after)
            )
            labels = tuple("missing" if label is None else label for label in found.labels)
            told.append(Marginal(found.name, labels, tuple(before.tolist()), tuple(after.tolist())))
    return tuple(told)


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
    original = Coded(problem.base.codes[:, places], problem.base.rows)
    shown = Coded(released[:, places], outcome.classes.rows)
    names = [problem.names[j] for j in places]
    bits = marginal_divergences(original, shown, covers)
    count = len(list(combinations(names, 2)))
    pairs = None
    if count * len(problem.base) <= PAIRS:
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
