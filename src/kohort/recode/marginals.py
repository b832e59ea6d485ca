"""The distribution of one attribute before and after recoding, on labels coarse enough to show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy, Label, meaning
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded

SHOWN = 12  # labels that a reader can take in
AFFORDABLE = 50_000_000  # (released label, ground value) pairs


@dataclass(frozen=True)
class Marginal:
    """Records per label of one level of the hierarchy, in the original table and in the release."""

    name: str
    level: int
    codes: IntArray  # of the labels, among all of the level
    labels: tuple[Label, ...]
    before: IntArray
    after: IntArray


def marginal(problem: Problem, recoded: Recoded, j: int) -> Marginal | None:
    """Return the distribution of attribute j at the finest level that tells no more than the release does.

    That is the finest level with at most `SHOWN` labels at which every released value lies under one label, and
    none below the level of a released label: where all values under `94***` happen to be under `941**`, only the
    former is told. Labels under which nothing is released are among them, so it is for the holder alone. None where only
    the root is left.
    """
    hierarchy, released = problem.hierarchies[j], recoded.columns[j]
    records = _records(problem, recoded, j)
    used = np.flatnonzero(records)
    if len(used) * hierarchy.size > AFFORDABLE:
        return None
    covers = [meaning(hierarchy, released.labels[code]) for code in used]
    lowest = max((_level_of(hierarchy, released.labels[code]) for code in used), default=0)
    for level, domain in enumerate(hierarchy.levels[:-1]):
        if level < lowest:
            continue
        above = [None if mask is None else np.unique(domain.of_ground[mask]) for mask in covers]
        if len(domain.labels) > SHOWN or any(found is None or len(found) != 1 for found in above):
            continue
        after = np.zeros(len(domain.labels), np.int64)
        np.add.at(after, [int(found[0]) for found in above if found is not None], records[used])
        before = np.bincount(domain.of_ground, problem.totals[j], minlength=len(domain.labels)).astype(
            np.int64
        )
        told = np.flatnonzero(before)
        labels = tuple(domain.labels[i] for i in told)
        return Marginal(problem.names[j], level, told, labels, before[told], after[told])
    return None


def _level_of(hierarchy: Hierarchy, label: Label) -> int:
    """Return the lowest level that has the label; 0 where none has, for sets and intervals tell ground values."""
    return next((height for height, level in enumerate(hierarchy.levels) if label in level.code_of), 0)


def _records(problem: Problem, recoded: Recoded, j: int) -> IntArray:
    codes = recoded.columns[j].codes[recoded.kept]
    weights = None if recoded.class_of is None else problem.base.rows[recoded.kept]
    return np.bincount(codes, weights, minlength=len(recoded.columns[j].labels)).astype(np.int64)
