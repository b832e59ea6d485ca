"""The linking attack: people of an outside table are looked up in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kohort.arrays import BoolArray
from kohort.attacks.advice import larger_crowds, within_crowds
from kohort.attacks.finding import Finding
from kohort.attacks.matching import Lookup
from kohort.attacks.people import known_people
from kohort.attacks.picking import (
    ONE_ROW_EACH,
    Picks,
    average,
    blind_pick,
    most_of_one,
    own_shares,
    picks_at_most,
    picks_of_classes,
    picks_of_members,
)
from kohort.attacks.readable import unread
from kohort.attacks.spelled_otherwise import unmatched
from kohort.attacks.target import Outside, Target
from kohort.attacks.uncertainty import at_most, bootstrap, per_cent, up, wilson
from kohort.card import Card
from kohort.plurals import many

ONE_EACH = (
    "If everybody had one row, picking one of the fitting records would be right in {} of the cases{}; people may have several, "
    "and it is not known here whose they are, so that no bound is told"
)


@dataclass(frozen=True)
class Linking:
    """Looks every person of an outside table up in the release, by the meaning of the released values.

    Without an outside table but with the original, its rows are the people: the intruder who knows everybody's
    quasi-identifiers. Then it is known who is who, and success is the share of right picks by the best of three:
    any record that fits; where labels overlap, one of the fitting class with the fewest records, or with the
    narrowest labels. A pick is right if the record is the person's, so whoever has more rows is found more surely. With
    an outside table nobody knows who is who, and success is the most that a pick can reach: the greatest share of one
    person's records in a fitting class. Baseline: picking a record blindly. Control: the same picks with what is
    known of somebody else; they are right as often as blind ones, if any record fits.

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
        guarantee="exact where the original tells who is who, else a bound",
        paper="Samarati 2001",
        decides="class",
        looks_up="people",
        lessened="a greater k or coarser levels (min_level) make it rarer, and one row per person where people have several",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: somebody to look up."""
        people = known_people(target)
        if people is None:
            return "an outside table or the original"
        return unread(target, people.on)

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return that there is nobody to find, or nothing to pick among."""
        if target.n_records < 2:
            return {
                "linking": "the release holds fewer than two records: nobody hides, and nobody can be told apart"
            }
        people = known_people(target)
        assert people is not None
        reason = unmatched(target, people)
        return {"linking": reason} if reason else {}

    def run(self, target: Target) -> list[Finding]:
        """Return how many people are found, how surely, and in how small a crowd."""
        people = known_people(target)
        assert people is not None
        lookup = Lookup.of(target, people.table, people.on)
        known = _is_known(target, lookup)
        picks = _known_picks(target, lookup) if known else _unknown_picks(target, lookup, people)
        n, fitting = picks.n, picks.sizes > 0
        before = _on_original(target, people, known)
        values, place = np.unique(picks.chances, return_inverse=True)
        counts = np.bincount(place.reshape(-1), picks.weights, len(values)).astype(np.int64)
        blind = blind_pick(target)
        return [
            Finding(
                attack="linking",
                success=picks.success,
                baseline=blind,
                control=blind * picks.count(fitting) / max(n, 1),
                interval=None if target.outside is None else bootstrap(values, counts),
                n=n,
                sentence=_sentence(picks, target, people.on, known, before),
                details=_details(target, people, picks, before),
                margin=picks.margin,
                bound=not known and not target.scattered,
                promised=within_crowds(target, float(picks.bounds.max(initial=0.0))),
                advice=larger_crowds(target, picks.success) if {*people.on} <= {*target.quasi} else None,
            )
        ]


def _is_known(target: Target, lookup: Lookup) -> bool:
    """Say whether it is known who is who: by the rows, or because a class is all that labels without overlap tell."""
    if target.outside is not None or target.original is None:
        return False
    return target.rows is not None or not (
        lookup.overlapping or target.scattered or target.owners is not None
    )


def _known_picks(target: Target, lookup: Lookup) -> Picks:
    """Return the picks for those whose rows are released, who are known by their exact quasi-identifiers."""
    if target.rows is None:
        return picks_of_classes(lookup)
    owners = np.arange(len(target.rows)) if target.owners is None else target.owners
    return picks_of_members(lookup, target.rows, owners)


def _unknown_picks(target: Target, lookup: Lookup, people: Outside) -> Picks:
    """Return the bound for everybody; people whom the release left out are not looked for in it."""
    found = picks_at_most(lookup, most_of_one(lookup, target.owners), people.weights)
    if target.outside is not None:
        return found
    there = found.sizes > 0
    chances = found.chances[there]
    ways = {found.how: average(chances, found.weights[there])}
    return Picks(
        found.how,
        chances,
        chances,
        found.sizes[there],
        found.margin,
        ways,
        found.weights[there],
        found.singled,
    )


def _details(target: Target, people: Outside, picks: Picks, before: float | None) -> dict[str, Any]:
    n, fitting = picks.n, picks.sizes > 0
    unique, strangers = picks.count(picks.sizes == 1), _strangers(target, people)
    told: dict[str, Any] = {
        "on": list(people.on),
        "people_matched": picks.count(fitting),
        "unique": unique,
        "unique_records": picks.singled,
        "unique_share": round(unique / max(n, 1), 6),
        "unique_interval": None if target.outside is None else wilson(unique, n),
        "smallest_match_set": int(picks.sizes[fitting].min()) if fitting.any() else None,
        "pick": picks.how,
        "ways": {how: round(found, 6) for how, found in picks.ways.items()},
        "at_most": at_most(picks.at_most),
        "highest": at_most(float(picks.bounds.max(initial=0.0))),
        "control": "what is known of somebody else",
        "people": "outside table" if target.outside is not None else "the original's own rows",
        "several_rows_each": target.scattered or target.owners is not None,
    }
    told |= {"if": ONE_ROW_EACH} if target.scattered else {}
    told |= {} if strangers is None else {"not_in_the_table": int(strangers.sum())}
    return told | ({} if before is None else {"success_on_original": round(before, 6)})


def _on_original(target: Target, people: Outside, known: bool) -> float | None:
    """Return the success of the same linking on the table as it was, by the same measure, where that is at hand."""
    if target.original is None or any(name not in target.original.columns for name in people.on):
        return None
    if target.owners is not None and target.original_owners is None:
        return None  # whose its rows are is not known, and one row each would be another measure
    owners = None if target.owners is None else target.original_owners
    exact = Target(target.original, people.on, counts=target.original_counts, owners=owners)
    lookup = Lookup.of(exact, people.table, people.on)
    if known and owners is not None:
        return float(own_shares(lookup, owners).mean()) if len(owners) else 0.0
    return picks_at_most(lookup, most_of_one(lookup, owners), people.weights).success


def _strangers(target: Target, people: Outside) -> BoolArray | None:
    """Mark the people who are not in the original, where identities tell."""
    name = people.identity
    if name is None or target.original is None or name not in target.original.columns:
        return None
    known = set(target.original[name].texts)
    column = people.table[name]
    return np.asarray(np.array([text not in known for text in column.texts], np.bool_)[column.codes])


def _sentence(picks: Picks, target: Target, on: tuple[str, ...], known: bool, before: float | None) -> str:
    whom, n, fitting = f"people known by {', '.join(on)}", picks.n, picks.sizes > 0
    if not fitting.any():
        return f"None of the {whom} fits any record of the release."
    unique, smallest = picks.count(picks.sizes == 1), int(picks.sizes[fitting].min())
    gone = n - picks.count(fitting)
    nowhere = f" No record fits {gone:,} of {n:,}, by their values as they are written." if gone else ""
    crowd = (
        _one_record(picks, whom, target.outside is not None)
        if unique
        else f"None of the {whom} is singled out: at least {smallest:,} records fit each whom any record fits"
    )
    was = (
        ""
        if before is None
        else f" (with the original table {_told(before, not known and not target.scattered)})"
    )
    nobody = f"and for nobody in more than {up(float(picks.bounds.max()))}"
    if target.scattered:
        return f"{crowd}. {ONE_EACH.format(per_cent(picks.success), was)}.{nowhere}"
    if not known:
        said = f"Picking one of the fitting records is right in at most {up(picks.at_most)} of the cases{was}, {nobody}."
    else:
        found = f"Picking {picks.how} is right in {per_cent(picks.success)} of the cases{was}"
        said = (
            f"{found}; whoever knows no more is right in at most {up(picks.at_most)} of the cases, {nobody}."
        )
    rows = (
        ""
        if target.owners is None
        else " Cases are rows; a pick is right if the record is any of that person's."
    )
    return f"{crowd}. {said}{rows}{nowhere}"


def _one_record(picks: Picks, whom: str, outside: bool) -> str:
    """Return how many people are fitted by one record only; whoever is not in the release is not singled out in it."""
    unique, n = picks.count(picks.sizes == 1), picks.n
    share = per_cent(unique / n)
    if not outside:
        return f"{share} of the {whom} are singled out: exactly one record fits them"
    return (
        f"Of the {n:,} {whom} in the outside table, {unique:,} ({share}) have exactly one record that fits, "
        f"{many(picks.singled, 'different record')} in all; not all of these people need be in the release"
    )


def _told(share: float, bound: bool) -> str:
    return f"at most {up(share)}" if bound else per_cent(share)
