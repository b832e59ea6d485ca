"""Columns in which every person has the same values, such as the number of a wave: they tell nobody from anybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kohort.proposals.proposal import Proposal
from kohort.table import Column, Table


def with_occasions(table: Table, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals, decided about what nothing is known of where all people have the same values of it.

    Such a column stays a quasi-identifier: in a household's rows it may be the sex, or who is the child.
    """
    respondent = next((table[found.column] for found in proposals if found.respondent), None)
    if respondent is None:
        return list(proposals)
    return [_decided(found, table[found.column], respondent) for found in proposals]


def _decided(found: Proposal, column: Column, respondent: Column) -> Proposal:
    if found.decided or found.concept is not None or not is_same_for_all(column, respondent):
        return found
    reason = f"each value of {respondent.name} has all of its values once"
    return replace(found, reason=reason, confidence="unsure")


def is_same_for_all(column: Column, respondent: Column) -> bool:
    """Tell whether every person has each value of a column in one row."""
    people, values = len(respondent.values), len(column.values)
    if len(column.codes) != people * values:
        return False
    pairs = respondent.codes.astype(np.int64) * values + column.codes
    return len(np.unique(pairs)) == len(pairs)
