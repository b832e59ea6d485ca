"""The background knowledge attack: some values are known not to be somebody's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.attacks.advice import different_values
from kohort.attacks.finding import Finding
from kohort.attacks.groups import Groups
from kohort.attacks.homogeneity import somebody_elses
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import SHUFFLES, beside_shuffles, per_cent
from kohort.card import Card
from kohort.classes import Histogram


@dataclass(frozen=True)
class Background:
    """Rules out the m values whose exclusion tells most, for each record; exact.

    Excluding the m most frequent other values of the class leaves the highest posterior, so one sort per class
    replaces the trial of all sets of m values (which the tests do). Success is the share of records whose
    value becomes certain with m exclusions: exactly those in classes of at most m + 1 values. Control: with the class
    of somebody else, or where values are dealt anew, the lesser of the two.

    Complexity: one sort of the (class, value) entries, and one for each of the shuffled controls.

    >>> from kohort.demo.ward import shared
    >>> release = shared(["flu", "flu"], ["flu", "cold", "gout"])
    >>> [finding.success for finding in Background().run(Target(release, ("age",), ("ill",)))]
    [0.4, 1.0, 1.0]

    References: A. Machanavajjhala et al., l-diversity: privacy beyond k-anonymity, 2006.
    """

    excluded: tuple[int, ...] = (1, 2, 3)

    card: ClassVar[Card] = Card(
        "background-knowledge",
        "values become certain once m other values are ruled out, m = 1, 2, 3",
        guarantee="exact",
        paper="Machanavajjhala et al. 2006",
        decides="class",
        lessened="a promise of more different values (l-diversity), by an algorithm that keeps it, or leave the column out",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a sensitive column."""
        return "" if target.judged else "a sensitive column"

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return the columns of so few values that ruling some out tells the value without any release."""
        return {
            f"background-knowledge, {name}, {m} ruled out": (
                f"{name} has {_counted(target.groups(name))}: whoever may rule out {m} rules out all but the true one without the "
                "release"
            )
            for name in target.judged
            for m in self.excluded
            if not _several(target.groups(name), m)
        }

    def run(self, target: Target) -> list[Finding]:
        """Return a finding for each sensitive column and each number of excluded values."""
        found = []
        for column in target.judged:
            groups = target.groups(column)
            generator = np.random.default_rng(20260101)
            dealt = [groups.shuffled(generator).histogram for _ in range(SHUFFLES)]
            found += [_finding(target, column, groups, m, dealt) for m in self.excluded]
        return found


def _counted(groups: Groups) -> str:
    held = int(np.count_nonzero(groups.priors))
    return "one value" if held == 1 else f"{held} values"


def _several(groups: Groups, m: int) -> bool:
    """Say whether ruling out m values of the table leaves several."""
    return bool(np.count_nonzero(groups.priors) > m + 1)


def _finding(target: Target, column: str, groups: Groups, m: int, dealt: list[Histogram]) -> Finding:
    chances, n = posteriors(groups.histogram, m), groups.n_records
    hits, share = _certain(groups.histogram, m), _certain(groups.histogram, m) / max(n, 1)
    average = float((chances * groups.histogram.counts).sum() / max(n, 1))
    elses = somebody_elses(groups, groups.histogram.distinct() <= m + 1)
    draws = [_certain(histogram, m) / max(n, 1) for histogram in dealt]
    chance = beside_shuffles(elses, draws, groups.mean_share)
    values = "one value" if m == 1 else f"{m} values"
    return Finding(
        attack="background-knowledge",
        success=share,
        baseline=float(not _several(groups, m)),
        control=chance.control,
        interval=None,
        n=n,
        sentence=(
            f"Whoever can rule out {values} of {column} for somebody in the table learns the true one for certain for "
            f"{per_cent(share)} of the records; with the best choice of what to rule out the true value has a chance of "
            f"{per_cent(average)} on average."
        ),
        details={
            "column": column,
            "excluded": m,
            "records": hits,
            "average_posterior": round(average, 6),
            "without_exclusion": _certain(groups.histogram, 0),
        },
        margin=min(chance.margin, 1 - chance.control),
        spread=chance.spread,
        certain=True,
        advice=different_values(target, column, least=m + 2),
    )


def _certain(histogram: Histogram, m: int) -> int:
    few = histogram.distinct() <= m + 1
    return int(histogram.counts[few[histogram.owners]].sum())


def posteriors(histogram: Histogram, m: int) -> FloatArray:
    """Return, per entry, the chance of that value after the m most frequent other values are ruled out."""
    owners, counts = histogram.owners, histogram.counts
    order = np.lexsort((-counts, owners))
    rank: IntArray = np.empty(len(counts), np.int64)
    rank[order] = np.arange(len(counts)) - histogram.starts[:-1][owners[order]]
    n = len(histogram.starts) - 1
    totals = np.bincount(owners, counts, minlength=n)
    most = np.bincount(owners, np.where(rank < m, counts, 0), minlength=n)
    next_one = np.bincount(owners, np.where(rank == m, counts, 0), minlength=n)
    # A value among the m most frequent does not rule itself out: the next one goes in its place.
    gone = np.where(rank < m, most[owners] - counts + next_one[owners], most[owners])
    return np.asarray(counts / (totals[owners] - gone))
