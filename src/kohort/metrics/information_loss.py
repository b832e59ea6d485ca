"""`information-loss`: Truta's total information loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.card import Card
from kohort.metrics.outcome import Outcome


@dataclass(frozen=True)
class InformationLoss:
    """The sum over records and attributes of how far the released value is from the original one.

    For numbers, the span of the released interval over the span of the domain; for other values, the height
    of the released label over the height of its hierarchy. A suppressed record loses 1 per attribute. Spans
    are counted in ground values, (covered − 1)/(domain − 1), which equals the printed (max − min)/range
    on evenly spaced domains; the domain is the declared one. Attributes count by their weights (1 each in the paper).

    References: Truta, Campan, Meyer, definitions 9 and 10.
    """

    card: ClassVar = Card(
        "information-loss",
        "spans of intervals and heights of labels, summed over all records and attributes",
        paper="Truta et al. 2007",
    )

    @property
    def reads(self) -> frozenset[str]:
        """Only quasi-identifiers are looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the total information loss."""
        span = (outcome.leaves - 1) / np.maximum(outcome.domain - 1, 1)
        numeric = np.zeros(len(outcome.domain), np.bool_) if outcome.numeric is None else outcome.numeric
        per_class = np.where(numeric, span, outcome.depth) @ outcome.weights
        return float(outcome.classes.rows @ per_class + outcome.suppressed * outcome.weights.sum())
