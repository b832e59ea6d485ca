"""Whom or what a column's name speaks of beside its concept: a person, a name, a number, a place; compounds are taken apart."""

from __future__ import annotations

from functools import cache

from kohort.proposals.concepts import concept_of, parts_of
from kohort.proposals.people_words import NAME_ENDINGS, NAME_WORDS, PEOPLE
from kohort.proposals.words import CODES, CONCEPTS, NUMBER, PERSON, WHOM_OR_WHERE, Concept

_NUMBERS = ("nr", "nummer", "number", "numero")
_JOINTS = ("", "s", "n", "es", "en", "er")  # between the words of a German compound
_STEM = 3  # letters before a number
# Whose or what a name would be: of people, where it is beside these.
_OF_PEOPLE = (
    "a birth date",
    "a birth year",
    "a death",
    "a marital status",
    "a household or family",
    "an age",
    "a sex",
)
_TOLD_AS_NUMBER = NUMBER | {
    "n",
    "lot",
    "file",
    "batch",
    "ref",
    "reference",
    "referenz",
    "cert",
    "certificate",
}


def said_parts(text: str) -> set[str]:
    """Return the words of a name, and the last one of each compound: behandlung, ort of `Behandlungsort`.

    >>> sorted(said_parts("Behandlungsort")), sorted(said_parts("income support"))
    (['behandlungsort', 'ort'], ['income', 'support'])
    """
    parts = set(parts_of(text))
    return parts | {ending for part in parts for ending in _endings(part)}


def says_number(text: str, codes: bool) -> bool:
    """Tell whether a name says a number of something; with `codes`, also a code or a key of it."""
    numbers = _TOLD_AS_NUMBER if codes else _TOLD_AS_NUMBER - CODES
    return not said_parts(text).isdisjoint({*numbers, *_NUMBERS})


def says_names_of_people(text: str, concept: Concept | None) -> bool:
    """Tell whether a name says those of people: a birth name, the name of a mother or a doctor."""
    said = said_parts(text)
    if said.isdisjoint(NAME_WORDS):
        return False
    return not said.isdisjoint(PEOPLE | PERSON) or (concept is not None and concept.name in _OF_PEOPLE)


def says_people(text: str) -> bool:
    """Tell whether a name says nothing but people, whose names may stand there: a doctor, a partner, `tested by`."""
    parts = parts_of(text)
    others = [part for part in parts if part not in PEOPLE]
    return len(others) < len(parts) and (not others or concept_of(" ".join(others)) is None)


def _endings(part: str) -> list[str]:
    numbers = [end for end in _NUMBERS if part.endswith(end) and len(part) >= len(end) + _STEM]
    names = [end for end in NAME_ENDINGS if part.endswith(end) and _is_known(part.removesuffix(end))]
    places = [end for end in WHOM_OR_WHERE if part.endswith(end) and _is_known(part.removesuffix(end))]
    return [*numbers, *names, *places]


def _is_known(stem: str) -> bool:
    """Say whether what stands before the last word of a compound is a word that is known."""
    return any(stem.removesuffix(joint) in _known() for joint in _JOINTS if stem.endswith(joint))


@cache
def _known() -> frozenset[str]:
    return frozenset((*(word for concept in CONCEPTS for word in concept.words.split()), *PEOPLE, *PERSON))
