"""Groupings of single rows that are elsewhere: within the regions that Mondrian cuts, each where its rows are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from kohort.algorithms.algorithm import Algorithm, Progress
from kohort.algorithms.equal_rows import dealing_of
from kohort.algorithms.partition.counted_search import cut_cells, scored
from kohort.algorithms.partition.grouping import UNIT, Grouping
from kohort.algorithms.watch import Watch
from kohort.arrays import IntArray
from kohort.recode import Problem, Solution
from kohort.recode.counted_boxes import CountedBoxes
from kohort.recode.dealt import Dealt
from kohort.recode.groups import GroupStyle
from kohort.recode.nodes import RegionRows
from kohort.recode.on_grid import demand_declared_ends

ROWS_OF_A_REGION = 1 << 16  # that one executor groups by itself, which takes time by their square
TRIED = 16  # of so many regions one is cut once more, to see what a cut costs


def solved(problem: Problem, algorithm: Algorithm, progress: Progress) -> Solution:
    """Return what an algorithm comes to: where it looks at single rows and these are elsewhere, region by region.

    Rows that are here are dealt anew before: which of several equal ones is in which group, chance says, not their order.
    """
    counter = None if problem.nodes is None else problem.nodes.regions
    if algorithm.card.decides == "class":
        return algorithm.solve(problem, progress)
    if counter is not None:
        return search_grouped(problem, algorithm, counter, progress)
    if not problem.has_rows:
        return algorithm.solve(problem, progress)
    dealing = dealing_of(problem, by_cells=getattr(algorithm, "by_cells", False))
    solution = algorithm.solve(dealing.of(problem), progress)
    return replace(solution, decision=Dealt(solution.decision, dealing))


def search_grouped(problem: Problem, algorithm: Algorithm, rows: RegionRows, progress: Progress) -> Solution:
    """Group the records within regions, and score the release of them; facts tell how many regions, and what a cut costs.

    A table that fits into one region is grouped as a whole; records that agree in all quasi-identifiers stay together.
    """
    watch = Watch.of(problem, progress)
    tight = bool(vars(algorithm).get("tight"))
    if tight:
        demand_declared_ends(problem)
    _, tree, cells = cut_cells(problem, rows, watch, False, min(rows.most, ROWS_OF_A_REGION))
    numbers = sorted(cell.number for cell in cells)
    grouping = Grouping.of(problem, algorithm, numbers[::TRIED] if len(numbers) > 1 else ())
    watch.update("grouping similar records")
    decision = CountedBoxes(rows.finished(tree, grouping), GroupStyle(tight))
    told = {"regions": len(cells), "most_in_a_region": max(cell.records for cell in cells)}
    return scored(problem, decision, watch, **told, **_cost(decision.rows.told))


def _cost(told: IntArray) -> dict[str, Any]:
    """Return what one more cut made of the loss in the regions where it was tried."""
    tried = np.unique(told[:, -2:], axis=0)
    before, after = tried.sum(axis=0) / UNIT
    return {"cut_once_more": {"before": float(before), "after": float(after)}} if before else {}
