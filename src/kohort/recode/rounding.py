"""Means without the digits that people have: rounded to declared decimals or to the grid, on the exact fraction."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.grid import mean_points
from kohort.hierarchy.scale import Pitch

_DIGITS = (
    4000  # more than a number that is read (400 signs, a power of at most 999) times the units of another has
)


def rounding(name: str, hierarchy: Hierarchy, decimals: int | None) -> Callable[[Fraction], str]:
    """Return how means of an attribute are rounded: to its decimals, or to the nearest end of a cell of its grid."""
    if decimals is not None:
        return lambda mean: rounded_to(mean, decimals)
    if hierarchy.days is None and hierarchy.pitch is not None and not hierarchy.declared:
        return _to_pitch(hierarchy.pitch)
    ends = mean_points(hierarchy)
    if ends is not None:
        return _to_ends(ends)
    raise InputError(
        f"column {name!r}: its means would be told to the last digit, for nothing declares how they are rounded; set "
        '[recode.options] decimals, or give it a hierarchy with widths or a domain (kind = "intervals")',
        code="algorithm.undeclared",
        option="decimals",
        column=name,
    )


def _to_pitch(pitch: Pitch) -> Callable[[Fraction], str]:
    """Return the rounding to whole widths from the origin, up to where open ends begin, whether anybody stands beyond or not."""
    origin, width = Fraction(pitch.origin), Fraction(pitch.width)
    low, high = (None if end is None else Fraction(end) for end in (pitch.low, pitch.high))
    places = max(
        _places(own) for own in (pitch.origin, pitch.width, pitch.low, pitch.high) if own is not None
    )

    def rounded(mean: Fraction) -> str:
        point = origin + round((mean - origin) / width) * width
        if low is not None:
            point = max(point, low)
        if high is not None:
            point = min(point, high)
        text = rounded_to(point, places)
        return text.rstrip("0").rstrip(".") if "." in text else text

    return rounded


def _to_ends(ends: Sequence[str]) -> Callable[[Fraction], str]:
    """Return the rounding to the nearest declared value, or to the nearest declared end of a label."""
    texts = {Fraction(Decimal(end)): end for end in ends}
    points = sorted(texts)
    return lambda mean: texts[_nearest(points, mean)]


def _nearest(points: list[Fraction], mean: Fraction) -> Fraction:
    """Return the point nearest the mean; of two equally near the one that stands at an even place."""
    right = min(bisect_left(points, mean), len(points) - 1)
    left = max(right - 1, 0)
    below, above = abs(mean - points[left]), abs(points[right] - mean)
    return points[left] if below < above or (below == above and left % 2 == 0) else points[right]


def decimals_of(hierarchy: Hierarchy) -> int:
    """Return the most decimals that a ground value has."""
    return max([0, *(_places(Decimal(text)) for text in hierarchy.numerals() if text is not None)])


def _places(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    return max(-exponent, 0)


def as_integers(hierarchy: Hierarchy) -> tuple[int, list[int]]:
    """Return the ground values as whole multiples of 1/units, and units; missing as 0."""
    units = 10 ** decimals_of(hierarchy)
    with localcontext(prec=_DIGITS):
        return units, [0 if text is None else int(Decimal(text) * units) for text in hierarchy.numerals()]


def integer_sums(numerators: list[int], ground: IntArray, bounds: IntArray) -> list[int]:
    """Return the exact sum of the numbers from each bound to the next."""
    if max(map(abs, numerators)) < 2**62 // max(len(ground), 1):
        sums = np.append(0, np.cumsum(np.array(numerators, np.int64)[ground]))
        return [int(total) for total in sums[bounds[1:]] - sums[bounds[:-1]]]
    held = ground.tolist()
    return [sum(numerators[code] for code in held[a:b]) for a, b in pairwise(bounds)]


def rounded_to(mean: Fraction, places: int) -> str:
    """Return the mean to that many decimals, half to even; zero has no sign."""
    return f"{Decimal(f'{round(mean * 10**places)}e-{places}'):f}"
