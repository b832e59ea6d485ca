"""Whether values are of the kind that a sensitive word in a column's name says.

Such a column would be released as it is. So it is not enough that nothing speaks against it: when, where, whom and which case
can be written in more ways than anybody can list. What can be told is what the values of something sensitive look like.
"""

from __future__ import annotations

import re

from kohort.proposals.concepts import concept_of, parts_of
from kohort.proposals.contradicting import are_amounts, are_classes, says_yes_or_no
from kohort.proposals.evidence import ICD, Evidence
from kohort.proposals.moments import numbers_moments, tell_when
from kohort.proposals.terms import are_terms
from kohort.proposals.value_words import Kind
from kohort.proposals.words import CODES, DISEASE, FINDING, MONEY, OUTCOME, Concept
from kohort.table import Role

_MOST = 0.5  # of the distinct values
_SHORT = 3  # letters of a word that stands for many things
_ENOUGH, _BEYOND = 30, 130  # distinct numbers of a measure, and more than any age, hour or floor
_DIGITS, _LONGEST = 4, 9  # of whole numbers that are all equally long, and of any that is measured or paid
_ROUND = 10
_DECIMALS = 8  # of coordinates at most
_COUNTED, _DENSE = (
    20,
    10,
)  # rows at least of a running number, and at most so many numbers to one that is taken
_CODES, _OF_ROOMS = 50, 3  # distinct codes at most, and their digits
_CLASSES, _SMALL = (
    10,
    100,
)  # distinct classes of money at most, and numbers below which no amount tells itself from one
# What a name calls classes of something, alone or at the end of a compound.
_GROUPED = (
    "group groups grp class classes cat category type kind band bracket source grade level gruppe klasse art typ stufe groupe "
    "classe categorie tranche tipo clase grupo categoria tramo gruppo fascia soort groep grupa klasa skupina trida"
)
_GROUPS = frozenset(_GROUPED.split())
_COMPOUNDED = ("gruppe", "klasse", "stufe", "groep", "klass")
_STAGE = (
    r"(?:stage|grade|grad|stadium|stade|estadio|stadio|typ|type|level|stufe|class|klasse|group|gruppe|nyha|asa|ecog|"
    r"[gtnm]|pt|pn|pm|ct|cn)"
)
_UNIT = (
    r"(?:mg|g|kg|ug|µg|mcg|ml|l|iu|ie|ui|mmol|mmol/l|mg/dl|g/dl|mmhg|%|bpm|cm|mm|x|times|mal|years?|months?|days?|h|"
    r"hours?|points?|pts)"
)
_NOTED = re.compile(
    rf"{_STAGE}[\s._-]?[0-9ivx]{{1,3}}[a-d]?[0-9]?|[<>≤≥~=+-]*\s*[0-9]+(?:[.,][0-9]+)?(?:\s*[-–]\s*[0-9]+(?:[.,][0-9]+)?)?\+?\s*{_UNIT}|"
    r"[<>≤≥]=?\s*[0-9]+(?:[.,][0-9]+)?|[0-9]{1,2}\+|[a-f][+-]|(?:none|keine|[0-9]) .*",
    re.IGNORECASE,
)  # T1, Stage 2, 10 mg, <5
_PRESSURE = re.compile(r"[1-9][0-9]{1,2}/[1-9][0-9]{1,2}")  # 120/80
_NAMED = ("a sexual orientation", "a belief or affiliation")  # of which there are few
_CLASSIFIED = frozenset(("dx", "icd"))
_YES_OR_NO = (DISEASE, "a treatment", "smoking, drinking or drugs", "a crime or legal matter", OUTCOME)
_FAITHS = ("faiths", "a belief or affiliation")


def unlike(evidence: Evidence, concept: Concept, text: str) -> str:
    """Return why the values are not known to be of the kind that a name says; "" where they are."""
    if tell_when(evidence) or numbers_moments(evidence, text):
        return "its values say when"
    if says_yes_or_no(evidence) or _answers(evidence.kind, concept):
        told = ""
    elif evidence.is_number:
        told = _unlike_numbers(evidence, concept, text)
    else:
        told = _unlike_texts(evidence, concept)
    if not told and concept.name == MONEY and not _is_money(evidence, text):
        told = "its values are no amounts"
    if not told and _is_short(concept, text) and not _agrees(evidence, concept, text):
        return "its name is too short to tell what its values are"
    return told


def _unlike_numbers(evidence: Evidence, concept: Concept, text: str) -> str:
    """Return why numbers are not known to be measured, counted or paid."""
    if evidence.is_region and _are_written_by_hand(evidence) and not _is_logarithm(concept, text):
        return "its values look like coordinates"
    if max(abs(float(told)) for told in evidence.told) >= 10**_LONGEST:
        return "its values look like numbers of something"
    if not evidence.is_whole:
        return ""
    if evidence.distinct > _CODES and concept.name in _NAMED:
        return "its values are more numbers than there are such things"
    numbers = sorted(int(float(told)) for told in evidence.told)
    lengths = {len(str(abs(number))) for number in numbers}
    uneven = sum(1 for number in numbers if number % _ROUND) > _MOST * len(numbers)
    dense = numbers[-1] - numbers[0] < _DENSE * len(numbers)
    if len(lengths) == 1 and max(lengths) >= _DIGITS and uneven:
        return "its values look like numbers of something"
    if evidence.distinct == evidence.rows >= _COUNTED and dense and numbers[-1] >= evidence.rows:
        return "its values look like running numbers"
    if max(lengths) > _OF_ROOMS and not CODES.isdisjoint(parts_of(text)):
        return "its values look like codes"
    few = evidence.distinct <= min(_CODES, evidence.rows // _DENSE)
    if (
        few
        and lengths == {_OF_ROOMS}
        and uneven
        and not any(part.startswith("icd") for part in parts_of(text))
    ):
        return "its values look like codes"
    return ""


def _is_money(evidence: Evidence, text: str) -> bool:
    """Say whether values are amounts, answers of people, or yes and no: few words or small numbers are kinds and classes."""
    if says_yes_or_no(evidence) or (evidence.kind is not None and evidence.kind.certain):
        return True
    if not evidence.is_number:
        return are_amounts(evidence)
    if evidence.is_measured or max(abs(float(told)) for told in evidence.told) >= _SMALL:
        return True
    return evidence.distinct > (_CODES if _says_classes(text) else _CLASSES)


def _says_classes(text: str) -> bool:
    """Say whether a name calls what it holds a group, a class or a kind of something."""
    parts = parts_of(text)
    return any(part in _GROUPS or part.endswith(_COMPOUNDED) for part in parts)


def _unlike_texts(evidence: Evidence, concept: Concept) -> str:
    """Return why texts are not known to be terms, stages, doses or amounts."""
    if (evidence.shape == ICD and concept.name == DISEASE) or (
        concept.name == MONEY and are_amounts(evidence)
    ):
        return ""
    digits = sum(1 for told in evidence.told if any(sign.isdigit() for sign in told))
    noted = sum(1 for told in evidence.told if _is_noted(told.strip(), concept))
    if are_classes(evidence.told):
        return ""
    if noted and noted >= _MOST * digits and digits > _MOST * len(evidence.told):
        return ""
    if digits > _MOST * len(evidence.told):
        return "its values look like codes"
    return "" if are_terms(evidence.told, concept) else "nothing tells that its values are of that kind"


def _is_noted(told: str, concept: Concept) -> bool:
    if concept.name == FINDING and _PRESSURE.fullmatch(told):
        return True
    return _NOTED.fullmatch(told) is not None


def _answers(kind: Kind | None, concept: Concept) -> bool:
    """Say whether values are answers by which nobody is known, or faiths under a word of faith."""
    if kind is None or kind.role is not Role.SENSITIVE:
        return False
    return kind.certain or (kind.name, concept.name) == _FAITHS or concept.name == FINDING


def _is_logarithm(concept: Concept, text: str) -> bool:
    """Say whether a name is that of something with what stands for a logarithm before it: `lwage`."""
    bare = [
        part.removeprefix(log)
        for part in parts_of(text)
        for log in ("log", "ln", "l")
        if part.startswith(log)
    ]
    return not {*bare}.isdisjoint(concept.words.split())


def _are_written_by_hand(evidence: Evidence) -> bool:
    """Say whether no number has so many decimals as those have that are worked out."""
    return max(len(told.partition(".")[2]) for told in evidence.told) <= _DECIMALS


def _is_short(concept: Concept, text: str) -> bool:
    """Say whether nothing but words of two or three letters says what a concept does."""
    parts = parts_of(text)
    if concept_of(text) is not concept:
        return False  # known by what stands beside it
    longer = [part for part in parts if len(part.rstrip("0123456789")) > _SHORT]
    if (
        len("".join(parts).rstrip("0123456789")) > _SHORT
        and concept_of("".join(parts)) is concept
        and len(parts) > 1
    ):
        longer = [*longer, "".join(parts)]
    return not any(concept_of(part) is concept for part in [*longer, " ".join(longer)])


def _agrees(evidence: Evidence, concept: Concept, text: str) -> bool:
    """Say whether values can hardly be anything else than what a short form stands for."""
    if says_yes_or_no(evidence):
        return concept.name in _YES_OR_NO and not text[-1:].isdigit()
    if evidence.shape == ICD:
        return not _CLASSIFIED.isdisjoint(parts_of(text))
    if not evidence.is_number:
        return True  # terms that are known for it
    if evidence.is_measured:
        return evidence.distinct > _ENOUGH or evidence.distinction > _MOST
    return evidence.distinct > _ENOUGH and max(float(told) for told in evidence.told) > _BEYOND
