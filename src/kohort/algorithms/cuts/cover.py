"""`Cover`: a cut through every value hierarchy, and the classes it makes (subtree recoding)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Classes, group
from kohort.hierarchy import Hierarchy
from kohort.recode import Problem
from kohort.recode.cuts import Cuts, decide_cuts

Node = tuple[int, int, int]  # attribute, level, code at that level


@dataclass(eq=False)
class Cover:
    """For every attribute, which label stands for each ground value: one antichain of its hierarchy.

    `depths[j][g]` is the level of the label that stands for ground value g; `class_of` numbers the classes this
    makes of the base classes, from 0, gaps allowed.
    """

    problem: Problem
    depths: list[IntArray]
    class_of: IntArray

    @classmethod
    def at(cls, problem: Problem, levels: tuple[int, ...]) -> Cover:
        """Return the cover that stands at one level in every attribute."""
        depths = [np.full(h.size, level) for h, level in zip(problem.hierarchies, levels, strict=True)]
        cover = cls(problem, depths, np.zeros(len(problem.base), np.int64))
        mapped = np.column_stack([own[problem.base.codes[:, j]] for j, own in enumerate(cover.blocks())])
        cover.class_of = group(mapped)[1].astype(np.int64)
        return cover

    def blocks(self) -> tuple[IntArray, ...]:
        """Return the block of every ground code of every attribute, numbered in domain order."""
        return tuple(
            numbered(labels_at(h, d)) for h, d in zip(self.problem.hierarchies, self.depths, strict=True)
        )

    def decide(self) -> Cuts:
        """Return the decision, failing classes suppressed."""
        return decide_cuts(self.problem, self.blocks(), named=True)

    def under(self, node: Node) -> IntArray:
        """Return the base classes that hold a ground value below the node."""
        j, level, code = node
        hierarchy = self.problem.hierarchies[j]
        return np.flatnonzero(hierarchy.levels[level].of_ground[self.problem.base.codes[:, j]] == code)

    def move(self, node: Node, level: int) -> None:
        """Let the labels at `level` stand for the values below the node, and renumber the classes."""
        j, at, code = node
        hierarchy = self.problem.hierarchies[j]
        self.depths[j][hierarchy.levels[at].of_ground == code] = level

    def classes(self, class_of: IntArray) -> Classes:
        """Return the classes of a numbering of the base classes."""
        _, first, inverse = np.unique(class_of, return_index=True, return_inverse=True)
        return self.problem.base.merged(self.problem.base.codes[first], inverse.reshape(-1))

    def failing_rows(self, class_of: IntArray) -> int:
        """Return the records in classes that break a promise."""
        classes = self.classes(class_of)
        return int(classes.rows[self.problem.failing(classes)].sum())


def labels_at(hierarchy: Hierarchy, depths: IntArray) -> IntArray:
    """Return a number for the label that stands for each ground code; equal numbers, equal labels."""
    above = np.stack([level.of_ground for level in hierarchy.levels])
    return np.asarray(depths * hierarchy.size + above[depths, np.arange(hierarchy.size)])


def children(hierarchy: Hierarchy, level: int, code: int, occurring: IntArray) -> tuple[int, IntArray] | None:
    """Return the next level down that parts the occurring values below a label, and the labels there."""
    ground = occurring[hierarchy.levels[level].of_ground[occurring] == code]
    for below in range(level - 1, -1, -1):
        labels: IntArray = np.unique(hierarchy.levels[below].of_ground[ground])
        if len(labels) > 1:
            return below, labels
    return None


def numbered(labels: IntArray) -> IntArray:
    """Return blocks of equal labels, numbered 0, 1, … in domain order."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int32)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return rank[inverse.reshape(-1)]
