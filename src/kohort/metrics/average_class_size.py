"""`average-class-size`: records per released class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kohort.card import Card
from kohort.metrics.form import Adds, Form
from kohort.metrics.outcome import Outcome


@dataclass(frozen=True)
class AverageClassSize:
    """n / (released classes + 1 if any record is suppressed): the suppressed form one class of their own.

    Complexity: constant.

    >>> from kohort.demo.ward import outcome
    >>> AverageClassSize().score(outcome())
    2.0

    References: LeFevre, K., DeWitt, D. and Ramakrishnan, R. Mondrian multidimensional k-anonymity. ICDE
    2006 (there divided by k).
    """

    card: ClassVar = Card(
        "average-class-size",
        "records per class, the suppressed counted as one class (C_AVG of the paper, times k)",
        paper="LeFevre et al. 2006",
    )
    form: ClassVar = Form(Adds.CLASSES)

    @property
    def reads(self) -> frozenset[str]:
        """Only the number of classes is looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the average; 0 for an empty table."""
        classes = len(outcome.classes) + (outcome.suppressed > 0)
        return outcome.n_rows / classes if classes else 0.0
