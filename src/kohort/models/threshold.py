"""The one way in which measured quantities are compared with a promise's threshold.

A class that meets its promise exactly must pass, and one that misses it by the least amount must not,
whatever the rounding of floating point. So quantities that are ratios of counts are compared in whole
numbers, with the threshold read as the decimal that was written (0.3 is 3/10, not the binary number next
to it). Quantities with logarithms are compared in floating point where they are clear of the threshold;
a value within `NEAR` of it is settled by an exact test, or by logarithms to fifty digits, and so are sums too large for
whole numbers of 64 bits: by Python's. Nothing is granted.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray

NEAR = 1e-9  # relative: closer to the threshold than this, floating point does not decide
_INT64 = 2**63 - 1
DIGITS = 50


def rational(number: float | Fraction) -> Fraction:
    """Return the number as the decimal it is written as.

    >>> rational(0.3)
    Fraction(3, 10)
    """
    return Fraction(repr(float(number))) if isinstance(number, float) else Fraction(number)


def compared(numerators: IntArray, denominators: IntArray, bound: Fraction) -> IntArray:
    """Return the sign of numerator/denominator − bound, exactly; a denominator of 0 makes an infinite ratio.

    Complexity: one vector operation where the products fit into 64 bits; otherwise floating point, and
    Python's whole numbers for the few ratios near the bound.
    """
    if len(numerators) == 0:
        return np.zeros(0, np.int8)
    p, q = bound.numerator, bound.denominator
    most_left = int(np.abs(numerators).max()) * q
    most_right = int(np.abs(denominators).max()) * abs(p)
    if most_left <= _INT64 and most_right <= _INT64:
        left, right = numerators * np.int64(q), denominators * np.int64(p)
        return np.asarray((left > right).astype(np.int8) - (left < right))
    signs: IntArray = np.zeros(len(numerators), np.int8)
    left_f, right_f = numerators.astype(np.float64) * q, denominators.astype(np.float64) * p
    signs[left_f > right_f] = 1
    signs[left_f < right_f] = -1
    near = np.abs(left_f - right_f) <= NEAR * np.maximum(np.abs(left_f), np.abs(right_f))
    for i in np.flatnonzero(near):
        exact_left, exact_right = int(numerators[i]) * q, int(denominators[i]) * p
        signs[i] = (exact_left > exact_right) - (exact_left < exact_right)
    return signs


def at_most(numerators: IntArray, denominators: IntArray, bound: Fraction) -> BoolArray:
    """Return where numerator/denominator ≤ bound, exactly."""
    return compared(numerators, denominators, bound) <= 0


def below(numerators: IntArray, denominators: IntArray, bound: Fraction) -> BoolArray:
    """Return where numerator/denominator < bound, exactly."""
    return compared(numerators, denominators, bound) < 0


def at_least(values: FloatArray, bound: float, settle: Callable[[int], bool]) -> BoolArray:
    """Return where value ≥ bound; `settle(i)` decides the values too near to it for floating point."""
    reached = values >= bound
    for i in np.flatnonzero(np.abs(values - bound) <= NEAR * max(abs(bound), 1e-300)):
        reached[i] = settle(int(i))
    return np.asarray(reached)


def logarithm(number: Fraction) -> Decimal:
    """Return the natural logarithm to fifty digits, for what floating point cannot tell from its threshold."""
    with localcontext(prec=DIGITS):
        return Decimal(number.numerator).ln() - Decimal(number.denominator).ln()
