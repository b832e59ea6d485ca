"""Values as paths from the top of their hierarchy down, so that the code at any level is what a mask leaves of one number.

The code at the top stands in the highest bits, below it which of its children the value is in, and so on to the value itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.arrays import IntArray

MOST_BITS = 31  # of one column
DENSE = 1 << 22  # entries of a list from paths to codes; longer ones are searched


@dataclass(frozen=True, eq=False)
class Path:
    """The paths of the distinct values of a column."""

    rungs: tuple[IntArray, ...]  # the code of each value at each level
    of_value: IntArray
    below: tuple[int, ...]  # how many bits tell finer levels than each

    @classmethod
    def of(cls, rungs: Sequence[IntArray]) -> Path | None:
        """Return the paths of values, whose codes at every level are told; None where levels are not nested or too many bits."""
        path, widths = np.zeros(len(rungs[0]), np.int64), []
        for codes in reversed(rungs):
            _, first, own = np.unique(codes, return_index=True, return_inverse=True)
            parents = path[first]
            if (parents[own] != path).any():
                return None  # values that are one here are several above
            child = _places_within(parents)
            widths.append(int(child.max(initial=0)).bit_length())
            path = path << widths[-1] | child[own]
            if sum(widths) > MOST_BITS:
                return None
        below = np.cumsum([0, *reversed(widths[1:])])
        return cls(tuple(rungs), path, tuple(below.tolist()))

    @cached_property
    def bits(self) -> int:
        """How many bits a path has."""
        return int(self.of_value.max(initial=0)).bit_length()

    def mask(self, level: int) -> int:
        """Return what of a path tells the code at a level."""
        return (1 << self.bits) - 1 >> self.below[level] << self.below[level]

    def codes(self, masked: IntArray, level: int) -> IntArray:
        """Return the codes at a level, from what the mask leaves of paths."""
        own, told = self.of_value >> self.below[level], masked >> self.below[level]
        codes: IntArray
        if 1 << self.bits - min(self.below[level], self.bits) <= DENSE:
            code_of = np.zeros(int(own.max(initial=0)) + 1, np.int32)
            code_of[own] = self.rungs[level]
            codes = code_of[told]
        else:
            paths, first = np.unique(own, return_index=True)
            codes = self.rungs[level][first][np.searchsorted(paths, told)]
        return codes

    def masked(self, codes: IntArray, level: int) -> IntArray:
        """Return what the mask leaves of the paths that have some codes at a level."""
        path_of = np.zeros(int(self.rungs[level].max(initial=0)) + 1, np.int64)
        path_of[self.rungs[level]] = self.of_value & self.mask(level)
        return path_of[codes]

    def is_ordered(self, level: int) -> bool:
        """Say whether what the mask leaves stands in the order of the codes."""
        first = np.unique(self.rungs[level], return_index=True)[1]
        return bool((np.diff(self.of_value[first] >> self.below[level]) > 0).all())


def _places_within(parents: IntArray) -> IntArray:
    """Return which of the children of its parent each is, in their order."""
    order = np.argsort(parents, kind="stable")
    ordered = parents[order]
    starts = np.searchsorted(ordered, ordered)
    places = np.empty(len(parents), np.int64)
    places[order] = np.arange(len(parents)) - starts
    return places
