"""The composition attack: several releases about the same people, each harmless, laid over each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.attacks.distance import PERTURBED, perturbed
from kohort.attacks.finding import Finding
from kohort.attacks.matching import match_people, popcount
from kohort.attacks.people import known_people
from kohort.attacks.target import Outside, Target
from kohort.attacks.uncertainty import wilson
from kohort.card import Card
from kohort.table import Column, Table


@dataclass(frozen=True)
class Composition:
    """Intersects the sensitive values that all releases leave open for each known person; exact.

    A person of whom one release leaves the values A open and another B has a value of A ∩ B: a single one is
    learnt for certain. A release that a person does not fit does not hold the person and says nothing; people who fit
    fewer than two are left out. Baseline: people with one candidate in one of the releases alone. Control: the other
    releases with their sensitive values shuffled.

    Complexity: that of `linking`, for every release and its control.

    >>> from kohort.demo.ward import shared
    >>> releases = [shared(["flu", "gout"], ["cold", "flu"]), shared(["flu", "cold"], ["gout", "flu"])]
    >>> second = Target(releases[1], ("age",), ("ill",))
    >>> known = Outside(shared(["Ann"], ["Bob"]), on=("age",))
    >>> Composition().run(Target(releases[0], ("age",), ("ill",), others=(second,), outside=known))[0].success
    1.0

    References: S. Ganta et al., Composition attacks and auxiliary information in data privacy, 2008.
    """

    card: ClassVar[Card] = Card(
        "composition",
        "sensitive values that several releases together leave to one",
        guarantee="exact",
        paper="Ganta et al. 2008",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a second release, or people to look up in all of them."""
        if not target.others:
            return "a second release"
        people = known_people(target)
        if people is None:
            return "an outside table or the original"
        if any(perturbed(release, _known_in(release, people)) for release in (target, *target.others)):
            return PERTURBED
        return "" if _shared(target) else "a sensitive column that two of the releases hold"

    def run(self, target: Target) -> list[Finding]:
        """Return the share of people whose value the releases together give away."""
        return [_finding(target, column) for column in _shared(target)]


def _shared(target: Target) -> list[str]:
    return [name for name in target.judged if any(name in other.judged for other in target.others)]


def _finding(target: Target, column: str) -> Finding:
    people = known_people(target)
    assert people is not None
    releases = [target, *(other for other in target.others if column in other.judged)]
    seen = _laid_over(releases, people, column)
    mixed = _laid_over([target, *(_mixed(other, column) for other in releases[1:])], people, column)
    n = int(seen.several.sum())
    single = seen.several & (seen.left == 1)
    alone = seen.several & seen.alone
    by_chance = seen.several & mixed.several & (mixed.left == 1)
    share, before = single.sum() / max(n, 1), alone.sum() / max(n, 1)
    all_of_them = "both releases, the two" if len(releases) == 2 else "several releases, all of them"
    return Finding(
        attack="composition",
        success=float(share),
        baseline=float(before),
        control=float(by_chance.sum() / max(n, 1)),
        interval=wilson(int(single.sum()), n),
        n=n,
        sentence=(
            f"Of the people who fit {all_of_them} together give {column} away for {share:.1%}; each release "
            f"alone does so for {before:.1%}."
        ),
        details={
            "column": column,
            "releases": len(releases),
            "singletons": int(single.sum()),
            "newly_learnt": int((single & ~alone).sum()),
            "contradictions": int((seen.several & (seen.left == 0)).sum()),
            "average_candidates": round(float(seen.left[seen.several].mean()), 6) if n else None,
            "interval": "Wilson",
        },
    )


@dataclass(frozen=True, eq=False)
class _Seen:
    """What releases leave of each known person."""

    several: BoolArray  # who fits two releases or more
    alone: BoolArray  # who has one candidate in one of them
    left: IntArray  # candidates in all that they fit


def _laid_over(releases: Sequence[Target], people: Outside, column: str) -> _Seen:
    labels = dict.fromkeys(label for release in releases for label in release.groups(column).labels)
    code_of = {label: code for code, label in enumerate(labels)}
    found = [match_people(r, people.table, _known_in(r, people), column, code_of) for r in releases]
    fits = np.array([match.sizes > 0 for match in found])
    left = found[0].candidates | np.where(fits[0][:, None], 0, -1)
    for match, held in zip(found[1:], fits[1:], strict=True):
        left = left & (match.candidates | np.where(held[:, None], 0, -1))
    alone = [held & (match.n_candidates() == 1) for match, held in zip(found, fits, strict=True)]
    return _Seen(fits.sum(axis=0) > 1, np.logical_or.reduce(alone), popcount(left))


def _known_in(release: Target, people: Outside) -> tuple[str, ...]:
    return tuple(name for name in people.on if name in release.released.columns)


def _mixed(second: Target, column: str) -> Target:
    """Return the second release with its sensitive values shuffled."""
    apart, held = second.apart, second.released
    if apart is not None and column in apart.told:
        lines = apart.told[column]
        mixed = lines._replace(values=_shuffled(lines.values))
        return replace(second, apart=replace(apart, told={**apart.told, column: mixed}))
    table = Table({**held.columns, column: _shuffled(held[column])}, held.n_rows)
    return replace(second, released=table)


def _shuffled(column: Column) -> Column:
    codes = np.random.default_rng(20260101).permutation(column.codes)
    return Column(column.name, codes, column.values)
