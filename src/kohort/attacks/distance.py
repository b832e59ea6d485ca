"""Distance-based record linkage: people are looked up among perturbed records by nearness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kohort.arrays import FloatArray
from kohort.attacks.advice import within_crowds
from kohort.attacks.finding import Finding
from kohort.attacks.nearness import Nearness, nearness
from kohort.attacks.people import known_people
from kohort.attacks.picking import ONE_ROW_EACH, blind_pick
from kohort.attacks.readable import perturbed
from kohort.attacks.spelled_otherwise import incomparable
from kohort.attacks.target import Outside, Target
from kohort.attacks.uncertainty import at_most, per_cent, rare_margin, up
from kohort.card import Card
from kohort.classes import group


@dataclass(frozen=True)
class Distance:
    """Links every known person to the nearest records, where released values are not generalizations.

    Means of microaggregation and noisy values cover nobody's value, so people are not looked up by meaning but
    by distance: numbers scaled by their standard deviation, other values same or not. The intruder picks one
    of the records at the least distance; where it is known which record is whose, success is the share of right picks.
    Nearness is one rule. Whoever has everybody's exact values may form the groups again, and then knows the group: but
    records with the same quasi-identifiers look alike to anybody who goes by these, whatever the rule, so a pick among n of
    them is right with a chance of at most r/n, r being those of one person. That is the bound: on average over the records,
    and where it is not known who stands in which group, for the most exposed. Where it is not known which record is whose,
    success is the bound. Baseline: picking a record blindly. Control: the same with what is known of somebody else, which is
    right as often as a blind pick.

    Complexity: distinct people × distinct released tuples × columns.

    >>> import pyarrow as pa
    >>> from kohort.table import Table
    >>> means = Table.from_arrow(pa.table({"age": [32, 32, 55, 55]}))
    >>> voters = Outside(Table.from_arrow(pa.table({"age": [31, 34, 57]})), on=("age",))
    >>> Distance().run(Target(means, ("age",), outside=voters, truthful=False))[0].success
    0.5

    References: J. Domingo-Ferrer, V. Torra, A quantitative comparison of disclosure control methods, 2001.
    """

    card: ClassVar[Card] = Card(
        "distance-linking",
        "people found among perturbed records by nearness",
        guarantee="a bound for whoever goes by quasi-identifiers; exact for the nearest where it is known who is who",
        paper="Domingo-Ferrer and Torra 2001",
        looks_up="people",
        lessened="larger groups (a greater k) make it weaker",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: perturbed values, and somebody to look up."""
        people = known_people(target)
        if people is None:
            return "an outside table or the original"
        return "" if perturbed(target, people.on) else "perturbed values; this release generalizes"

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return that all records are at the same place, or that people are told in other words than records."""
        people = known_people(target)
        assert people is not None
        if all(len(np.unique(target.released[name].codes)) < 2 for name in people.on):
            return {"distance-linking": "all records are at the same distance from everybody"}
        reason = incomparable(target, people)
        return {"distance-linking": reason} if reason else {}

    def run(self, target: Target) -> list[Finding]:
        """Return how surely people are found."""
        people = known_people(target)
        assert people is not None
        known = target.outside is None and target.rows is not None
        near = nearness(target, people.table, people.on, target.rows if known else None)
        bounds = _bounds(target, people)
        chances = near.chances if known else bounds
        n, blind = len(chances), blind_pick(target)
        worth = 1 / np.maximum(near.sizes, 1) if known else bounds
        return [
            Finding(
                attack="distance-linking",
                success=float(chances.mean()) if n else 0.0,
                baseline=blind,
                control=blind,
                interval=None,
                n=n,
                sentence=_sentence(target, people.on, near, bounds, known),
                details=_details(target, people.on, near, bounds),
                margin=rare_margin(n * blind, float(worth.sum()) * blind, n),
                bound=not known and not target.scattered,
                promised=within_crowds(target, float(bounds.max(initial=0.0))),
            )
        ]


def _bounds(target: Target, people: Outside) -> FloatArray:
    """Return what nobody exceeds who goes by quasi-identifiers: by record, or the greatest for everybody looked up."""
    names = dict.fromkeys((*target.quasi, *people.on))
    _, alike = group(np.column_stack([target.released[name].codes for name in names]).astype(np.int32))
    owners = np.arange(len(alike)) if target.owners is None else target.owners
    _, own = group(np.column_stack([alike, owners]).astype(np.int32))
    shares = np.bincount(own)[own] / np.bincount(alike)[alike]
    if target.outside is None:
        return np.asarray(shares)
    return np.full(people.table.n_rows, shares.max(initial=0.0))


def _sentence(target: Target, on: tuple[str, ...], near: Nearness, bounds: FloatArray, known: bool) -> str:
    crowd = f"the fewest records at the least distance from somebody are {near.fewest:,}"
    whoever = f"Whoever goes by {', '.join(on)}, be it by nearness or by forming the groups again from everybody's exact values, is"
    average, highest = float(bounds.mean()) if len(bounds) else 0.0, float(bounds.max(initial=0.0))
    found = (
        f"Whoever looks for people known by {', '.join(on)} among the nearest records is right in "
        f"{per_cent(float(near.chances.mean()))} of the cases; {crowd}. "
        if known
        else f"Which record is whose is not known here; {crowd}. "
    )
    if target.scattered:
        return (
            f"{found}If everybody had one row, whoever goes by {', '.join(on)} would be right in no more than {up(average)} of the "
            "cases; people may have several, and it is not known here whose they are, so that no bound is told."
        )
    if target.outside is not None:
        return f"{found}{whoever} right about nobody with a chance of more than {up(highest)}."
    rows = (
        ""
        if target.owners is None
        else " Cases are rows; a pick is right if the record is any of that person's."
    )
    return f"{found}{whoever} right in at most {up(average)} of the cases, and for nobody in more than {up(highest)}.{rows}"


def _details(target: Target, on: tuple[str, ...], near: Nearness, bounds: FloatArray) -> dict[str, Any]:
    told: dict[str, Any] = {
        "on": list(on),
        "smallest_match_set": near.fewest,
        "at_most": at_most(float(bounds.mean()) if len(bounds) else 0.0),
        "highest": at_most(float(bounds.max(initial=0.0))),
        "several_rows_each": target.scattered or target.owners is not None,
    }
    return told | ({"if": ONE_ROW_EACH} if target.scattered else {})
