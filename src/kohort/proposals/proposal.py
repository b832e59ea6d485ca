"""Which role every column of a table about people might play, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from kohort.proposals.concepts import PERSON, Concept, concept_of, parts_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.fitting import fitting_hierarchy
from kohort.proposals.row_numbers import without_row_numbers
from kohort.table import Role, Table

_NEARLY_UNIQUE = 0.9  # distinct values per row
_IDENTIFYING = ("e-mail addresses", "web addresses", "UUIDs", "IBANs", "IP addresses", "US social security numbers",
                "telephone numbers")  # fmt: skip
_RECORD = "a record or person number"


@dataclass(frozen=True)
class Proposal:
    """A role for one column, the reason in words, and what it rests on. Nothing in it is a cell value."""

    column: str
    role: Role
    reason: str
    confidence: Literal["sure", "unsure"]
    hierarchy: dict[str, Any] | None  # for quasi-identifiers
    rows: int
    distinct: int
    distinction: float  # distinct values per row
    separation: float  # the share of pairs of rows told apart
    respondent: bool = False  # names the person a row is about, who may have several rows


@dataclass(frozen=True)
class _Judgement:
    role: Role
    reason: str
    sure: bool


def propose(table: Table) -> list[Proposal]:
    """Return a proposal for every column of the table, in order.

    A role follows from what the column's name says in one of many languages, what its values look like
    and how far they tell rows apart. Where these do not agree, or say little, the proposal is unsure and
    errs on the side that protects people. At most one column is proposed as the respondent: a number of a
    person that repeats.
    """
    found = [_proposal(Evidence(column)) for column in table]
    respondent = _respondent(table, found)
    told = [_as_respondent(p) if p.column == respondent else p for p in found]
    return without_row_numbers(table, told)


def _proposal(evidence: Evidence) -> Proposal:
    concept = concept_of(evidence.column.name)
    judgement = _judged(evidence, concept)
    hierarchy, doubt = None, ""
    if judgement.role is Role.QUASI:
        hierarchy, doubt = fitting_hierarchy(evidence, concept.name if concept else None)
    reason = f"{judgement.reason}; {doubt}" if doubt else judgement.reason
    return Proposal(
        column=evidence.column.name,
        role=judgement.role,
        reason=f"{reason} ({evidence.words()})",
        confidence="sure" if judgement.sure and not doubt else "unsure",
        hierarchy=hierarchy,
        rows=evidence.rows,
        distinct=evidence.distinct,
        distinction=evidence.distinction,
        separation=evidence.separation,
    )


def _judged(evidence: Evidence, concept: Concept | None) -> _Judgement:
    if evidence.shape in _IDENTIFYING:
        return _Judgement(Role.IDENTIFIER, f"its values look like {evidence.shape}", True)
    if evidence.distinct <= 1:
        return _Judgement(Role.INSENSITIVE, "every row has the same value", concept is None)
    if concept is None:
        return _by_values(evidence)
    if concept.name == _RECORD:
        return _record_number(evidence)
    return _by_name(evidence, concept)


def _by_name(evidence: Evidence, concept: Concept) -> _Judgement:
    reason = f"its name says {concept.name}"
    if concept.name == "a name" and evidence.distinction < 0.05:
        return _Judgement(
            Role.QUASI, f"{reason}, but few values repeat often: a name of something else?", False
        )
    if concept.role is Role.IDENTIFIER and evidence.date_format is not None:
        return _Judgement(Role.QUASI, f"{reason}, but its values are dates", False)
    if concept.role is not Role.IDENTIFIER and evidence.is_prose:
        return _Judgement(
            Role.IDENTIFIER, f"{reason}, but its values are sentences, which may name people", False
        )
    if concept.role is Role.SENSITIVE and not evidence.is_number and evidence.distinction > _NEARLY_UNIQUE:
        return _Judgement(Role.IDENTIFIER, f"{reason}, but nearly every row has its own value", False)
    return _Judgement(concept.role, reason, concept.certain)


def _record_number(evidence: Evidence) -> _Judgement:
    reason = f"its name says {_RECORD}"
    if evidence.distinction >= _NEARLY_UNIQUE:
        return _Judgement(Role.IDENTIFIER, f"{reason} and nearly every row has its own", True)
    if evidence.rows >= 50 * evidence.distinct:
        return _Judgement(
            Role.QUASI, f"{reason}, but each stands in many rows: of a place or a household?", False
        )
    person = not PERSON.isdisjoint(parts_of(evidence.column.name))
    return _Judgement(Role.IDENTIFIER, f"{reason} that repeats", person)


def _by_values(evidence: Evidence) -> _Judgement:
    """Judge a column whose name says nothing known: always unsure."""
    if evidence.is_prose:
        return _Judgement(Role.IDENTIFIER, "its values are sentences, which may name people", False)
    if evidence.shape == "codes of the ICD":
        return _Judgement(Role.SENSITIVE, f"its values look like {evidence.shape}", False)
    if evidence.date_format is not None:
        return _Judgement(Role.QUASI, "its values are dates, which others may know of a person", False)
    if evidence.distinction >= _NEARLY_UNIQUE and not evidence.is_measured and evidence.rows > 5:
        return _Judgement(Role.IDENTIFIER, "nearly every row has its own value", False)
    if evidence.distinct > 50 or evidence.distinction > 0.1:
        return _Judgement(Role.QUASI, "it tells many rows apart", False)
    reason = "it has few values, each in many rows; if others may know it of a person, make it quasi"
    return _Judgement(Role.INSENSITIVE, reason, False)


def _respondent(table: Table, proposals: list[Proposal]) -> str | None:
    """Return the identifier that names people with several rows each, None where there is none.

    It repeats, though not as often as a group would, and is never missing. Among several, one whose name
    speaks of a person comes first, then the one with the most rows to a value.
    """

    def fits(proposal: Proposal) -> bool:
        concept = concept_of(proposal.column)
        number = concept is not None and concept.name in (
            _RECORD,
            "a national or tax number",
            "an e-mail address",
        )
        repeats = 10 <= proposal.distinct < proposal.rows < 50 * proposal.distinct
        told = None not in table[proposal.column].texts
        return proposal.role is Role.IDENTIFIER and number and repeats and told

    candidates = [p for p in proposals if fits(p)]
    if not candidates:
        return None
    person = [not PERSON.isdisjoint(parts_of(p.column)) for p in candidates]
    best = max(range(len(candidates)), key=lambda i: (person[i], -candidates[i].distinct))
    return candidates[best].column


def _as_respondent(p: Proposal) -> Proposal:
    most = f"{p.rows / p.distinct:.2g} rows to a value"
    reason = f"{p.reason}; people seem to have several rows each ({most}): k is to count people"
    return Proposal(**{**vars(p), "reason": reason, "respondent": True})
