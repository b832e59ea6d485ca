"""What the releases of a ledger tell, as relations that can be joined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from kohort.arrays import IntArray
from kohort.classes.joined_tuples import Relation
from kohort.classes.natural_join import Joined
from kohort.classes.schemes import Column

MISSING = 0  # the value that is none, of every attribute

Part = Mapping[str, IntArray]  # columns of equal length


@dataclass(frozen=True, eq=False)
class Told:
    """Attributes that go together, as hashes: the tuples of all classes of a release."""

    columns: tuple[Column, ...]
    class_of: IntArray
    values: IntArray  # (tuple, column)

    def without(self, columns: Set[Column]) -> Told:
        """Return what is told beside some columns."""
        kept = [place for place, column in enumerate(self.columns) if column not in columns]
        return replace(self, columns=tuple(self.columns[j] for j in kept), values=self.values[:, kept])


def told_by(contents: Part, lines: Part) -> list[Told]:
    """Return what a release tells, from the values of every attribute by itself and row by row.

    An attribute that stands in no row, or of a release that was recorded before rows were, goes by itself.
    """
    found = list(_by_rows(lines))
    known = np.unique(lines["attribute"])
    for attribute in np.setdiff1d(contents["attribute"], known).tolist():
        here = contents["attribute"] == attribute
        found.append(Told((attribute,), contents["class"][here], contents["value"][here][:, None]))
    return found


def _by_rows(lines: Part) -> Iterator[Told]:
    """Return the tuples of attributes that stand in the same lines."""
    left = np.unique(lines["attribute"])
    while len(left):
        mine = np.isin(lines["line"], lines["line"][lines["attribute"] == left[0]])
        known = np.unique(lines["attribute"][mine])
        order = np.flatnonzero(mine)
        order = order[np.lexsort((lines["attribute"][order], lines["line"][order]))]
        values = lines["value"][order].reshape(-1, len(known))
        yield Told(tuple(known.tolist()), lines["class"][order][:: len(known)], values)
        left = np.setdiff1d(left, known)


def joined(releases: Sequence[Sequence[Told]], alike: Mapping[int, int] | None = None) -> Joined:
    """Return what each release tells, to be joined; `alike` values do not agree, and count as one that is left."""
    found = [(release, told) for release, some in enumerate(releases) for told in some if told.columns]
    if not found:
        return Joined([])
    everything = [told.values.ravel() for _, told in found]
    # No hash is below MISSING, so that it is the first.
    values, numbers = np.unique(np.concatenate([np.array([MISSING]), *everything]), return_inverse=True)
    parts = np.split(numbers[1:], np.cumsum([len(values) for values in everything])[:-1])
    relations = [
        Relation.of(release, told.columns, told.class_of, part.reshape(told.values.shape))
        for (release, told), part in zip(found, parts, strict=True)
    ]
    counted = np.unique(exchanged(values, alike), return_inverse=True)[1] if alike else None
    return Joined(relations, counted)


def exchanged(numbers: IntArray, others: Mapping[int, int]) -> IntArray:
    """Return numbers with others in the place of some.

    >>> exchanged(np.array([5, 7, 5]), {5: 1, 6: 2}).tolist()
    [1, 7, 1]
    """
    if not others:
        return numbers
    old = np.array(sorted(others), np.int64)
    new = np.array([others[number] for number in old.tolist()], np.int64)
    place = np.minimum(np.searchsorted(old, numbers), len(old) - 1)
    return np.where(old[place] == numbers, new[place], numbers)
