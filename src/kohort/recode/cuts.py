"""Interval recoding: each attribute's ordered domain is parted into blocks, failing tuples are suppressed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import group
from kohort.hierarchy import SUPPRESSED, Hierarchy, Label
from kohort.hierarchy.spans import label_at, lowest_common_ancestor, span_label
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn


@dataclass(frozen=True, eq=False)
class Cuts:
    """Every ground value of an attribute belongs to one block and is released as that block.

    Blocks cover the domain as declared, so an interval ends at a cut or at the end of the domain and not at
    the last value that happens to occur. Where values are not declared, it ends with the cells that the release holds:
    nobody who was left out shows in an end. What would be told as `*` is told by the label of the greatest level allowed
    where that rules `*` out. Where `named`, a block that holds exactly the values below a label
    of the hierarchy bears that label; all others are spelled as intervals on the grid or as sets of values
    that the plan names.
    """

    blocks: tuple[IntArray, ...]  # per attribute: ground code -> block, numbered 0, 1, …
    kept: BoolArray  # (n_base_classes)
    named: bool = False

    def apply(self, problem: Problem) -> Recoded:
        """Map every column by its dictionary."""
        columns = tuple(self._column(problem, j) for j in range(len(problem.names)))
        return Recoded(columns, self.kept, problem.class_of)

    def _column(self, problem: Problem, j: int) -> ReleasedColumn:
        hierarchy, blocks, ground = problem.hierarchies[j], self.blocks[j], problem.base.codes[:, j]
        shown = np.ones(hierarchy.size, np.bool_)
        if not hierarchy.declared:
            shown = np.bincount(ground[self.kept], minlength=hierarchy.size) > 0
        lowest, ceiling = problem.lowest[j], problem.ceilings[j]
        named = self.named or problem.exact[j]
        column = block_column(hierarchy, blocks, ground, named, shown, lowest, ceiling)
        if not shown.all() and len(np.unique(blocks[shown])) == 1:
            # Whoever is in the other blocks was left out: they are the only reason why this one has ends.
            column = replace(column, labels=(SUPPRESSED,) * len(column.labels))
        column = _as_printed(hierarchy, column, ground, ceiling)
        exact = lowest == 0 and _tells_values(hierarchy, column, ground[self.kept], self.kept)
        return replace(column, ground=exact)

    def facts(self, problem: Problem) -> dict[str, Any]:
        """Return the number of intervals of every attribute."""
        return {
            "intervals": {
                name: int(blocks.max()) + 1 for name, blocks in zip(problem.names, self.blocks, strict=True)
            }
        }


def decide_cuts(problem: Problem, blocks: tuple[IntArray, ...], named: bool = False) -> Cuts:
    """Return the decision for `blocks` with exactly the failing classes suppressed."""
    mapped = np.column_stack([own[problem.base.codes[:, j]] for j, own in enumerate(blocks)])
    codes, class_of = group(mapped)
    failing = problem.failing(problem.base.merged(codes, class_of))
    return Cuts(blocks, ~failing[class_of], named)


def block_column(
    hierarchy: Hierarchy,
    blocks: IntArray,
    ground: IntArray,
    named: bool,
    shown: BoolArray,
    lowest: int,
    ceiling: int | None,
) -> ReleasedColumn:
    """Return the column of ground codes released as blocks, spelled by the values `shown` and no finer than a level.

    A block that has no ends of its own is `*`; an outermost date is told by no label above the level `ceiling`.
    """
    n_blocks = int(blocks.max()) + 1
    if n_blocks == hierarchy.size and lowest == 0:  # every block is one value
        return ReleasedColumn(
            ground,
            hierarchy.ground,
            np.ones(hierarchy.size),
            np.zeros(hierarchy.size),
        )
    members = [np.flatnonzero(blocks == b) for b in range(n_blocks)]
    released = np.flatnonzero(shown)
    return ReleasedColumn(
        codes=blocks[ground].astype(np.int32),
        labels=tuple(
            block_label(hierarchy, own, named, own[shown[own]], lowest, released, ceiling) for own in members
        ),
        leaves=np.array([len(own) for own in members], np.float64),
        depth=np.array([_depth(hierarchy, own) for own in members]),
    )


def _tells_values(hierarchy: Hierarchy, column: ReleasedColumn, ground: IntArray, kept: BoolArray) -> bool:
    """Tell whether every released cell is the value itself: blocks of nobody but people left out have no say in a type."""
    if hierarchy.open_ended:
        return False
    pairs, _ = group(np.column_stack([ground, column.codes[kept]]).astype(np.int64))
    return all(column.labels[label] == hierarchy.ground[value] for value, label in pairs.tolist())


def _as_printed(
    hierarchy: Hierarchy, column: ReleasedColumn, ground: IntArray, ceiling: int | None
) -> ReleasedColumn:
    """Return the column with all charged where nothing is told: `*` tells no more of a block than of the whole domain.

    Where a `ceiling` rules `*` out, blocks without a label are told, and charged, by that of this level.
    """
    if SUPPRESSED not in column.labels:
        return column
    untold = np.array([label == SUPPRESSED for label in column.labels])
    if ceiling is not None:
        return _at_ceiling(hierarchy, column, ground, ceiling, untold)
    return replace(
        column,
        leaves=np.where(untold, float(hierarchy.size), column.leaves),
        depth=np.where(untold, float(hierarchy.height > 0), column.depth),
    )


def _at_ceiling(
    hierarchy: Hierarchy, column: ReleasedColumn, ground: IntArray, ceiling: int, untold: BoolArray
) -> ReleasedColumn:
    """Return the column with the labels of a level in the place of some others; all of a block lies under one of them."""
    held = np.zeros(len(column.labels), np.int64)
    held[column.codes] = ground  # a value of every block that somebody is in
    found = [label_at(hierarchy, ceiling, code) for code in held.tolist()]
    told = zip(untold.tolist(), column.labels, found, strict=True)
    return replace(
        column,
        labels=tuple(above if hidden else label for hidden, label, (above, _) in told),
        leaves=np.where(untold, [leaves for _, leaves in found], column.leaves),
        depth=np.where(untold, ceiling / max(hierarchy.height, 1), column.depth),
    )


def block_label(
    hierarchy: Hierarchy,
    codes: IntArray,
    named: bool,
    shown: IntArray,
    lowest: int = 0,
    released: IntArray | None = None,
    ceiling: int | None = None,
) -> Label:
    """Return how a block of codes is spelled; where values are read off the table, by those `shown` in the release.

    `released` are the codes of all blocks that are shown.
    A value that nobody in the release holds may be that of somebody who was left out: it moves no end.
    """
    if not len(shown) or (len(codes) == hierarchy.size > 1):
        return SUPPRESSED
    if named or (hierarchy.grid is None and not hierarchy.lists(lowest)):
        level, code = lowest_common_ancestor(hierarchy, codes)
        if hierarchy.levels[level].leaves[code] == len(codes):
            level = max(lowest_common_ancestor(hierarchy, shown)[0], lowest)
            held = hierarchy.levels[level]
            return held.labels[int(held.of_ground[shown[0]])]
    return span_label(hierarchy, shown, lowest, released, ceiling)


def _depth(hierarchy: Hierarchy, codes: IntArray) -> float:
    if len(codes) == 1 or not hierarchy.height:
        return 0.0
    return lowest_common_ancestor(hierarchy, codes)[0] / hierarchy.height
