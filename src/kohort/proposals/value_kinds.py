"""Which kind of things the values of a column are."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache

from kohort.proposals.value_words import EITHER, KINDS, SEXES, Kind

_NEARLY_ALL = 0.85  # of the distinct values


def kind_of(values: Iterable[str]) -> Kind | None:
    """Return the kind of nearly all of some distinct values, None where none is known.

    >>> [kind.name for kind in map(kind_of, (["F", "M", "x"], ["Mai", "Juni", "Juli"], ["yes", "no"])) if kind]
    ['sexes', 'months']
    """
    words = {_bare(value) for value in values}
    if _are_sexes(words):
        return KINDS[0]
    return next((kind for kind in KINDS if _are(kind, words)), None)


def _bare(value: str) -> str:
    """Return a value without accents, capitals and blanks around."""
    apart = unicodedata.normalize("NFKD", value.casefold())
    return "_".join("".join(c for c in apart if not unicodedata.combining(c)).split())


def _are(kind: Kind, words: set[str]) -> bool:
    known = len(words & _known(kind))
    return known >= kind.least and known >= _NEARLY_ALL * len(words)


@cache
def _known(kind: Kind) -> frozenset[str]:
    return frozenset(kind.words.split())


def _are_sexes(words: set[str]) -> bool:
    letters = words - EITHER
    return any(letters == set(pair) for pair in SEXES)
