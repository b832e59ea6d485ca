"""The least diverse reading of a class: whichever one of their values is taken for each person, no choice is less diverse."""

from __future__ import annotations

import numpy as np

from kohort.arrays import IntArray
from kohort.verification.judges.definitions.tally import Entries


def least_diverse(holding: Entries, people: IntArray) -> Entries:
    """Return the counts of each class, the greatest first: r₁, r₂, … as long as there are people left to hold them.

    Where everybody holds one value, these are the counts themselves.
    """
    sorted_ = holding.descending()
    before = np.cumsum(sorted_.count) - sorted_.count
    before -= before[sorted_.starts][sorted_.owner]
    left = np.minimum(sorted_.count, people[sorted_.owner] - before)
    some = left > 0
    return Entries(sorted_.owner[some], sorted_.value[some], left[some])


def least_values(holding: Entries, people: IntArray) -> int:
    """Return how many values the least diverse class has; there must be a class."""
    return int(least_diverse(holding, people).per_class().min())
