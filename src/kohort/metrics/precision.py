"""`precision`: how far up its hierarchy each released value stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import FloatArray
from kohort.card import Card
from kohort.hierarchy import Hierarchy
from kohort.metrics.form import Adds, Form
from kohort.metrics.outcome import Outcome
from kohort.metrics.weights import shares


def _share_of_height(hierarchy: Hierarchy, level: int) -> FloatArray:
    return np.full(len(hierarchy.levels[level].labels), level / max(hierarchy.height, 1))


@dataclass(frozen=True)
class Precision:
    """The mean over attributes of (Σ kept level/height + suppressed) / n: 0 nothing lost, 1 everything.

    Sweeney's Prec is one minus this; here, as everywhere in Kohort, less is better. Attributes count by
    their weights. An attribute of height 0 stands at its ground and loses by suppression only.

    Complexity: linear in classes × attributes.

    >>> from kohort.demo.ward import outcome
    >>> round(Precision().score(outcome()), 3)
    0.417

    References: Sweeney, L. Achieving k-anonymity privacy protection using generalization and suppression.
    IJUFKS 10(5), 2002.
    """

    card: ClassVar = Card(
        "precision",
        "1 − Prec: how far up its hierarchy each released value stands (0 ground, 1 root; Prec is 1 minus this)",
        paper="Sweeney 2002",
        heeds=("weight", "suppression_cost"),
    )
    form: ClassVar = Form(Adds.MEAN, costs=_share_of_height, by_step=True)

    @property
    def reads(self) -> frozenset[str]:
        """Only quasi-identifiers are looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the weighted mean height."""
        climbed = np.asarray(outcome.classes.rows @ outcome.depth, np.float64)
        return float((climbed / max(outcome.n_rows, 1) + outcome.charged()) @ shares(outcome.weights))
