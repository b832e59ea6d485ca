"""`discernibility`: how many records each record cannot be told from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.card import Card
from kohort.metrics.form import Adds, Form
from kohort.metrics.outcome import Outcome


@dataclass(frozen=True)
class Discernibility:
    """Σ|E|² over released classes, + n for every suppressed record.

    Complexity: linear in the classes.

    >>> from kohort.demo.ward import outcome
    >>> Discernibility().score(outcome())
    19.0

    References: Bayardo, R. and Agrawal, R. Data privacy through optimal k-anonymization. ICDE 2005,
    section 3.3.
    """

    card: ClassVar = Card(
        "discernibility",
        "C_DM: each record costs the size of its class, each suppressed record the size of the table",
        paper="Bayardo and Agrawal 2005",
    )
    form: ClassVar = Form(Adds.SQUARES)

    @property
    def reads(self) -> frozenset[str]:
        """Only class sizes are looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the sum of the records' costs; whole numbers, exact up to 2^53."""
        rows = outcome.classes.rows.astype(np.int64)
        return float(int(rows @ rows) + outcome.n_rows * outcome.suppressed)
