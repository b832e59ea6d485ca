"""A problem packed for the kernels: the lattice in search order, keys and code tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.algorithms.lattice.lattice import Lattice, Vector
from kohort.arrays import FloatArray, IntArray
from kohort.classes import Classes
from kohort.recode import Problem

KEY_BITS = 63  # of a signed 64-bit word; an attribute never straddles two


@dataclass(frozen=True, eq=False)
class Packing:
    """Attributes in the order of the search, those that tell records apart best first.

    Raised early, they make the prefixes that everything else is counted from small.
    """

    problem: Problem
    order: tuple[int, ...]  # search position -> attribute of the problem
    rungs: tuple[tuple[int, ...], ...]  # the levels to choose from, ascending, in search order
    lattice: Lattice  # of positions among the rungs, in search order
    records: tuple[FloatArray, ...]  # per code at the lowest level, attributes as in the problem

    @cached_property
    def bottom(self) -> Classes:
        """The table at its lowest levels, attributes as in the problem."""
        lowest = tuple(rungs[0] for _, rungs in sorted(zip(self.order, self.rungs, strict=True)))
        return self.problem.at(lowest) if any(lowest) else self.problem.base

    def vector(self, node: int) -> Vector:
        """Return the node's levels, attributes as in the problem."""
        levels = [0] * len(self.order)
        for j, rungs, rung in zip(self.order, self.rungs, self.lattice.vector(node), strict=True):
            levels[j] = rungs[rung]
        return tuple(levels)

    def node(self, levels: Vector) -> int:
        """Return the node at levels given in the problem's order."""
        return self.lattice.index(
            [rungs.index(levels[j]) for j, rungs in zip(self.order, self.rungs, strict=True)]
        )

    def table(self, j: int, rung: int) -> IntArray:
        """Return the map from codes at the lowest level to codes at a rung, for search position j."""
        return self.tables[j][rung]

    @cached_property
    def tables(self) -> tuple[tuple[IntArray, ...], ...]:
        """The maps of every search position and rung."""
        return tuple(
            tuple(self.problem.hierarchies[attribute].step(rungs[0], level) for level in rungs)
            for attribute, rungs in zip(self.order, self.rungs, strict=True)
        )

    def places(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return the word, shift and mask of every attribute; the first stands in the highest bits."""
        bits = [max(1, int(len(self.table(j, 0)) - 1).bit_length()) for j in range(len(self.order))]
        words, shifts = np.zeros(len(bits), np.int64), np.zeros(len(bits), np.int64)
        word, used = 0, 0
        for j in reversed(range(len(bits))):
            if used + bits[j] > KEY_BITS:
                word, used = word + 1, 0
            words[j], shifts[j] = word, used
            used += bits[j]
        return words, shifts, np.array([(1 << b) - 1 for b in bits], np.int64)

    def keys(self) -> tuple[IntArray, IntArray]:
        """Return the packed bottom classes, sorted so that neighbours share prefixes, and their records."""
        words, shifts, _ = self.places()
        keys = np.zeros((len(self.bottom), int(words.max()) + 1), np.int64)
        for j, attribute in enumerate(self.order):
            keys[:, words[j]] |= self.bottom.codes[:, attribute].astype(np.int64) << shifts[j]
        # lexsort's last key is the primary one: the first attributes are in the last word.
        order = np.argsort(keys[:, 0]) if keys.shape[1] == 1 else np.lexsort(keys.T)
        return np.ascontiguousarray(keys[order]), self.bottom.rows[order].astype(np.int64)

    def starts(self) -> IntArray:
        """Return where the table of each (attribute, level) begins in the flat tables."""
        starts = np.zeros((len(self.order), max(self.lattice.shape)), np.int64)
        at = 0
        for j, levels in enumerate(self.lattice.shape):
            for level in range(levels):
                starts[j, level] = at
                at += len(self.table(j, 0))
        return starts


def pack(problem: Problem, rungs: tuple[tuple[int, ...], ...] | None = None) -> Packing:
    """Put the attributes in order of their entropy at their lowest levels.

    `rungs` are the levels to choose from, per attribute; all from the lowest to the highest unless told.
    """
    if rungs is None:
        rungs = tuple(
            tuple(range(low, high + 1)) for low, high in zip(problem.lowest, problem.highest, strict=True)
        )
    records = tuple(
        _records(totals, hierarchy.levels[levels[0]].of_ground)
        for totals, hierarchy, levels in zip(problem.totals, problem.hierarchies, rungs, strict=True)
    )
    entropies = [_entropy(counts) for counts in records]
    order = sorted(range(len(entropies)), key=lambda j: (-entropies[j], j))
    ordered = tuple(rungs[j] for j in order)
    lattice = Lattice((0,) * len(order), tuple(len(levels) - 1 for levels in ordered))
    return Packing(problem, tuple(order), ordered, lattice, records)


def _records(totals: IntArray, of_ground: IntArray) -> FloatArray:
    """Return the records per code of a level, as far as codes occur."""
    records = np.bincount(of_ground, totals).astype(np.float64)
    return records[: int(np.flatnonzero(records)[-1]) + 1]


def _entropy(counts: FloatArray) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())
