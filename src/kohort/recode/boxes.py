"""Local recoding by boxes: every group of rows is released as the box of values that it was cut down to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.recode.labels import Extents, GroupLabels, Held, label_ancestors, label_ranges, nothing
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn

BoxStyle = Literal["span", "ancestor"]


@dataclass(frozen=True, eq=False)
class Boxes:
    """Every row of a group is released with the ground values of the group's box.

    With the style `span` numbers and dates that have a grid are told as intervals, everything else by the lowest label
    of the hierarchy above the values of the group: a list of those that occur would tell what one person has. With
    `ancestor` that is done with all attributes.

    The ends of an interval do not tell the extreme values of the group: it covers every cell of level 1 that holds a
    value of the group, as far as the box reaches, and boxes are cut on the grid. Where a hierarchy has no level
    between ground and root it covers the whole box. `tight` covers the finest cells of the group
    only. Either way no finer cell is told than the least level allowed by the problem, and the missing
    value is covered where the group holds it.
    """

    group_of: IntArray  # per row, or per base class: 0 … n_groups - 1; anything where it is not kept
    kept: BoolArray  # per row, or per base class
    low: IntArray  # (n_groups, n_qi) the first ground code of each box
    high: IntArray  # (n_groups, n_qi) the last one
    by_class: bool  # whether the first two are per base class
    style: BoxStyle = "span"
    tight: bool = False

    def __post_init__(self) -> None:
        if self.style not in ("span", "ancestor"):
            raise InputError(
                f"boxes can be released by the styles span, ancestor; {self.style!r} is neither",
                code="algorithm.wrong-option",
                option="release",
                value=self.style,
                allowed=("span", "ancestor"),
            )

    def apply(self, problem: Problem) -> Recoded:
        """Label every box; classes or rows x attributes, plus one step per distinct label."""
        group_of = np.where(self.kept, self.group_of, 0)
        nobody = np.zeros(len(group_of), np.int32)
        columns = []
        for j in range(len(problem.names)):
            told = self._told(problem, j)
            codes = told.codes[group_of] if len(told.codes) else nobody
            columns.append(ReleasedColumn.told(problem.hierarchies[j], codes, told.labels))
        return Recoded(tuple(columns), self.kept, problem.class_of if self.by_class else None)

    def groups(self, problem: Problem) -> IntArray:
        """Return the group of every row."""
        return self.group_of[problem.class_of] if self.by_class else self.group_of

    def facts(self, problem: Problem) -> dict[str, Any]:  # noqa: ARG002
        """Return the number of boxes and how they are told."""
        return {"groups": len(self.low), "style": self.style, "tight": self.tight}

    def _told(self, problem: Problem, j: int) -> GroupLabels:
        hierarchy, n_groups = problem.hierarchies[j], len(self.low)
        if n_groups == 0:
            return nothing()
        items = np.flatnonzero(self.kept) if self.by_class else problem.class_of[self.kept]
        ground = problem.base.codes[:, j][items]
        held = Held.of(ground, self.group_of[self.kept], n_groups, hierarchy.size)
        style = BoxStyles(self.style, self.tight)
        return label_boxes(problem, j, self.low[:, j], self.high[:, j], Extents.of(hierarchy, held), style)


class BoxStyles(NamedTuple):
    """How boxes are told."""

    style: BoxStyle = "span"
    tight: bool = False

    def label(self, problem: Problem, j: int, low: IntArray, high: IntArray, extents: Extents) -> GroupLabels:
        """Return the label of boxes in attribute j."""
        return label_boxes(problem, j, low, high, extents, self)

    def facts(self) -> dict[str, Any]:
        """Return how boxes are told."""
        return {"style": self.style, "tight": self.tight}


def label_boxes(
    problem: Problem, j: int, low: IntArray, high: IntArray, extents: Extents, told: BoxStyles
) -> GroupLabels:
    """Return the label of boxes in attribute j, from their ends along it and the extents of what they hold."""
    hierarchy, lowest, ceiling = problem.hierarchies[j], problem.lowest[j], problem.ceilings[j]
    grid = hierarchy.grid
    if told.style == "ancestor" or grid is None or lowest == hierarchy.height or problem.exact[j]:
        return label_ancestors(hierarchy, extents, lowest, ceiling)
    fine = told.tight and lowest == 0
    level = max(lowest, 1, grid.level)
    first, last = finest_cells(hierarchy, 0) if fine else cell_bounds(hierarchy, level)
    low = np.maximum(low, first[extents.least])
    high = np.minimum(high, last[extents.greatest])
    return label_ranges(hierarchy, low, high, extents.missing, lowest, ceiling=ceiling)


def finest_cells(hierarchy: Hierarchy, lowest: int, exact: bool = False) -> tuple[IntArray, IntArray]:
    """Return the first and the last ground code of the finest cell around each that may be cut off from the rest.

    These are the cells of the grid, or single values where there is none or the plan asks for finer ones (`exact`); but
    labels of the level `lowest` stay whole.
    """
    grid = None if exact else hierarchy.grid
    if grid is not None and lowest <= grid.level:
        return grid.first, grid.last
    return cell_bounds(hierarchy, lowest, apart=lowest < hierarchy.height)


def cell_bounds(hierarchy: Hierarchy, level: int, apart: bool = True) -> tuple[IntArray, IntArray]:
    """Return the first and the last ground code of the run of equal labels around each ground code.

    `apart` makes the missing value a cell of its own even where it has the label of its neighbour.
    """
    labels = hierarchy.levels[level].of_ground
    edges = np.flatnonzero(np.diff(labels)) + 1
    if apart and hierarchy.ground[-1] is None and hierarchy.size > 1:
        edges = np.union1d(edges, [hierarchy.size - 1])
    starts = np.append(0, edges).astype(np.int64)
    lengths = np.diff(np.append(starts, hierarchy.size))
    return np.repeat(starts, lengths), np.repeat(starts + lengths - 1, lengths)
