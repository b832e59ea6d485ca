"""The distribution of one attribute before and after recoding, on labels coarse enough to show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.hierarchy import Hierarchy, Label, meaning
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded

SHOWN = 12  # labels that a reader can take in
AFFORDABLE = 50_000_000  # (released label, ground value) pairs


@dataclass(frozen=True)
class Marginal:
    """Records per label of one level of the hierarchy: as they were, and as a reader of the release estimates."""

    name: str
    level: int
    labels: tuple[Label, ...]
    before: IntArray
    after: FloatArray


def marginal(problem: Problem, recoded: Recoded, j: int) -> Marginal | None:
    """Return the distribution of attribute j at the finest level with at most `SHOWN` labels.

    A reader who knows only the release spreads each released value evenly over the ground values it covers.
    None where that would cost more than it tells.
    """
    hierarchy, released = problem.hierarchies[j], recoded.columns[j]
    used = np.flatnonzero(np.bincount(released.codes[recoded.kept], minlength=len(released.labels)))
    level = next(i for i, domain in enumerate(hierarchy.levels) if len(domain.labels) <= SHOWN)
    if level == hierarchy.height or len(used) * hierarchy.size > AFFORDABLE:
        return None
    domain = hierarchy.levels[level]
    before = np.bincount(problem.base.codes[:, j], problem.base.rows, minlength=hierarchy.size)
    after = _spread(hierarchy, released.labels, _records(problem, recoded, j), used)
    return Marginal(
        problem.names[j],
        level,
        domain.labels,
        np.bincount(domain.of_ground, before, minlength=len(domain.labels)).astype(np.int64),
        np.bincount(domain.of_ground, after, minlength=len(domain.labels)).astype(np.float64),
    )


def _records(problem: Problem, recoded: Recoded, j: int) -> FloatArray:
    codes = recoded.columns[j].codes[recoded.kept]
    weights = None if recoded.class_of is None else problem.base.rows[recoded.kept]
    return np.bincount(codes, weights, minlength=len(recoded.columns[j].labels)).astype(np.float64)


def _spread(
    hierarchy: Hierarchy, labels: tuple[Label, ...], records: FloatArray, used: IntArray
) -> FloatArray:
    ground = np.zeros(hierarchy.size)
    for code in used:
        covered = meaning(hierarchy, labels[code])
        if covered is not None and covered.any():  # a perturbed value may mean no ground value
            ground[covered] += records[code] / covered.sum()
    return ground
