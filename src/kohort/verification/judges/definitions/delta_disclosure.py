"""δ-disclosure privacy (Brickell and Shmatikov 2008): |ln(q/p)| < δ for every value of the table in every class."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Protocol

import numpy as np

from kohort.verification.judges.definitions.counted import Counted
from kohort.verification.judges.definitions.exact import logarithm, near, written
from kohort.verification.judges.definitions.finding import Finding


class Asked(Protocol):
    """The parameters."""

    delta: float
    columns: tuple[str, ...]
    absent: str


def judge(asked: Asked, counted: Counted) -> Finding:
    """Return whether no share differs too much, and the greatest |ln(q/p)|; a value that a class lacks has q = 0."""
    if len(counted) == 0:
        return Finding(True, -inf)
    found = [_judge_column(asked, counted, column) for column in asked.columns]
    together = bool((counted.people > 1).all()) and all(f.holds for f in found)
    return Finding(together, max(f.achieved for f in found))


def _judge_column(asked: Asked, counted: Counted, column: str) -> Finding:
    holding, table = counted.holding(column), counted.wholes[column]
    if asked.absent == "breaks" and (holding.per_class() < np.count_nonzero(table.holding)).any():
        return Finding(False, inf)
    c, n, C = holding.count, counted.people[holding.owner], table.holding[holding.value]
    apart = np.abs(np.log(c / n) - np.log(C / table.people))
    far = apart >= asked.delta
    for place in near(apart, asked.delta):
        ratio = Fraction(int(c[place]), int(n[place])) / Fraction(int(C[place]), table.people)
        far[place] = abs(Fraction(logarithm(ratio))) >= written(asked.delta)
    return Finding(not far.any(), float(apart.max()))
