"""Whole-number Laplace noise, drawn exactly: no float, no largest number, no seed."""

from __future__ import annotations

import secrets
from fractions import Fraction


def discrete_laplace(scale: Fraction) -> int:
    """Return a whole number x with probability proportional to exp(-|x| / scale), exactly.

    The method is rejection with whole numbers only: of a scale t/s a remainder u below t is kept with
    probability exp(-u/t), v more times t are added with probability exp(-v), and the sum is divided by s.
    Every step compares whole numbers of the operating system's generator, which is never seeded: noise that
    can be drawn again can be taken off again. Numbers may have any size. A draw takes a few steps on average,
    whatever the scale.

    A whole number that moves by Δ at most between neighbouring tables, with such noise of scale Δ/ε, is
    ε-differentially private.

    References: Canonne, C., Kamath, G., Steinke, T. The Discrete Gaussian for Differential Privacy.
    NeurIPS 2020, algorithms 1 and 2. Mironov, I. On significance of the least significant bits for
    differential privacy. CCS 2012 (what floats would betray).
    """
    t, s = scale.numerator, scale.denominator
    while True:
        remainder = secrets.randbelow(t)
        if not _happens(remainder, t):
            continue
        size = (remainder + t * _turns()) // s
        negative = secrets.randbelow(2) == 1
        if not (negative and size == 0):  # else zero would be drawn twice as often as it should be
            return -size if negative else size


def _happens(numerator: int, denominator: int) -> bool:
    """Return True with probability exp(-numerator/denominator), of a fraction from 0 to 1.

    The terms of the exponential series alternate: it is the probability that an odd number of draws passes.
    """
    draws = 1
    while secrets.randbelow(denominator * draws) < numerator:
        draws += 1
    return draws % 2 == 1


def _turns() -> int:
    """Return v with probability proportional to exp(-v)."""
    turns = 0
    while _happens(1, 1):
        turns += 1
    return turns
