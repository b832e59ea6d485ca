"""From clusters to a solution: repair what other models ask, decide, check and measure."""

from __future__ import annotations

from typing import Any

import numpy as np

from kohort.algorithms.clustering.demands import Demands
from kohort.algorithms.clustering.extents import Extents
from kohort.algorithms.clustering.tuples import measure
from kohort.algorithms.nothing_found import no_grouping
from kohort.algorithms.watch import Watch
from kohort.arrays import BoolArray, IntArray
from kohort.classes import classes_of_rows
from kohort.recode import Problem, Recoded, Solution
from kohort.recode.groups import Groups


def settle(problem: Problem, demands: Demands, cluster_of: IntArray, tight: bool, watch: Watch) -> Solution:
    """Return the solution that releases these clusters, merged where a promise asks for it.

    A released class that breaks a promise is merged with the nearest other one (least rise of the information
    loss) until all hold; when it is over, all such classes are merged at once. Raises InfeasibleError where
    even the whole table as one class breaks one.
    """
    costs, codes = measure(problem, tight)
    formed = len(np.unique(cluster_of))
    while True:
        decision = Groups(cluster_of, np.ones(problem.n_rows, np.bool_), tight)
        recoded = decision.apply(problem)
        class_of, failing = _judged(problem, recoded)
        if not failing.any():
            break
        watch.update(f"{int(failing.sum()):,} of {len(failing):,} classes break a promise: merging")
        hurried = watch.over and int(failing.sum()) > 1
        into = (
            _together(failing) if hurried else _merged(problem, Extents.of(costs, codes, class_of), failing)
        )
        cluster_of = into[class_of]
    dense = np.unique(cluster_of, return_inverse=True)[1].reshape(-1)
    extents = Extents.of(costs, codes, dense)
    facts = {**demands.facts(problem.n_rows), **_measures(problem, extents, demands.k)}
    facts |= {"classes": len(failing), "merged": formed - len(extents.sizes)}
    return Solution(decision, problem.objective.score(recoded.outcome(problem)), facts=facts)


def _judged(problem: Problem, recoded: Recoded) -> tuple[IntArray, BoolArray]:
    """Return the released class of every row, and which classes break a promise."""
    codes = np.column_stack([column.codes for column in recoded.columns]).astype(np.int32)
    sizes = {name: histogram.size for name, histogram in problem.base.sensitive.items()}
    sensitive = {name: (values, sizes[name]) for name, values in problem.sensitive.items()}
    classes, class_of = classes_of_rows(codes, sensitive, problem.respondents)
    return class_of, problem.failing(classes)


def _merged(problem: Problem, extents: Extents, failing: BoolArray) -> IntArray:
    """Return, for every class, the class it becomes part of: each failing one joins its nearest."""
    if len(failing) == 1:
        raise no_grouping(problem, {"classes": 1})
    into = np.arange(len(failing))
    touched = np.zeros(len(failing), np.bool_)
    for c in np.flatnonzero(failing):
        if not touched[c]:
            nearest = extents.nearest(int(c))
            into[into == into[c]] = into[nearest]
            touched[c] = touched[nearest] = True
    return into


def _together(failing: BoolArray) -> IntArray:
    """Return, for every class, the class it becomes part of: the failing ones become one."""
    into = np.arange(len(failing))
    into[failing] = int(np.argmax(failing))
    return into


def _measures(problem: Problem, extents: Extents, k: int) -> dict[str, Any]:
    """Return the measures of Truta et al., section 3.1, over the clusters.

    Clusters with equal labels are one class of the release, so metrics of the release may differ.
    """
    n, clusters = int(extents.sizes.sum()), len(extents.sizes)
    loss = float((extents.losses() * extents.sizes).sum())
    return {
        "clusters": clusters,
        "information_loss": problem.proportions.told(loss),
        "information_loss_share": loss / max(n * float(extents.costs.weights.sum()), 1e-300),
        "discernibility_of_clusters": int((extents.sizes**2).sum()),
        "average_cluster_size": n / (clusters * k),
    }
