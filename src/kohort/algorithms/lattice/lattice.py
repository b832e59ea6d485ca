"""`Lattice`: the level vectors between two bounds, partially ordered (Samarati, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import factorial, prod

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import InputError

Vector = tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """All level vectors v with lowest ≤ v ≤ highest, attribute by attribute.

    A node's index is its vector read as a mixed-radix number whose last attribute runs fastest, so
    indices ascend in the vectors' lexicographic order and every generalization has a larger index.
    """

    lowest: Vector
    highest: Vector

    def __post_init__(self) -> None:
        if any(low < 0 or low > high for low, high in zip(self.lowest, self.highest, strict=True)):
            raise InputError(
                f"levels from {self.lowest} to {self.highest}: every least level must be at least 0 and at "
                "most the greatest level of its attribute; lower min_levels or raise max_levels",
                code="plan.level",
                option="min_levels",
            )

    def __len__(self) -> int:
        return prod(self.shape)

    @cached_property
    def shape(self) -> Vector:
        """The number of levels of each attribute."""
        return tuple(high - low + 1 for low, high in zip(self.lowest, self.highest, strict=True))

    @cached_property
    def strides(self) -> Vector:
        """What one step up each attribute adds to a node's index."""
        return tuple(prod(self.shape[j + 1 :]) for j in range(len(self.shape)))

    @property
    def height(self) -> int:
        """The number of steps from the bottom to the top."""
        return sum(self.highest) - sum(self.lowest)

    def index(self, levels: Sequence[int]) -> int:
        """Return the index of a vector."""
        return sum(
            (level - low) * stride
            for level, low, stride in zip(levels, self.lowest, self.strides, strict=True)
        )

    def vector(self, index: int) -> Vector:
        """Return the vector at an index."""
        return tuple(
            low + index // stride % size
            for low, stride, size in zip(self.lowest, self.strides, self.shape, strict=True)
        )

    def __iter__(self) -> Iterator[Vector]:
        ranges = [range(low, high + 1) for low, high in zip(self.lowest, self.highest, strict=True)]
        return iter(product(*ranges))

    def at(self, height: int) -> Iterator[Vector]:
        """Return the vectors `height` steps above the bottom, in lexicographic order."""
        return self._at(height, 0)

    def _at(self, height: int, j: int) -> Iterator[Vector]:
        if j == len(self.shape):
            if height == 0:
                yield ()
            return
        rest = sum(self.shape[j + 1 :]) - len(self.shape[j + 1 :])
        for step in range(max(0, height - rest), min(height, self.shape[j] - 1) + 1):
            for tail in self._at(height - step, j + 1):
                yield (self.lowest[j] + step, *tail)

    def vectors(self) -> IntArray:
        """Return all vectors, (nodes, attributes), by index."""
        grid = np.indices(self.shape, np.int32).reshape(len(self.shape), -1).T
        return np.ascontiguousarray(grid + np.array(self.lowest, np.int32))

    def above(self, levels: Vector) -> Iterator[Vector]:
        """Return the direct generalizations of a vector."""
        for j, (level, high) in enumerate(zip(levels, self.highest, strict=True)):
            if level < high:
                yield (*levels[:j], level + 1, *levels[j + 1 :])

    def below(self, levels: Vector) -> Iterator[Vector]:
        """Return the direct specializations of a vector."""
        for j, (level, low) in enumerate(zip(levels, self.lowest, strict=True)):
            if level > low:
                yield (*levels[:j], level - 1, *levels[j + 1 :])

    def strategies(self) -> int:
        """Return the number of ways up from bottom to top: (Σh)! / Πh!."""
        steps = [size - 1 for size in self.shape]
        return factorial(sum(steps)) // prod(factorial(step) for step in steps)


def precedes(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether b is a or a generalization of a."""
    return all(x <= y for x, y in zip(a, b, strict=True))


def minimal(vectors: Sequence[Vector]) -> tuple[Vector, ...]:
    """Return the vectors that generalize no other of them, in lexicographic order."""
    found: list[Vector] = []
    for vector in sorted(set(vectors), key=lambda v: (sum(v), v)):
        if not any(precedes(lower, vector) for lower in found):
            found.append(vector)
    return tuple(sorted(found))
