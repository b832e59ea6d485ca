"""`Proportions`: weights as numbers up to 1, the same whatever number they are all multiplied with."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import frexp, inf, lcm, ldexp, nextafter
from sys import float_info

import numpy as np

from kohort.arrays import FloatArray
from kohort.errors import InputError
from kohort.models.threshold import rational

_MOST = 2**32  # of the whole numbers in whose ratio weights are: sums of 2^21 such stay exact
_SAME = Fraction(1, 2**50)  # relative: weights that differ by less do so by rounding
_DIGITS = 48  # binary, of weights in no such ratio
_LEAST = Fraction(1, 2**1000)  # of the greatest weight: less is nothing beside it


@dataclass(frozen=True, eq=False)
class Proportions:
    """What searches use in the place of weights, so that no threshold of theirs depends on how large these are.

    The greatest lies above 1/2 and is 1 at most. Weights in the ratio of small whole numbers become these numbers over a
    power of 2, so that sums of them are exact and ties are ties.
    """

    weights: FloatArray
    unit: Fraction  # the weight, as written, that 1 stands for
    least: Fraction  # every weight is at least this times what stands for it, which is 1 or hardly less
    kept: bool  # whether every weight above 0 is above 0 here
    step: Fraction  # the greatest number that all are whole multiples of; 0 where they are in no ratio of small numbers

    @classmethod
    def of(cls, given: FloatArray) -> Proportions:
        """Return the proportions of weights, read as the decimals they are written as.

        >>> Proportions.of(np.array([3e-10, 1e-10])).weights
        array([0.75, 0.25])
        """
        weights = np.array(given, np.float64)
        greatest = float(weights.max(initial=0.0))
        if not 0 < greatest < inf or not (weights >= 0).all():  # `shares` refuses them, by name
            return cls(weights, Fraction(1), Fraction(1), True, Fraction(1))
        held = [rational(float(weight)) for weight in weights]
        ratios = [weight / max(held) for weight in held]
        simple = [_simple(ratio) for ratio in ratios]
        scale = lcm(*(ratio.denominator for ratio in simple if ratio is not None))
        if None in simple or scale > _MOST:
            stand, step = [_rounded(ratio) for ratio in ratios], Fraction(0)
        else:
            step = Fraction(1, 1 << (scale - 1).bit_length())
            stand = [float((ratio or 0) * scale * step) for ratio in simple]
        unit = max(held) / Fraction(max(stand))
        return cls(
            weights=np.array(stand),
            unit=unit,
            least=min(weight / (unit * Fraction(w)) for weight, w in zip(held, stand, strict=True) if w),
            kept=all(w > 0 for weight, w in zip(held, stand, strict=True) if weight),
            step=step,
        )

    def told(self, amount: float) -> float:
        """Return a sum of these as one of the weights that a plan gives; raises where no number can hold it."""
        told = self.unit * Fraction(amount)
        if told > Fraction(float_info.max):
            raise InputError(
                "[columns] weight: the cost of all cells together exceeds what numbers can hold; weights count in "
                "proportion to each other, so give smaller ones",
                code="metric.overflow",
                option="weight",
            )
        return float(told)

    def told_below(self, amount: float, exact: bool) -> float:
        """Return what a sum of the plan's weights is not less than, where it is not of these; `exact`: summed without rounding."""
        bound = self.unit * self.least * Fraction(amount) * (1 if exact else 1 - Fraction(1, 2**30))
        near = float(bound)
        return near if rational(near) <= bound else nextafter(near, -inf)


def _simple(ratio: Fraction) -> Fraction | None:
    """Return the ratio of small numbers that this one is but for rounding: a convergent of its continued fraction."""
    (p, before_p), (q, before_q) = (1, 0), (0, 1)
    left = ratio
    while True:
        whole = left.numerator // left.denominator
        (p, before_p), (q, before_q) = (whole * p + before_p, p), (whole * q + before_q, q)
        if q > _MOST:
            return None
        if abs(Fraction(p, q) - ratio) <= _SAME * ratio:
            return Fraction(p, q)
        left = 1 / (left - whole)


def _rounded(ratio: Fraction) -> float:
    if ratio < _LEAST:
        return 0.0
    digits, exponent = frexp(float(ratio))
    return ldexp(round(ldexp(digits, _DIGITS)), exponent - _DIGITS)
