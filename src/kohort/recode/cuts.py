"""Interval recoding: each attribute's ordered domain is parted into blocks, failing tuples are suppressed."""

from __future__ import annotations

from dataclasses import dataclass
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
        codes, labels = block_labels(hierarchy, blocks, ground, named, shown, lowest, ceiling)
        if not shown.all() and len(np.unique(blocks[shown])) == 1:
            # Whoever is in the other blocks was left out: they are the only reason why this one has ends.
            labels = (SUPPRESSED,) * len(labels)
        if ceiling is not None:
            labels = _at_ceiling(hierarchy, codes, labels, ground, ceiling)
        exact = lowest == 0 and _tells_values(hierarchy, labels, ground[self.kept], codes[self.kept])
        return ReleasedColumn.told(hierarchy, codes, labels, exact)

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


def block_labels(
    hierarchy: Hierarchy,
    blocks: IntArray,
    ground: IntArray,
    named: bool,
    shown: BoolArray,
    lowest: int,
    ceiling: int | None,
) -> tuple[IntArray, tuple[Label, ...]]:
    """Return the block of ground codes, and the labels of blocks: spelled by the values `shown` and no finer than a level.

    A block that has no ends of its own is `*`; an outermost date is told by no label above the level `ceiling`.
    """
    n_blocks = int(blocks.max()) + 1
    if n_blocks == hierarchy.size and lowest == 0:  # every block is one value
        return ground, hierarchy.ground
    members = [np.flatnonzero(blocks == b) for b in range(n_blocks)]
    released = np.flatnonzero(shown)
    labels = tuple(
        block_label(hierarchy, own, named, own[shown[own]], lowest, released, ceiling) for own in members
    )
    return blocks[ground].astype(np.int32), labels


def _tells_values(hierarchy: Hierarchy, labels: tuple[Label, ...], ground: IntArray, codes: IntArray) -> bool:
    """Tell whether every released cell is the value itself: blocks of nobody but people left out have no say in a type."""
    if hierarchy.open_ended:
        return False
    pairs, _ = group(np.column_stack([ground, codes]).astype(np.int64))
    return all(labels[label] == hierarchy.ground[value] for value, label in pairs.tolist())


def _at_ceiling(
    hierarchy: Hierarchy, codes: IntArray, labels: tuple[Label, ...], ground: IntArray, ceiling: int
) -> tuple[Label, ...]:
    """Return the labels with those of a level in the place of `*`; all of a block lies under one of them."""
    held = np.zeros(len(labels), np.int64)
    held[codes] = ground  # a value of every block that somebody is in
    return tuple(
        label_at(hierarchy, ceiling, code)[0] if label == SUPPRESSED else label
        for label, code in zip(labels, held.tolist(), strict=True)
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
