"""Whether the values of a column are names of people, whatever the column is called."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from kohort.proposals.concepts import parts_of
from kohort.proposals.people_words import HOUSES, KNOWN_NAMES

_LETTERS = re.compile(r"[^\W\d_]+(?:[ ,.'’-]+[^\W\d_]+)*\.?")
_WORDS = 4  # of a name at most
_NEARLY_ALL = 0.9  # of the rows, written as names are
_FEW = 30  # distinct values
_FEWEST, _LEAST = 3, 5  # names that are known, among few values and among many
_AMONG_FEW, _AMONG_MANY = (
    0.3,
    0.05,
)  # of the rows: the hundred names that most people have are those of a tenth to a fifth


def are_names(values: Sequence[str], rows: Sequence[int], said_otherwise: Collection[str] = ()) -> bool:
    """Tell whether values, each in so many rows, are names of people: written so, and enough of them known.

    Names that are `said_otherwise` count for nothing, as those that are trades among occupations do.

    >>> are_names(["Müller", "Schulz", "Krause, Eva", "Pfaffenzeller"], [3, 2, 1, 1])
    True
    >>> are_names(["Grippe", "Husten", "Koch"], [3, 2, 1])
    False
    """
    total = sum(rows)
    shaped = sum(n for value, n in zip(values, rows, strict=True) if is_wordy(value) and value[:1].isupper())
    if not total or shaped < _NEARLY_ALL * total:
        return False
    known = [n for value, n in zip(values, rows, strict=True) if _is_known(value, said_otherwise)]
    fewest, share = (_FEWEST, _AMONG_FEW) if len(values) < _FEW else (_LEAST, _AMONG_MANY)
    return len(known) >= fewest and sum(known) >= share * total


def is_full_name(value: str) -> bool:
    """Tell whether a text is written as somebody's first and last name are, and one of them is known.

    >>> is_full_name("Anna Miller"), is_full_name("Multiple Sclerosis"), is_full_name("Anna")
    (True, False, False)
    """
    words = value.replace(",", " ").split()
    written = len(words) in (2, 3) and all(word[:1].isupper() for word in words) and not value.isupper()
    return written and is_wordy(value) and _is_known(value, ())


def is_wordy(value: str) -> bool:
    """Tell whether a text is a few words of letters, as names are."""
    return _LETTERS.fullmatch(value) is not None and len(value.split()) <= _WORDS


def _is_known(value: str, said_otherwise: Collection[str]) -> bool:
    words = set(parts_of(value))
    return not words.isdisjoint(KNOWN_NAMES - set(said_otherwise)) and words.isdisjoint(HOUSES)
