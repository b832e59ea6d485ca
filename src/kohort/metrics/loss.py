"""`loss`: the usual granularity, as INTERFACE defines it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import FloatArray
from kohort.card import Card
from kohort.metrics.form import Adds, Form
from kohort.metrics.outcome import Outcome
from kohort.metrics.weights import shares


def _granularity(size: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    """Return slope and offset of x in the mean share; an attribute with one leaf cannot lose."""
    many = size > 1
    whole = np.where(many, 1 - 1 / size, 1)
    return np.where(many, 1 / n / whole, 0.0), np.where(many, -1 / size / whole, 0.0)


@dataclass(frozen=True)
class Loss:
    """The share of its domain that a released value leaves open, combined over attributes.

    Per attribute with `size` leaves: x = ((Σ kept leaves/size + suppressed)/n − 1/size) / (1 − 1/size);
    attributes combine as the geometric mean Π(1+x_i)^(w_i/Σw) − 1. An attribute with one leaf cannot lose.

    Complexity: linear in classes × attributes.

    >>> from kohort.demo.ward import outcome
    >>> round(Loss().score(outcome()), 3)
    0.333

    References: Iyengar, V. Transforming data to satisfy privacy constraints. KDD 2002. Prasser, F. et al. ARX, 2014,
    whose geometric mean over attributes it takes.
    """

    card: ClassVar = Card(
        "loss",
        "LM: how much of its domain each released value leaves open, combined over attributes by a geometric mean as in ARX (0 "
        "none, 1 all)",
        paper="Iyengar 2002; the form of ARX (Prasser et al. 2014)",
        heeds=("weight", "suppression_cost"),
    )
    form: ClassVar = Form(Adds.PRODUCT, line=_granularity)

    @property
    def reads(self) -> frozenset[str]:
        """Only quasi-identifiers are looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the combined granularity."""
        size = outcome.domain.astype(np.float64)
        share = outcome.covered() / size / max(outcome.n_rows, 1) + outcome.charged()
        x = np.where(size > 1, (share - 1 / size) / np.where(size > 1, 1 - 1 / size, 1), 0.0)
        # Suppression that costs nothing brings x down to −1 where there are two leaves; rounding may not go below.
        return float(np.prod(np.maximum(1 + x, 0.0) ** shares(outcome.weights)) - 1)
