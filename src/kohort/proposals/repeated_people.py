"""Whether people seem to have several rows though no column names them: rows agree in their lasting traits more than by chance."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from math import exp, prod

import numpy as np

from kohort.arrays import IntArray
from kohort.plurals import many
from kohort.proposals.evidence import Evidence
from kohort.proposals.proposal import Proposal
from kohort.proposals.respondent import asks_whose
from kohort.proposals.traits import BIRTH, PLACE, SEX, Trait, traits_of
from kohort.table import Table

_LEAST, _SHARE = 10, 0.05  # rows that agree with another one, and of all rows
_TIMES = 5  # more than by chance
_MOST = 0.2  # of the rows, beyond which chance explains too much
_SHOWN = 5  # columns in a warning


def repeated_people(table: Table, proposals: Sequence[Proposal]) -> list[str]:
    """Return a warning where people seem to have several rows and nothing is proposed to count them by; else nothing."""
    if any(found.respondent for found in proposals):
        return []
    evidence = [Evidence(table[found.column]) for found in proposals]
    dated = {values.column.name for values in evidence if values.date_format is not None}
    agreeing = ((key, _agreeing(table, key, dated)) for key in _keys(traits_of(proposals, evidence)))
    key, rows = next(((key, rows) for key, rows in agreeing if rows), ((), 0))
    asked = [
        found.column
        for found, values in zip(proposals, evidence, strict=True)
        if asks_whose(found) and not values.is_counted
    ]
    if rows:
        names = " and ".join([", ".join(key[:-1]), key[-1]])
        return [
            f"{many(rows, 'row agrees', 'rows agree')} with another one in {names}, far more than by chance: people seem to have "
            f"several rows, and promises count rows as long as no column names the person; {_to_do(asked)}"
        ]
    if asked:
        shown = ", ".join(asked[:_SHOWN]) + (" …" if len(asked) > _SHOWN else "")
        return [f"{shown} may tell people apart, who then have several rows; {_to_do(asked)}"]
    return []


def _to_do(asked: Sequence[str]) -> str:
    which = f"if one of {', '.join(asked[:_SHOWN])} does, name it" if asked else "add one, and name it"
    return f"{which} as [input] respondent"


def _keys(traits: Sequence[Trait]) -> Iterator[tuple[str, ...]]:
    """Yield what may tell people apart: one trait of each kind, always one of birth; that which is known first."""
    births, sexes, places = (
        sorted((t for t in traits if t.kind == kind), key=lambda t: t.likely) for kind in (BIRTH, SEX, PLACE)
    )
    for kinds in ((births, sexes, places), (births, sexes), (births, places)):
        if all(kinds):
            yield from (tuple(trait.column for trait in found) for found in product(*kinds))


def _agreeing(table: Table, key: Sequence[str], dated: Collection[str]) -> int:
    """Return how many rows agree with another one in all of these columns; 0 where chance would explain it."""
    told = np.ones(table.n_rows, np.bool_)
    for name in key:
        told &= np.array([text is not None for text in table[name].texts])[table[name].codes]
    columns = {name: table[name].codes[told].astype(np.int64) for name in key}
    alike = np.zeros(int(told.sum()), np.int64)
    for name, codes in columns.items():
        alike = np.unique(alike * len(table[name].values) + codes, return_inverse=True)[1].reshape(-1)
    first = np.unique(alike, return_index=True)[1]
    counts = np.bincount(alike)
    rows = int(counts[counts > 1].sum())
    # Days of birth that people share are counted once for each person, else those with several rows would explain themselves.
    shared = prod(_collision(codes[first] if name in dated else codes) for name, codes in columns.items())
    chance = 1 - exp(-max(len(alike) - 1, 0) * shared)
    return (
        rows
        if chance < _MOST and rows >= max(_LEAST, _SHARE * len(alike), _TIMES * chance * len(alike))
        else 0
    )


def _collision(codes: IntArray) -> float:
    """Return how likely two rows have the same value."""
    counts = np.bincount(codes).astype(np.float64)
    pairs = len(codes) * (len(codes) - 1)
    return float((counts * (counts - 1)).sum()) / pairs if pairs else 1.0
