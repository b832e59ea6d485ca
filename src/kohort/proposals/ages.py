"""Ages under names that say something sensitive: when in life it began or ended, or whole numbers that look like ages.

Others know about when somebody fell ill, was tried or began to drink; such a column is not kept as it is.
"""

from __future__ import annotations

import numpy as np

from kohort.proposals.concepts import concept_of, parts_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.words import DISEASE, MONEY, OUTCOME, Concept

_OLDEST = 110
_SCALE = 10  # what answers and grades go up to
_FEWEST, _OLD, _MIDDLE = 20, 50, 8  # distinct ages of a table, the oldest at least, and the one in the middle
_FIRST_YEARS = 2  # and younger, as most counts are and hardly any age
_FEW = 0.1  # of the rows
_ROUND = 5  # what scores are often multiples of
# Whole words of a name, then how compounds begin and end: Erstdiagnose, Krankheitsbeginn.
_BEGINNINGS = (
    "first 1st onset debut start started starting begin began begins beginning since when initiation initial last latest quit "
    "stopped ended ceased erste erster erstes erstmals erstmalig beginn anfang ausbruch seit letzte letzter letztes premier "
    "premiere depuis dernier derniere primer primero primera inicio comienzo desde ultimo ultima primo prima esordio inizio "
    "insorgenza eerste begin aanvang laatste sinds pierwszy pierwsza pierwsze poczatek ostatni prvni zacatek posledni forsta "
    "forste sista siste ensimmainen alku menarche menopause"
)
_WORDS = frozenset(_BEGINNINGS.split())
_PREFIXES, _SUFFIXES = (
    ("erst", "first", "onset", "debut"),
    ("beginn", "onset", "debut", "debuut", "start", "anfang", "inicio"),
)
_LETTERS = 4  # of what stands beside
# What is counted by no years, so that numbers like ages are hardly anything else.
_NO_QUANTITY = (DISEASE, "a treatment", "smoking, drinking or drugs", "a crime or legal matter", "a belief or affiliation",
                "a sexual orientation", "an opinion or choice")  # fmt: skip
_AMOUNTS = (MONEY, "a test score", OUTCOME)


def says_when_in_life(text: str) -> bool:
    """Tell whether a name says that something began or ended, as ages at it are called.

    >>> [says_when_in_life(name) for name in ("first_offence", "Erstdiagnose", "Krankheitsbeginn", "asthma")]
    [True, True, True, False]
    """
    parts = [part.rstrip("0123456789") or part for part in parts_of(text)]
    if not _WORDS.isdisjoint((*parts, *parts_of(text))):
        return True
    long = [part for part in parts if len(part) >= 2 * _LETTERS]
    return any(part.startswith(_PREFIXES) or part.endswith(_SUFFIXES) for part in long)


def may_be_ages(evidence: Evidence) -> bool:
    """Tell whether values are whole numbers of years that people live, and more than a scale has."""
    if not evidence.is_whole or len(evidence.told) <= 1:
        return False
    numbers = [float(text) for text in evidence.told]
    return min(numbers) >= 0 and _SCALE < max(numbers) <= _OLDEST


def look_like_ages(evidence: Evidence) -> bool:
    """Tell whether values lie as ages do: many, hardly any of the first years, up to old ones, and not only round."""
    if not may_be_ages(evidence) or len(evidence.told) < _FEWEST:
        return False
    numbers = evidence.numbers[~np.isnan(evidence.numbers)]
    grown = float(np.median(numbers)) >= _MIDDLE and float((numbers <= _FIRST_YEARS).mean()) < _FEW
    return bool(grown and numbers.max() >= _OLD and (numbers % _ROUND != 0).mean() > 1 / 2)


def tells_age(evidence: Evidence, concept: Concept, text: str) -> bool:
    """Tell whether a column says at which age something sensitive began or ended; times of a study are known by what is beside."""
    named = concept_of(text) is concept and concept.name not in _AMOUNTS
    return named and says_when_in_life(text) and may_be_ages(evidence)


def may_tell_age(evidence: Evidence, concept: Concept) -> bool:
    """Tell whether numbers below something that is no quantity look like ages."""
    return concept.name in _NO_QUANTITY and look_like_ages(evidence)
