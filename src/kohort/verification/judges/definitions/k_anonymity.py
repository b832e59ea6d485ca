"""k-anonymity (Samarati 2001): every released tuple of quasi-identifiers is that of at least k respondents."""

from __future__ import annotations

from math import inf
from typing import Protocol

from kohort.verification.judges.definitions.counted import Counted
from kohort.verification.judges.definitions.finding import Finding


class Asked(Protocol):
    """The parameters."""

    k: int


def judge(asked: Asked, counted: Counted) -> Finding:
    """Return whether no class has fewer than k people, and how many the smallest has."""
    least = min(counted.people.tolist(), default=inf)
    return Finding(least >= asked.k, float(least))
