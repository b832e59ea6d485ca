"""What a column's name says that it holds.

A long word is also found within a name (`geburtsdatum` in `PatGeburtsdatum`), a shorter one only as a
part of its own (`age` in `age_group`, not in `page`), with what studies put before and behind it (`irace`, `lwage`, `educ2`), or
where all of the name is made of such pieces (`fathage`, `lothinc`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from kohort.proposals.name_pieces import may_be_piece, pieces_of
from kohort.proposals.words import (
    AGE,
    ALONE,
    CONCEPTS,
    DATE,
    INNOCENT,
    MONEY,
    NUMBER,
    PERSON,
    RECORD,
    RELATIVES,
    SURVEY_WEIGHT,
    WHOSE,
    Concept,
)
from kohort.table import Role

_BEFORE = (
    "i",
    "ir",
    "l",
    "ln",
    "log",
    "hh",
    "is",
    "has",
    "num",
    "idx",
)  # imputed, a logarithm, of a household, …
_BEHIND = ("sq", "cat", "grp", "group", "code", "cd", "yn", "flag", "num", "no", "nr", "yr", "yrs", "years")
_BEGINNING = 6  # letters of a word that is cut short
_LOOKED_AT = 1000  # signs of a name, which may be the question of a survey
_TOGETHER = 6  # parts that make up one word, at most
_RUN_TOGETHER = 60  # signs of a part that is made of words
KEPT = 1 << 16  # names whose words are kept
_LONG, _LONGER = 5, 6  # letters of a word that is found within a name; of what would be released as it is


def parts_of(column: str) -> tuple[str, ...]:
    """Return the words of a column name, without accents and capitals: `PatBirthDate` → pat, birth, date.

    Of a very long name, which is a text and no name, those at its beginning.
    """
    return _parts_of(column[:_LOOKED_AT])


@lru_cache(maxsize=KEPT)
def _parts_of(column: str) -> tuple[str, ...]:
    apart = re.sub(r"(?<=[a-zà-ÿ0-9])(?=[A-ZÀ-Þ])", " ", column)
    bare = "".join(c for c in unicodedata.normalize("NFKD", apart.casefold()) if not unicodedata.combining(c))
    return tuple(re.findall(r"[^\W_]+", bare.replace("ł", "l").replace("ø", "o").replace("æ", "ae")))


def concept_of(column: str) -> Concept | None:
    """Return what a column's name says it holds, None where it says nothing known.

    Neighbouring parts together are a word too: `date of birth`, `code_postal`. Of several words one of a certain meaning
    counts before others, what identifies before what is sensitive (`treatment_center`, `age_at_diagnosis`) unless it is a part
    of that (`household_id` is a number and no household), then the longest.
    """
    return _concept_of(column[:_LOOKED_AT])


@lru_cache(maxsize=KEPT)
def _concept_of(column: str) -> Concept | None:
    parts = parts_of(column)
    if not PERSON.isdisjoint(parts) and set(parts) <= PERSON | NUMBER:
        return next(concept for concept in CONCEPTS if concept.name == RECORD)
    runs = {"".join(parts[i : i + n]) for i in range(len(parts)) for n in range(1, _TOGETHER + 1)}
    bare = {run.rstrip("0123456789") for run in runs} | {bare for part in parts for bare in _bare(part)}
    for words in (runs, bare):
        found = [(word, concept) for concept in CONCEPTS for word in _words(concept) & words]
        whole = [
            (word, c) for word, c in found if not any(word != other and word in other for other, _ in found)
        ]
        if whole:
            return _foremost(whole)
    pieces = [(piece, _of_piece()[piece]) for part in _short(parts) for piece in pieces_of(part, _of_piece())]
    if pieces:
        return _foremost(pieces)
    within = _found_within(parts)
    return within if within is not None else _cut_short(parts)


def _short(parts: Sequence[str]) -> list[str]:
    return [part for part in parts if len(part) <= _RUN_TOGETHER]


def _found_within(parts: Sequence[str]) -> Concept | None:
    """Return what a long word somewhere within a name says."""
    # From the beginning of a part on, or within one: no word ends one part and begins the next (`votre poste`).
    runs = [*parts, *("".join(parts[i : i + _TOGETHER]) for i in range(len(parts)))]
    told = {_without(part, INNOCENT) for part in parts}, {_without(run, INNOCENT) for run in runs}
    lengths, meaning = _of_inner()
    heard = {part[i : i + n] for part in told[0] for i in range(len(part)) for n in lengths}
    heard |= {run[:n] for run in told[1] for n in lengths}
    first = sorted(place for word in heard & meaning.keys() for place in meaning[word])
    found = [(word, CONCEPTS[place]) for place, _, word in first]
    if any(concept.name == MONEY for _, concept in found):
        found = [(word, concept) for word, concept in found if word not in WHOSE]
    return found[0][1] if found else None


@cache
def _of_inner() -> tuple[Collection[int], Mapping[str, list[tuple[int, int, str]]]]:
    """Return how long the words are that are found within names, and where among all concepts each of them stands."""
    found: dict[str, list[tuple[int, int, str]]] = {}
    for place, concept in enumerate(CONCEPTS):
        for rank, word in enumerate(_within(concept)):
            found.setdefault(word, []).append((place, rank, word))
    return {len(word) for word in found}, found


def _without(text: str, words: Sequence[str]) -> str:
    for word in words:
        text = text.replace(word, " ")
    return text


def _cut_short(parts: Sequence[str]) -> Concept | None:
    """Return what a name says that begins as long words of one meaning do (`construc`): never certain."""
    known = _of_beginning()
    pieces = ((piece, part) for part in _short(parts) for piece in pieces_of(part, known))
    cut = [(piece, known[piece]) for piece, part in pieces if part.startswith(piece)]
    return replace(_foremost(cut), certain=False) if cut else None


def _foremost(found: Sequence[tuple[str, Concept]]) -> Concept:
    """Return the concept that counts of several whose words were found; a household beside money says whose it is."""
    money = any(concept.name == MONEY for _, concept in found)
    said = [(word, concept) for word, concept in found if not (money and word in WHOSE)]
    if any(concept.name == AGE for _, concept in said):
        said = [(word, concept) for word, concept in said if concept.name != DATE]  # age en mois: its unit
    of_somebody = [(word, c) for word, c in said if word not in RELATIVES]
    if of_somebody and any(concept.role is Role.QUASI for _, concept in of_somebody):
        said = of_somebody  # the age of a mother is an age
    return max(said, key=lambda pair: (*_protects(pair[1]), len(pair[0])))[1]


@cache
def _of_piece() -> Mapping[str, Concept]:
    """Return the words that names are run together from, those of a certain meaning, each with what it means."""
    certain = [concept for concept in reversed(CONCEPTS) if concept.certain]
    return {word: concept for concept in certain for word in _words(concept) if may_be_piece(word)}


@cache
def _of_beginning() -> Mapping[str, Concept]:
    """Return how words of a certain meaning begin, where no word of another role begins so, each with what it means."""
    found: dict[str, list[Concept]] = {}
    for concept in CONCEPTS:
        for word in (
            _words(concept) if concept.name != SURVEY_WEIGHT else ()
        ):  # survey, sample and design are words themselves
            for end in range(_BEGINNING, len(word)):
                found.setdefault(word[:end], []).append(concept)
    return {
        beginning: concepts[0]
        for beginning, concepts in found.items()
        if len({concept.role for concept in concepts}) == 1 and all(concept.certain for concept in concepts)
    }


def _protects(concept: Concept) -> tuple[bool, bool]:
    return concept.certain, concept.role is not Role.SENSITIVE


def _bare(word: str) -> Iterator[str]:
    """Yield a word without the digits behind it and without what studies put before or behind."""
    plain = word.rstrip("0123456789")
    yield from (plain.removeprefix(before) for before in _BEFORE if plain.startswith(before))
    yield from (plain.removesuffix(behind) for behind in _BEHIND if plain.endswith(behind))


@cache
def _words(concept: Concept) -> frozenset[str]:
    return frozenset(word for word in concept.words.split() if word)


@cache
def _within(concept: Concept) -> tuple[str, ...]:
    least = _LONGER if concept.role is Role.SENSITIVE else _LONG
    long = (word for word in concept.words.split() if len(word) >= least and word not in ALONE)
    return (*long, *concept.within.split())
