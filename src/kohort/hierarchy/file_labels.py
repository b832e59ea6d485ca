"""What the labels of a level file say about the numbers under them: `20-39`, `[20, 40)`, `<18`, `>=90`, `90+`."""

from __future__ import annotations

import numpy as np

from kohort.arrays import FloatArray
from kohort.hierarchy.bounds import Bounds, read_interval
from kohort.hierarchy.domain import Domain, Label
from kohort.hierarchy.numerals import is_number

_SIGNS = {"≥": ">=", "≤": "<="}
_BETWEEN = (" - ", " to ", "-", "–")


def declared_bounds(domain: Domain, numbers: FloatArray) -> list[Bounds | None]:
    """Return the bounds that each label declares; None where it declares none, or what it says is not so.

    It is so where all numbers under the label lie within and no other number does.
    """
    told = ~np.isnan(numbers)
    known, codes = np.sort(numbers[told]), domain.of_ground[told]
    least, greatest = np.full(len(domain.labels), np.inf), np.full(len(domain.labels), -np.inf)
    np.minimum.at(least, codes, numbers[told])
    np.maximum.at(greatest, codes, numbers[told])
    before = np.searchsorted(known, least) - 1
    after = np.searchsorted(known, greatest, side="right")
    found: list[Bounds | None] = []
    for code, label in enumerate(domain.labels):
        bounds = read_label(label)
        beside = [known[i] for i in (before[code], after[code]) if 0 <= i < len(known)]
        true = bounds is not None and bounds.holds(least[code], greatest[code], float)
        found.append(bounds if true and not _any_within(bounds, beside) else None)
    return found


def _any_within(bounds: Bounds | None, numbers: list[float]) -> bool:
    return bounds is not None and any(bounds.holds(number, number, float) for number in numbers)


def read_label(label: Label) -> Bounds | None:
    """Return the bounds that a label of a level file tells; None where it tells none.

    >>> read_label("20-39"), read_label("90+")
    (Bounds(low='20', high='39', low_in=True, high_in=True), Bounds(low='90', high=None, low_in=True, high_in=True))
    """
    text = (label or "").strip()
    text = _SIGNS.get(text[:1], text[:1]) + text[1:]
    bounds = read_interval(text) or _top_coded(text) or _between(text)
    return None if bounds is None else _of_numbers(bounds)


def _top_coded(text: str) -> Bounds | None:
    return Bounds(text[:-1], None) if text.endswith("+") and is_number(text[:-1]) else None


def _between(text: str) -> Bounds | None:
    """Return the ends of two numbers with a dash or `to` between them, either of which may be negative."""
    for word in _BETWEEN:
        place = text.find(word, 1)
        if place > 0 and is_number(text[:place]) and is_number(text[place + len(word) :]):
            return Bounds(text[:place], text[place + len(word) :])
    return None


def _of_numbers(bounds: Bounds) -> Bounds | None:
    low, high = (None if end is None else end.strip() for end in (bounds.low, bounds.high))
    if any(end is not None and not is_number(end) for end in (low, high)):
        return None
    return Bounds(low, high, bounds.low_in, bounds.high_in)
