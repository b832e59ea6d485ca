"""`Counted`: the lattice of a table whose distinct tuples are too many to hold, counted by the engine that keeps its rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.classes import Classes
from kohort.engines.engine import Engine, Regional
from kohort.engines.node import Node
from kohort.engines.room import class_bytes, refuse_node
from kohort.hierarchy import Hierarchy
from kohort.recode.nodes import RegionRows, Released

Vector = tuple[int, ...]

SMALL = 16  # a first node that would fit as often into the room is not fetched, but a finer one


class Counted:
    """Counts nodes of the lattice that fit, and rolls up from them what lies above.

    The first that is asked for is mostly the top. Then not that is fetched, but the lowest node below it that takes half of the
    room: values are made finer step by step, each time in the attribute whose distribution that tells apart least, and
    the engine estimates in one pass how many classes each step has. What lies above is rolled up from it ever after. Of any
    other node the class sizes are counted first, where the rows are: of most that are too fine they prove that these are not
    needed. What is left is fetched. So one pass over the rows is made for a node at most, and none for many.

    Whatever is returned equals the distinct tuples rolled up to the node, tuple by tuple; estimates only choose what is counted.
    """

    def __init__(
        self,
        engine: Engine,
        ground: Node,
        hierarchies: tuple[Hierarchy, ...],
        watched: Sequence[str],
    ) -> None:
        self._engine, self._ground, self._hierarchies = engine, ground, hierarchies
        self._watched = self._looked_at = tuple(watched)
        self._room = engine.room or 0
        self._last = ground
        self._held: Classes | None = None  # what lies above is rolled up from it
        self._sizes: dict[Vector, tuple[IntArray, IntArray]] = {}
        self._records: tuple[Classes, bytes, tuple[IntArray, ...]] | None = None
        self.counted = 0  # counted by the engine so far, with their histograms or by their sizes alone

    def reading(self, names: Collection[str]) -> Counted:
        """Return the same for a search that looks at these columns only; what is released is counted with all."""
        other = Counted(self._engine, self._ground, self._hierarchies, self._watched)
        other._looked_at = tuple(name for name in self._watched if name in names)
        other._sizes = self._sizes
        return other

    @cached_property
    def totals(self) -> tuple[IntArray, ...]:
        """The records per ground code of each attribute."""
        return self._of_values({h.name: self._engine.table[h.name].counts() for h in self._hierarchies})

    def at(self, levels: Sequence[int]) -> Classes:
        """Return the classes at `levels`, rolled up from the smallest that are held, or counted by the engine."""
        asked = tuple(levels)
        source = self._fetched(asked) if self._held is None or not self._covered(asked) else self._held
        return source if source.levels == asked else source.rollup(self._hierarchies, asked)

    def refuted(self, levels: Sequence[int], least_size: int, limit: int) -> int | None:
        """Return how many records are in classes of fewer than `least_size`, where these are counted and more than `limit`."""
        asked = tuple(levels)
        if asked not in self._sizes:
            if self._covered(asked):
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

    def joint(
        self, classes: Classes, kept: BoolArray, j: int, released: Released, hierarchy: Hierarchy
    ) -> IntArray:
        """Return (ground code, released code, records) of an attribute whose every value was told at the level of its labels."""
        records = self.records(classes, kept)[j]
        level = next(level for level in hierarchy.levels if level.labels == released.labels)
        ground = np.flatnonzero(records)
        return np.column_stack([ground, level.of_ground[ground], records[ground]])

    @cached_property
    def regions(self) -> RegionRows | None:
        """Who counts regions of the rows, where the engine does."""
        return (
            self._engine.regions(self._ground, self._watched) if isinstance(self._engine, Regional) else None
        )

    def sizes(self) -> tuple[IntArray, IntArray]:
        """Return the sizes that classes have at the bottom, and how many have each."""
        return self._engine.sizes(self._ground)

    def settled(self, levels: Sequence[int]) -> Classes:
        """Return the classes at `levels`, which the engine remembers for writing; nothing else is held any more."""
        self._held, asked = None, tuple(levels)
        number = self._number(asked)
        if class_bytes(self._engine, number, len(asked), self._watched) > self._room:
            raise refuse_node(self._names(asked), number, self._room)
        return self._engine.settle(self._node(asked), self._watched)

    def _covered(self, asked: Vector) -> bool:
        """Say whether a node can be rolled up from what is held."""
        return self._held is not None and all(
            low <= high for low, high in zip(self._held.levels, asked, strict=True)
        )

    def _fetched(self, asked: Vector) -> Classes:
        """Return the classes at a node, or finer ones that are held from now on."""
        number = self._number(asked)
        if self._bytes(number) > self._room:
            raise refuse_node(self._names(asked), number, self._room)
        if self._held is not None or self._bytes(number) * SMALL > self._room:
            return self._engine.count(self._node(asked), self._looked_at)
        self.counted += 1
        self._held = self._engine.count(self._node(self._lowest(asked)), self._looked_at)
        return self._held

    def _number(self, asked: Vector) -> int:
        """Return how many classes there are at a node."""
        if asked not in self._sizes:
            self._sizes[asked] = self._engine.sizes(self._node(asked))
        return int(self._sizes[asked][1].sum())

    def _lowest(self, asked: Vector) -> Vector:
        """Return the lowest node on the way down from one that takes about half of the room."""
        way = self._way_down(asked)
        estimates = self._engine.distinct([self._node(levels) for levels in way])
        fitting = [way[i] for i, number in enumerate(estimates) if self._bytes(number) * 2 <= self._room]
        return fitting[-1] if fitting else asked

    def _way_down(self, start: Vector) -> list[Vector]:
        """Return the node, and ever finer ones below it: each step splits the attribute in which that tells apart least."""
        way, levels = [start], list(start)
        while any(levels):
            below = [j for j, level in enumerate(levels) if level]
            j = min(
                below, key=lambda j: (self._entropies[j][levels[j] - 1] - self._entropies[j][levels[j]], j)
            )
            levels[j] -= 1
            way.append(tuple(levels))
        return way

    @cached_property
    def _entropies(self) -> list[list[float]]:
        """The entropy of each attribute at each of its levels."""
        return [
            [_entropy(np.bincount(level.of_ground, totals).astype(np.float64)) for level in hierarchy.levels]
            for hierarchy, totals in zip(self._hierarchies, self.totals, strict=True)
        ]

    def _bytes(self, classes: int) -> int:
        return class_bytes(self._engine, classes, len(self._hierarchies), self._looked_at)

    def _node(self, levels: Vector) -> Node:
        """Return a node; the same again for the same levels, so that an engine knows what it has just counted."""
        if levels != self._last.levels:
            self._last = self._ground.at_levels(self._hierarchies, levels)
        return self._last

    def _names(self, levels: Vector) -> dict[str, int]:
        return {h.name: level for h, level in zip(self._hierarchies, levels, strict=True)}

    def _of_values(self, records: dict[str, IntArray]) -> tuple[IntArray, ...]:
        """Return records per ground code, from those per distinct value of the table."""
        return tuple(
            np.bincount(self._ground.codes[h.name], records[h.name], minlength=h.size).astype(np.int64)
            for h in self._hierarchies
        )


def _entropy(counts: FloatArray) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())
