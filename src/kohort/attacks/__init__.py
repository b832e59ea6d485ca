"""The attacks of the literature, run against a release."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kohort.attacks.advising import gravest_first, with_fitting_advice
from kohort.attacks.association import Association, association_cover
from kohort.attacks.attack import Attack
from kohort.attacks.background import Background
from kohort.attacks.composition import Composition
from kohort.attacks.de_finetti import DeFinetti
from kohort.attacks.distance import Distance
from kohort.attacks.downcoding import Downcoding
from kohort.attacks.finding import Finding
from kohort.attacks.homogeneity import Homogeneity
from kohort.attacks.linking import Linking
from kohort.attacks.minimality import Minimality, posteriors_by_output
from kohort.attacks.row_order import RowOrder
from kohort.attacks.similarity import Similarity
from kohort.attacks.skewness import Skewness
from kohort.attacks.target import Outside, Target
from kohort.attacks.undeclared import Undeclared
from kohort.errors import InputError
from kohort.plan import Plan

ATTACKS: dict[str, type[Attack]] = {
    kind.card.name: kind
    for kind in (
        Linking,
        Distance,
        Homogeneity,
        Background,
        Skewness,
        Similarity,
        Minimality,
        DeFinetti,
        Downcoding,
        Composition,
        Association,
        RowOrder,
        Undeclared,
    )
}
ROWS = "the single rows of the release, which this engine does not hold; the memory engine has them"


class Outcome(NamedTuple):
    """What attacks came to."""

    found: list[Finding]
    lacking: dict[str, str]  # what those that could not run need, by name
    not_applicable: dict[str, str]  # why some cannot gain, whatever was released, by label


def attacked(target: Target, plan: Plan, names: Iterable[str] | None = None) -> Outcome:
    """Run the attacks named (all by default) on a release of a plan: the gravest findings first, with advice that fits the plan."""
    outcome = run_attacks(target, names)
    told = [
        with_fitting_advice(finding, plan, ATTACKS[finding.attack].card.lessened) for finding in outcome.found
    ]
    return outcome._replace(found=gravest_first(told))


def run_attacks(target: Target, names: Iterable[str] | None = None) -> Outcome:
    """Run the attacks named (all by default); one that cannot gain is told as not applicable, never as without gain."""
    told = Outcome([], {}, {})
    for name in ATTACKS if names is None else names:
        if name not in ATTACKS:
            raise InputError(
                f"there is no attack {name!r}; the attacks are: {', '.join(ATTACKS)}",
                code="attack.unknown",
                attack=name,
                allowed=list(ATTACKS),
            )
        attack = ATTACKS[name]()
        counted = target.counts is not None and attack.card.decides == "row"
        lacks = ROWS if counted else attack.lacks(target)
        if lacks:
            told.lacking[name] = lacks
            continue
        idle = attack.cannot_gain(target)
        told.not_applicable.update(idle)
        found = [] if name in idle else attack.run(target)
        told.found.extend(finding for finding in found if finding.label not in idle)
    return told


__all__ = [
    "ATTACKS",
    "Attack",
    "Finding",
    "Outcome",
    "Outside",
    "Target",
    "association_cover",
    "attacked",
    "posteriors_by_output",
    "run_attacks",
]
