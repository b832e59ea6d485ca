"""Whether all of a column's name is understood.

One word that is known decides little where another is not: a `salary_clerk` is no salary, and a `drug_rep` no drug.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from kohort.proposals.concepts import parts_of
from kohort.proposals.name_pieces import pieces_of, small_words
from kohort.proposals.people_words import PEOPLE
from kohort.proposals.qualifier_words import JOINING, QUALIFIERS
from kohort.proposals.words import CONCEPTS, NUMBER, PERSON

# 2, v12, t1, 6m, II: visits, times, waves, years, and units of time; other letters with a digit are a word that is not known.
_NUMBERING = re.compile(
    r"[0-9]+|[vtwyms][0-9]+|[0-9]+(?:[a-d]|m|mo|mth|y|yr|w|wk|h|st|nd|rd|th|er|e|o)|[a-z]|[ivx]+"
)
_JOINTS = ("", "s", "n", "es", "en")  # between the words of a German compound
_SHORT = 3  # letters of a form that stands for many things
_LEAST = 4  # letters of a word that is a piece of another
_BEGINNING, _ENDING = 6, 5  # letters at least of a word that is cut short, and at most so many that it lacks


def is_understood(text: str) -> bool:
    """Tell whether every word of a name is known, or says no more than a unit, a kind or a time.

    >>> [is_understood(name) for name in ("monthly_salary_eur", "salary_clerk", "Diagnosetyp", "income_from")]
    [True, False, True, False]
    """
    parts = parts_of(text)
    told = _told_together(parts)
    if parts and parts[-1] in JOINING | PERSON and len(parts) > 1 and len(parts) - 1 not in told:
        return False
    return all(i in told or _is_known(part) for i, part in enumerate(parts))


def _told_together(parts: Sequence[str]) -> set[int]:
    """Return the places of the parts that are a word together: length, of, stay."""
    known = _words()
    runs = [(i, j) for i in range(len(parts)) for j in range(i + 2, len(parts) + 1)]
    return {place for i, j in runs if "".join(parts[i:j]) in known for place in range(i, j)}


def _is_known(part: str) -> bool:
    if part in _words() or part in JOINING or _NUMBERING.fullmatch(part):
        return True
    plain = part.rstrip("0123456789")
    if any(part.startswith(form) and part[len(form) :].isdigit() for form in _short_forms()):
        return True  # cd420: in week 20
    if plain != part and len(plain) <= _SHORT:
        return False  # a digit makes no short form a word: bp1, tch2, x1
    if not {plain, plain.removesuffix("s")}.isdisjoint(_words()):
        return True
    return bool(pieces_of(plain, _pieces())) or _is_compound(plain) or _is_cut_short(plain)


def _is_compound(part: str) -> bool:
    """Say whether known words make up a part, joined as in German: Behandlung, s, art; Haushalt, s, netto, einkommen."""
    for end in range(_LEAST, len(part) - 1):
        stems = (part[:end].removesuffix(joint) for joint in _JOINTS if part[:end].endswith(joint))
        if any(stem in _pieces() for stem in stems) and (part[end:] in _words() or _is_compound(part[end:])):
            return True
    return False


def _is_cut_short(part: str) -> bool:
    """Say whether a part begins as a longer word does, or is a short form that is known with one letter more."""
    if len(part) >= _BEGINNING and any(
        word.startswith(part) and len(word) - len(part) <= _ENDING and word[len(part) :] not in _words()
        for word in _words()
    ):
        return True
    return any(part.removeprefix(form)[1:] == "" for form in _short_forms() if part.startswith(form))


@cache
def _words() -> frozenset[str]:
    said = (word for concept in CONCEPTS for word in concept.words.split())
    return frozenset((*said, *QUALIFIERS, *NUMBER, *PERSON, *PEOPLE, *small_words(), *_short_forms()))


@cache
def _pieces() -> frozenset[str]:
    short = (*QUALIFIERS, *small_words(), *_short_forms())
    return frozenset((*(word for word in _words() if len(word) >= _LEAST), *short, "inc", "pay", "tax"))


@cache
def _short_forms() -> frozenset[str]:
    return frozenset(form for concept in CONCEPTS for form in concept.within.split())
