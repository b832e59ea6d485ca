"""Which column names the person that a row is about, where people have several rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kohort.plurals import many
from kohort.proposals.concepts import parts_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.proposal import Proposal
from kohort.proposals.words import HOUSEHOLD, PERSON, RECORD
from kohort.table import Role

_FEWEST, _MOST = 10, 50  # people, and rows of a person on average
_FEW = 0.1  # of the rows may name nobody
_NAMING = (RECORD, HOUSEHOLD, "a national or tax number", "an e-mail address")


def with_respondent(proposals: Sequence[Proposal], evidence: Sequence[Evidence]) -> list[Proposal]:
    """Return the proposals with at most one marked as the respondent.

    It is an identifier that repeats, though not as often as a group would, and is missing in few rows: nothing is released before
    somebody says whose these are, and the reason says so. Among several, one whose name speaks of a person comes first, a
    household last, and of equals the one with the most rows to a value. Of what is missing more often it is said that
    promises do not count it.
    """
    fitting = [i for i, found in enumerate(proposals) if _fits(found, evidence[i])]
    named = [i for i in fitting if _unnamed(evidence[i]) <= _FEW * evidence[i].rows]
    best = max(named, key=lambda i: (_rank(proposals[i]), -proposals[i].distinct), default=None)
    told = list(proposals)
    for i in fitting:
        if i == best:
            told[i] = _counted(proposals[i], _unnamed(evidence[i]))
        elif i not in named:
            told[i] = _not_counted(proposals[i], _unnamed(evidence[i]))
    return told


def _fits(found: Proposal, evidence: Evidence) -> bool:
    unnamed = _unnamed(evidence)
    rows, people = found.rows - unnamed, found.distinct - (unnamed > 0)
    names = found.concept in _NAMING or evidence.repeats_in_blocks > 0
    return found.role is Role.IDENTIFIER and names and _FEWEST <= people < rows < _MOST * people


def _unnamed(evidence: Evidence) -> int:
    """Return how many rows name nobody."""
    return evidence.rows - evidence.told_rows


def _counted(found: Proposal, unnamed: int) -> Proposal:
    reason = f"{found.reason}: promises will count these"
    if not unnamed:
        return replace(found, reason=reason, respondent=True)
    whose = "leave it out or say whose it is" if unnamed == 1 else "leave them out or say whose they are"
    reason = f"{reason}, but {many(unnamed, 'row has', 'rows have')} none: {whose}"
    return replace(found, reason=reason, respondent=True, confidence="unsure")


def _not_counted(found: Proposal, unnamed: int) -> Proposal:
    reason = (
        f"{found.reason}, but promises do not count these, for {many(unnamed, 'row has', 'rows have')} none"
    )
    return replace(found, reason=reason, confidence="unsure")


def _rank(found: Proposal) -> int:
    if not PERSON.isdisjoint(parts_of(found.column)):
        return 2
    return 0 if found.concept == HOUSEHOLD else 1
