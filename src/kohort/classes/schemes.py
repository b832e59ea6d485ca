"""Which columns are told together: schemes, how they hang together, and whether they go round in a circle."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from kohort.arrays import BoolArray, IntArray

Column = int
Scheme = tuple[Column, ...]  # ascending


class Held(NamedTuple):
    """The classes of all relations, and the tuples of each, one class after the other."""

    scheme: IntArray  # of each relation: the columns that it tells
    first: IntArray  # of each relation: where its class 0 begins among `starts`
    starts: IntArray
    tuples: IntArray


class Schemes(NamedTuple):
    """What tuples of different columns have in common."""

    keys: IntArray  # (tuple, scheme): a number for what the tuple says of the columns that the scheme has too
    meet: BoolArray  # (scheme, scheme): whether they have columns in common
    told: IntArray  # (tuple, asked column): its value, where the tuple has the column
    told_by: IntArray  # of each asked column: a scheme that has it


def connected(schemes: Iterable[frozenset[Column]]) -> list[frozenset[Column]]:
    """Return the columns in parts that no scheme connects."""
    parts: list[frozenset[Column]] = []
    for scheme in schemes:
        met = [part for part in parts if part & scheme]
        parts = [part for part in parts if not part & scheme]
        if scheme:
            parts.append(scheme.union(*met))
    return parts


def circular(schemes: Collection[Scheme]) -> bool:
    """Say whether tuples may agree in every pair of schemes, though not altogether.

    Columns of one scheme alone, and schemes within others, are taken away as long as there are any: nothing is left of
    schemes that do not go round in a circle (Graham 1979; Yu and Özsoyoğlu 1979).

    >>> circular([(0, 1), (1, 2), (2, 3)]), circular([(0, 1), (1, 2), (0, 2)])
    (False, True)
    """
    left = {frozenset(scheme) for scheme in schemes}
    while True:
        alone = {c for scheme in left for c in scheme if sum(c in other for other in left) == 1}
        fewer = {scheme - alone for scheme in left}
        fewer = {scheme for scheme in fewer if scheme and not any(scheme < other for other in fewer)}
        if fewer == left:
            return bool(left)
        left = fewer
