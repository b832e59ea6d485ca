"""Cells suppressed in the rows that fail, the others left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kohort.algorithms.cells.cost import CellCost
from kohort.algorithms.cells.forest import forest_groups
from kohort.algorithms.cells.polish import polished
from kohort.algorithms.cells.repair import failing_groups
from kohort.algorithms.watch import Watch
from kohort.arrays import BoolArray, IntArray
from kohort.classes import group
from kohort.recode import Problem


def outlier_groups(problem: Problem, cost: CellCost, watch: Watch) -> IntArray:
    """Return groups in which classes that keep the promises stay as they are and all other rows are grouped.

    The failing rows are grouped by `forest`. Where they are fewer than k, rows that a class can spare join
    them, from the class where that is cheapest. Groups may still fail a model other than k-anonymity, or
    where no class can spare rows: `repaired` sees to that.
    """
    k = problem.least_size
    _, class_of = group(np.ascontiguousarray(cost.steps.T))
    failing = failing_groups(problem, class_of)
    left = failing[class_of]
    if 0 < left.sum() < k:
        left = left | _spared(cost, class_of, left, failing, k)
    rows = np.flatnonzero(left)
    groups = class_of.astype(np.int64)
    if len(rows) < k:
        groups[rows] = len(failing)
    else:
        among = replace(cost, steps=np.ascontiguousarray(cost.steps[:, rows]))
        found, _ = forest_groups(among, np.arange(len(rows)), k, watch)
        groups[rows] = len(failing) + polished(among, found, k, watch)
    return np.asarray(np.unique(groups, return_inverse=True)[1].reshape(-1))


def _spared(cost: CellCost, class_of: IntArray, left: BoolArray, failing: BoolArray, k: int) -> BoolArray:
    """Mark the rows of one class that fill up the rows left to k; none where no class can spare so many."""
    rows = np.flatnonzero(left)
    missing = k - len(rows)
    able = np.flatnonzero(~failing & (np.bincount(class_of) >= k + missing))
    marked = np.zeros(len(left), np.bool_)
    if len(able):
        first = np.unique(class_of, return_index=True)[1][able]
        together = cost.varying(rows)[:, None] | (cost.steps[:, first] != cost.steps[:, [rows[0]]])
        nearest = able[int(np.argmin(cost.weights @ together))]
        marked[np.flatnonzero(class_of == nearest)[:missing]] = True
    return marked
