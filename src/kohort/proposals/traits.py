"""What stays the same of a person: rows of one sex and one birth date may be of one, others are not.

So the values tell which column names the people that rows are about, whatever it is called: all rows of a value have the same
lasting traits, more often than by chance. The number of a case binds them too, where a case is of one person.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.proposals.proposal import Proposal
from kohort.table import Column, Role, Table

LASTING = frozenset(
    {"a sex", "sexes", "a birth date", "a birth year", "an ethnic origin", "ethnic origins", "blood groups"}
)
SLOW = frozenset({"an age", "a postal code", "a place", "a nationality or country", "countries"})
TRAITS = LASTING | SLOW
_GROUPS = 20_000  # values of a column that are looked at
_SEVERAL = 10  # values with several rows, at least
_BOUND, _APART = 0.95, 0.8  # shares of them with one trait: of a person's number, and below which it is none
_CHANCE = 0.7  # where so many have one by chance, a trait says nothing


def binds(names: Column, traits: Sequence[Proposal], table: Table) -> bool | None:
    """Tell whether each value of a column seems to be of one person; None where nothing tells.

    It is if all lasting traits are bound, or where none says anything, one that changes slowly.
    """
    others = [trait for trait in traits if trait.column != names.name and trait.role is not Role.IDENTIFIER]
    lasting = _shares(names, [t for t in others if t.concept in LASTING], table)
    if lasting:
        return True if min(lasting) >= _BOUND else False if min(lasting) < _APART else None
    slow = _shares(names, [t for t in others if t.concept in SLOW], table)
    return True if slow and max(slow) >= _BOUND else None


def _shares(names: Column, traits: Sequence[Proposal], table: Table) -> list[float]:
    """Return the share of values with one trait, for each trait that does not say as much by chance."""
    found = (_alike(names, table[trait.column]) for trait in traits)
    return [alike for alike, chance in filter(None, found) if chance < _CHANCE]


def _alike(names: Column, trait: Column) -> tuple[float, float] | None:
    """Return the share of values with several rows whose rows have one trait, and how many would by chance."""
    told = _told(names)[names.codes] & _told(trait)[trait.codes] & (names.codes < _GROUPS)
    name, kind = names.codes[told].astype(np.int64), trait.codes[told].astype(np.int64)
    rows = np.bincount(name)
    several = rows > 1
    if several.sum() < _SEVERAL:
        return None
    pairs = np.unique(name * len(trait.values) + kind) // len(trait.values)
    kinds = np.bincount(pairs, minlength=len(rows))
    return float((kinds[several] == 1).mean()), _by_chance(rows[several], np.bincount(kind))


def _by_chance(rows: IntArray, counts: IntArray) -> float:
    """Return the share of groups of so many rows that would have one trait if traits were dealt out by chance."""
    shares = counts[counts > 0] / counts.sum()
    sizes, number = np.unique(rows, return_counts=True)
    alike = np.array([(shares**size).sum() for size in sizes.tolist()])
    return float((alike * number).sum() / number.sum())


def _told(column: Column) -> BoolArray:
    """Mark the values that are not missing."""
    return np.array([text is not None for text in column.texts], np.bool_)
