"""The composition attack: two releases about the same people, each harmless, laid over each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kohort.attacks.distance import PERTURBED, perturbed
from kohort.attacks.finding import Finding
from kohort.attacks.matching import Match, match_people, popcount
from kohort.attacks.people import known_people
from kohort.attacks.target import Outside, Target
from kohort.attacks.uncertainty import wilson
from kohort.card import Card
from kohort.table import Column, Table


@dataclass(frozen=True)
class Composition:
    """Intersects the sensitive values that two releases leave open for each known person; exact.

    A person of whom one release leaves the values A open and the other B has a value of A ∩ B: a single one is
    learnt for certain. People whom a release does not fit have no candidates there and are left out of the
    intersection. Baseline: people with one candidate in either release alone. Control: the second release with
    its sensitive values shuffled.

    References: S. Ganta et al., Composition attacks and auxiliary information in data privacy, 2008.
    """

    card: ClassVar[Card] = Card(
        "composition",
        "sensitive values that two releases together leave to one",
        guarantee="exact",
        paper="Ganta et al. 2008",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a second release, or people to look up in both."""
        if target.second is None:
            return "a second release (--second DIR)"
        people = known_people(target)
        if people is None:
            return "an outside table (--with TABLE --on a,b) or the original"
        if any(perturbed(release, _known_in(release, people)) for release in (target, target.second)):
            return PERTURBED
        return "" if _shared(target) else "a sensitive column that both releases hold"

    def run(self, target: Target) -> list[Finding]:
        """Return the share of people whose value the two releases together give away."""
        return [_finding(target, column) for column in _shared(target)]


def _shared(target: Target) -> list[str]:
    return [] if target.second is None else [name for name in target.judged if name in target.second.judged]


def _finding(target: Target, column: str) -> Finding:
    people, second = known_people(target), target.second
    assert people is not None
    assert second is not None
    labels = dict.fromkeys((*target.groups(column).labels, *second.groups(column).labels))
    code_of = {label: code for code, label in enumerate(labels)}
    first = match_people(target, people.table, people.on, column, code_of)
    other = _match_second(second, people, column, code_of)
    both = (first.sizes > 0) & (other.sizes > 0)
    n = int(both.sum())
    alone = both & ((first.n_candidates() == 1) | (other.n_candidates() == 1))
    left = popcount(first.candidates & other.candidates)
    single = both & (left == 1)
    mixed = _match_second(_mixed(second, column), people, column, code_of)
    by_chance = both & (mixed.sizes > 0) & (popcount(first.candidates & mixed.candidates) == 1)
    share, before = single.sum() / max(n, 1), alone.sum() / max(n, 1)
    return Finding(
        attack="composition",
        success=float(share),
        baseline=float(before),
        control=float(by_chance.sum() / max(n, 1)),
        interval=wilson(int(single.sum()), n),
        n=n,
        sentence=(
            f"Of the people who fit both releases, the two together give {column} away for {share:.1%}; each release "
            f"alone does so for {before:.1%}."
        ),
        details={
            "column": column,
            "singletons": int(single.sum()),
            "newly_learnt": int((single & ~alone).sum()),
            "contradictions": int((both & (left == 0)).sum()),
            "average_candidates": round(float(left[both].mean()), 6) if n else None,
            "interval": "Wilson",
        },
    )


def _match_second(second: Target, people: Outside, column: str, code_of: dict[str | None, int]) -> Match:
    return match_people(second, people.table, _known_in(second, people), column, code_of)


def _known_in(release: Target, people: Outside) -> tuple[str, ...]:
    return tuple(name for name in people.on if name in release.released.columns)


def _mixed(second: Target, column: str) -> Target:
    """Return the second release with its sensitive values shuffled."""
    held = second.torn if second.torn is not None and column in second.torn.columns else second.released
    old = held[column]
    codes = np.random.default_rng(20260101).permutation(old.codes)
    table = Table({**held.columns, column: Column(column, codes, old.values)}, held.n_rows)
    return replace(second, torn=table) if held is second.torn else replace(second, released=table)
