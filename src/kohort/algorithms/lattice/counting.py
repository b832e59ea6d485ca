"""Nodes examined by class sizes alone, wholly inside the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kohort.algorithms.lattice.finite import numeric
from kohort.algorithms.lattice.packing import Packing

if TYPE_CHECKING:
    from kohort.algorithms.lattice.sweep_kernels import Columns, Frame, Marks, Terms

TIE = 1e-12
PORTION = 1_000_000  # classes read between two looks at the clock


class Counting:
    """Examines nodes where every promise is a least class size in records.

    A node is counted from its longest counted prefix: its first attributes raised, the others at their
    lowest levels. Prefixes are kept in a pool that is emptied when full, so memory stays within the cap.
    """

    portion = PORTION

    def __init__(self, packing: Packing, terms: Terms, columns: Columns, marks: Marks, memory: int) -> None:
        from kohort.algorithms.lattice.count_kernels import Pool, Search
        from kohort.algorithms.lattice.sweep_kernels import CLASSES, TUPLES, Frame

        self.frame: Frame = Frame(
            np.array(packing.lattice.shape, np.int64), np.array(packing.lattice.strides, np.int64)
        )
        self.problem = packing.problem
        self.terms, self.columns, self.marks = terms, columns, marks
        # Deep prefixes prove more about the number of classes; for other objectives they only cost.
        self.depth = max(1, len(packing.order) - (3 if terms.kind in (CLASSES, TUPLES) else 4))
        keys, rows = packing.keys()
        n, words = keys.shape
        capacity = max(memory // (8 * (words + 1)), (self.depth + 1) * (n + 1))
        capacity = min(capacity, n + 1 + len(packing.lattice) * (n + 1))
        slots = min(len(packing.lattice), 1 << 20) + self.depth + 1
        self.pool = Pool(
            keys=np.empty((capacity, words), np.int64),
            rows=np.empty(capacity, np.int64),
            slot=np.full(len(packing.lattice), -1, np.int32),
            owner=np.zeros(slots, np.int64),
            start=np.zeros(slots, np.int64),
            stop=np.zeros(slots, np.int64),
            table=np.empty(1 << int(2 * n).bit_length(), np.int32),
            spare_keys=np.empty((n + 1, words), np.int64),
            spare_rows=np.empty(n + 1, np.int64),
        )
        self.pool.keys[:n], self.pool.rows[:n] = keys, rows
        self.pool.slot[0], self.pool.stop[0] = 0, n
        self.state = np.array([len(packing.lattice) - 1, 0, 0, n, 1], np.int64)
        self.best = np.array([np.inf, TIE])
        self.search = Search(self.frame, marks, terms, columns, self.pool, self.state)

    @property
    def checked(self) -> int:
        """The number of nodes counted."""
        return int(self.state[1])

    @property
    def position(self) -> int:
        """The node that the sweep has come to, -1 at its end."""
        return int(self.state[0])

    def examine(self, node: int) -> float:
        """Count a node and mark what follows; return its score, inf where it is not feasible."""
        from kohort.algorithms.lattice.count_kernels import sweep

        if np.isnan(self.marks.score[node]):
            sweep(self.search, self.depth, self.best, 1, node)
            self.best[0] = min(self.best[0], numeric(self.problem, self.marks.score[node]))
        return float(self.marks.score[node])

    def advance(self, budget: int) -> bool:
        """Sweep on, reading about `budget` classes; return whether the lattice is done."""
        from kohort.algorithms.lattice.count_kernels import sweep

        done = sweep(self.search, self.depth, self.best, budget, -1)
        numeric(self.problem, self.best[0])
        return bool(done)
