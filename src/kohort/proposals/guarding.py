"""Columns of which nothing is known, treated as known to others as far as the table bears it; the rest is asked.

As a quasi-identifier such a column makes nobody recognisable, so a release need not wait for a decision about it. But it
competes with the others: the more rows it tells apart, the more detail all lose. So its detail counts less than that of columns
that are known, and there may not be too many of them. Several items of one questionnaire are one question, and either all of
them are treated so or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log2

import numpy as np

from kohort.arrays import IntArray
from kohort.proposals.decisions import asked_together
from kohort.proposals.proposal import Proposal
from kohort.table import Role, Table

_ROWS = 20  # that are to be left alike, on average, by all such columns together
_WEIGHT = 0.25  # of its detail


def with_guards(table: Table, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals with those that nothing is known of as quasi-identifiers, which need no decision.

    Those that tell the fewest rows apart come first. `bits` is how often they together may halve the rows before fewer
    than twenty would be alike.
    """
    bits = log2(table.n_rows / _ROWS) if table.n_rows > _ROWS else 0.0
    guarded: set[str] = set()
    for costs, columns in sorted(_unknown(table, proposals), key=lambda found: found[0]):
        if costs > bits:
            break
        bits -= costs
        guarded.update(columns)
    return [_guarded(found) if found.column in guarded else found for found in proposals]


def _unknown(table: Table, proposals: Sequence[Proposal]) -> Iterator[tuple[float, list[str]]]:
    """Yield the questions about columns that nothing is known of, each with the bits that tell their rows apart."""
    unknown = {found.column for found in proposals if found.role is Role.QUASI and not found.decided}
    for columns in asked_together(table, proposals):
        if unknown.issuperset(columns):
            yield sum(entropy(table[column].counts()) for column in columns), columns


def _guarded(found: Proposal) -> Proposal:
    reason = f"{found.reason}, so it is treated as known to others"
    return replace(found, confidence="unsure", guarded=True, weight=_WEIGHT, reason=reason)


def entropy(counts: IntArray) -> float:
    """Return how many times, on average, a value halves the rows.

    >>> entropy(np.array([50, 50])), entropy(np.array([100, 0]))
    (1.0, 0.0)
    """
    shares = counts[counts > 0] / counts.sum()
    return abs(float((shares * np.log2(shares)).sum()))
