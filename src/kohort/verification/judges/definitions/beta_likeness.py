"""β-likeness (Cao and Karras 2012): (q − p)/p ≤ β for a value's share q in a class and p in the table; enhanced: ≤ −ln p too."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Protocol

import numpy as np

from kohort.verification.judges.definitions.counted import Counted
from kohort.verification.judges.definitions.exact import (
    above,
    greatest_ratio,
    logarithm,
    near,
    whole,
    written,
)
from kohort.verification.judges.definitions.finding import Finding


class Asked(Protocol):
    """The parameters."""

    beta: float
    columns: tuple[str, ...]
    variant: str


def judge(asked: Asked, counted: Counted) -> Finding:
    """Return whether no value gains too much in any class, and the greatest gain; infinite where −ln p is passed."""
    if len(counted) == 0:
        return Finding(True, -inf)
    found = [_judge_column(asked, counted, column) for column in asked.columns]
    together = bool((counted.people > 1).all()) and all(f.holds for f in found)
    return Finding(together, max(0.0, *(f.achieved for f in found)))


def _judge_column(asked: Asked, counted: Counted, column: str) -> Finding:
    """With c of n in a class and C of N in the table, the gain is (c·N − C·n) / (C·n)."""
    holding, table = counted.holding(column), counted.wholes[column]
    most = table.people * int(counted.people.max())
    c, n = whole(holding.count, most), whole(counted.people[holding.owner], most)
    C = whole(table.holding[holding.value], most)
    gain, base = c * table.people - C * n, C * n
    kept = not above(gain, base, written(asked.beta)).any()
    if asked.variant != "enhanced":
        return Finding(kept, greatest_ratio(gain, base))
    gains = np.asarray(gain / base, np.float64)
    bounds = -np.log(np.asarray(C / table.people, np.float64))
    passed = gains > bounds
    for place in near(gains, bounds):
        p = Fraction(int(C[place]), table.people)
        passed[place] = Fraction(int(gain[place]), int(base[place])) > -Fraction(logarithm(p))
    return Finding(kept and not passed.any(), inf if passed.any() else float(gains.max()))
