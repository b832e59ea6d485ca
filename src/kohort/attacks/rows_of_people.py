"""All rows of a person laid over each other: which values the classes of these rows leave together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.attacks.composed import mixed
from kohort.attacks.finding import Finding
from kohort.attacks.matching import Lookup, Match, lowest_bit, popcount
from kohort.attacks.target import Outside, Target
from kohort.attacks.uncertainty import SHUFFLES, beside_shuffles, per_cent

BY = "all rows of a person"


def owners_of(target: Target, people: Outside) -> IntArray | None:
    """Return whose each row of what the intruder knows is; None where it is not known, or nobody has several."""
    if people.counts is not None:
        return None
    named = None if people.identity is None else people.table[people.identity].codes
    owners = named if target.outside is not None else target.original_owners
    return None if owners is None or len(np.unique(owners)) == len(owners) else owners


def laid_over(attack: str, target: Target, people: Outside, owners: IntArray, column: str) -> Finding:
    """Return the share of people whose classes share one value, which is theirs if they have the same in all rows.

    A row that fits nothing says nothing. Where classes share no value a person's values differ, and each class counts by
    itself. Baseline: people of whom one class gives the value away alone. Control: with what is known of somebody
    else, or with the values of the release shuffled, the lesser of the two.
    """
    look = Lookup.of(target, people.table, people.on)
    seen = _Left.of(look.match(column), owners)
    n, single = int(seen.found.sum()), seen.found & (seen.number == 1)
    generator = np.random.default_rng(20260101)
    draws = []
    for _ in range(SHUFFLES):
        other = _Left.of(replace(look, target=mixed(target, [column], generator)).match(column), owners)
        draws.append(float((other.found & (other.number == 1)).sum()) / max(n, 1))
    shares = _shares(target, column)[lowest_bit(seen.bits)]
    chance = beside_shuffles(float(shares[single].sum()) / max(n, 1), draws)
    share = float(single.sum()) / max(n, 1)
    before = float((seen.found & (seen.least == 1)).sum()) / max(n, 1)
    smallest = int(seen.number[seen.found].min()) if n else 0
    return Finding(
        attack=attack,
        success=share,
        baseline=before,
        control=chance.control,
        interval=None,
        n=n,
        sentence=(
            f"Laying the classes of all rows of a person over each other leaves a single value of {column} for {per_cent(share)} "
            f"of the people whom the release fits, if a person's value is the same in all rows; one class alone does so for "
            f"{per_cent(before)}. The fewest values left for any person are {smallest}."
        ),
        details={"column": column, "by": BY, "smallest_cover": smallest, "single": int(single.sum())},
        margin=max(chance.margin, 1 / max(n, 1)),
        spread=chance.spread,
        certain=True,
    )


@dataclass(frozen=True, eq=False)
class _Left:
    """What is left of each person."""

    found: BoolArray  # who fits
    bits: IntArray  # values that all of their classes hold; where there is none, those of the class with the fewest
    number: IntArray  # of these values
    least: IntArray  # values in the class with the fewest

    @classmethod
    def of(cls, match: Match, owners: IntArray) -> _Left:
        covers = np.where(match.sizes > 0, match.n_candidates(), np.iinfo(np.int64).max)
        order = np.lexsort((covers, owners))
        starts = np.flatnonzero(np.diff(owners[order], prepend=-1))
        first = order[starts]  # the row of which the fewest values are left
        held = np.where((match.sizes > 0)[:, None], match.candidates, -1)[order]
        common = np.bitwise_and.reduceat(held, starts, axis=0)
        bits = np.where((common != 0).any(axis=1)[:, None], common, match.candidates[first])
        found = match.sizes[first] > 0
        bits = np.where(found[:, None], bits, 0)
        return cls(found, bits, popcount(bits), covers[first])


def _shares(target: Target, column: str) -> FloatArray:
    """Return how frequent each value is in the release."""
    priors = target.groups(column).priors
    return np.asarray(priors / max(priors.sum(), 1))
