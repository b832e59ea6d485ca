"""`Outcome`: all that a quality metric may look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.classes import Classes


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a recoding made of a table, class by class, whatever the recoding was.

    `classes` are the released ones: suppressed rows are not among them. `leaves` and `depth` describe the
    value released for each class and attribute: the ground values it covers (1 for an exact value, the
    domain's size for a suppressed cell), and how far up its hierarchy it stands (0 ground, 1 root).
    """

    classes: Classes
    leaves: FloatArray  # (n_classes, n_qi)
    depth: FloatArray  # (n_classes, n_qi), 0..1
    domain: IntArray  # (n_qi) ground values declared in each hierarchy
    suppressed: int  # rows left out
    n_rows: int  # rows of the original table
    weights: FloatArray  # (n_qi) how much each attribute matters, 1 unless told
    joint: Callable[[int], IntArray] | None = None
    # joint(j): rows (ground code, released code, records) of attribute j, kept rows only; released codes of
    # a suppressed row do not occur.
    totals: tuple[IntArray, ...] = ()  # records per ground code of each attribute, in the original table
    heights: IntArray | None = None  # (n_qi) of the hierarchies; None: not known
    suppression: FloatArray | None = None  # (n_qi) cost of a suppressed record, root = 1; None: 1 each
    extent: Callable[[int], FloatArray] | None = None
    # extent(j): per released code, what that value of attribute j leaves open, 0 … 1 (Truta, Definition 9).

    @property
    def kept(self) -> int:
        """The number of rows released."""
        return self.n_rows - self.suppressed

    def charged(self) -> FloatArray:
        """Return, per attribute, what suppression adds to the mean cost of a record; each like a root unless told.

        A share times the cost stays finite where the cost of all suppressed records together would not.
        """
        ones = np.ones(len(self.domain))
        share = self.suppressed / max(self.n_rows, 1)
        return share * (ones if self.suppression is None else self.suppression)

    def lost(self, j: int) -> float:
        """Return what share of its detail attribute j lost: 0 as exact as before, 1 nothing told; all of a suppressed row."""
        size = int(self.domain[j])
        if size < 2:
            return 0.0
        share = (self.covered()[j] / size + self.suppressed) / self.n_rows
        return max(round(float((share - 1 / size) / (1 - 1 / size)), 12), 0.0)

    def covered(self) -> FloatArray:
        """Return, per attribute, the sum over kept rows of the ground values under the released value."""
        return np.asarray(self.classes.rows @ self.leaves, np.float64)
