"""Columns that would be kept and link the rows of one person: values that nobody else has, row after row.

Whoever recognises one row of a person then knows the others, and what all of them tell together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kohort.hierarchy.coarse import coarsened
from kohort.proposals.coarsening import as_coarse
from kohort.proposals.proposal import Proposal
from kohort.table import Column, Role, Table

_KEPT = (Role.SENSITIVE, Role.INSENSITIVE)
_SEVERAL = 10  # values of one person at least
_MOST = 0.5  # of the rows whose value stands in several rows


def without_links(table: Table, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals, those undecided that would be kept and link the rows of the respondent."""
    respondent = next((table[found.column] for found in proposals if found.respondent), None)
    if respondent is None:
        return list(proposals)
    return [_asked(found, table, respondent) for found in proposals]


def _asked(found: Proposal, table: Table, respondent: Column) -> Proposal:
    if (
        found.role not in _KEPT
        or not found.decided
        or not links(_told(table[found.column], found), respondent)
    ):
        return found
    reason = f"{found.reason}, but most of its values stand in rows of one {respondent.name} only, and would link them"
    return replace(found, reason=reason, confidence="undecided")


def links(column: Column, respondent: Column) -> bool:
    """Tell whether most rows whose value stands in several have one that is a single person's, of at least ten values."""
    told = np.array([text is not None for text in column.texts])[column.codes]
    values, people = column.codes[told].astype(np.int64), respondent.codes[told].astype(np.int64)
    rows = np.bincount(values)
    pairs = np.unique(values * len(respondent.values) + people) // len(respondent.values)
    owners = np.bincount(pairs, minlength=len(rows))
    several = rows > 1
    alone = several & (owners == 1)
    return int(alone.sum()) >= _SEVERAL and int(rows[alone].sum()) > _MOST * int(rows[several].sum())


def _told(column: Column, found: Proposal) -> Column:
    """Return the column as it would be released."""
    return coarsened(column, as_coarse(found.coarse)) if found.coarse else column
