"""The homogeneity attack: everybody in the class has the same sensitive value."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, lgamma, sqrt
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.attacks.advice import different_values
from kohort.attacks.finding import Finding
from kohort.attacks.groups import Groups
from kohort.attacks.target import Target, single_valued
from kohort.attacks.uncertainty import Chance, Z, beside, per_cent
from kohort.card import Card


@dataclass(frozen=True)
class Homogeneity:
    """Counts the records in classes with one sensitive value; exact, in time of the records.

    Whoever knows that a person is in such a class knows the value for certain, however large the class is.
    Control: with the class of somebody else, of whom the value is right as often as it occurs in the table; or the
    same share where values are dealt at random (hypergeometric), for small classes are of one value now and then:
    the lesser of the two.

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
        lessened="a promise of different values (l-diversity), by an algorithm that keeps it, or leave the column out",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a sensitive column."""
        return "" if target.judged else "a sensitive column"

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return the columns whose values are known without the release."""
        return single_valued("homogeneity", target)

    def run(self, target: Target) -> list[Finding]:
        """Return the share of records in one-valued classes, for each sensitive column."""
        return [_finding(target, column, target.groups(column)) for column in target.judged]


def _finding(target: Target, column: str, groups: Groups) -> Finding:
    alone = groups.histogram.distinct() == 1
    hits, n = int(groups.sizes[alone].sum()), groups.n_records
    share, name = hits / max(n, 1), groups.name
    chance = by_deals(groups, alone)
    return Finding(
        attack="homogeneity",
        success=share,
        baseline=float(np.count_nonzero(groups.priors) == 1),
        control=chance.control,
        interval=None,
        n=n,
        sentence=(
            f"For {per_cent(share)} of the records, knowing that somebody is in the {name} gives {column} for certain, "
            f"because all records of the {name} hold the same value."
            if hits
            else f"No {name} has a single value of {column}: being in a {name} does not by itself give the value away."
        ),
        details={"column": column, "classes": int(alone.sum()), "records": hits},
        margin=chance.margin,
        spread=chance.spread,
        certain=True,
        advice=different_values(target, column, least=2),
    )


def by_deals(groups: Groups, alone: BoolArray) -> Chance:
    """Return what one-valued classes come to where nothing can be right by knowledge."""
    sizes, priors = groups.sizes, groups.priors
    return beside(somebody_elses(groups, alone), expected_share(sizes, priors), dealt_margin(sizes, priors))


def somebody_elses(groups: Groups, chosen: BoolArray) -> float:
    """Return how often the values of the classes chosen are right of people whose class is another's.

    A person's value is one of those in the class as often as they occur in the table.
    """
    histogram, n = groups.histogram, max(groups.n_records, 1)
    held = np.bincount(histogram.owners, groups.priors[histogram.values] / n, minlength=groups.n_groups)
    return float((groups.sizes * held)[chosen].sum()) / n


def expected_share(sizes: IntArray, priors: IntArray) -> float:
    """Return the share of records in one-valued classes if values were dealt to classes at random: exact."""
    total = sum(count * size * alike for size, count, alike in _one_valued(sizes, priors))
    return min(1.0, float(total) / max(int(sizes.sum()), 1))


def dealt_margin(sizes: IntArray, priors: IntArray) -> float:
    """Return how far that share strays from deal to deal, classes taken to be dealt to independently."""
    n = max(int(sizes.sum()), 1)
    found = sum(count * size**2 * alike * (1 - alike) for size, count, alike in _one_valued(sizes, priors))
    return Z * sqrt(max(0.0, found)) / n


def one_value_chance(size: int, priors: IntArray) -> float:
    """Return the chance that so many records, drawn without replacement, all hold the same value."""
    n = int(priors.sum())
    held = [p for p in priors.tolist() if p >= size]
    return min(1.0, sum(exp(_log_choose(p, size) - _log_choose(n, size)) for p in held)) if size <= n else 0.0


def _one_valued(sizes: IntArray, priors: IntArray) -> list[tuple[int, int, float]]:
    """Return, for each size of a class, how many there are and the chance that one of them holds a single value."""
    distinct, classes = np.unique(sizes[sizes > 0], return_counts=True)
    pairs = zip(distinct.tolist(), classes.tolist(), strict=True)
    return [(size, count, one_value_chance(size, priors)) for size, count in pairs]


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
