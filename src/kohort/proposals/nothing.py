"""What stands in files for want of a value: words and signs in many languages, and numbers that nobody has.

Only what is known here is ever proposed, so that a proposal quotes no cell that says something about a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

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
    r"(?:[29]999-12-31|1111-11-11|0001-01-01|1753-01-01)(?:[ T]00:00(?::00)?)?|31[./]12[./][29]999|11[./]11[./]1111|"
    r"0?1[./]0?1[./](?:0001|1753)",
    re.IGNORECASE,
)
_PYTHON = "None"  # none, in lower case, may as well mean zero
_HIGH = re.compile(r"9{1,6}|9{0,5}[78]|8{2,6}|7{2,6}|9{1,4}\.9{1,3}")
_LOW = re.compile(r"-(?:9{1,6}|9{0,5}[78]|8{2,6}|7{2,6}|6{2,6})")
_ENOUGH_VALUES = 5  # other ones, of a column of numbers rather than of codes
_TWICE = 2  # rows at least: a single one may be a person's
_PILED = 5  # rows at least of a number that stands apart from the others and near them
_TWO_DIGITS = 10
_APART = 1 / 20  # of the range of the others
_FAR = 1 / 4  # of the middle one of the others, above which all are far from zero


def is_nothing(text: str) -> bool:
    """Tell whether a text is known to stand for want of a value.

    >>> [is_nothing(text) for text in ("NA", "n/a", "k. A.", "-", "unbekannt", "None", "none", "12", "negative", "")]
    [True, True, True, True, True, True, False, False, False, False]
    """
    return text == _PYTHON or _WORDS.fullmatch(text) is not None


def codes_of_nothing(numbers: Mapping[str, int]) -> list[str]:
    """Return the numbers that seem to stand for want of one: 999 far above all others, -99 where nothing is negative.

    So does 99 above ages that end at 90, where more people would be 99 than of any age shortly before. `numbers` are the
    distinct ones as plain texts, with their rows.

    >>> codes_of_nothing({"23": 4, "31": 2, "44": 1, "57": 1, "68": 3, "999": 5})
    ['999']
    """
    low = [text for text in numbers if float(text) < 0]
    if not all(_LOW.fullmatch(canonical(text)) for text in low) or not _has_nine(low):
        low = []
    told = sorted((text for text in numbers if float(text) >= 0), key=float)
    apart = (h for h, rest in _splits(told) if _is_far(h, rest) or _is_piled(h, rest, numbers))
    high = next((h for h in apart if float(h[0]) >= _TWO_DIGITS), [])  # 9 may be a code like any other
    if len(told) - len(high) < _ENOUGH_VALUES:
        return []
    return [text for group in (low, high) if _is_meant(group, numbers) for text in group]


def codes_in_doubt(numbers: Mapping[str, int]) -> list[str]:
    """Return the numbers that may stand for want of one and may as well be somebody's: 9 above codes up to 5, a lone -1.

    >>> codes_in_doubt({"1": 40, "2": 38, "3": 51, "8": 4, "9": 7})
    ['8', '9']
    """
    sure = codes_of_nothing(numbers)
    told = sorted((text for text in numbers if text not in sure), key=float)
    if not all(float(text).is_integer() for text in told):
        return []
    negative = [text for text in told if float(text) < 0]
    others = told[len(negative) :]
    lone = [canonical(text) for text in negative] == ["-1"] and len(others) >= _ENOUGH_VALUES
    apart = next((h for h, rest in _splits(others) if len(rest) > 1 and _is_apart(h, rest)), [])
    found = [*(negative if lone else []), *(apart if _has_nine(apart) else [])]
    return [text for text in found if numbers[text] >= _TWICE]


def zeros_of_nothing(numbers: Mapping[str, int]) -> list[str]:
    """Return the zero of a column in which nobody can have it, where all others are far from it: heights, pulses.

    >>> zeros_of_nothing({"0": 3, "160": 9, "171": 7, "175.5": 8, "180": 5, "188": 2}), zeros_of_nothing({"0": 3, "1": 9, "9": 2})
    (['0'], [])
    """
    zeros = [text for text in numbers if float(text) == 0]
    others = sorted(float(text) for text in numbers if float(text) != 0)
    if len(others) < _ENOUGH_VALUES:
        return []
    return zeros if others[0] > others[len(others) // 2] * _FAR else []


def _splits(ordered: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield the codes at the upper end, as many as there are and then fewer, with the numbers below them."""
    first = len(ordered)
    while first and _HIGH.fullmatch(canonical(ordered[first - 1])):
        first -= 1
    for place in range(max(first, 1), len(ordered)):
        yield ordered[place:], ordered[:place]


def _is_apart(high: Sequence[str], rest: Sequence[str]) -> bool:
    """Say whether some numbers lie between the codes and the others: one below 7, 8 and 9, several below 99."""
    return float(high[0]) - float(rest[-1]) > (1 if float(high[0]) < _TWO_DIGITS else _ENOUGH_VALUES)


def _is_far(high: Sequence[str], rest: Sequence[str]) -> bool:
    """Say whether the codes are twice all others; of those without a nine one expects more."""
    return float(high[0]) > (2 if _has_nine(high) else 10) * float(rest[-1])


def _is_piled(high: Sequence[str], rest: Sequence[str], numbers: Mapping[str, int]) -> bool:
    """Say whether the codes stand apart from the others and in more rows than the greatest of those do."""
    gap, wide = float(high[0]) - float(rest[-1]), float(rest[-1]) - float(rest[0])
    last = rest[-_ENOUGH_VALUES:]
    rows = sum(numbers[text] for text in high)
    usual = sum(numbers[text] for text in last) / len(last)
    return _has_nine(high) and gap > wide * _APART and rows >= _PILED and rows > usual


def _is_meant(codes: Sequence[str], numbers: Mapping[str, int]) -> bool:
    """Say whether there are enough of them: one row may be a person's, unless it is far below zero."""
    far = all(len(canonical(code)) > len("-9") and code.startswith("-") for code in codes)
    return far or sum(numbers[code] for code in codes) >= _TWICE


def _has_nine(codes: Sequence[str]) -> bool:
    return any(set(canonical(code).lstrip("-").replace(".", "")) == {"9"} for code in codes)
