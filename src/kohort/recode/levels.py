"""Full-domain recoding: one level per attribute, failing tuples suppressed (AG_TS)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.hierarchy import Hierarchy
from kohort.recode.counted_boxes import CountedBoxes
from kohort.recode.decision import Solution
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn


@dataclass(frozen=True, eq=False)
class Levels:
    """Every value of an attribute is generalized to the same level; base classes not `kept` are left out."""

    levels: tuple[int, ...]
    kept: BoolArray  # (n_base_classes)

    def apply(self, problem: Problem) -> Recoded:
        """Map every column by its dictionary."""
        columns = tuple(
            level_column(hierarchy, level, problem.base.codes[:, j], problem.base.levels[j])
            for j, (hierarchy, level) in enumerate(zip(problem.hierarchies, self.levels, strict=True))
        )
        return Recoded(columns, self.kept, problem.class_of)

    def facts(self, problem: Problem) -> dict[str, Any]:
        """Return the level of every attribute."""
        return {"levels": dict(zip(problem.names, self.levels, strict=True))}


def level_column(hierarchy: Hierarchy, level: int, codes: IntArray, low: int = 0) -> ReleasedColumn:
    """Return the column of codes at the level `low` released at `level`."""
    domain = hierarchy.levels[level]
    return ReleasedColumn(
        codes=hierarchy.step(low, level)[codes],
        labels=domain.labels,
        leaves=domain.leaves.astype(np.float64),
        depth=np.full(len(domain.labels), level / hierarchy.height if hierarchy.height else 0.0),
        ground=level == 0 and not hierarchy.open_ended,
    )


def decide_levels(problem: Problem, levels: tuple[int, ...]) -> Levels:
    """Return the decision for `levels` with exactly the failing classes suppressed (Samarati, D4.2)."""
    failing = problem.failing(problem.at(levels))
    return Levels(levels, ~failing[base_to_node(problem, levels)])


def settled(problem: Problem, solution: Solution) -> Problem:
    """Return the problem with its base as was decided, at these levels or in these boxes, where the ground is too much to hold."""
    if problem.nodes is None:
        return problem
    if isinstance(solution.decision, CountedBoxes):
        return solution.decision.settled(problem)
    levels = solution.decision.facts(problem)["levels"]
    return replace(problem, base=problem.nodes.settled([levels[name] for name in problem.names]))


def base_to_node(problem: Problem, levels: tuple[int, ...]) -> IntArray:
    """Return, for every base class, its class in the roll-up to `levels`."""
    return problem.rolled_up(levels)[1]
