"""Cells that tell whom or where, whatever their column is called: somebody with a title, a street with a house."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_TITLES = (
    "dr|prof|mr|mrs|ms|miss|sir|herr|herrn|frau|mme|mlle|madame|monsieur|sig|sig\\.ra|signor|signora|sr|sra|srta|don|doña|dhr|mevr|mw|"
    "pan|pani|pana|fru|hr|rouva|doctor|doktor|docteur|dott|dottor|nurse|schwester|pfarrer|father|mayor"
)
_STREETS = (
    r"street|road|avenue|ave|lane|drive|square|st|rd|rue|boulevard|chemin|via|viale|piazza|calle|avenida|plaza|rua|travessa|ulica|ul|"
    r"ulice|straat|laan|gasse|weg|allee|platz|str|strasse|straße|gata|gatan|vej|gate|katu|tie|utca"
)
_TITLED = re.compile(rf"\b(?i:{_TITLES})\b\.?\s+[^\W\d_a-zà-ÿ]")
_IN_WORDS = re.compile(rf"(?:^|[\s.-]|(?<=\w))(?i:{_STREETS})\b\.?", re.UNICODE)
_NUMBERED = re.compile(r"(?:^|\s)[0-9]{1,4}\s?[a-zA-Z]?(?:\s*[,/-]|\s|$)")
_MOST = 0.5  # of the distinct values
_DIGITS, _FEW = 5, 2  # of a number of somebody at least, and more than the usual values have


def tell_whom(texts: Iterable[str]) -> bool:
    """Tell whether some of these cells speak of somebody with a title and a name.

    >>> tell_whom(["flu", "see Mrs Lindqvist"]), tell_whom(["flu", "seen by a doctor", "M. Crohn"])
    (True, False)
    """
    return any(_TITLED.search(text) for text in texts)


def tell_where(texts: Iterable[str]) -> bool:
    """Tell whether most of these cells are a street and the number of a house.

    >>> tell_where(["Halvorsen Street 17", "12 rue Monge", "Gartenstraße 3a"]), tell_where(["Stage 2", "type 1 diabetes"])
    (True, False)
    """
    told = list(texts)
    return sum(1 for text in told if _NUMBERED.search(text) and _IN_WORDS.search(text)) > _MOST * len(told)


def is_unlike(text: str, usual: Iterable[str]) -> bool:
    """Tell whether a cell is written as no usual one is: with many digits, an @ sign, or in letters of another script.

    >>> [is_unlike(text, ["aspirin", "ibuprofen"]) for text in ("RSSMRA85T10A562S", "@maria", "Иван Петров", "metformin")]
    [True, True, True, False]
    >>> is_unlike("C50.911", ["C50.912", "E11.9"]), is_unlike("flu", [])
    (False, False)
    """
    told = list(usual)
    if not told:
        return False
    most = max(map(_digits, told))
    scripts = {script for other in told for script in _scripts(other)}
    foreign = bool(scripts) and not _scripts(text) <= scripts
    return (
        (_digits(text) >= max(_DIGITS, most + _FEW))
        or ("@" in text and not any("@" in o for o in told))
        or foreign
    )


def _digits(text: str) -> int:
    return sum(sign.isdigit() for sign in text)


def _scripts(text: str) -> set[str]:
    """Return the alphabets of a text, by the first word of what its letters are called."""
    return {unicodedata.name(sign, "?").split()[0] for sign in text if sign.isalpha()}
