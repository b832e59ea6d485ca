"""`Cover`: which ground values each released label of a column stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.arrays import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class Cover:
    """The ground codes of each label, each once: as many numbers as there are of these, and none for a run of a hierarchy's codes.

    A matrix of labels × ground values would be many times that, where a label stands for few of them.
    """

    codes: Sequence[IntArray]  # per label
    size: int  # ground values

    @classmethod
    def of(cls, mask: BoolArray) -> Cover:
        """Return what a matrix of labels × ground values marks."""
        return cls([np.flatnonzero(row) for row in mask], mask.shape[1])

    @cached_property
    def apart(self) -> bool:
        """Whether no ground value stands under two labels."""
        times = np.zeros(self.size, np.int32)
        for own in self.codes:
            times[own] += 1
        return bool((times <= 1).all())

    def label_of(self) -> IntArray:
        """Return the label of each ground value, of labels that are apart; -1 for none."""
        label = np.full(self.size, -1, np.int32)
        for code, own in enumerate(self.codes):
            label[own] = code
        return label

    def marked(self, label: int) -> BoolArray:
        """Mark the ground values under a label."""
        mask = np.zeros(self.size, np.bool_)
        mask[self.codes[label]] = True
        return mask
