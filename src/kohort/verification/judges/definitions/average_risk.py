"""Average risk (Dankar and El Emam 2010): the mean over respondents of 1/n, n being the people of their smallest class."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Protocol

import numpy as np

from kohort.arrays import IntArray
from kohort.verification.judges.definitions.counted import Counted
from kohort.verification.judges.definitions.exact import written
from kohort.verification.judges.definitions.finding import Finding


class Asked(Protocol):
    """The parameters."""

    risk: float


def judge(asked: Asked, counted: Counted) -> Finding:
    """Return whether the mean is at most the risk, and the mean: a fraction until it is told."""
    if len(counted) == 0:
        return Finding(True, -inf)
    sizes, people = np.unique(_smallest(counted), return_counts=True)
    terms = (Fraction(many, size) for size, many in zip(sizes.tolist(), people.tolist(), strict=True))
    mean = sum(terms, Fraction(0)) / int(people.sum())
    return Finding(mean <= written(asked.risk), float(mean))


def _smallest(counted: Counted) -> IntArray:
    """Return the size of the smallest class of each person."""
    members = counted.members
    if members is None:
        return np.repeat(counted.people, counted.people)
    smallest = np.full(int(members.value.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(smallest, members.value, counted.people[members.owner])
    return smallest
