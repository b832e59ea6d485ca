"""`ambiguity`: how many different people a released record could be about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.card import Card
from kohort.metrics.outcome import Outcome


@dataclass(frozen=True)
class Ambiguity:
    """The mean, over records, of the number of ground tuples that a released record covers.

    A suppressed record covers the whole domain. 1 says that nothing was generalized; the greatest value is
    the product of the domains' sizes, so the figure is best read on a logarithmic scale. Weights do not enter.

    References: Nergiz, Clifton. Thoughts on k-anonymization. ICDE Workshops 2006.
    """

    card: ClassVar = Card(
        "ambiguity",
        "the mean number of ground tuples that a released record could stand for (1 none lost)",
        paper="Nergiz and Clifton 2006",
    )

    @property
    def reads(self) -> frozenset[str]:
        """Only quasi-identifiers are looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the mean number of tuples covered."""
        covered = outcome.classes.rows @ np.prod(outcome.leaves, axis=1)
        nothing_told = outcome.suppressed * float(np.prod(outcome.domain.astype(np.float64)))
        return float((covered + nothing_told) / max(outcome.n_rows, 1))
