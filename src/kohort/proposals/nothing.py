"""What stands in files for want of a value: words and signs in many languages, and numbers that nobody has.

Only what is known here is ever proposed, so that a proposal quotes no cell that says something about a person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kohort.hierarchy.numerals import canonical

_WORDS = re.compile(
    # signs, and what programs write
    r"[-–—.?*/_]+|n\W?/?\W?a\W?n?\W?|n\.? ?a\.?|<na>|nan|null|\(null\)|\(blank\)|\(leer\)|\\n|nat|missing|empty|"
    r"#(?:n/?[av]|nul!|null!|div/0!|value!|ref!|name\?|num!|wert!|bezug!|zahl!)|"
    # English, German, French, Spanish, Portuguese, Italian
    r"unknown|unkn\.?|not (?:known|stated|available|applicable|given|reported|recorded|done)|refused|declined|withheld|tbd|"
    r"k\.? ?a\.?|keine angabe|unbekannt|nicht bekannt|fehlt|fehlend|entf\.?|entfällt|n\.? ?b\.?|"
    r"n\.? ?[cdr]\.?|inconnue?|non renseignée?|non disponible|manquante?|sans objet|"
    r"s/d|s\.d\.|sin datos?|desconocid[oa]|no consta|n/?s|n/?c|desconhecid[oa]|sem informação|sconosciut[oa]|"
    # Dutch, Polish, Czech, Danish, Norwegian, Swedish, Finnish, Hungarian
    r"onbekend|n\.?v\.?t\.?|brak(?: danych)?|b\.? ?d\.?|nieznan[aey]|neznám[ýáé]|neuvedeno|ukendt|uoplyst|ukjent|okänd|"
    r"uppgift saknas|tuntematon|ei tiedossa|ismeretlen|nincs adat|"
    # dates of no day
    r"0{2,4}([-./ ])0{2}\1 ?0{2,4}\.?(?: 0?0[:.]00(?:[:.]00)?)?|9{2,4}([-./ ])9{2}\2 ?9{2,4}|"
    r"9999-12-31(?: 00:00:00)?|31[./]12[./]9999",
    re.IGNORECASE,
)
_PYTHON = "None"  # none, in lower case, may as well mean zero
_HIGH = re.compile(r"9{2,6}|9{1,5}[78]|8{2,6}|7{2,6}")
_LOW = re.compile(r"-(?:9{1,6}|9{0,5}[78]|8{2,6}|7{2,6}|6{2,6})")
_ENOUGH_VALUES = 5  # other ones, of a column of numbers rather than of codes
_TWICE = 2  # rows at least: a single one may be a person's


def is_nothing(text: str) -> bool:
    """Tell whether a text is known to stand for want of a value.

    >>> [is_nothing(text) for text in ("NA", "n/a", "k. A.", "-", "unbekannt", "None", "none", "12", "negative", "")]
    [True, True, True, True, True, True, False, False, False, False]
    """
    return text == _PYTHON or _WORDS.fullmatch(text) is not None


def codes_of_nothing(numbers: Mapping[str, int]) -> list[str]:
    """Return the numbers that seem to stand for want of one: 999 far above all others, -99 where nothing is negative.

    `numbers` are the distinct ones as plain texts, with their rows.

    >>> codes_of_nothing({"23": 4, "31": 2, "44": 1, "57": 1, "68": 3, "999": 5})
    ['999']
    """
    value = {text: float(text) for text in numbers}
    digits = len(canonical(max(value, key=value.__getitem__)))
    high = [text for text in numbers if len(canonical(text)) == digits and _HIGH.fullmatch(canonical(text))]
    negative = [text for text in numbers if value[text] < 0]
    known = all(_LOW.fullmatch(canonical(text)) for text in negative)
    low = negative if known and _has_nine(negative) else []
    rest = [value[text] for text in numbers if text not in high and value[text] >= 0]
    if len(rest) < _ENOUGH_VALUES:
        return []
    if not high or min(value[text] for text in high) <= 2 * max(rest) or not _has_nine(high):
        high = []
    return [text for group in (low, high) if _is_meant(group, numbers) for text in group]


def _is_meant(codes: list[str], numbers: Mapping[str, int]) -> bool:
    """Say whether there are enough of them: one row may be a person's, unless it is far below zero."""
    far = all(len(canonical(code)) > len("-9") and code.startswith("-") for code in codes)
    return far or sum(numbers[code] for code in codes) >= _TWICE


def _has_nine(codes: list[str]) -> bool:
    return any(set(canonical(code).lstrip("-")) == {"9"} for code in codes)
