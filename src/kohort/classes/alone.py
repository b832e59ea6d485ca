"""Which columns, known beside the quasi-identifiers, leave most rows alone.

Whoever knows more of a row than its quasi-identifiers needs no class to be small. So the rows are counted that no other
row equals on the quasi-identifiers and one column more, two more, and all that there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import TypeAlias

PAIRED = 6  # columns of which every pair is looked at

Counting: TypeAlias = Callable[
    [tuple[str, ...]], int
]  # what is alone by the quasi-identifiers and some columns


@dataclass(frozen=True)
class Told:
    """Columns beside the quasi-identifiers, and how many rows or people are alone by them."""

    columns: tuple[str, ...]
    alone: int


@dataclass(frozen=True)
class Standing:
    """The worst one column, the worst two, and all of them; None where there are not so many."""

    quasi: Told
    one: Told | None
    two: Told | None
    everything: Told | None
    pairs_looked_at: int
    pairs: int


def standing_alone(names: Sequence[str], count: Counting) -> Standing:
    """Return what knowing more columns does, where `count` says how many are alone by some of them.

    Every column is looked at; of more than `PAIRED` columns the pairs of those by which most are alone. Of columns
    that do as much harm the first by name is told. Complexity: columns + 15 pairs, one count each.
    """
    counted, ordered = cache(count), tuple(sorted(names))
    singles = _worst_first([(name,) for name in ordered], counted)
    likeliest = sorted(told.columns[0] for told in singles[:PAIRED])
    doubles = _worst_first(list(combinations(likeliest, 2)), counted)
    return Standing(
        quasi=Told((), counted(())),
        one=singles[0] if singles else None,
        two=doubles[0] if doubles else None,
        everything=Told(ordered, counted(ordered)) if ordered else None,
        pairs_looked_at=len(doubles),
        pairs=comb(len(ordered), 2),
    )


def _worst_first(sets: Sequence[tuple[str, ...]], count: Counting) -> list[Told]:
    """Return what is alone by each set of columns, most first; of equal ones the first by name."""
    return sorted((Told(columns, count(columns)) for columns in sets), key=lambda told: -told.alone)
