"""`cells-exact`: the fewest suppressed cells, or generalization steps, on small tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cells.cost import CellCost, cell_cost, members, numbered
from kohort.algorithms.cells.forest import forest_groups
from kohort.algorithms.cells.order import by_value
from kohort.algorithms.cells.polish import polished
from kohort.algorithms.cells.repair import demand_rows
from kohort.algorithms.cells.segments import cheapest_segments
from kohort.algorithms.cells.settle import settle
from kohort.algorithms.cells.solver import Program, solve
from kohort.algorithms.nothing_found import no_grouping
from kohort.algorithms.taxonomy import TINY, USUAL_CELLS
from kohort.algorithms.watch import Watch, unwatched
from kohort.arrays import BoolArray, FloatArray
from kohort.card import Card
from kohort.classes import classes_of_rows
from kohort.errors import InputError
from kohort.hierarchy.standing import as_declared
from kohort.models import Monotone
from kohort.recode import Problem, Solution

MOST_SETS = 120_000  # candidate groups up to which the set-partition program is solved


@dataclass(frozen=True)
class CellsExact:
    """The partition into groups of least cost, proved.

    A group of 2k rows or more can be split without losing anything, so for k-anonymity the candidate groups
    are the sets of k to 2k − 1 rows; the cheapest partition of the table into candidates is found by dynamic
    programming over subsets of rows (tables of up to 10 rows) or as a set-partition program by HiGHS (extra
    `solve`; up to 120,000 candidates: 89 rows at k = 2, 27 at k = 3, 19 at k = 4). Other models, and
    respondents with several rows, are served on tables of up to 10 rows, where every subset that keeps the
    promises is a candidate. Larger tables are refused.

    Guarantee: the least cost, for models that judge single classes and are monotone under generalization;
    for others groups that are released alike may have to be merged further. `optimal` is said of a solution
    where the objective is `precision` and orders recodings as the cost does: for suppression, and for
    generalization with hierarchies of one height.

    Complexity: O(3ⁿ) at worst for the dynamic program; exponential for the set-partition program.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("cells-exact")))
    >>> counted(release.table)
    {('*', '*'): 2, ('*', '94138'): 2, ('*', '94142'): 2}

    References: Meyerson, A. and Williams, R. On the complexity of optimal k-anonymity. PODS 2004, and Aggarwal, G. et al.
    Approximation algorithms for k-anonymity. Journal of Privacy Technology, 2005: the problem is NP-hard.
    """

    generalize: bool = False

    card: ClassVar = Card(
        "cells-exact",
        "the least number of suppressed cells or generalization steps, on small tables",
        guarantee="the fewest suppressed cells or generalization steps where the search ends by itself, for promises that merging "
        "keeps",
        taxonomy="_CS, CG_",
        decides="row",
        paper="NP-hard: Meyerson & Williams 2004, Aggarwal et al. 2005",
        bounds=("min_level",),
        heeds=("weight",),
        leaves_out=False,
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the cheapest recoding, or refuse a table that is too large."""
        watch = Watch.of(problem, progress)
        with watch.or_unfinished(self.card.name):
            return by_value(problem, lambda rows: self._solve(rows, watch))

    def _solve(self, problem: Problem, watch: Watch) -> Solution:
        k = problem.least_size
        demand_rows(problem, k)
        cost = cell_cost(problem, self.generalize)
        sets = _candidates(problem, k)
        watch.update("partitioning rows", 0, len(sets))
        if problem.n_rows <= TINY:
            groups = _by_subsets(problem, cost, sets)
            proved = all(m.card.classwise and Monotone.GENERALIZATION in m.monotone for m in problem.models)
        else:
            groups, proved = _by_program(cost, sets, k, watch)
        proved = proved and cost.proportions.kept and cost.adds_exactly
        group_of = numbered(groups, problem.n_rows)
        facts: dict[str, Any] = {"candidates": len(sets), "proved": proved, **watch.facts()}
        if proved:
            facts["lower_bound"] = cost.told_bound(cost.total(group_of))
        return settle(problem, cost, group_of, facts, proved and _orders_alike(problem, cost))


def _candidates(problem: Problem, k: int) -> list[tuple[int, ...]]:
    """Return the sets of rows that may be a group."""
    n = problem.n_rows
    if problem.by_size:
        sizes = range(k, min(2 * k - 1, n) + 1)
        count = sum(comb(n, size) for size in sizes)
        if n > TINY and count > MOST_SETS:
            raise InputError(
                f"cells-exact: {n} rows have {count:,} groups of {k} to {2 * k - 1} rows; it tries at most "
                f"{MOST_SETS:,}: choose {USUAL_CELLS!r}, or fewer rows",
                code="algorithm.too-large",
                algorithm="cells-exact",
                rows=n,
                found=count,
                most=MOST_SETS,
            )
        return [rows for size in sizes for rows in combinations(range(n), size)]
    if n > TINY:
        raise InputError(
            f"cells-exact serves respondents with several rows and models other than k-anonymity on tables of "
            f"up to {TINY} rows, and this one has {n}: choose {USUAL_CELLS!r}",
            code="algorithm.too-large",
            algorithm="cells-exact",
            rows=n,
            most=TINY,
        )
    sets = [rows for size in range(k, n + 1) for rows in combinations(range(n), size)]
    return [rows for rows, failing in zip(sets, _failing(problem, sets), strict=True) if not failing]


def _failing(problem: Problem, sets: list[tuple[int, ...]]) -> BoolArray:
    """Mark the sets of rows that break a promise as a class of their own."""
    set_of = np.repeat(np.arange(len(sets), dtype=np.int32), [len(rows) for rows in sets])
    row = np.array([row for rows in sets for row in rows], np.int64)
    sizes = {name: histogram.size for name, histogram in problem.base.sensitive.items()}
    sensitive = {name: (values[row], sizes[name]) for name, values in problem.sensitive.items()}
    people = None
    if (
        problem.respondents is not None
    ):  # who is in two of the sets is somebody else in each: only one may be a group
        people = problem.respondents[row] + set_of.astype(np.int64) * (problem.respondents.max() + 1)
    classes, _ = classes_of_rows(set_of[:, None], sensitive, people)
    alone = tuple(model for model in problem.models if model.card.classwise)
    return replace(problem, models=alone).failing(classes)


def _by_subsets(problem: Problem, cost: CellCost, sets: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the cheapest partition into the sets: over subsets of rows, the lowest row left goes first."""
    n = cost.n_rows
    by_lowest: list[list[tuple[int, float, tuple[int, ...]]]] = [[] for _ in range(n)]
    for rows in sets:
        mask = sum(1 << row for row in rows)
        by_lowest[rows[0]].append((mask, cost.price(np.array(rows)), rows))
    best: list[float] = [0.0] + [float("inf")] * (2**n - 1)
    last: list[tuple[int, tuple[int, ...]]] = [(0, ())] * 2**n
    for left in range(1, 2**n):
        lowest = (left & -left).bit_length() - 1
        for mask, price, rows in by_lowest[lowest]:
            if mask & left == mask and best[left ^ mask] + price < best[left]:
                best[left] = best[left ^ mask] + price
                last[left] = left ^ mask, rows
    if best[-1] == float("inf"):
        raise no_grouping(problem, {})
    groups = []
    left = 2**n - 1
    while left:
        left, rows = last[left]
        groups.append(rows)
    return groups


def _by_program(
    cost: CellCost, sets: list[tuple[int, ...]], k: int, watch: Watch
) -> tuple[list[tuple[int, ...]], bool]:
    """Return the cheapest partition into the sets by integer programming, and whether it is proved.

    A set whose reduced cost in the linear relaxation exceeds the gap between the relaxation and a known
    partition is in no better partition. So the program is solved first over the sets of small reduced cost
    (and those of `forest`, so that there is a partition), and again with the gap of what came out, if that is
    larger. Where it is over before the solver has a partition, that of `forest` is returned.
    """
    forest = forest_groups(cost, np.arange(cost.n_rows), k, unwatched())[0]
    known = {
        tuple(part)
        for rows in members(polished(cost, forest, k, unwatched()))
        for part in cheapest_segments(cost, rows.tolist(), False, k)
    }
    prices = _prices(cost, sets)
    relaxed = solve(_program(prices, sets, cost.n_rows), integer=False, who="cells-exact", watch=watch)
    if relaxed is None:
        return sorted(known), False
    reduced = prices - np.array([relaxed.duals[list(rows)].sum() for rows in sets])
    reduced[[j for j, rows in enumerate(sets) if rows in known]] = 0.0
    gap = 1.0
    while True:
        near = np.flatnonzero(reduced <= gap + 1e-6)
        here = [sets[j] for j in near]
        program = _program(prices[near], here, cost.n_rows)
        answer = solve(program, integer=True, who="cells-exact", watch=watch)
        if answer is None:
            return sorted(known), False
        if not answer.proved or answer.value - relaxed.value <= gap + 1e-6:
            return [here[j] for j in np.flatnonzero(answer.x > 0.5)], answer.proved and cost.step > 0
        gap = answer.value - relaxed.value


def _program(prices: FloatArray, sets: list[tuple[int, ...]], n_rows: int) -> Program:
    return Program(
        costs=prices,
        starts=np.cumsum([0] + [len(rows) for rows in sets]),
        rows=np.array([row for rows in sets for row in rows]),
        low=np.ones(n_rows),
        high=np.ones(n_rows),
    )


def _prices(cost: CellCost, sets: list[tuple[int, ...]]) -> FloatArray:
    """Return the price of every set, sets of one size at a time."""
    sizes = np.array([len(rows) for rows in sets])
    prices = np.empty(len(sets))
    for size in np.unique(sizes):
        here = np.flatnonzero(sizes == size)
        held = cost.steps[:, np.array([sets[j] for j in here])]  # (steps, sets, rows of a set)
        prices[here] = size * (cost.weights @ (held != held[:, :, :1]).any(axis=2))
    return prices


def _orders_alike(problem: Problem, cost: CellCost) -> bool:
    """Whether a recoding of less cost is one of better score, among all of the taxonomy model."""
    if not problem.form.by_step or any(problem.lowest):
        return False
    levels = None if cost.generalize else 1
    if not all(as_declared(hierarchy, levels, joins=True) for hierarchy in problem.hierarchies):
        return False  # what a label costs is not what its steps do
    heights = {hierarchy.height for hierarchy in problem.hierarchies}
    return not cost.generalize or len(heights) == 1
