"""Which column names the person that a row is about, where people have several rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kohort.hierarchy import AVAILABLE_BUILDERS
from kohort.plurals import many
from kohort.proposals.ages import look_like_ages
from kohort.proposals.concepts import parts_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.proposal import Proposal
from kohort.proposals.traits import TRAITS, binds, traits_of
from kohort.proposals.words import HOUSEHOLD, PERSON, PERSONS_NAME, RECORD
from kohort.table import Column, Role, Table

_FEWEST, _MOST = 10, 50  # people, and rows of a person on average
_NEAR = 1.1  # times as many values are about as many
_FEW = 0.1  # of the rows may name nobody
_GROWN = 10  # years; people are numbered from 0 or 1 on, or by more digits
_ASK = "it repeats: if it tells people apart, name it as [input] respondent"
NAMING = (RECORD, HOUSEHOLD, "a national or tax number", "an e-mail address")


def with_respondent(
    table: Table, proposals: Sequence[Proposal], evidence: Sequence[Evidence]
) -> list[Proposal]:
    """Return the proposals with at most one marked as the respondent.

    It repeats, is missing in few rows and is not released. Whose rows these are the values tell where they can
    (`kohort.proposals.traits`): of the columns each value of which is of one person it is the one with the fewest, or one
    about as coarse whose name speaks of a person. Else a name that says so counts, if the values do not speak against it: one that
    speaks of a person first, a household last and only where its rows are not those of its members, and of equals the one with the
    most rows to a value. Of what is missing more
    often it is said that promises do not count it, and of what else repeats that it may be people.
    """
    repeating = [i for i, found in enumerate(proposals) if _may_name(found, evidence[i])]
    traits = traits_of(proposals, evidence)
    bound = {i: binds(table[proposals[i].column], traits, table) for i in repeating}
    fitting = [
        i
        for i in repeating
        if _fits(proposals[i], evidence[i]) and not _has_members(proposals[i], bound[i], proposals, table)
    ]
    named = [
        i for i in fitting if bound[i] is not False or _may_be_several(proposals[i], evidence[i], proposals)
    ]
    counted = [i for i in repeating if _unnamed(evidence[i]) <= _FEW * evidence[i].rows]
    best = _person([i for i in counted if bound[i]], proposals)
    if best is None:
        likely = [i for i in named if i in counted]
        if any(
            i not in counted for i in named
        ):  # people repeat who are not all named: count at least their households
            likely = likely or [i for i in counted if proposals[i].concept == HOUSEHOLD]
        best = max(likely, key=lambda i: (_rank(proposals[i]), -proposals[i].distinct), default=None)
    told = list(proposals)
    for i in repeating:
        unnamed = _unnamed(evidence[i])
        if i == best:
            told[i] = _counted(_left_out(proposals[i], i not in named), unnamed)
        elif i in named and i not in counted:
            told[i] = _not_counted(proposals[i], unnamed)
        elif best is None and bound[i] is None and i not in named and _may_count(proposals[i], evidence[i]):
            told[i] = _unsettled(proposals[i])
    return told


def _person(bound: Sequence[int], proposals: Sequence[Proposal]) -> int | None:
    """Return the coarsest column, or one about as coarse that is called after people."""
    fewest = min((proposals[i].distinct for i in bound), default=0)
    near = [i for i in bound if proposals[i].distinct <= _NEAR * fewest]
    return max(near, key=lambda i: (_rank(proposals[i]), -proposals[i].distinct), default=None)


def _may_name(found: Proposal, evidence: Evidence) -> bool:
    """Tell whether a column repeats that is not released, or would not be before somebody decides, or holds words or codes.

    Numbers and dates of people may belong to one of them each, and are no names for that; nor is anything with decimals.
    """
    if evidence.is_measured:
        return False
    unnamed = _unnamed(evidence)
    rows, people = found.rows - unnamed, found.distinct - (unnamed > 0)
    if not _FEWEST <= people < rows < _MOST * people:
        return False
    if found.role is Role.QUASI and found.decided:
        known = found.concept in TRAITS or "standard" in (
            found.hierarchy or {}
        )  # codes of jobs, places, branches
        return not known and evidence.date_format is None and not _is_quantity(found)
    return found.role is Role.IDENTIFIER or (not found.decided and found.concept is None)


def _is_quantity(found: Proposal) -> bool:
    """Tell whether a column is proposed to be told in ranges of numbers."""
    return found.hierarchy is not None and AVAILABLE_BUILDERS[found.hierarchy["kind"]].card.measures


def _fits(found: Proposal, evidence: Evidence) -> bool:
    names = found.concept in NAMING or evidence.repeats_in_blocks > 0
    return found.role is Role.IDENTIFIER and names


def _may_count(found: Proposal, evidence: Evidence) -> bool:
    """Tell whether a column that is not released may tell people apart.

    Numbers like ages of grown-ups do not, which begin late; nor do names, which several people have.
    """
    if found.concept == PERSONS_NAME or (found.role is not Role.IDENTIFIER and found.decided):
        return False
    return not (look_like_ages(evidence) and min(map(float, evidence.told)) >= _GROWN)


def _may_be_several(found: Proposal, evidence: Evidence, beside: Sequence[Proposal]) -> bool:
    """Tell whether a column may count though people of several sexes share its values.

    One that is called after people may, unless every row has a number of its own: then it is the father's. A household's may not:
    its members have rows of their own.
    """
    called = _rank(found) == 2 and not _numbered(beside)
    return called or (evidence.repeats_in_blocks > 0 and found.concept != HOUSEHOLD)


def _numbered(proposals: Sequence[Proposal]) -> bool:
    """Tell whether every row has a number of its own that is one of people."""
    return any(
        other.distinct == other.rows and other.concept in NAMING and other.concept != HOUSEHOLD
        for other in proposals
    )


def _has_members(found: Proposal, bound: bool | None, beside: Sequence[Proposal], table: Table) -> bool:
    """Tell whether rows of a household are of its members: they have numbers of their own, or count within it."""
    if found.concept != HOUSEHOLD or bound:
        return False
    return _numbered(beside) or any(
        _counts_within(table[found.column], table[other.column])
        for other in beside
        if other.concept == RECORD and other.column != found.column
    )


def _counts_within(household: Column, member: Column) -> bool:
    """Tell whether no two rows of a household have the same number of a member."""
    both = household.codes.astype(np.int64) * len(member.values) + member.codes
    return len(np.unique(both)) == len(both)


def _left_out(found: Proposal, unsure: bool) -> Proposal:
    """Return a column that tells people apart by its values, whatever it is called."""
    if not unsure:
        return found
    reason = f"{found.reason}, but each of its values seems to be of one person"
    return replace(found, role=Role.IDENTIFIER, reason=reason, confidence="unsure", hierarchy=None)


def asks_whose(found: Proposal) -> bool:
    """Tell whether a column repeats and nothing tells whether it names people."""
    return _ASK in found.reason


def _unsettled(found: Proposal) -> Proposal:
    reason = f"{found.reason}; {_ASK}"
    return replace(found, reason=reason, confidence="unsure" if found.decided else found.confidence)


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
