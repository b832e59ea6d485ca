"""`Counted`: the lattice of a table whose distinct tuples are too many to hold, counted by the engine that keeps its rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.classes import Classes
from kohort.engines.engine import Engine
from kohort.engines.node import Node
from kohort.engines.room import class_bytes, refuse_node
from kohort.hierarchy import Hierarchy

Vector = tuple[int, ...]


class Counted:
    """Counts a node of the lattice that fits, and rolls up from it whatever lies above.

    A node that is asked for and lies above none that is held is not counted itself, but the lowest below it that fits: values
    are made finer step by step, each time in the attribute whose distribution that tells apart least, and the engine
    estimates in one pass how many classes each step has. So few nodes are counted, however many are asked for. Where not
    even the node itself fits, its class sizes are counted where the rows are: they mostly prove that it is not needed.

    Whatever is returned equals the distinct tuples rolled up to the node, tuple by tuple; estimates only choose what is counted.
    """

    def __init__(
        self,
        engine: Engine,
        ground: Node,
        hierarchies: tuple[Hierarchy, ...],
        looked_at: Sequence[str],
        watched: Sequence[str],
    ) -> None:
        self._engine, self._ground, self._hierarchies = engine, ground, hierarchies
        self._looked_at = tuple(looked_at)  # what promises and objective read; only these are counted by the search
        self._watched = tuple(watched)
        self._room = engine.room or 0
        self._held: dict[Vector, Classes] = {}
        self._sizes: dict[Vector, tuple[IntArray, IntArray]] = {}  # of nodes that do not fit
        self._records: tuple[Classes, bytes, tuple[IntArray, ...]] | None = None
        self.counted = 0  # counted by the engine so far, with their histograms or by their sizes alone

    @cached_property
    def totals(self) -> tuple[IntArray, ...]:
        """The records per ground code of each attribute."""
        return self._of_values({h.name: self._engine.table[h.name].counts() for h in self._hierarchies})

    def at(self, levels: Sequence[int]) -> Classes:
        """Return the classes at `levels`, rolled up from the smallest that are held, or counted by the engine."""
        asked = tuple(levels)
        source = self._finer(asked) or self._count(asked)
        if source is None:
            raise refuse_node(self._names(asked), self._classes_of(asked), self._room)
        return source if source.levels == asked else source.rollup(self._hierarchies, asked)

    def refuted(self, levels: Sequence[int], least_size: int, limit: int) -> int | None:
        """Return how many records are in classes of fewer than `least_size`, where these are counted and more than `limit`."""
        asked = tuple(levels)
        if asked not in self._sizes:
            if self._finer(asked) is not None or self._count(asked) is not None:
                return None
            self.counted += 1
            self._sizes[asked] = self._engine.sizes(self._node(asked))
        sizes, classes = self._sizes[asked]
        lost = int(sizes[sizes < least_size] @ classes[sizes < least_size])
        return lost if lost > limit else None

    def records(self, classes: Classes, kept: BoolArray) -> tuple[IntArray, ...]:
        """Return, per attribute, the records per ground code in the kept ones of the classes at a node."""
        if self._records is None or self._records[0] is not classes or self._records[1] != kept.tobytes():
            told = self._engine.records(self._node(classes.levels), classes.codes[kept])
            self._records = (classes, kept.tobytes(), self._of_values(told))
        return self._records[2]

    def sizes(self) -> tuple[IntArray, IntArray]:
        """Return the sizes that classes have at the bottom, and how many have each."""
        return self._engine.sizes(self._ground)

    def settled(self, levels: Sequence[int]) -> Classes:
        """Return the classes at `levels`, which the engine remembers for writing; nothing else is held any more."""
        self._held = {}
        return self._engine.settle(self._node(tuple(levels)), self._watched)

    def _finer(self, asked: Vector) -> Classes | None:
        """Return the smallest of the classes held that the node can be rolled up from."""
        finer = [held for low, held in self._held.items() if _precedes(low, asked)]
        return min(finer, key=len, default=None)

    def _count(self, asked: Vector) -> Classes | None:
        """Return the lowest node below the one asked for that fits, counted and held; None where not even that one does."""
        way = self._way_down(asked)
        estimates = self._engine.distinct([self._node(levels) for levels in way])
        fitting = [levels for levels, number in zip(way, estimates, strict=True) if self._fits(number)]
        if not fitting:
            return None
        lowest = fitting[-1]
        self.counted += 1
        counted = self._engine.count(self._node(lowest), self._looked_at)
        self._held = {} if self._bytes_held() + self._bytes(len(counted)) > self._room else self._held
        self._held[lowest] = counted
        return counted

    def _way_down(self, start: Vector) -> list[Vector]:
        """Return the node, and ever finer ones below it: each step splits the attribute in which that tells apart least."""
        way, levels = [start], list(start)
        while any(levels):
            below = [j for j, level in enumerate(levels) if level]
            j = min(below, key=lambda j: (self._entropies[j][levels[j] - 1] - self._entropies[j][levels[j]], j))
            levels[j] -= 1
            way.append(tuple(levels))
        return way

    @cached_property
    def _entropies(self) -> list[list[float]]:
        """The entropy of each attribute at each of its levels."""
        return [
            [_entropy(np.bincount(level.of_ground, totals)) for level in hierarchy.levels]
            for hierarchy, totals in zip(self._hierarchies, self.totals, strict=True)
        ]

    def _fits(self, classes: int) -> bool:
        return self._bytes(classes) <= self._room

    def _bytes(self, classes: int) -> int:
        return class_bytes(self._engine, classes, len(self._hierarchies), self._looked_at)

    def _bytes_held(self) -> int:
        return sum(self._bytes(len(held)) for held in self._held.values())

    def _node(self, levels: Vector) -> Node:
        return self._ground.at_levels(self._hierarchies, levels)

    def _classes_of(self, levels: Vector) -> int:
        return int(self._engine.sizes(self._node(levels))[1].sum())

    def _names(self, levels: Vector) -> dict[str, int]:
        return {h.name: level for h, level in zip(self._hierarchies, levels, strict=True)}

    def _of_values(self, records: dict[str, IntArray]) -> tuple[IntArray, ...]:
        """Return records per ground code, from those per distinct value of the table."""
        return tuple(
            np.bincount(self._ground.codes[h.name], records[h.name], minlength=h.size).astype(np.int64)
            for h in self._hierarchies
        )


def _precedes(low: Vector, high: Vector) -> bool:
    return all(a <= b for a, b in zip(low, high, strict=True))


def _entropy(counts: FloatArray) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())
