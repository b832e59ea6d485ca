"""`classification`: records that disagree with the majority of their class on a target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.card import Card
from kohort.errors import InputError
from kohort.metrics.form import Adds, Form
from kohort.metrics.outcome import Outcome


@dataclass(frozen=True)
class Classification:
    """The records whose `target` is not the most frequent one of their class, and every suppressed record.

    Complexity: linear in the (class, value) entries of the target.

    >>> from kohort.demo.ward import outcome
    >>> Classification("ill").score(outcome())
    2.0

    References: Iyengar. Transforming data to satisfy privacy constraints. KDD 2002. Bayardo, Agrawal,
    section 3.3: C_CM.
    """

    target: str

    card: ClassVar = Card(
        "classification",
        "C_CM: records that disagree with their class's majority on a target column, and suppressed records",
        paper="Iyengar 2002; Bayardo and Agrawal 2005",
    )
    form: ClassVar = Form(Adds.MINORITIES)

    def __post_init__(self) -> None:
        if not isinstance(self.target, str) or not self.target:
            raise InputError(
                'classification: no target is named; say target = "..." (the column to predict)',
                code="metric.target",
                objective="classification",
                option="target",
            )

    @property
    def reads(self) -> frozenset[str]:
        """The target."""
        return frozenset({self.target})

    def score(self, outcome: Outcome) -> float:
        """Return the number of records penalized."""
        try:
            histogram = outcome.classes.sensitive[self.target]
        except KeyError:
            raise InputError(
                f"classification: the target {self.target!r} is not among the columns counted: "
                f"{', '.join(outcome.classes.sensitive) or '(none)'}",
                code="metric.target",
                objective="classification",
                option="target",
                value=self.target,
                allowed=list(outcome.classes.sensitive),
            ) from None
        majority = (
            np.maximum.reduceat(histogram.counts, histogram.starts[:-1]) if outcome.kept else np.zeros(0)
        )
        return float(outcome.kept - majority.sum() + outcome.suppressed)
