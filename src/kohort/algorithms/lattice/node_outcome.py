"""`NodeOutcome`: what one lattice node would release, computed on classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from kohort.algorithms.lattice.finite import finite
from kohort.algorithms.lattice.lattice import Vector
from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes
from kohort.metrics import Outcome
from kohort.metrics.extent import level_extents
from kohort.recode import Problem


@dataclass(frozen=True, eq=False)
class NodeOutcome:
    """The classes of one node, and which of them fail."""

    problem: Problem
    classes: Classes
    failing: BoolArray

    @property
    def levels(self) -> Vector:
        """The node."""
        return self.classes.levels

    @cached_property
    def suppressed(self) -> int:
        """The records in failing classes: the minimal required suppression (Samarati, D4.2)."""
        return int(self.classes.rows[self.failing].sum())

    @property
    def feasible(self) -> bool:
        """Whether suppression stays within the limit and something is left to release."""
        return self.suppressed <= self.problem.max_suppressed and not bool(self.failing.all())

    @cached_property
    def score(self) -> float:
        """The objective's score of the node with its failing classes suppressed."""
        return finite(self.problem, self.problem.objective.score(self.outcome()))

    def outcome(self) -> Outcome:
        """Return what the metrics look at, equal to that of the decision applied to the rows."""
        return outcome_of(self.problem, self.classes, self.failing)


def judge(problem: Problem, levels: Sequence[int], source: Classes | None = None) -> NodeOutcome:
    """Judge the node `levels`, rolled up from `source` (finer classes) or from the base."""
    classes = problem.at(levels) if source is None else source.rollup(problem.hierarchies, levels)
    return NodeOutcome(problem, classes, problem.failing(classes))


def outcome_of(problem: Problem, classes: Classes, failing: BoolArray) -> Outcome:
    """Return the outcome of releasing the classes that do not fail."""
    released = classes.kept(~failing)
    domains = [h.levels[level] for h, level in zip(problem.hierarchies, classes.levels, strict=True)]
    heights = np.array([max(h.height, 1) for h in problem.hierarchies], np.float64)

    @cache
    def kept_records() -> tuple[IntArray, ...]:
        if problem.nodes is not None:
            return problem.nodes.records(classes, ~failing)
        return problem.records(~failing[member_of(problem, classes)])

    def joint(j: int) -> IntArray:
        # A released code is a function of the ground code, so records per ground code say it all.
        records = kept_records()[j]
        ground = np.flatnonzero(records)
        return np.column_stack([ground, domains[j].of_ground[ground], records[ground]])

    return Outcome(
        classes=released,
        leaves=np.column_stack(
            [domain.leaves.astype(np.float64)[released.codes[:, j]] for j, domain in enumerate(domains)]
        ),
        depth=np.broadcast_to(np.array(classes.levels) / heights, released.codes.shape),
        domain=np.array([h.size for h in problem.hierarchies]),
        suppressed=problem.n_rows - released.n_rows,
        n_rows=problem.n_rows,
        weights=problem.weight,
        suppression=problem.suppression_cost,
        extent=lambda j: level_extents(problem.hierarchies[j])[classes.levels[j]],
        joint=joint,
        heights=np.array([h.height for h in problem.hierarchies]),
        totals=problem.totals,
    )


def member_of(problem: Problem, classes: Classes) -> IntArray:
    """Return, for every base class, the position of its class in `classes`."""
    from kohort.recode.levels import base_to_node

    return base_to_node(problem, classes.levels)
