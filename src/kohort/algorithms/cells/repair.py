"""Groups of rows until every promise holds: failing groups join the group nearest to them."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cells.cost import CellCost, members
from kohort.algorithms.nothing_found import no_grouping
from kohort.arrays import BoolArray, IntArray
from kohort.classes import classes_of_rows
from kohort.errors import InfeasibleError
from kohort.plurals import many
from kohort.recode import Problem


def demand_rows(problem: Problem, k: int) -> None:
    """Raise where the whole table is a smaller crowd than k."""
    if 0 < problem.n_rows < k:
        raise InfeasibleError(
            f"the table has {many(problem.n_rows, 'row')}; no class of it can hold the {k} that are asked for: "
            "lower k or add rows",
            nearest={"rows": problem.n_rows},
            code="infeasible.too-few-rows",
        )


def repaired(problem: Problem, cost: CellCost, group_of: IntArray) -> IntArray:
    """Return groups that keep every promise: each failing group is merged with its nearest, until none fails.

    Nearest is the group with which the merger costs least. k-anonymity and every model that is monotone
    under generalization must hold in the end if the whole table as one class keeps the promises; other
    models may come out as infeasible here although a finer partition would keep them.
    """
    while True:
        group_of = coinciding(cost, group_of)
        failing = failing_groups(problem, group_of)
        if not failing.any():
            return group_of
        if len(failing) == 1:
            raise no_grouping(problem, {"groups": 1})
        group_of = _merge_round(cost, group_of, failing)


def failing_groups(problem: Problem, group_of: IntArray) -> BoolArray:
    """Mark the groups that break a promise, each group taken as one class."""
    sizes = {name: histogram.size for name, histogram in problem.base.sensitive.items()}
    sensitive = {name: (values, sizes[name]) for name, values in problem.sensitive.items()}
    classes, _ = classes_of_rows(group_of.astype(np.int32)[:, None], sensitive, problem.respondents)
    return problem.failing(classes)


def coinciding(cost: CellCost, group_of: IntArray) -> IntArray:
    """Return the groups with those made one that are released as the same tuple anyway."""
    if not len(group_of):
        return group_of
    shown = np.array([_shown(cost, rows) for rows in members(group_of)])
    _, class_of = np.unique(shown, axis=0, return_inverse=True)
    return np.asarray(class_of.reshape(-1)[group_of])


def _shown(cost: CellCost, rows: IntArray) -> IntArray:
    return np.where(cost.varying(rows), -1, cost.steps[:, rows[0]])


def _merge_round(cost: CellCost, group_of: IntArray, failing: BoolArray) -> IntArray:
    """Return the groups after every failing one, smallest first, has joined its nearest or was joined."""
    groups = members(group_of)
    first = np.array([rows[0] for rows in groups])
    values = cost.steps[:, first]
    varying = np.array([cost.varying(rows) for rows in groups]).T
    sizes = np.array([len(rows) for rows in groups])
    into = np.arange(len(groups))  # where each group has gone
    gone = np.zeros(len(groups), np.bool_)
    joined = np.zeros(len(groups), np.bool_)
    for f in sorted(np.flatnonzero(failing), key=lambda f: (sizes[f], f)):
        if joined[f]:
            continue
        either = varying | varying[:, [f]] | (values != values[:, [f]])
        price = sizes * (cost.weights @ varying)
        extra = (sizes + sizes[f]) * (cost.weights @ either) - price - price[f]
        extra[gone] = np.inf
        extra[f] = np.inf
        nearest = int(np.argmin(extra))
        into[into == f] = nearest
        varying[:, nearest] = either[:, nearest]
        sizes[nearest] += sizes[f]
        gone[f] = joined[nearest] = True
    return np.asarray(np.unique(into[group_of], return_inverse=True)[1].reshape(-1))
