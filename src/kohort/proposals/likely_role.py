"""Which role a column might play, by its name and by its values; where they say little, that nobody knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kohort.plurals import many
from kohort.proposals.ages import may_be_ages, may_tell_age, says_when_in_life, tells_age
from kohort.proposals.concepts import concept_of, parts_of
from kohort.proposals.contradicting import contradiction
from kohort.proposals.evidence import FILLED_UP, ICD, Evidence
from kohort.proposals.of_the_kind import unlike
from kohort.proposals.people_words import TRADES
from kohort.proposals.spoken_of import said_parts, says_people
from kohort.proposals.understood import is_understood
from kohort.proposals.value_words import Kind
from kohort.proposals.words import (
    CODES,
    DATE,
    HOUSEHOLD,
    MONEY,
    NAMED_SO,
    NAMES,
    NUMBER,
    OUTCOME,
    PERSON,
    PRICES,
    RECORD,
    SEEN,
    TIMES,
    WHOM_OR_WHERE,
    Concept,
)
from kohort.table import Role

Confidence = Literal["sure", "unsure", "undecided"]

_NEARLY_UNIQUE = 0.9  # distinct values per row
_MANY, _MANY_NUMBERS = 50, 10  # distinct values
_IDENTIFYING = ("e-mail addresses", "web addresses", "UUIDs", "IBANs", "IP addresses", "US social security numbers",
                "telephone numbers", FILLED_UP)  # fmt: skip
_NUMBERED = ("telephone numbers", FILLED_UP)  # so do numbers of cases look
_ANSWERS = 5  # distinct words that may be answers
_PLACES = ("a place", "a nationality or country", "a street address")
_DIAGNOSES = frozenset(["diagnosis", "diag", "dx", "diagnose", "diagnostic", "diagnosi", "diagnostico"])
_BIRTHS = ("a birth date", "a birth year")
_SHORT_VALUE = 4  # signs
_REPEATING = (RECORD, HOUSEHOLD)
_SHORT = 5  # words of a label
_AXES = frozenset(["lat", "lon", "lng", "long", "latitude", "longitude"])


@dataclass(frozen=True)
class Judgement:
    """A role, why, and how far it can be relied on.

    `unsure` roles protect and are known by something: such a column is left out or generalized. What would be released as it
    is on a guess is `undecided`, and so is what nothing is known of, be its values few or many.
    """

    role: Role
    reason: str
    confidence: Confidence


def judged(evidence: Evidence, concept: Concept | None, said: str, text: str) -> Judgement:
    """Return the role of a column; `said` is what its concept was found in, its name or its label, and `text` how that reads."""
    if evidence.shape in _IDENTIFYING:
        says_so = concept is not None and concept.name == RECORD and evidence.shape in _NUMBERED
        reason = f"its {said} says {RECORD}" if says_so else f"its values look like {evidence.shape}"
        return Judgement(Role.IDENTIFIER, reason, "sure")
    if evidence.distinct <= 1:
        return _constant(evidence, concept, said)
    if (
        concept is not None
        and concept.certain
        and concept.role is Role.IDENTIFIER
        and concept.name not in _REPEATING
    ):
        return _by_name(evidence, concept, said, text)
    if evidence.is_prose:
        return Judgement(Role.IDENTIFIER, "its values are free text, which may name people", "unsure")
    if evidence.may_be_degrees and not _AXES.isdisjoint(parts_of(evidence.column.name)):
        return Judgement(
            Role.IDENTIFIER, "its values are coordinates", "sure" if evidence.is_degrees else "unsure"
        )
    if (concept is None or concept.name not in _PLACES) and evidence.names_people(_trades(concept)):
        return Judgement(Role.IDENTIFIER, "its values look like names of people", "unsure")
    if concept is None:
        return _by_values(evidence)
    if concept.role is not Role.IDENTIFIER and _may_name(evidence, text):
        return Judgement(
            Role.IDENTIFIER, f"its {said} says people, and its values may be their names", "undecided"
        )
    if concept.name in (RECORD, HOUSEHOLD):
        return _record_number(evidence, concept, said)
    return _by_name(evidence, concept, said, text)


def _constant(evidence: Evidence, concept: Concept | None, said: str) -> Judgement:
    """Judge a column that tells no rows apart: what all have in common is still told of everybody who is in the table.

    All rows may be of one person, whose name, birth or address it is: no crowd hides that. Nor is a short number
    nobody's, for it may be a score. So it is kept where name or values are known and shared by many, and left out
    else; little is lost, for it can be said in words.
    """
    same = "every row has the same value"
    reason = same if concept is None else f"its {said} says {concept.name}, and {same}"
    if not evidence.told:
        return Judgement(Role.INSENSITIVE, same, "sure")
    if concept is not None and concept.role is not Role.QUASI:
        open_question = concept.role is Role.SENSITIVE  # others are left out
        return Judgement(concept.role, reason, "undecided" if open_question else "unsure")
    if evidence.kind is not None and evidence.kind.role is Role.QUASI:
        return Judgement(Role.QUASI, f"its values are {evidence.kind.name}, and {same}", "unsure")
    if concept is not None and concept.certain and all(len(text) <= _SHORT_VALUE for text in evidence.told):
        return Judgement(Role.QUASI, reason, "unsure")
    return Judgement(
        Role.IDENTIFIER,
        f"{reason}, perhaps that of one person, so it is left out until you say what it is",
        "unsure",
    )


def _by_name(evidence: Evidence, concept: Concept, said: str, text: str) -> Judgement:
    counted = (
        concept.name == DATE and evidence.is_number and evidence.date_format is None and not evidence.is_years
    )
    reason = f"its {said} says {'a time, or a unit of it' if counted else concept.name}"
    if concept.role is Role.SENSITIVE:
        return _sensitive(evidence, concept, said, text)
    if concept.name == "a name" and evidence.distinction < 0.05:
        return Judgement(
            Role.IDENTIFIER,
            f"{reason}, but perhaps of something else, for few values repeat often",
            "undecided",
        )
    if concept.role is Role.IDENTIFIER and evidence.date_format is not None:
        return Judgement(Role.QUASI, f"{reason}, but its values are dates", "unsure")
    if concept.name in _BIRTHS and evidence.is_wordy:
        return Judgement(Role.IDENTIFIER, f"{reason}, but its values are words", "undecided")
    return Judgement(concept.role, reason, "sure" if concept.certain else "unsure")


def _may_name(evidence: Evidence, text: str) -> bool:
    """Say whether a column that is called after people may hold their names: words, and more than a few."""
    return evidence.is_wordy and evidence.distinct > _ANSWERS and says_people(text)


def _trades(concept: Concept | None) -> frozenset[str]:
    return TRADES if concept is not None and concept.name == "an occupation" else frozenset()


def _sensitive(evidence: Evidence, concept: Concept, said: str, text: str) -> Judgement:
    """Judge a column that would be released as it is: only where nothing speaks against it, nor what it says beside."""
    kind, reason, beside = (
        evidence.kind,
        f"its {said} says {concept.name}",
        _beside(evidence, concept, said, text),
    )
    if kind is not None and kind.role is Role.QUASI:
        return Judgement(Role.QUASI, f"its values are {kind.name}", "unsure")
    if evidence.date_format is not None or evidence.is_years:
        when = "dates" if evidence.date_format is not None else "years"
        return Judgement(Role.QUASI, f"{reason}, but its values are {when}, which others may know", "unsure")
    if beside:
        return Judgement(Role.QUASI, f"{reason}, but {beside}, which others may know", "unsure")
    if tells_age(evidence, concept, text):
        return Judgement(
            Role.QUASI, f"{reason}, but its values may be ages at it, which others may know", "unsure"
        )
    if not evidence.is_number and evidence.points:
        most = "most rows" if evidence.own_share > 0.5 else "most rows without its most frequent value"
        return Judgement(Role.IDENTIFIER, f"{reason}, but {most} have a value of their own", "unsure")
    if evidence.is_numbering:
        return Judgement(
            Role.IDENTIFIER, f"{reason}, but its values are codes that few rows share", "undecided"
        )
    if evidence.has_rare_phrases:
        return Judgement(
            Role.SENSITIVE,
            f"{reason}, but some of its values are phrases, which may name people",
            "undecided",
        )
    if evidence.has_strays:
        return Judgement(
            Role.SENSITIVE,
            f"{reason}, but some of its values look like names, addresses or numbers of people",
            "undecided",
        )
    if (
        evidence.is_number
        and tells_apart(evidence)
        and not _DIAGNOSES.isdisjoint(parts_of(evidence.column.name))
    ):
        return Judgement(
            Role.QUASI, f"{reason}, but its values are many numbers, such as of days", "undecided"
        )
    if may_tell_age(evidence, concept):
        return Judgement(Role.QUASI, f"{reason}, but its values look like ages", "undecided")
    if doubt := _doubt(evidence, concept, said, text):
        return _doubted(evidence, f"{reason}, but {doubt}")
    if concept.certain:
        return Judgement(Role.SENSITIVE, reason, "sure")
    if kind is not None and kind.certain:
        return Judgement(Role.SENSITIVE, f"its values are {kind.name}", "sure")
    if tells_apart(evidence):
        reason = f"its name may say {concept.name}, and it tells many rows apart"
        return Judgement(Role.QUASI, reason, "undecided")
    return Judgement(Role.SENSITIVE, f"its name may say {concept.name}", "undecided")


def _doubt(evidence: Evidence, concept: Concept, said: str, text: str) -> str:
    """Return why a column may hold something else than the sensitive thing that it is called after; "" for nothing."""
    if not concept.certain or (evidence.kind is not None and evidence.kind.certain):
        return ""
    if against := contradiction(evidence, concept, text):
        return against
    if against := unlike(evidence, concept, text):
        return against
    if said == "label" and len(parts_of(text)) > _SHORT:
        return ""
    measured = evidence.is_measured and tells_apart(evidence)
    by_neighbours = concept.name == OUTCOME and concept_of(text) is not concept
    if measured or by_neighbours or is_understood(text):
        return ""
    return f"not all of its {said} is understood"


def _doubted(evidence: Evidence, reason: str) -> Judgement:
    """Judge a column that is called after something sensitive and may be something else: it waits, or is left out."""
    if tells_apart(evidence):
        return Judgement(Role.IDENTIFIER, f"{reason}, so it is left out until you say what it is", "unsure")
    return Judgement(Role.QUASI, reason, "undecided")


def _beside(evidence: Evidence, concept: Concept, said: str, text: str) -> str:
    """Return what a name or a short label says beside something sensitive that is not: whom, where, a number; "" for nothing."""
    parts = said_parts(text)
    if said == "label" and len(parts) > _SHORT:
        return ""
    whom = parts & WHOM_OR_WHERE - (NAMES if concept.name in NAMED_SO else frozenset())
    if whom or (said == "label" and parts & TIMES):
        return "of whom, where or how long"
    if concept.name == MONEY and parts & SEEN and parts & PRICES:
        return "of a thing that is seen"
    return "" if parts.isdisjoint(NUMBER - CODES) or evidence.is_counted else "a number of it"


def _record_number(evidence: Evidence, concept: Concept, said: str) -> Judgement:
    reason = f"its {said} says {concept.name}"
    if evidence.distinction >= _NEARLY_UNIQUE:
        return Judgement(Role.IDENTIFIER, reason, "sure")
    if evidence.rows >= 50 * evidence.distinct:
        return Judgement(
            Role.QUASI, f"{reason}, but of something else, for each stands in many rows", "undecided"
        )
    known = concept.name == HOUSEHOLD or not PERSON.isdisjoint(parts_of(evidence.column.name))
    return Judgement(Role.IDENTIFIER, f"{reason}, which repeats", "sure" if known else "unsure")


def _by_values(evidence: Evidence) -> Judgement:
    """Judge a column whose name says nothing known: never sure, and undecided where its values say nothing either.

    Where nearly every row has a value of its own it is left out, which is safe whatever it is; all else waits.
    """
    if evidence.kind is not None:
        return _of_kind(evidence, evidence.kind)
    if evidence.shape == ICD:
        return Judgement(Role.SENSITIVE, f"its values look like {evidence.shape}", "undecided")
    if evidence.date_format is not None:
        return Judgement(Role.QUASI, "its values are dates, which others may know of a person", "unsure")
    if evidence.repeats_in_blocks:
        times = evidence.repeats_in_blocks
        reason = f"each value stands in {many(times, 'row')} one below the other, as numbers of people or households do"
        return Judgement(Role.IDENTIFIER, reason, "unsure")
    if evidence.is_region:
        return Judgement(Role.IDENTIFIER, "its values look like coordinates", "unsure")
    if evidence.distinction >= _NEARLY_UNIQUE and not evidence.is_measured and evidence.rows > 5:
        return Judgement(Role.IDENTIFIER, "nearly every row has its own value", "unsure")
    if not evidence.is_number and evidence.points:
        return Judgement(Role.IDENTIFIER, "most rows that have a value have one of their own", "unsure")
    if evidence.has_phrases:
        return Judgement(
            Role.IDENTIFIER, "some of its values are phrases, which may name people", "undecided"
        )
    if says_when_in_life(evidence.column.name) and may_be_ages(evidence):
        reason = "its name says that something began or ended, and its values may be ages at it"
        return Judgement(Role.QUASI, reason, "unsure")
    if tells_apart(evidence):
        return Judgement(
            Role.QUASI, "nothing tells what its values are, and they tell many rows apart", "undecided"
        )
    return Judgement(Role.QUASI, "nothing tells what its few values are", "undecided")


def _of_kind(evidence: Evidence, kind: Kind) -> Judgement:
    reason = f"its values are {kind.name}"
    if kind.role is Role.QUASI:
        return Judgement(kind.role, reason, "unsure")
    alone = evidence.has_rare_phrases or evidence.has_strays or evidence.points
    return Judgement(kind.role, reason, "sure" if kind.certain and not alone else "undecided")


def tells_apart(evidence: Evidence) -> bool:
    """Tell whether a column has so many values that few rows share one."""
    many = _MANY_NUMBERS if evidence.is_number else _MANY
    return evidence.distinct > many or evidence.distinction > 0.1
