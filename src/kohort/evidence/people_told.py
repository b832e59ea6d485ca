"""How many people share a label: what thresholds of hiding go by, where people are named; rows where they are not."""

from __future__ import annotations

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Histogram
from kohort.models import Attribute
from kohort.recode import Problem


def people_in_all(problem: Problem) -> int:
    """Return the people of the original; its rows where nobody is named."""
    held = problem.base.respondents
    return problem.n_rows if held is None else len(np.unique(held.values))


def people_of_quasi(problem: Problem, j: int, level: int) -> IntArray:
    """Return the people of the original per label of a level of attribute j, whatever number of rows they have.

    Where an engine counted coarser tuples only, as many as there must be at least: nobody has more rows than they have in all.
    """
    hierarchy, held = problem.hierarchies[j], problem.base.respondents
    size, stood = len(hierarchy.levels[level].labels), problem.base.levels[j]
    if held is not None and stood <= level:
        return _distinct(held, hierarchy.step(stood, level)[problem.base.codes[:, j]], size)
    rows = np.bincount(hierarchy.levels[level].of_ground, problem.totals[j], minlength=size).astype(np.int64)
    return rows if held is None else -(-rows // max(int(held.totals().max(initial=1)), 1))


def people_of_value(told: Attribute, onto: IntArray, size: int) -> IntArray:
    """Return the people who hold a value under each label, where `onto` is the label of each value code."""
    if told.pairs is None:
        return np.bincount(onto, told.totals, minlength=size).astype(np.int64)
    held = np.unique(np.column_stack([onto[told.pairs.value], told.pairs.person]), axis=0)
    return np.bincount(held[:, 0], minlength=size).astype(np.int64)


def _distinct(held: Histogram, onto: IntArray, size: int) -> IntArray:
    return np.asarray(held.merged(onto.astype(np.int64), size).distinct(), np.int64)
