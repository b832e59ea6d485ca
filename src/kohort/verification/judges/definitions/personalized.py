"""Personalized anonymity (Xiao and Tao 2006): what is guarded is true of a member of the class with a chance of at most `breach`.

Of n records of a class b lie under a guarding node: of somebody with c records, one does with probability
1 − C(n−b, c)/C(n, c), c being the most records that one person has there. Where people have several rows, the share of
the people of whom it is true in some row counts as well.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, inf
from typing import Protocol

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.hierarchy import Label, meaning
from kohort.verification.judges.definitions.counted import Counted
from kohort.verification.judges.definitions.exact import written
from kohort.verification.judges.definitions.finding import Finding
from kohort.verification.judges.definitions.tally import Entries
from kohort.verification.judges.definitions.whole import Whole


class Asked(Protocol):
    """The parameters."""

    breach: float
    column: str
    guard: str


def judge(asked: Asked, counted: Counted) -> Finding:
    """Return whether no guard is breached in any class, and the greatest chance that one is; nobody is alone."""
    if len(counted) == 0:
        return Finding(True, -inf)
    chances = [Fraction(0)]
    guards = counted.values[asked.guard]
    for code, label in enumerate(counted.guards[asked.guard]):
        if label is not None:
            asking = guards.owner[guards.value == code]
            chances += _chances(asked, counted, _under(counted.wholes[asked.column], label), asking)
    together = bool((counted.people > 1).all()) and max(chances) <= written(asked.breach)
    return Finding(together, float(max(chances)))


def _chances(asked: Asked, counted: Counted, under: BoolArray, asking: IntArray) -> list[Fraction]:
    """Return the chances that differ with which the statement is true of a member of the classes in which it is guarded."""
    b, n = _among(counted.values[asked.column], under), counted.records
    c = np.ones_like(n) if counted.members is None else counted.members.greatest(counted.members.count)
    cases = {(b[i], n[i], c[i]) for i in asking}
    if asked.column in counted.held:
        people = _among(
            counted.held[asked.column].rolled_up(under.astype(np.int64)).holding(), np.array([False, True])
        )
        cases |= {(people[i], counted.people[i], 1) for i in asking}
    return [1 - Fraction(comb(int(n - b), int(c)), comb(int(n), int(c))) for b, n, c in cases]


def _among(entries: Entries, under: BoolArray) -> IntArray:
    """Return how many of each class hold a value that is marked."""
    return entries.summed(np.where(under[entries.value], entries.count, 0))


def _under(whole: Whole, label: Label) -> BoolArray:
    """Mark the values that lie under a label of their hierarchy."""
    assert whole.hierarchy is not None
    mask = meaning(whole.hierarchy, label)
    assert mask is not None
    return np.asarray(mask[whole.ground])
