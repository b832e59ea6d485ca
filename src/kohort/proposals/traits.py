"""What stays the same of a person: rows of one sex and one birth date may be of one, others are not.

So the values tell which column names the people that rows are about, whatever it is called: all rows of a value have the same
lasting traits, more often than by chance. The number of a case binds them too, where a case is of one person. Of traits of one
kind one is enough: beside the sex of a patient there may be that of a newborn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.proposals.evidence import Evidence
from kohort.proposals.people_words import PEOPLE
from kohort.proposals.proposal import Proposal
from kohort.proposals.spoken_of import said_parts
from kohort.table import Column, Role, Table

SEX, BIRTH, PLACE = "sex", "birth", "place"
_LASTING: Mapping[str, str] = {
    "a sex": SEX,
    "sexes": SEX,
    "a birth date": BIRTH,
    "a birth year": BIRTH,
    "an ethnic origin": "origin",
    "ethnic origins": "origin",
    "blood groups": "blood",
}
_SLOW: Mapping[str, str] = {
    "an age": "age",
    "a postal code": PLACE,
    "a place": PLACE,
    "a nationality or country": "country",
    "countries": "country",
}
TRAITS = frozenset({*_LASTING, *_SLOW})
_LONG = 20 * 365  # days between the first and the last of dates that may be those of births
_GROUPS = 20_000  # values of a column that are looked at
_SEVERAL = 10  # values with several rows, at least
_BOUND, _APART = 0.95, 0.8  # shares of them with one trait: of a person's number, and below which it is none
_CHANCE = 0.7  # where so many have one by chance, a trait says nothing
# how much more often than by chance two rows of a value have one trait: of a person's, some cells being faulty, and of nobody's
_AGREEING, _AT_ODDS = 0.8, 0.5


@dataclass(frozen=True)
class Trait:
    """A column that holds something of a person; `likely` where only its values tell that it may be one of birth."""

    column: str
    kind: str
    lasting: bool
    likely: bool = False


def traits_of(proposals: Sequence[Proposal], evidence: Sequence[Evidence]) -> list[Trait]:
    """Return the columns that hold traits of those whom rows are about: not of a doctor, and not of a mother."""
    own = (
        trait_of(found.column, found.concept or "", values)
        for found, values in zip(proposals, evidence, strict=True)
        if found.role is not Role.IDENTIFIER
    )
    return [trait for trait in own if trait is not None]


def trait_of(column: str, concept: str, evidence: Evidence) -> Trait | None:
    """Return the trait of those whom rows are about that a column holds, by what it is known for; None where it holds none."""
    if not PEOPLE.isdisjoint(said_parts(column)):
        return None
    if concept in _LASTING:
        return Trait(column, _LASTING[concept], lasting=True)
    if concept in _SLOW:
        return Trait(column, _SLOW[concept], lasting=False)
    if evidence.date_format is not None and len(evidence.told) > 1 and int(np.ptp(evidence.days)) > _LONG:
        return Trait(column, BIRTH, lasting=True, likely=True)
    return None


def binds(names: Column, traits: Sequence[Trait], table: Table) -> bool | None:
    """Tell whether each value of a column seems to be of one person; None where nothing tells.

    It is if a lasting trait of each kind is bound, or where none says anything, one that changes slowly.
    """
    others = [trait for trait in traits if trait.column != names.name]
    shares = {trait: share for trait in others if (share := _share(names, table[trait.column])) is not None}
    lasting: dict[str, float] = {}
    for trait, share in shares.items():
        if trait.lasting and (not trait.likely or share >= _BOUND):
            lasting[trait.kind] = max(share, lasting.get(trait.kind, 0.0))
    if lasting:
        least = min(lasting.values())
        return True if least >= _BOUND else False if least < _APART else None
    slow = [share for trait, share in shares.items() if not trait.lasting]
    return True if slow and max(slow) >= _BOUND else None


def _share(names: Column, trait: Column) -> float | None:
    """Return the share of values with one trait; None where it says as much by chance.

    Single rows differ where somebody mistyped or moved: what pairs of rows have in common tells as well.
    """
    found = _alike(names, trait)
    if found is None or found.by_chance >= _CHANCE:
        return None
    least = _BOUND if found.agreeing >= _AGREEING else _APART if found.agreeing >= _AT_ODDS else 0.0
    return max(found.share, least)


class _Alike(NamedTuple):
    """Of the values with several rows: the share whose rows have one trait, that by chance, and how much pairs of rows agree."""

    share: float
    by_chance: float
    agreeing: float  # 1 always, 0 as often as by chance


def _alike(names: Column, trait: Column) -> _Alike | None:
    """Return how alike the rows of values with several are in a trait."""
    told = _told(names)[names.codes] & _told(trait)[trait.codes] & (names.codes < _GROUPS)
    name, kind = names.codes[told].astype(np.int64), trait.codes[told].astype(np.int64)
    rows = np.bincount(name)
    several = rows > 1
    if several.sum() < _SEVERAL:
        return None
    both, number = np.unique(name * len(trait.values) + kind, return_counts=True)
    kinds = np.bincount(both // len(trait.values), minlength=len(rows))
    # each value counts alike, however many rows it has
    pairs = np.bincount(both // len(trait.values), number * (number - 1.0), minlength=len(rows))[several]
    agreeing = float((pairs / (rows[several] * (rows[several] - 1.0))).mean())
    counts = np.bincount(kind)
    chance = float(((counts / counts.sum()) ** 2).sum())
    return _Alike(
        float((kinds[several] == 1).mean()),
        _by_chance(rows[several], counts),
        (agreeing - chance) / (1 - chance) if chance < 1 else 0.0,
    )


def _by_chance(rows: IntArray, counts: IntArray) -> float:
    """Return the share of groups of so many rows that would have one trait if traits were dealt out by chance."""
    shares = counts[counts > 0] / counts.sum()
    sizes, number = np.unique(rows, return_counts=True)
    alike = np.array([(shares**size).sum() for size in sizes.tolist()])
    return float((alike * number).sum() / number.sum())


def _told(column: Column) -> BoolArray:
    """Mark the values that are not missing."""
    return np.array([text is not None for text in column.texts], np.bool_)
