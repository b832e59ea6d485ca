"""What the models say of a node, and what that means for its specializations."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np

from kohort.arrays import BoolArray, FloatArray
from kohort.classes import Classes
from kohort.models import Monotone, failing_for_good
from kohort.recode import Problem


class NodeFaults(NamedTuple):
    """The failing classes of a node, and what is proved about all its specializations."""

    failing: BoolArray
    firm: BoolArray  # classes whose records fail at every specialization too
    least: int  # as many records are suppressed at every specialization at least
    doomed: bool  # no specialization is feasible


def node_faults(problem: Problem, classes: Classes) -> NodeFaults:
    """Ask every model, a promise about the whole table last.

    Records that fail a model whose suppression is monotone fail at every specialization: a class that
    passes would still pass after any merger. Others may prove how many do (`failing_for_good`). Where nothing may be
    suppressed, a model monotone under generalization that fails here fails at every specialization.
    """
    failing, firm = np.zeros(len(classes), np.bool_), np.zeros(len(classes), np.bool_)
    floors: FloatArray = np.zeros(len(classes))
    doomed = False
    for model in problem.models:
        if not model.card.classwise:
            continue
        broken, floor = failing_for_good(model, classes)
        if floor is not None:
            floors = np.maximum(floors, floor)
        failing |= broken
        if Monotone.SUPPRESSION in model.monotone:
            firm |= broken
        if problem.max_suppressed == 0 and Monotone.GENERALIZATION in model.monotone and broken.any():
            doomed = True
    for model in problem.models:
        if not model.card.classwise:
            left = np.flatnonzero(~failing)
            failing[left[model.failing(classes.kept(left))]] = True
    # The floors are rounded floating-point numbers: what they lack of a whole record is not counted.
    least = int(classes.rows[firm].sum()) + max(0, ceil(float(floors[~firm].sum()) - 1e-3))
    doomed = doomed or least > problem.max_suppressed or least >= problem.n_rows
    return NodeFaults(failing, firm, least, doomed)
