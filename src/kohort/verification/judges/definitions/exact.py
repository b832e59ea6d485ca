"""Comparison with a threshold that is written as a decimal: in whole numbers, never by rounding."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray

_INT64 = 2**63 - 1
NEAR = 1e-9  # relative: nearer to a threshold than this, logarithms are taken to `DIGITS`
DIGITS = 60


def written(number: float) -> Fraction:
    """Return a parameter as the decimal that was written: 0.3 is 3/10."""
    return Fraction(Decimal(repr(number)))


def whole(numbers: IntArray, most: int) -> IntArray:
    """Return whole numbers that can be reckoned with up to `most`: of 64 bits, or Python's own."""
    return numbers.astype(np.int64 if most <= _INT64 else object)


def above(numerators: IntArray, denominators: IntArray, bound: Fraction) -> BoolArray:
    """Return where numerator / denominator is greater than the bound; there are some, and no negative denominators."""
    p, q = bound.numerator, bound.denominator
    most = max(_most(numerators) * q, _most(denominators) * abs(p))
    return np.asarray(whole(numerators, most) * q > whole(denominators, most) * p, np.bool_)


def greatest_ratio(numerators: IntArray, denominators: IntArray) -> float:
    """Return the greatest numerator / denominator; there must be some."""
    return float(np.asarray(numerators / denominators, np.float64).max())


def near(values: FloatArray, bounds: FloatArray | float) -> IntArray:
    """Return the places of values that are too near to their bounds for floating point."""
    close = np.abs(values - bounds) <= NEAR * np.maximum(np.abs(bounds), 1e-300)
    return np.flatnonzero(close)


def logarithm(ratio: Fraction) -> Decimal:
    """Return the natural logarithm of a ratio above zero, to many digits."""
    with localcontext() as context:
        context.prec = DIGITS
        return Decimal(ratio.numerator).ln() - Decimal(ratio.denominator).ln()


def _most(numbers: IntArray) -> int:
    return max(abs(int(numbers.max())), abs(int(numbers.min())))
