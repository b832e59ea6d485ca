"""Which numbers the rounding of a plan can write for a mean, and which means each of them stands for."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from kohort.hierarchy import Hierarchy
from kohort.hierarchy.grid import mean_points
from kohort.hierarchy.scale import Pitch

Exact: TypeAlias = Fraction | float  # a float is infinite
Means: TypeAlias = tuple[Exact, Exact]  # from the least to the greatest
Form: TypeAlias = Callable[[Fraction], Means | None]  # None of a number that is never written


def form_of(hierarchy: Hierarchy, decimals: int | None) -> Form | None:
    """Return which means a released number stands for: by declared decimals, else by the grid; None where nothing is declared."""
    if decimals is not None:
        return _steps(Fraction(0), Fraction(1, 10**decimals), None, None)
    if hierarchy.pitch is not None and not hierarchy.declared:
        return _pitch(hierarchy.pitch)
    ends = mean_points(hierarchy)
    return None if ends is None else _ends(ends)


def _pitch(pitch: Pitch) -> Form:
    low, high = (None if end is None else Fraction(end) for end in (pitch.low, pitch.high))
    return _steps(Fraction(pitch.origin), Fraction(pitch.width), low, high)


def _steps(origin: Fraction, width: Fraction, low: Fraction | None, high: Fraction | None) -> Form:
    """Return the form of whole steps from an origin, as far as where open ends begin."""

    def means(number: Fraction) -> Means | None:
        if number not in (low, high) and ((number - origin) / width).denominator > 1:
            return None
        if (low is not None and number < low) or (high is not None and number > high):
            return None
        least = -math.inf if number == low else number - width / 2
        return least, math.inf if number == high else number + width / 2

    return means


def _ends(ends: Sequence[str]) -> Form:
    """Return the form of the ends of cells: the nearest stands for a mean."""
    points = sorted({Fraction(Decimal(end)) for end in ends})

    def means(number: Fraction) -> Means | None:
        i = bisect_left(points, number)
        if i == len(points) or points[i] != number:
            return None
        least = -math.inf if i == 0 else (points[i - 1] + number) / 2
        return least, math.inf if i == len(points) - 1 else (number + points[i + 1]) / 2

    return means
