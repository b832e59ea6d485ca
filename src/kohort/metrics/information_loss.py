"""`information-loss`: Truta's total information loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import FloatArray
from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.metrics.extent import level_extents
from kohort.metrics.form import Adds, Form
from kohort.metrics.outcome import Outcome
from kohort.metrics.weights import shares


def _extents(hierarchy: Hierarchy, level: int) -> FloatArray:
    return level_extents(hierarchy)[level]


def _summed(size: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:  # noqa: ARG001
    """Return slope and offset for sums that the weights, shares of 1, are multiplied with."""
    return np.full(len(size), float(len(size))), np.zeros(len(size))


@dataclass(frozen=True)
class InformationLoss:
    """The sum over records and attributes of what the released value loses; a suppressed record loses 1 per attribute.

    For numbers, the width of the released interval over that of the whole range; for other values, the height of
    the tree below the released label over that of the hierarchy (`extent`). The paper's range is that of
    the table; here it is that of the ground values, which is the same where no domain is declared, and tells nothing
    of the table where one is. Attributes count by their weights, scaled to 1 on average as in the paper, which
    has none.

    Complexity: linear in the distinct (ground value, released value) pairs of each attribute.

    >>> from kohort.demo.ward import outcome
    >>> round(InformationLoss().score(outcome()), 3)
    2.0

    References: Truta, Campan, Meyer. Generating microdata with p-sensitive k-anonymity property. SDM 2007,
    definitions 9 and 10.
    """

    card: ClassVar = Card(
        "information-loss",
        "IL: widths of intervals and heights of labels, summed over all records and attributes (0 none lost)",
        paper="Truta et al. 2007",
        heeds=("weight",),
    )
    form: ClassVar = Form(Adds.MEAN, costs=_extents, line=_summed, charged=False)

    @property
    def reads(self) -> frozenset[str]:
        """Only quasi-identifiers are looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the total information loss."""
        if outcome.extent is None:
            raise InputError(
                "information-loss: this outcome does not tell how wide its released values are",
                code="metric.not-told",
                objective="information-loss",
            )
        m = len(outcome.domain)
        released = outcome.classes
        lost = np.array(
            [released.rows @ outcome.extent(j)[released.codes[:, j]] for j in range(m)], np.float64
        )
        return float(m * (shares(outcome.weights) @ (lost + outcome.suppressed)))
