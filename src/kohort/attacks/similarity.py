"""The similarity attack: the sensitive values of a class differ, and mean nearly the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.attacks.advice import different_headings
from kohort.attacks.finding import Finding
from kohort.attacks.groups import Groups
from kohort.attacks.homogeneity import by_deals
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import SHUFFLES, beside_shuffles, per_cent
from kohort.card import Card
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.numerals import numbers_of

FEWEST_NUMBERS = 5  # fewer distinct numbers are codes


@dataclass(frozen=True)
class Similarity:
    """Counts the records in classes whose values all lie in one subtree, or in a narrow range; exact.

    A sensitive column with a hierarchy is judged at the coarsest level below the root that still tells values
    apart (all levels are in the details); numbers without one are judged by whether the class spans at most
    `narrow` of what lies between the table's 5th and 95th percentile. Classes with a single value count:
    they tell the subtree too. Control: with the class of somebody else, or where
    values are dealt anew, the lesser of the two.

    Complexity: linear in the records × levels, and again for each of the shuffled controls.

    >>> from kohort.demo.ward import shared
    >>> from kohort.hierarchy import Hierarchy
    >>> ills = Hierarchy.from_rows("ill", [("flu", "lung", "*"), ("cold", "lung", "*"), ("gout", "joint", "*")])
    >>> release = shared(["flu", "cold"], ["flu", "gout"])
    >>> Similarity().run(Target(release, ("age",), ("ill",), {"ill": ills}))[0].success
    0.5

    References: N. Li et al., t-closeness: privacy beyond k-anonymity and l-diversity, 2007.
    """

    narrow: float = 0.1

    card: ClassVar[Card] = Card(
        "similarity",
        "records in classes whose values lie in one subtree or a narrow range",
        guarantee="exact",
        paper="Li et al. 2007",
        decides="class",
        lessened="a promise about values that are alike (extended-p-sensitive, t-closeness), or leave the column out",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a sensitive column that has a hierarchy, or holds numbers."""
        told = any(_levels(target, name) or _numbers(target, name) is not None for name in target.judged)
        return "" if told else "a sensitive column with a hierarchy, or with numbers"

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return the columns whose numbers lie so near to each other that no class narrows them."""
        found = {}
        for name in target.judged:
            numbers = _numbers(target, name)
            if (
                numbers is not None
                and not _levels(target, name)
                and _width(target.groups(name), numbers) <= 0
            ):
                found[f"similarity, {name}"] = f"nine tenths of {name} are one and the same number"
        return found

    def run(self, target: Target) -> list[Finding]:
        """Return the share of records in classes of similar values, for each column that has a likeness."""
        found = []
        for column in target.judged:
            groups, levels, numbers = target.groups(column), _levels(target, column), _numbers(target, column)
            if levels:
                found.append(_by_subtree(target, column, groups, levels))
            elif numbers is not None:
                found.append(_by_range(column, groups, numbers, self.narrow))
        return found


def _levels(target: Target, column: str) -> dict[int, Groups]:
    """Return the groups at every level between the values and the root that tells some values apart."""
    hierarchy: Hierarchy | None = target.hierarchies.get(column)
    if hierarchy is None or hierarchy.height < 2:
        return {}
    groups = target.groups(column)
    ground = hierarchy.codes_of(groups.labels)
    if (ground < 0).any():
        return {}
    found = {}
    for height, level in enumerate(hierarchy.levels[1:-1], 1):
        told = groups.relabelled(level.of_ground[ground], level.labels)
        if np.count_nonzero(told.priors) > 1:
            found[height] = told
    return found


def _numbers(target: Target, column: str) -> FloatArray | None:
    numbers = numbers_of(target.groups(column).labels)
    return None if numbers is None or np.isfinite(numbers).sum() < FEWEST_NUMBERS else numbers


def _by_subtree(target: Target, column: str, groups: Groups, levels: dict[int, Groups]) -> Finding:
    shares = {height: _share(told, told.histogram.distinct() == 1) for height, told in levels.items()}
    top = max(levels)
    told = levels[top]
    chance = by_deals(told, told.histogram.distinct() == 1)
    different = (told.histogram.distinct() == 1) & (groups.histogram.distinct() > 1)
    return Finding(
        attack="similarity",
        success=shares[top],
        baseline=0.0,
        control=chance.control,
        interval=None,
        n=told.n_records,
        sentence=(
            f"For {per_cent(shares[top])} of the records all values of {column} in the {groups.name} fall under one heading, so "
            f"the heading is learnt for certain; for {per_cent(_share(told, different))} this is so although the values differ."
        ),
        details={
            "column": column,
            "level": top,
            "levels": {str(height): round(share, 6) for height, share in shares.items()},
            "different_values": round(_share(told, different), 6),
        },
        margin=chance.margin,
        spread=chance.spread,
        certain=True,
        advice=different_headings(target, column, top),
    )


def _share(groups: Groups, chosen: BoolArray) -> float:
    return float(groups.sizes[chosen].sum()) / max(groups.n_records, 1)


def _by_range(column: str, groups: Groups, numbers: FloatArray, narrow: float) -> Finding:
    width = narrow * _width(groups, numbers)
    share = _share(groups, narrow_groups(groups, numbers, width))
    generator = np.random.default_rng(20260101)
    dealt = [groups.shuffled(generator) for _ in range(SHUFFLES)]
    elses = _within(groups, numbers, narrow_groups(groups, numbers, width))
    draws = [_share(g, narrow_groups(g, numbers, width)) for g in dealt]
    chance = beside_shuffles(elses, draws, groups.mean_share)
    return Finding(
        attack="similarity",
        success=share,
        baseline=0.0,
        control=chance.control,
        interval=None,
        n=groups.n_records,
        sentence=(
            f"For {per_cent(share)} of the records the {groups.name} gives {column} to within {narrow:.0%} of the range that "
            "most of the table spans."
        ),
        details={"column": column, "narrow": narrow},
        margin=min(chance.margin, 1 - chance.control),
        spread=chance.spread,
        certain=True,
    )


def _width(groups: Groups, numbers: FloatArray) -> float:
    """Return what lies between the table's 5th and 95th percentile."""
    low, high = (_percentile(numbers, groups.priors, share) for share in (0.05, 0.95))
    return float(high - low)


def _within(groups: Groups, numbers: FloatArray, chosen: BoolArray) -> float:
    """Return how often the ranges of the groups chosen hold the number of somebody whose group is another."""
    held, n = np.nan_to_num(numbers[groups.values]), max(groups.n_records, 1)
    low, high = np.full(groups.n_groups, np.inf), np.full(groups.n_groups, -np.inf)
    np.minimum.at(low, groups.owners, held)
    np.maximum.at(high, groups.owners, held)
    order = np.argsort(numbers)[: int(np.isfinite(numbers).sum())]  # missing ones stand last
    reached = np.concatenate([[0], np.cumsum(groups.priors[order])])
    below = np.searchsorted(numbers[order], low[chosen], side="left")
    upto = np.searchsorted(numbers[order], high[chosen], side="right")
    return float((groups.sizes[chosen] * (reached[upto] - reached[below])).sum()) / n**2


def _percentile(numbers: FloatArray, counts: IntArray, share: float) -> float:
    """Return a percentile of numbers that occur so often, between the two that it lies between; missing ones aside."""
    known = np.flatnonzero(np.isfinite(numbers) & (counts > 0))
    order = known[np.argsort(numbers[known], kind="stable")]
    reached = np.cumsum(counts[order])
    place = share * (int(reached[-1]) - 1)
    below, above = (
        float(numbers[order[np.searchsorted(reached, step, side="right")]])
        for step in (np.floor(place), np.ceil(place))
    )
    part = float(place - np.floor(place))
    return below + (above - below) * part if part < 0.5 else above - (above - below) * (1 - part)


def narrow_groups(groups: Groups, numbers: FloatArray, width: float) -> BoolArray:
    """Mark the groups whose numbers all lie within `width`; one that holds a missing value is not narrow."""
    held = numbers[groups.values]
    low, high = np.full(groups.n_groups, np.inf), np.full(groups.n_groups, -np.inf)
    np.minimum.at(low, groups.owners, np.where(np.isnan(held), -np.inf, held))
    np.maximum.at(high, groups.owners, np.where(np.isnan(held), np.inf, held))
    return np.asarray((high - low <= width) & (groups.sizes > 0))
