"""`ambiguity`: how many different people a released record could be about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import FloatArray
from kohort.card import Card
from kohort.hierarchy import Hierarchy
from kohort.metrics.form import Floors, Form
from kohort.metrics.outcome import Outcome

LARGEST = 700.0  # the greatest logarithm whose exponential is a finite number, and some room


def _log_leaves(hierarchy: Hierarchy, level: int, records: FloatArray, share: float) -> float:  # noqa: ARG001
    """Return the mean logarithm of the ground values covered."""
    domain = hierarchy.levels[level]
    return float(records @ np.log(domain.leaves)[domain.of_ground] / records.sum())


def _from_logarithm(total: FloatArray) -> FloatArray:
    # Rounding may not lift the bound above what it bounds.
    return np.asarray(np.exp(np.minimum(total, LARGEST)) * (1 - 1e-9))


def _covered_at_least(sizes: FloatArray, n: int, suppressed: int) -> float:
    # Nothing times a product beyond all numbers is nothing.
    with np.errstate(over="ignore"):
        surely = suppressed * float(np.prod(sizes)) if suppressed else 0.0
    return (surely + (n - suppressed)) / n * (1 - 1e-12)


@dataclass(frozen=True)
class Ambiguity:
    """The mean, over records, of the number of ground tuples that a released record covers.

    A suppressed record covers the whole domain. 1 says that nothing was generalized; the greatest value is
    the product of the domains' sizes, so the figure is best read on a logarithmic scale. Weights do not enter.

    Complexity: linear in classes × attributes.

    >>> from kohort.demo.ward import outcome
    >>> Ambiguity().score(outcome())
    2.0

    References: Nergiz, Clifton. Thoughts on k-anonymization. ICDE Workshops 2006.
    """

    card: ClassVar = Card(
        "ambiguity",
        "AM: the mean number of ground tuples that a released record could stand for (1 none lost)",
        paper="Nergiz and Clifton 2006",
    )
    form: ClassVar = Form(floors=Floors(_log_leaves, _from_logarithm), left_out=_covered_at_least)

    @property
    def reads(self) -> frozenset[str]:
        """Only quasi-identifiers are looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the mean number of tuples covered."""
        with np.errstate(
            over="ignore"
        ):  # what is beyond all numbers is infinite, and refused or told as such
            covered = float(outcome.classes.rows @ np.prod(outcome.leaves, axis=1))
            whole = float(np.prod(outcome.domain.astype(np.float64)))
        # Nothing times a product beyond all numbers is nothing.
        nothing_told = outcome.suppressed * whole if outcome.suppressed else 0.0
        return (covered + nothing_told) / max(outcome.n_rows, 1)
