"""The classes of nodes, rolled up from prefixes of the bottom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kohort.algorithms.lattice.packing import Packing
from kohort.algorithms.lattice.rolling import Rolling
from kohort.arrays import IntArray
from kohort.classes import Classes
from kohort.metrics import Adds

if TYPE_CHECKING:
    from kohort.algorithms.lattice.sweep_kernels import Frame, Marks, Terms


class Prefixes:
    """Rolls a node up from its longest prefix: its first attributes raised, the others at their lowest levels.

    Prefixes are kept until they take more than `memory` bytes. What one proves of all its generalizations is marked at it.
    """

    def __init__(
        self, packing: Packing, frame: Frame, terms: Terms, marks: Marks, state: IntArray, memory: int
    ) -> None:
        self.packing, self.frame, self.terms, self.marks, self.state = packing, frame, terms, marks, state
        self.depth = max(1, len(packing.order) - 3)
        self.held_prefixes: dict[int, Classes] = {0: packing.bottom}
        self.memory, self.held = memory, 0
        self.rolling = Rolling(packing)
        self.last = (0, packing.bottom)

    def classes(self, node: int) -> Classes:
        """Return the classes of a node."""
        from kohort.algorithms.lattice.sweep_kernels import WORK

        source = self.last[1] if self.last[0] == node else self._prefix(node)
        levels = self.packing.vector(node)
        if levels == source.levels:
            return source
        self.state[WORK] += entries(source)
        return self.rolling.up(source, levels)

    def beaten(self, node: int, cutoff: float) -> bool:
        """Say whether a prefix proves that the node scores more than `cutoff`."""
        self.last = (node, self._prefix(node))
        at = 0
        for stride, size in zip(self.packing.lattice.strides, self.packing.lattice.shape, strict=True):
            at += node // stride % size * stride
            if self.marks.beyond[at] > cutoff:
                return True
        return False

    def _prefix(self, node: int) -> Classes:
        """Return the classes of the node's longest prefix, counting the prefixes on the way."""
        from kohort.algorithms.lattice.sweep_kernels import WORK

        source, at = self.held_prefixes[0], 0
        levels = list(self.packing.bottom.levels)
        for j in range(self.depth):
            step = node // int(self.frame.strides[j]) % int(self.frame.sizes[j])
            if not step:
                continue
            at += step * int(self.frame.strides[j])
            levels[self.packing.order[j]] = self.packing.rungs[j][step]
            found = self.held_prefixes.get(at)
            if found is None:
                self.state[WORK] += entries(source)
                found = self.rolling.up(source, levels)
                self.marks.beyond[at] = self._beyond(found)
                self._keep(at, found)
            source = found
        return source

    def _keep(self, at: int, classes: Classes) -> None:
        self.held += entries(classes) * 8 * (len(self.packing.order) // 2 + 2)
        if self.held > self.memory:
            self.held_prefixes = {0: self.packing.bottom}
            self.held = 0
        self.held_prefixes[at] = classes

    def _beyond(self, classes: Classes) -> float:
        from kohort.algorithms.lattice.sweep_kernels import CLASSES, DISCERNIBILITY, TUPLES

        if self.terms.kind == CLASSES:
            return self.terms.records / len(classes)
        if self.terms.kind == TUPLES:
            return -float(len(classes))
        if self.terms.kind == DISCERNIBILITY:
            return float(classes.rows @ classes.rows)
        problem = self.packing.problem
        if problem.form.adds is Adds.MINORITIES:
            # Merging adds to minorities, and a suppressed class costs no less than its minority.
            [name] = problem.objective.reads
            target = classes.sensitive[name]
            return float(problem.n_rows - np.maximum.reduceat(target.counts, target.starts[:-1]).sum())
        return -np.inf


def entries(classes: Classes) -> int:
    """Return how many numbers, of classes, values and people, a roll-up reads."""
    people = 0 if classes.respondents is None else len(classes.respondents.values)
    held = sum(len(holders.entries.values) for holders in classes.holders.values())
    return len(classes) + people + held + sum(len(h.values) for h in classes.sensitive.values())
