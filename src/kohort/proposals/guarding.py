"""Columns of which nothing is known: a person may decide of all at once to treat them as known to others, if the table bears it.

As a quasi-identifier such a column makes nobody recognisable, but nothing is promised about what it tells, so nobody but a
person takes that decision. It competes with the others too: the more rows it tells apart, the more detail all lose. So its
detail counts less than that of columns that are known, and of those with few values, which can be told or not and hardly
anything between, there may not be too many; the rest is asked. Those with many values give way step by step. Several items of
one questionnaire are one question, and either all of them are treated so or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log2

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import AVAILABLE_BUILDERS
from kohort.proposals.decisions import asked_together
from kohort.proposals.evidence import Evidence
from kohort.proposals.likely_role import tells_apart
from kohort.proposals.proposal import Proposal
from kohort.proposals.respondent import asks_whose
from kohort.proposals.words import CONCEPTS
from kohort.table import Role, Table

_ROWS = 20  # that are to be left alike, on average, by all such columns together
_WEIGHT = 0.25  # of its detail
_SAMPLE = 50_000  # rows
_HINTS = frozenset(concept.name for concept in CONCEPTS if concept.role is Role.SENSITIVE)


def with_guards(table: Table, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals with those that nothing is known of as quasi-identifiers, which need no further decision."""
    guarded = {column for columns in guardable(table, proposals) for column in columns}
    return [_guarded(found) if found.column in guarded else found for found in proposals]


def guardable(table: Table, proposals: Sequence[Proposal]) -> list[list[str]]:
    """Return the questions, about columns that nothing is known of, that a guard answers; in the order of the table.

    Of those with few values, the ones that tell the fewest rows apart come first. All of these together may halve the rows
    only so often that twenty stay alike, on average. Many words or codes may be names: k rows of one person would show them, and
    no guard answers for that.
    """
    most = log2(table.n_rows / _ROWS) if table.n_rows > _ROWS else 0.0
    alike = np.zeros(len(_sampled(table, np.arange(table.n_rows))), np.int64)
    questions = _unknown(table, proposals)
    of = {found.column: found for found in proposals}
    many = [columns for columns in questions if all(tells_apart(Evidence(table[c])) for c in columns)]
    named = [columns for columns in many if any(_may_name_people(of[c], Evidence(table[c])) for c in columns)]
    questions = [columns for columns in questions if columns not in named]
    many = [columns for columns in many if columns not in named]
    borne = {column for columns in many for column in columns}
    few = (columns for columns in questions if columns not in many)
    for columns in sorted(few, key=lambda columns: _bits(table, columns)):
        told_apart = _told_apart(alike, table, columns)
        if entropy(np.bincount(told_apart)) <= most:
            alike = told_apart
            borne.update(columns)
    return [columns for columns in questions if borne.issuperset(columns)]


def _unknown(table: Table, proposals: Sequence[Proposal]) -> list[list[str]]:
    """Return the questions about columns that nothing is known of, nor hints at something sensitive."""
    asked = (found for found in proposals if found.role is Role.QUASI and not found.decided)
    unknown = {found.column for found in asked if found.concept not in _HINTS}
    return [columns for columns in asked_together(table, proposals) if unknown.issuperset(columns)]


def _may_name_people(found: Proposal, evidence: Evidence) -> bool:
    """Tell whether a column of many values holds no quantities, or repeats as the numbers of people do.

    What has decimals is a quantity, also where it has so many that no intervals are built of it.
    """
    kind = AVAILABLE_BUILDERS[found.hierarchy["kind"]] if found.hierarchy else None
    measured = evidence.is_measured or (kind is not None and kind.card.measures)
    return asks_whose(found) or not measured


def _guarded(found: Proposal) -> Proposal:
    reason = f"{found.reason}, and whoever asked for a guard decided to treat it as known to others"
    return replace(found, confidence="unsure", guarded=True, weight=_WEIGHT, reason=reason)


def _bits(table: Table, columns: Sequence[str]) -> float:
    return sum(entropy(table[column].counts()) for column in columns)


def _told_apart(alike: IntArray, table: Table, columns: Sequence[str]) -> IntArray:
    """Return the groups of rows that are alike in these columns too."""
    for column in columns:
        codes = _sampled(table, table[column].codes).astype(np.int64)
        alike = np.unique(alike * len(table[column].values) + codes, return_inverse=True)[1]
    return alike


def _sampled(table: Table, rows: IntArray) -> IntArray:
    """Return what stands in so many rows, spread over the table, that shares are known."""
    return rows[:: max(1, table.n_rows // _SAMPLE)]


def entropy(counts: IntArray) -> float:
    """Return how many times, on average, a value halves the rows.

    >>> entropy(np.array([50, 50])), entropy(np.array([100, 0]))
    (1.0, 0.0)
    """
    shares = counts[counts > 0] / max(int(counts.sum()), 1)
    return abs(float((shares * np.log2(shares)).sum()))
