"""Columns of many values of which nothing is known: left out of a release until somebody says what they are.

Whatever such a column is, who is not in the release is safe; and a question less is asked. Of a column with few values the
decision is asked, since it may be what a table is made for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kohort.proposals.evidence import Evidence
from kohort.proposals.fitting import with_length
from kohort.proposals.likely_role import tells_apart
from kohort.proposals.proposal import Proposal
from kohort.table import Role, Table

_WHY = "so it is left out until you say what it is"


def without_unknown(table: Table, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals, those left out that would else wait for a decision, with values that tell many rows apart."""
    return [
        _known(found, Evidence(table[found.column])) if _is_unknown(found) else found for found in proposals
    ]


def _is_unknown(found: Proposal) -> bool:
    return found.role is Role.QUASI and not found.decided and found.concept is None


def _known(found: Proposal, evidence: Evidence) -> Proposal:
    return _left_out(found, evidence) if tells_apart(evidence) else found


def _left_out(found: Proposal, evidence: Evidence) -> Proposal:
    return replace(
        found,
        role=Role.IDENTIFIER,
        reason=f"{found.reason}, {_WHY}",
        confidence="unsure",
        unknown=True,
        hierarchy=None,
        instead=with_length(found.hierarchy or {}, evidence),
    )
