"""From groups of similar records to a release that keeps every promise."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import numpy as np

from kohort.algorithms.microaggregation.features import Features
from kohort.algorithms.microaggregation.grid import MOST_DECIMALS
from kohort.algorithms.nothing_found import no_grouping
from kohort.arrays import FloatArray, IntArray
from kohort.errors import InfeasibleError, InputError
from kohort.plurals import many
from kohort.recode import Decision, Problem, Solution
from kohort.recode.centroids import Centroids, check_rounding, kind_of
from kohort.recode.groups import Groups, failing_groups

Aggregate = Literal["centroid", "interval"]


def group_size(problem: Problem, name: str) -> int:
    """Return the k of the plan, or say that microaggregation cannot do without."""
    k = problem.crowd
    if k < 2:
        raise InputError(
            f"{name}: it makes groups of k records; add k-anonymity to [[require]]",
            code="algorithm.needs-promise",
            algorithm=name,
        )
    if k > problem.n_rows:
        raise InfeasibleError(
            f"{name}: the table has {many(problem.n_rows, 'record')}, fewer than k = {k:,}; lower k",
            nearest={"rows": problem.n_rows},
            code="infeasible.too-few-rows",
            algorithm=name,
        )
    return k


def mended(problem: Problem, shape: Features, group_of: IntArray) -> IntArray:
    """Return the groups of the records after those that break a promise were merged with their nearest.

    Groups of k records keep k-anonymity over rows as they are; other promises (and k over people) may need
    larger ones. In each round every failing group joins the group with the nearest centroid.
    """
    group_of = np.unique(group_of, return_inverse=True)[1].reshape(-1)
    while True:
        n_groups = int(group_of.max()) + 1
        by_row = np.empty(problem.n_rows, np.int64)
        by_row[shape.rows] = group_of
        failing = failing_groups(problem, by_row)
        if not failing.any():
            return group_of
        if n_groups == 1:
            raise no_grouping(problem, {"rows": problem.n_rows})
        points, kinds = shape.centroids(group_of, n_groups)
        onto = np.arange(n_groups)
        for g in np.flatnonzero(failing).tolist():
            if (onto == g).sum() == 1 and onto[g] == g:  # nobody has joined it in this round
                near = distances_to(points, kinds, shape.weights, points[:, g], kinds[:, g])
                near[g] = np.inf
                onto[g] = onto[int(np.argmin(near))]
        group_of = np.unique(onto[group_of], return_inverse=True)[1].reshape(-1)


def distances_to(
    points: FloatArray, codes: IntArray, weights: FloatArray, point: FloatArray, kinds: IntArray
) -> FloatArray:
    """Return the squared distances of many points to one."""
    apart = ((points - point[:, None]) ** 2).sum(axis=0) + weights @ (codes != kinds[:, None])
    return np.asarray(apart, np.float64)


def settle(
    problem: Problem,
    group_of: IntArray,
    release: Aggregate,
    decimals: int | None,
    ordinal: Collection[str],
    nominal: Collection[str],
) -> Solution:
    """Return the solution that releases the groups of rows as centroids, or truthfully as intervals."""
    decision: Decision
    if release == "interval":
        decision = Groups(group_of, np.ones(problem.n_rows, np.bool_))
    else:
        pairs = zip(problem.names, problem.hierarchies, strict=True)
        kinds = tuple(kind_of(name, hierarchy, ordinal, nominal) for name, hierarchy in pairs)
        check_rounding(problem, kinds, decimals)
        decision = Centroids(group_of, kinds, (decimals,) * len(kinds))
    score = problem.objective.score(decision.apply(problem).outcome(problem))
    return Solution(
        decision,
        score,
        facts={"groups": int(group_of.max(initial=-1)) + 1, "release": release},
    )


def check_options(name: str, release: str, decimals: int | None) -> None:
    """Refuse options that mean nothing."""
    if release not in ("centroid", "interval"):
        raise InputError(
            f"{name}: release is {release!r}; it must be centroid or interval",
            code="algorithm.wrong-option",
            algorithm=name,
            option="release",
            value=release,
            allowed=("centroid", "interval"),
        )
    if decimals is None:
        return
    if isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= MOST_DECIMALS:
        raise InputError(
            f"{name}: decimals is {decimals!r}; it must be a whole number from 0 to {MOST_DECIMALS}",
            code="algorithm.wrong-option",
            algorithm=name,
            option="decimals",
            value=decimals,
            least=0,
            most=MOST_DECIMALS,
        )
