"""From groups of rows to a solution that has been checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kohort.algorithms.cells.cost import CellCost
from kohort.algorithms.cells.repair import repaired
from kohort.arrays import IntArray
from kohort.classes import group
from kohort.recode import Problem, Solution
from kohort.recode.cells import STAR, Cells


def settle(
    problem: Problem,
    cost: CellCost,
    group_of: IntArray,
    facts: Mapping[str, Any] | None = None,
    optimal: bool = False,
) -> Solution:
    """Return the solution that releases the rows of every group alike, repaired where a promise fails.

    Its facts tell the number of groups, of suppressed cells and of generalization steps, and the cost: the
    same with each cell or step at its attribute's weight.
    """
    groups = repaired(problem, cost, group_of)
    kept = _told_apart(problem, cost, groups)
    levels = cost.levels(kept)
    told = {
        **(facts or {}),
        "groups": int(kept.max(initial=-1)) + 1,
        **counted(levels, cost),
        "cost": cost.told(cost.total(kept)),
    }
    return checked(
        problem, Cells(levels, np.ones(problem.n_rows, np.bool_)), told, optimal and kept is groups
    )


def _told_apart(problem: Problem, cost: CellCost, kept: IntArray) -> IntArray:
    """Return groups of which every released class keeps the promises, also where two are spelled alike and are one class then.

    A promise that is not monotone, such as recursive diversity of people, may hold in two groups and not in both together.
    """
    while True:
        everybody = np.ones(problem.n_rows, np.bool_)
        columns = Cells(cost.levels(kept), everybody).apply(problem).columns
        _, told = group(np.column_stack([column.codes for column in columns]).astype(np.int32))
        if told.max(initial=-1) == kept.max(initial=-1):  # each is told apart from the others
            return kept
        kept = repaired(problem, cost, told)


def counted(levels: IntArray, cost: CellCost) -> dict[str, int]:
    """Return how many cells are suppressed and how many steps above the lowest levels are taken."""
    taken = np.where(levels == STAR, 0, levels - cost.base)
    return {"suppressed_cells": int((levels == STAR).sum()), "generalization_steps": int(taken.sum())}


def checked(problem: Problem, decision: Cells, facts: Mapping[str, Any], optimal: bool = False) -> Solution:
    """Return the solution of a decision, after a look at the classes that it really releases."""
    outcome = decision.apply(problem).outcome(problem)
    assert not problem.failing(outcome.classes).any(), "a released class breaks a promise"
    return Solution(decision, problem.objective.score(outcome), optimal, dict(facts))
