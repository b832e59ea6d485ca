"""Which column names the person that a row is about, where people have several rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kohort.proposals.concepts import parts_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.proposal import Proposal
from kohort.proposals.words import HOUSEHOLD, PERSON, RECORD
from kohort.table import Role

_FEWEST, _MOST = 10, 50  # people, and rows of a person on average
_NAMING = (RECORD, HOUSEHOLD, "a national or tax number", "an e-mail address")


def with_respondent(proposals: Sequence[Proposal], evidence: Sequence[Evidence]) -> list[Proposal]:
    """Return the proposals with at most one marked as the respondent.

    It is an identifier that repeats, though not as often as a group would, and is never missing. Among several, one whose
    name speaks of a person comes first, a household last, and of equals the one with the most rows to a value.
    """
    fitting = [i for i, found in enumerate(proposals) if _fits(found, evidence[i])]
    if not fitting:
        return list(proposals)
    best = max(fitting, key=lambda i: (_rank(proposals[i]), -proposals[i].distinct))
    reason = f"{proposals[best].reason}: promises will count these"
    return [replace(p, reason=reason, respondent=True) if i == best else p for i, p in enumerate(proposals)]


def _fits(found: Proposal, evidence: Evidence) -> bool:
    names = found.concept in _NAMING or evidence.repeats_in_blocks > 0
    repeats = _FEWEST <= found.distinct < found.rows < _MOST * found.distinct
    return found.role is Role.IDENTIFIER and names and repeats and None not in evidence.column.texts


def _rank(found: Proposal) -> int:
    if not PERSON.isdisjoint(parts_of(found.column)):
        return 2
    return 0 if found.concept == HOUSEHOLD else 1
