"""The skewness attack: a class makes a sensitive value much likelier than the table does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.attacks.advice import nearer_shares
from kohort.attacks.finding import Finding
from kohort.attacks.groups import Groups
from kohort.attacks.target import Target, single_valued
from kohort.attacks.uncertainty import SHUFFLES, beside, by_chance, per_cent
from kohort.card import Card

OF_ROWS = " Shares are of rows; one person may have several."


@dataclass(frozen=True)
class Skewness:
    """Compares each value's share in each class (posterior) with its share in the table (prior); exact.

    Success is the posterior, and baseline the prior, of the class and value with the greatest difference
    between them: counted in the release, so exact. Control: with the class of somebody else, of whom the value is right as
    often as it occurs in the table. The greatest of many posteriors is great where values are dealt anew too: success counts
    as more than chance only beyond that, and the sentence tells it. A release that promises diversity or closeness may stay
    below. What a class shows is true of its people either way. Where people have several rows, shares are of rows, and
    the sentence says so.

    Complexity: linear in the records, and again for each of the shuffled controls.

    >>> from kohort.demo.ward import shared
    >>> release = shared(["flu", "flu"], ["flu", "cold", "gout"])
    >>> finding = Skewness().run(Target(release, ("age",), ("ill",)))[0]
    >>> finding.success, finding.baseline
    (1.0, 0.6)

    References: N. Li et al., t-closeness: privacy beyond k-anonymity and l-diversity, 2007.
    """

    card: ClassVar[Card] = Card(
        "skewness",
        "the greatest rise from a value's share in the table to its share in a class",
        guarantee="exact",
        paper="Li et al. 2007",
        decides="class",
        lessened="a promise about shares (t-closeness), by an algorithm that keeps it, or leave the column out",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a sensitive column."""
        return "" if target.judged else "a sensitive column"

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return the columns whose values are known without the release, and a release in one class."""
        if target.n_classes < 2:
            return {
                f"skewness, {name}": "the release is one class, as the whole table is" for name in target.open
            } | (single_valued("skewness", target))
        return single_valued("skewness", target)

    def run(self, target: Target) -> list[Finding]:
        """Return the worst class of each sensitive column."""
        several = target.scattered or target.owners is not None
        return [_finding(target, column, target.groups(column), several) for column in target.judged]


@dataclass(frozen=True)
class Worst:
    """The class and value whose share rises most over the table's."""

    posterior: float
    prior: float
    count: int
    size: int
    ratio: float  # the greatest posterior / prior of any class and value


def worst(groups: Groups) -> Worst:
    """Return the greatest rise; of equal ones that in the greatest class, the firmest evidence."""
    histogram = groups.histogram
    if not len(histogram.counts):
        return Worst(0.0, 0.0, 0, 0, 1.0)
    shares = histogram.shares()
    priors = groups.priors / groups.n_records
    before = priors[histogram.values]
    rises, sizes = shares - before, groups.sizes[histogram.owners]
    near = np.flatnonzero(rises >= rises.max() - 1e-12)
    at = near[np.argmax(sizes[near])]
    return Worst(
        float(shares[at]),
        float(before[at]),
        int(histogram.counts[at]),
        int(sizes[at]),
        float((shares / before).max()),
    )


def best_guess(groups: Groups) -> float:
    """Return the share of records guessed right by naming the most frequent value of each class."""
    most = np.zeros(groups.n_groups, np.int64)
    np.maximum.at(most, groups.histogram.owners, groups.histogram.counts)
    return float(most.sum()) / max(groups.n_records, 1)


def _finding(target: Target, column: str, groups: Groups, several: bool) -> Finding:
    found = worst(groups)
    generator = np.random.default_rng(20260101)
    dealt, spread = by_chance([worst(groups.shuffled(generator)).posterior for _ in range(SHUFFLES)])
    chance = beside(found.prior, dealt, spread)
    margin = min(chance.margin, 1 - chance.control)
    guess, blind = best_guess(groups), float(groups.priors.max(initial=0)) / max(groups.n_records, 1)
    return Finding(
        attack="skewness",
        success=found.posterior,
        baseline=found.prior,
        control=chance.control,
        interval=None,
        n=groups.n_records,
        sentence=(
            f"In the {groups.name} where most is learnt, one value of {column} has a chance of {per_cent(found.posterior)}, "
            f"against {per_cent(found.prior)} in the whole table. Guessing the most frequent value of the {groups.name} is right "
            f"for {per_cent(guess)} "
            f"of the {'rows' if several else 'records'}, against {per_cent(blind)} without the release. Where values are dealt at "
            f"random, the greatest chance in {groups.name_of_all} of these sizes is {per_cent(dealt)} on average and up to "
            f"{per_cent(chance.control + margin)} by chance"
            f"{_no_more(groups, found.posterior, dealt + spread)}.{OF_ROWS if several else ''}"
        ),
        details={
            "column": column,
            "greatest_ratio": round(found.ratio, 6),
            "best_guess": round(guess, 6),
            "best_guess_without_classes": round(blind, 6),
            "records_of_that_class": found.size,
            "dealt_anew": round(dealt, 6),
        },
        margin=margin,
        spread=chance.spread,
        certain=found.posterior > found.prior,
        promised=any(model.card.compares and column in model.reads for model in target.promises),
        advice=nearer_shares(target, column, found.posterior - found.prior),
    )


def _no_more(groups: Groups, posterior: float, by_chance: float) -> str:
    """Return that chance alone makes classes as skewed, where it does: what they show is true all the same."""
    if posterior > by_chance + 1e-12:
        return ""
    skewed = f"{groups.name_of_all} are no more skewed than chance makes them"
    return f": {skewed}, and what they show is true of these people all the same"
