"""p-sensitive k-anonymity (Truta and Vinay 2006): p values of every sensitive column in every class, and k respondents."""

from __future__ import annotations

from math import inf
from typing import Protocol

from kohort.verification.judges.definitions.counted import Counted
from kohort.verification.judges.definitions.diversity import least_values
from kohort.verification.judges.definitions.finding import Finding


class Asked(Protocol):
    """The parameters."""

    p: int
    k: int
    columns: tuple[str, ...]


def judge(asked: Asked, counted: Counted) -> Finding:
    """Return whether all classes have p values and k people, and how many values the least diverse has."""
    if len(counted) == 0:
        return Finding(True, inf)
    values = min(least_values(counted.holding(column), counted.people) for column in asked.columns)
    return Finding(values >= asked.p and int(counted.people.min()) >= asked.k, float(values))
