"""Weights of a survey, told from those of a body by their values.

They are shares of a population, with many decimals and about 1 on average, or how many people a row stands for.
"""

from __future__ import annotations

import numpy as np

from kohort.proposals.concepts import parts_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.words import BODY, CONCEPTS, SURVEY_WEIGHT, Concept

_CALLED = (
    "w wt wts wgt wgts weight weights weighted gew gewicht gewichte gewichten pond poids peso pesos factor faktor facteur fator "
    "vikt vikter vekt vaha waga wagi paino"
)
_WORDS = frozenset(_CALLED.split())
_DECIMALS = 3  # of most; bodies are weighed with one or two
_LEAST, _MOST = 0.5, 2.0  # on average
_PEOPLE, _APART = 200, 10  # people that a row stands for on average, and how many times more than another
_ROWS = 20


def as_survey_weight(evidence: Evidence, concept: Concept | None) -> Concept | None:
    """Return what a column holds, where that may be a body's weight by its name and is a survey's by its values."""
    if concept is not None and concept.name != BODY:
        return concept
    if _WORDS.isdisjoint(part.rstrip("0123456789") for part in parts_of(evidence.column.name)):
        return concept
    return (
        next(other for other in CONCEPTS if other.name == SURVEY_WEIGHT) if are_weights(evidence) else concept
    )


def are_weights(evidence: Evidence) -> bool:
    """Tell whether numbers are about 1 on average, most with many decimals, or stand for many people and lie far apart."""
    if not evidence.is_number or evidence.told_rows < _ROWS or len(evidence.told) < 2:
        return False
    numbers = evidence.numbers[~np.isnan(evidence.numbers)]
    if numbers.min() < 0 or not numbers.max():
        return False
    mean, positive = float(numbers.mean()), numbers[numbers > 0]
    if _LEAST <= mean <= _MOST:
        fine = sum(len(text.partition(".")[2]) >= _DECIMALS for text in evidence.told)
        return 2 * fine > len(evidence.told)
    return mean >= _PEOPLE and float(positive.max()) > _APART * float(positive.min())
