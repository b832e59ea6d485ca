"""The homogeneity attack: everybody in the class has the same sensitive value."""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma
from typing import ClassVar

import numpy as np

from kohort.arrays import IntArray
from kohort.attacks.finding import Finding
from kohort.attacks.groups import Groups
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import wilson
from kohort.card import Card


@dataclass(frozen=True)
class Homogeneity:
    """Counts the records in classes with one sensitive value; exact, in time of the records.

    Whoever knows that a person is in such a class knows the value for certain, however large the class is.
    Control: the same share that is expected where values have nothing to do with classes (hypergeometric).

    Complexity: linear in the records; its control takes the distinct class sizes × values.

    >>> from kohort.demo.ward import shared
    >>> release = shared(["flu", "flu"], ["flu", "cold", "gout"])
    >>> Homogeneity().run(Target(release, ("age",), ("ill",)))[0].success
    0.4

    References: A. Machanavajjhala et al., l-diversity: privacy beyond k-anonymity, 2006.
    """

    card: ClassVar[Card] = Card(
        "homogeneity",
        "records in classes with a single sensitive value",
        guarantee="exact",
        paper="Machanavajjhala et al. 2006",
        decides="class",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a sensitive column."""
        return "" if target.judged else "a sensitive column"

    def run(self, target: Target) -> list[Finding]:
        """Return the share of records in one-valued classes, for each sensitive column."""
        return [_finding(column, target.groups(column)) for column in target.judged]


def _finding(column: str, groups: Groups) -> Finding:
    alone = groups.histogram.distinct() == 1
    hits, n = int(groups.sizes[alone].sum()), groups.n_records
    share, name = hits / max(n, 1), groups.name
    return Finding(
        attack="homogeneity",
        success=share,
        baseline=float(np.count_nonzero(groups.priors) == 1),
        control=expected_share(groups.sizes, groups.priors),
        interval=wilson(hits, n),
        n=n,
        sentence=(
            f"For {share:.1%} of the records, knowing that somebody is in the {name} gives {column} for certain, "
            f"because all records of the {name} hold the same value."
            if hits
            else f"No {name} has a single value of {column}: being in a {name} does not by itself give the value away."
        ),
        details={"column": column, "classes": int(alone.sum()), "records": hits, "interval": "Wilson"},
    )


def expected_share(sizes: IntArray, priors: IntArray) -> float:
    """Return the share of records in one-valued classes if values were dealt to classes at random: exact."""
    n = int(sizes.sum())
    if n == 0:
        return 0.0
    distinct, classes = np.unique(sizes[sizes > 0], return_counts=True)
    total = 0.0
    for size, count in zip(distinct.tolist(), classes.tolist(), strict=True):
        held = [p for p in priors.tolist() if p >= size]
        alike = sum(np.exp(_log_choose(p, size) - _log_choose(n, size)) for p in held)
        total += count * size * alike
    return min(1.0, float(total) / n)


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
