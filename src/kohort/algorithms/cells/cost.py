"""`CellCost`: what it costs to make rows equal, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from kohort.algorithms.taxonomy import USUAL
from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.errors import InputError
from kohort.models.threshold import rational
from kohort.recode import Problem
from kohort.recode.cells import STAR
from kohort.recode.proportions import Proportions

SMALLEST = 1e-5  # of the greatest weight: a solver may miss a tenth of it
_EXACT = 2.0**51  # steps up to which half of one is told


@dataclass(frozen=True, eq=False)
class CellCost:
    """Weighted Hamming distance over steps.

    A step is one thing that a cell may have to give up: its value (cell suppression), or its label at one
    level of the hierarchy (cell generalization: as hierarchies are nested, two cells differ at the levels
    below their lowest common ancestor and nowhere above). So generalization is suppression over more
    columns: the distance of two rows is the weight of the steps in which they differ, and a group of rows
    pays, for each row, the weight of all steps in which not all its rows agree.
    """

    steps: IntArray  # int32 (n_steps, n_rows)
    weights: FloatArray  # (n_steps), in proportion to the greatest; 0 where all rows agree
    attribute: IntArray  # (n_steps) the attribute a step belongs to, ascending; lower levels first
    base: IntArray  # (n_qi) the level of a cell that gives up nothing
    generalize: bool  # False: a cell that gives up its step is suppressed
    proportions: Proportions  # that the weights are taken from

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.steps.shape[1])

    def distances(self, row: int, others: IntArray | slice = slice(None)) -> FloatArray:
        """Return the distance from one row to the others."""
        differ = self.steps[:, others] != self.steps[:, row, None]
        return np.asarray(self.weights @ differ)

    def matrix(self) -> FloatArray:
        """Return all distances, (n_rows, n_rows)."""
        return np.array([self.distances(row) for row in range(self.n_rows)])

    def varying(self, rows: IntArray) -> BoolArray:
        """Return the steps in which the rows do not all agree."""
        held = self.steps[:, rows]
        return np.asarray((held != held[:, :1]).any(axis=1))

    def price(self, rows: IntArray) -> float:
        """Return what making the rows equal costs."""
        return float(len(rows) * (self.weights @ self.varying(rows)))

    def total(self, group_of: IntArray) -> float:
        """Return what making the rows of every group equal costs."""
        return sum(self.price(rows) for rows in members(group_of))

    @cached_property
    def step(self) -> float:
        """What costs are whole multiples of; 0 where they may differ by less than a solver can tell."""
        step, greatest = self.proportions.step, Fraction(float(self.weights.max(initial=0.0)))
        return float(step) if self.proportions.kept and step > rational(SMALLEST) * greatest else 0.0

    def told(self, cost: float) -> float:
        """Return a cost as the weights of the plan make it."""
        return self.proportions.told(cost)

    def told_bound(self, bound: float) -> float:
        """Return what no recoding costs less than, as the weights of the plan make it: rounded downwards."""
        return self.proportions.told_below(bound, self.adds_exactly)

    @property
    def adds_exactly(self) -> bool:
        """Whether no cost is rounded, however many steps it adds up: then costs that differ are told apart."""
        step = float(self.proportions.step)
        return step > 0 and self.n_rows * float(self.weights.sum()) / step < _EXACT

    def levels(self, group_of: IntArray) -> IntArray:
        """Return the level at which every cell is released, (n_rows, n_qi)."""
        n_qi = len(self.base)
        levels = np.empty((self.n_rows, n_qi), np.int16)
        for rows in members(group_of):
            given = np.bincount(self.attribute, self.varying(rows), minlength=n_qi).astype(np.int16)
            levels[rows] = self.base + given if self.generalize else np.where(given > 0, STAR, self.base)
        return levels


def members(group_of: IntArray) -> list[IntArray]:
    """Return the rows of each group, ascending; groups are numbered without a gap."""
    if not len(group_of):
        return []
    order = np.argsort(group_of, kind="stable")
    return np.split(order, np.cumsum(np.bincount(group_of))[:-1])


def numbered(groups: Sequence[Sequence[int] | IntArray], n_rows: int) -> IntArray:
    """Return the group of every row; the inverse of `members`."""
    group_of = np.full(n_rows, -1, np.int64)
    for number, rows in enumerate(groups):
        group_of[np.asarray(rows)] = number
    return group_of


def cell_cost(problem: Problem, generalize: bool) -> CellCost:
    """Return the cost of cells over the whole table, starting from the lowest levels allowed.

    Every suppressed cell costs its attribute's weight (1 unless told); with `generalize` every step up the
    hierarchy does.
    """
    bound = [name for name, h, top in _tops(problem) if top < h]
    if bound:
        raise InputError(
            f"max_levels is set for {', '.join(map(repr, bound))}, but a cell recoding may have to go up to "
            f"the root: drop max_levels, or choose an algorithm of attribute generalization such as {USUAL!r}",
            code="algorithm.bound",
            option="max_levels",
            columns=list(bound),
        )
    return cost_above(problem, problem.lowest, generalize)


def cost_above(problem: Problem, levels: Sequence[int], generalize: bool) -> CellCost:
    """Return the cost of cells over the table generalized to `levels`."""
    heights = np.array([h.height for h in problem.hierarchies])
    problem.proportions.told(
        problem.n_rows * float(heights @ problem.weight)
    )  # or refuses: no search for what cannot be told
    steps: list[IntArray] = []
    attribute: list[int] = []
    for j, (hierarchy, low) in enumerate(zip(problem.hierarchies, levels, strict=True)):
        high = hierarchy.height if generalize else low + 1
        for level in range(low, high):
            steps.append(hierarchy.levels[level].of_ground[problem.codes[:, j]])
            attribute.append(j)
    varies = [bool((step != step[:1]).any()) for step in steps]
    own = np.where(varies, attribute, -1).astype(np.int64)
    counts = np.isin(np.arange(len(problem.names)), own)
    proportions = Proportions.of(np.where(counts, problem.given_weights, 0.0))
    return CellCost(
        steps=np.array(steps, np.int32).reshape(len(steps), problem.n_rows),
        weights=np.append(proportions.weights, 0.0)[own],
        attribute=np.array(attribute, np.int64),
        base=np.array(levels, np.int16),
        generalize=generalize,
        proportions=proportions,
    )


def _tops(problem: Problem) -> list[tuple[str, int, int]]:
    return [
        (name, hierarchy.height, top)
        for name, hierarchy, top in zip(problem.names, problem.hierarchies, problem.highest, strict=True)
    ]
