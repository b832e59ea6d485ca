"""`CutTree`: in which region a tuple is, told by the cuts that made the regions; it can be sent to where the rows are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import group
from kohort.recode.on_grid import moves
from kohort.recode.problem import Problem


@dataclass(eq=False)
class CutTree:
    """The regions of the coarsest node allowed, cut in two ever again.

    A region is a node of the tree: where its `attribute` is -1 it is a leaf, else codes of this up to `at` go left. The first
    regions are numbered in the order of their codes.
    """

    onto: tuple[IntArray, ...]  # ground code -> what the search sees
    above: tuple[IntArray, ...]  # ground code -> its label at the coarsest node
    first: IntArray  # (first regions, n_qi) labels of each
    attribute: list[int] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, problem: Problem, first: IntArray) -> Self:
        """Return the tree of the first regions alone."""
        hierarchies = problem.hierarchies
        above = tuple(
            h.levels[level].of_ground for h, level in zip(hierarchies, problem.highest, strict=True)
        )
        tree = cls(moves(problem), above, first)
        for _ in range(len(first)):
            tree._leaf()
        return tree

    def copy(self) -> CutTree:
        """Return the same, to be cut on its own."""
        return CutTree(
            self.onto, self.above, self.first, self.attribute[:], self.at[:], self.left[:], self.right[:]
        )

    def cut(self, region: int, attribute: int, ends: Sequence[int]) -> list[int]:
        """Cut a region along an attribute to parts with these last codes; return their numbers."""
        parts = []
        for end in ends[:-1]:
            self.attribute[region], self.at[region] = attribute, end
            self.left[region], self.right[region] = self._leaf(), self._leaf()
            parts.append(self.left[region])
            region = self.right[region]
        return [*parts, region]

    def assigned(self, ground: IntArray) -> tuple[IntArray, IntArray]:
        """Return the codes that the search sees, and the region, of each tuple of ground codes."""
        codes = np.column_stack([onto[ground[:, j]] for j, onto in enumerate(self.onto)])
        node = self._roots(ground)
        attribute, at, left, right = map(np.array, (self.attribute, self.at, self.left, self.right))
        open_ = np.flatnonzero(attribute[node] >= 0)
        while len(open_):
            own = node[open_]
            goes_left = codes[open_, attribute[own]] <= at[own]
            node[open_] = np.where(goes_left, left[own], right[own])
            open_ = open_[attribute[node[open_]] >= 0]
        return codes, node

    def _roots(self, ground: IntArray) -> IntArray:
        """Return the first region of each tuple."""
        labels = np.column_stack([above[ground[:, j]] for j, above in enumerate(self.above)])
        ranks = group(np.concatenate([self.first, labels]).astype(np.int32))[1]
        number = np.full(int(ranks.max()) + 1, -1, np.int64)
        number[ranks[: len(self.first)]] = np.arange(len(self.first))
        return number[ranks[len(self.first) :]]

    def _leaf(self) -> int:
        for line in (self.attribute, self.at, self.left, self.right):
            line.append(-1)
        return len(self.attribute) - 1
