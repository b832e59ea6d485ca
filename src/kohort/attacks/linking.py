"""The linking attack: people of an outside table are looked up in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.attacks.distance import PERTURBED, perturbed
from kohort.attacks.finding import Finding
from kohort.attacks.matching import match_people
from kohort.attacks.people import known_people, made_up
from kohort.attacks.target import Outside, Target
from kohort.attacks.uncertainty import bootstrap, wilson
from kohort.card import Card


@dataclass(frozen=True)
class Linking:
    """Looks every person of an outside table up in the release, by the meaning of the released values.

    The intruder picks one of the records that fit, so success is the mean of 1 / |match set|, 0 for people
    whom no record fits: exact for people who are in the table, an upper bound for an outside table that holds
    others too. Without an outside table but with the original, its rows are the people: the intruder who knows
    everybody's quasi-identifiers. Baseline: picking a record blindly. Control: people who are not in the table,
    where identities tell; otherwise people made up by shuffling each column of the outside table.

    Complexity: the people and records where released labels do not overlap; else people × distinct released tuples at worst.

    >>> from kohort.demo.ward import shared
    >>> release = shared(["flu", "flu"], ["flu", "cold", "gout"])
    >>> voters = Outside(shared(["Ann"], ["Bob", "Eve"]), on=("age",))  # one of 30-39, two of 40-49
    >>> finding = Linking().run(Target(release, ("age",), outside=voters))[0]
    >>> round(finding.success, 3), finding.details["smallest_match_set"]
    (0.389, 2)

    References: P. Samarati, Protecting respondents' identities in microdata release, 2001.
    """

    card: ClassVar[Card] = Card(
        "linking",
        "people of an outside table found in the release by what its values mean",
        guarantee="exact",
        paper="Samarati 2001",
        decides="class",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: somebody to look up."""
        people = known_people(target)
        if people is None:
            return "an outside table or the original"
        return PERTURBED if perturbed(target, people.on) else ""

    def run(self, target: Target) -> list[Finding]:
        """Return how many people are found, how surely, and in how small a crowd."""
        people = known_people(target)
        assert people is not None
        sizes, weights = match_people(target, people.table, people.on).sizes, people.weights
        if target.outside is None:  # people whom the release left out are not looked for in it
            sizes, weights = sizes[sizes > 0], weights[sizes > 0]
        success, n = _rate(sizes, weights), int(weights.sum())
        matched, unique = int(weights[sizes > 0].sum()), int(weights[sizes == 1].sum())
        control, kind = _control(target, people, sizes)
        chances, place = np.unique(_chances(sizes), return_inverse=True)
        counts = np.bincount(place.reshape(-1), weights, minlength=len(chances)).astype(np.int64)
        details: dict[str, Any] = {
            "on": list(people.on),
            "people_matched": matched,
            "unique": unique,
            "unique_share": round(unique / max(n, 1), 6),
            "unique_interval": wilson(unique, n),
            "smallest_match_set": int(sizes[sizes > 0].min()) if matched else None,
            "control": kind,
            "interval": "bootstrap",
            "people": "outside table" if target.outside is not None else "the original's own rows",
        }
        before = _on_original(target, people)
        if before is not None:
            details["success_on_original"] = round(before, 6)
        return [
            Finding(
                attack="linking",
                success=success,
                baseline=1 / max(target.n_records, 1),
                control=control,
                interval=bootstrap(chances, counts),
                n=n,
                sentence=_sentence(success, n, unique, details["smallest_match_set"], before, people.on),
                details=details,
            )
        ]


def _chances(sizes: IntArray) -> FloatArray:
    return np.where(sizes > 0, 1 / np.maximum(sizes, 1), 0.0)


def _rate(sizes: IntArray, weights: IntArray | None = None) -> float:
    return float(np.average(_chances(sizes), weights=weights)) if len(sizes) else 0.0


def _on_original(target: Target, people: Outside) -> float | None:
    """Return the success of the same linking on the table as it was, where that is at hand."""
    if target.original is None or any(name not in target.original.columns for name in people.on):
        return None
    exact = Target(target.original, people.on, counts=target.original_counts)
    return _rate(match_people(exact, people.table, people.on).sizes, people.weights)


def _control(target: Target, people: Outside, sizes: IntArray) -> tuple[float, str]:
    strangers = _strangers(target, people)
    if strangers is not None and strangers.any():
        return _rate(sizes[strangers]), "people who are not in the table"
    return _rate(
        match_people(target, made_up(people), people.on).sizes
    ), "people made up by shuffling columns"


def _strangers(target: Target, people: Outside) -> BoolArray | None:
    """Mark the people who are not in the original, where identities tell."""
    name = people.identity
    if name is None or target.original is None or name not in target.original.columns:
        return None
    known = set(target.original[name].texts)
    column = people.table[name]
    return np.asarray(np.array([text not in known for text in column.texts], np.bool_)[column.codes])


def _sentence(
    success: float, n: int, unique: int, smallest: int | None, before: float | None, on: tuple[str, ...]
) -> str:
    known = f"people known by {', '.join(on)}"
    if smallest is None:
        return f"None of the {known} fits any record of the release."
    crowd = (
        f"{unique / n:.1%} of the {known} are singled out: exactly one record fits them"
        if unique
        else f"None of the {known} is singled out: at least {smallest:,} records fit each whom any record fits"
    )
    was = "" if before is None else f" (with the original table {before:.0%})"
    return f"{crowd}. Picking one of the fitting records is right in at most {success:.1%} of the cases{was}."
