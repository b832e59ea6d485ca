"""Samarati's preference policies: which of several generalizations one would rather have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import FloatArray
from kohort.card import Card
from kohort.metrics.form import Adds, Form
from kohort.metrics.outcome import Outcome

PAPER = "Samarati 2001, section 6"


def climbed(outcome: Outcome) -> FloatArray:
    """Return how far up its hierarchy each attribute stands, averaged over released records."""
    if not outcome.kept:
        return np.ones(outcome.depth.shape[1])
    return np.asarray(outcome.classes.rows @ outcome.depth, np.float64) / outcome.kept


@dataclass(frozen=True)
class MinAbsoluteDistance:
    """Σ over attributes of the steps climbed: for one level per attribute, the height of its vector.

    Complexity: linear in classes × attributes.

    >>> from kohort.demo.ward import outcome
    >>> round(MinAbsoluteDistance().score(outcome()), 3)
    0.6

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001, section 6.
    """

    card: ClassVar = Card(
        "min-absolute-distance", "generalization steps in all, over the columns", paper=PAPER
    )
    form: ClassVar = Form(Adds.STEPS)

    @property
    def reads(self) -> frozenset[str]:
        """Only quasi-identifiers are looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the number of steps, averaged over released records where they differ."""
        heights = np.ones(len(outcome.domain)) if outcome.heights is None else outcome.heights
        return float(climbed(outcome) @ heights)


@dataclass(frozen=True)
class MinRelativeDistance:
    """Σ over attributes of the steps climbed over those possible.

    Complexity: linear in classes × attributes.

    >>> from kohort.demo.ward import outcome
    >>> round(MinRelativeDistance().score(outcome()), 3)
    0.3

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001, section 6.
    """

    card: ClassVar = Card(
        "min-relative-distance", "generalization steps, each over its hierarchy's height", paper=PAPER
    )
    form: ClassVar = Form(Adds.STEPS, step=lambda hierarchy: 1 / max(hierarchy.height, 1))

    @property
    def reads(self) -> frozenset[str]:
        """Only quasi-identifiers are looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the sum of relative distances."""
        return float(climbed(outcome).sum())


@dataclass(frozen=True)
class MaxDistribution:
    """Minus the number of distinct released tuples, so that less is better as everywhere.

    Complexity: constant.

    >>> from kohort.demo.ward import outcome
    >>> MaxDistribution().score(outcome())
    -2.0

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001, section 6.
    """

    card: ClassVar = Card(
        "max-distribution",
        "minus the number of distinct released tuples",
        paper=PAPER,
    )
    form: ClassVar = Form(Adds.TUPLES)

    @property
    def reads(self) -> frozenset[str]:
        """Only the number of classes is looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return minus the number of released classes."""
        return -float(len(outcome.classes))


@dataclass(frozen=True)
class MinSuppression:
    """The number of suppressed records.

    Complexity: constant.

    >>> from kohort.demo.ward import outcome
    >>> MinSuppression().score(outcome())
    1.0

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001, section 6.
    """

    card: ClassVar = Card("min-suppression", "records suppressed", paper=PAPER)
    form: ClassVar = Form(Adds.SUPPRESSED)

    @property
    def reads(self) -> frozenset[str]:
        """Only the number of suppressed records is looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the number of suppressed records."""
        return float(outcome.suppressed)
