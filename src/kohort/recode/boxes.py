"""Local recoding by boxes: every group of rows is released as the box of values that it was cut down to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.recode.groups import GroupLabels, distinct_values, label_groups, label_ranges, label_sets
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn

BoxStyle = Literal["span", "ancestor"]


@dataclass(frozen=True, eq=False)
class Boxes:
    """Every row of a group is released with the ground values of the group's box.

    With the style `span` numbers and dates are told as intervals and other values as sets; with `ancestor` every
    label is the lowest one of the hierarchy above the values of the group.

    The ends of a span do not tell the extreme values of the group: it covers every cell of a declared grid
    (the labels of level 1) that holds a value of the group, as far as the box reaches. Where a hierarchy
    has no level between ground and root it covers the whole box. `tight` covers the values of the group
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
            raise InputError(f"boxes can be released by the styles span, ancestor; {self.style!r} is neither")

    def apply(self, problem: Problem) -> Recoded:
        """Label every box; classes or rows x attributes, plus one step per distinct label."""
        group_of = np.where(self.kept, self.group_of, 0)
        nobody = np.zeros(len(group_of), np.int32)
        columns = []
        for j in range(len(problem.names)):
            told = self._told(problem, j)
            codes = told.codes[group_of] if len(told.codes) else nobody
            columns.append(ReleasedColumn(codes, told.labels, told.leaves, told.depth))
        return Recoded(tuple(columns), self.kept, problem.class_of if self.by_class else None)

    def groups(self, problem: Problem) -> IntArray:
        """Return the group of every row."""
        return self.group_of[problem.class_of] if self.by_class else self.group_of

    def facts(self, problem: Problem) -> dict[str, Any]:  # noqa: ARG002
        """Return the number of boxes and how they are told."""
        return {"groups": len(self.low), "style": self.style, "tight": self.tight}

    def _told(self, problem: Problem, j: int) -> GroupLabels:
        hierarchy, lowest = problem.hierarchies[j], problem.lowest[j]
        n_groups = len(self.low)
        held = np.flatnonzero(self.kept) if self.by_class else problem.class_of[self.kept]
        ground = problem.base.codes[:, j][held]
        if n_groups == 0:
            return label_groups(hierarchy, ground, ground, 0, "span")
        values, starts = distinct_values(ground, self.group_of[self.kept], n_groups, hierarchy.size)
        exact = self.tight or self.style == "ancestor"
        level = lowest if exact else max(lowest, min(1, hierarchy.height))
        first, last = cell_bounds(hierarchy, level, apart=lowest < hierarchy.height)
        if self.style == "ancestor":
            values, starts = _covered(values, starts, first, last)
            return label_groups(hierarchy, values, _owners(starts), n_groups, "ancestor")
        low, high = self.low[:, j], self.high[:, j]
        if hierarchy.numbers is None and hierarchy.instants is None:
            return label_sets(hierarchy, *_covered(values, starts, first, last, low, high))
        least, greatest = values[starts[:-1]], values[starts[1:] - 1]
        missing = np.zeros(n_groups, np.bool_)
        if hierarchy.ground[-1] is None and lowest < hierarchy.height:
            missing = (greatest == hierarchy.size - 1) & (least < greatest)
            greatest = np.where(missing, values[starts[1:] - 2], greatest)
        return label_ranges(
            hierarchy, np.maximum(low, first[least]), np.minimum(high, last[greatest]), missing
        )


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


def _covered(
    values: IntArray,
    starts: IntArray,
    first: IntArray,
    last: IntArray,
    low: IntArray | None = None,
    high: IntArray | None = None,
) -> tuple[IntArray, IntArray]:
    """Return, group by group, all ground codes of the cells that hold its values, within its box."""
    owners = _owners(starts)
    begin, end = first[values], last[values]
    new = np.ones(len(values), np.bool_)
    new[1:] = (begin[1:] != begin[:-1]) | (owners[1:] != owners[:-1])
    owners, begin, end = owners[new], begin[new], end[new]
    if low is not None and high is not None:
        begin, end = np.maximum(begin, low[owners]), np.minimum(end, high[owners])
    lengths = end - begin + 1
    offsets = np.cumsum(lengths) - lengths
    codes = np.arange(lengths.sum()) - np.repeat(offsets - begin, lengths)
    sizes = np.bincount(owners, lengths, minlength=len(starts) - 1).astype(np.int64)
    return codes, np.append(0, np.cumsum(sizes))


def _owners(starts: IntArray) -> IntArray:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))
