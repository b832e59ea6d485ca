"""`Generalized`: a released column whose labels cover several values, beside what stood there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.attacks.finer import parts
from kohort.attacks.target import Target
from kohort.hierarchy import Hierarchy, Label, meaning


@dataclass(frozen=True, eq=False)
class Generalized:
    """A generalized column: what its labels cover, and what stood there."""

    name: str
    hierarchy: Hierarchy
    texts: tuple[Label, ...]
    codes: IntArray  # released
    covers: BoolArray  # (label, ground value)
    ground: IntArray  # of each released row
    all_ground: IntArray  # of each original row

    @classmethod
    def of(cls, target: Target, name: str) -> Generalized | None:
        """Return a column; None where a label means nothing."""
        assert target.original is not None
        hierarchy, released, source = target.hierarchies[name], target.released[name], target.original[name]
        masks = [meaning(hierarchy, text) for text in released.texts]
        if any(mask is None for mask in masks):
            return None
        ground = hierarchy.codes_of(source.texts)[source.codes]
        covers = np.array(masks, np.bool_)
        return cls(name, hierarchy, released.texts, released.codes, covers, ground[target.rows], ground)

    @property
    def labels(self) -> list[int]:
        """The labels that cover several values, and occur."""
        wide = self.covers.sum(axis=1) > 1
        return [label for label in np.unique(self.codes).tolist() if wide[label]]

    def inside(self, label: int) -> tuple[FloatArray, IntArray]:
        """Return which labels lie inside each part of a label, and the part of each ground value, -1 for none."""
        finer = parts(self.hierarchy, self.texts[label])
        assert finer is not None
        masks = [finer == part for part in range(int(finer.max()) + 1)]
        return np.array([~(self.covers & ~mask).any(axis=1) for mask in masks]).astype(np.float64), finer
