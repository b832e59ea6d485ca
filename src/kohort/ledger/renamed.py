"""Columns that may be called otherwise in another release: columns are known by their names, and nothing else tells them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from kohort.classes.schemes import Column
from kohort.ledger.held import Held


def unpaired(releases: Sequence[Held]) -> set[Column]:
    """Return the columns, sensitive ones and those that rows tell, that another of the releases may tell under another name.

    Where both tell one that the other does not tell in any way, these may be one.
    """
    found: set[Column] = set()
    for held, other in permutations(releases, 2):
        mine, theirs = held.followed - other.columns, other.followed - held.columns
        found |= mine if theirs else set()
    return found


def unpaired_quasi(releases: Sequence[Held], beside: Sequence[Held]) -> set[Column]:
    """Return the columns that a release calls quasi and that one of some releases, `beside`, may tell under another name.

    That one does not tell them, and tells a column that nobody calls quasi and that no release tells beside them. Where names
    that are spelled alike are in doubt, also if it tells both.
    """
    known = frozenset[Column]().union(*(held.quasi for held in releases))
    plain = {column: name for held in releases for column, name in held.names.items()}
    found = set()
    for column in known:
        holding = [held.columns for held in releases if column in held.columns]
        for held in beside:
            others = held.columns - known - frozenset[Column]().union(*holding)
            spelled = {c for c in held.columns - known if plain.get(c, c) == plain.get(column, column)}
            if (others and column not in held.columns) or (
                spelled and not all(c in told for c in spelled for told in holding)
            ):
                found.add(column)
    return found
