"""The classes of nodes where distinct tuples are many: a node is a mask over their keys, and is counted by sizes first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from kohort.algorithms.lattice.packing import KEY_BITS, Packing
from kohort.algorithms.lattice.terms import by_sizes
from kohort.arrays import IntArray
from kohort.classes import Classes
from kohort.classes.gathering import Gathering
from kohort.hierarchy.value_paths import DENSE, Path

if TYPE_CHECKING:
    from kohort.algorithms.lattice.sweep_kernels import Marks, Terms

MANY = 1 << 18  # tuples from which on this is the faster way
OFTEN = 3  # times that a prefix is asked for before it is counted
SMALLER = 4  # a prefix that has more classes than one tuple in so many is not kept
PER_CLASS = 24  # bytes of a class of a prefix that is kept


class MaskedNodes:
    """Counts every node from the tuples, or from its prefix where that is small; tells the classes of those that can be released.

    Keys hold the paths of values (`value_paths`), so that raising all attributes is one AND; `Gathering` counts what is left. Ten
    million tuples take less than a tenth of a second, where rolling them up through prefixes that are nearly as many takes two.
    Promises must be about class sizes in records alone: then what sizes prove of a node is all there is to know.
    """

    def __init__(
        self, packing: Packing, paths: list[Path], terms: Terms, marks: Marks, state: IntArray, memory: int
    ) -> None:
        self.packing, self.paths, self.terms, self.marks, self.state = packing, paths, terms, marks, state
        self.shifts = _shifts(paths)
        keys = np.zeros(len(packing.bottom), np.int64)
        for attribute, path, shift in zip(packing.order, paths, self.shifts, strict=True):
            keys |= path.of_value[packing.bottom.codes[:, attribute]] << shift
        self.bottom = Gathering(keys, packing.bottom.rows.astype(np.int32))
        self.depth = max(
            1, len(packing.order) - 4
        )  # of prefixes: the first attributes raised, the others at their lowest
        self.asked: Counter[tuple[int, ...]] = Counter()
        self.prefixes: dict[tuple[int, ...], Gathering] = {}
        self.memory, self.held = memory, 0

    def classes(self, node: int) -> Classes | None:
        """Return the classes of a node; None where too many of its records are in classes that are too small."""
        from kohort.algorithms.lattice.sweep_kernels import WORK

        problem = self.packing.problem
        vector = self.packing.lattice.vector(node)
        self.state[WORK] += 1
        found = self._source(vector).by(self._mask(vector))
        lost = found.rows_below(problem.least_size)
        if lost > min(problem.max_suppressed, problem.n_rows - 1):
            self.marks.lost[node] = lost
            self.marks.least[node] = max(int(self.marks.least[node]), self.terms.limit + 1)
            return None
        keys, rows = found.classes()
        codes = np.empty((len(keys), len(vector)), np.int32)
        for attribute, path, shift, level in zip(
            self.packing.order, self.paths, self.shifts, vector, strict=True
        ):
            codes[:, attribute] = path.codes(keys >> shift & (1 << path.bits) - 1, level)
        return Classes(codes=codes, levels=self.packing.vector(node), sizes=rows, rows=rows)

    def beaten(self, node: int, cutoff: float) -> bool:  # noqa: ARG002
        """Say that no prefix proves anything."""
        return False

    def _source(self, vector: tuple[int, ...]) -> Gathering:
        """Return what a node is counted from: its prefix where that is small, the tuples otherwise."""
        prefix = vector[: self.depth]
        self.asked[prefix] += 1
        if self.asked[prefix] == OFTEN:
            found = self.bottom.by(self._mask(prefix + (0,) * (len(vector) - self.depth)))
            if len(found) * SMALLER <= len(self.bottom):
                keys, rows = found.classes()
                self._keep(prefix, Gathering(keys, rows.astype(np.int32)))
        return self.prefixes.get(prefix, self.bottom)

    def _keep(self, prefix: tuple[int, ...], classes: Gathering) -> None:
        self.held += PER_CLASS * len(classes)
        if self.held > self.memory:
            self.prefixes, self.held = {}, PER_CLASS * len(classes)
        self.prefixes[prefix] = classes

    def _mask(self, vector: tuple[int, ...]) -> int:
        """Return what of a key tells the codes at a node."""
        return sum(
            path.mask(level) << shift
            for path, level, shift in zip(self.paths, vector, self.shifts, strict=True)
        )


def masks_of(packing: Packing, terms: Terms) -> list[Path] | None:
    """Return the paths of the values of every attribute, in the order of the search, where nodes are counted by them.

    None where tuples are few or somebody else counts them, where more than class sizes must be seen, for hierarchies whose paths do
    not fit into keys, and for objectives that prefixes prove something of.
    """
    from kohort.algorithms.lattice.sweep_kernels import HEIGHT, MEAN, PRODUCT, SUPPRESSION

    problem = packing.problem
    if problem.nodes is not None or by_sizes(packing) is None:
        return None
    if terms.kind not in (HEIGHT, MEAN, PRODUCT, SUPPRESSION) or problem.n_rows > np.iinfo(np.int32).max:
        return None
    if len(problem.base) < MANY or len(packing.bottom) < MANY:
        return None
    paths = [Path.of(tables) for tables in packing.tables]
    told = [path for path in paths if path is not None and 1 << path.bits <= DENSE]
    return told if len(told) == len(paths) and sum(path.bits for path in told) <= KEY_BITS else None


def _shifts(paths: list[Path]) -> list[int]:
    """Return by how many bits the path of each attribute is shifted; the first stands in the highest."""
    shifts = np.cumsum([0, *(path.bits for path in reversed(paths))])[:-1]
    return [int(shift) for shift in reversed(shifts)]
