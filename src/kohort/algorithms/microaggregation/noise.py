"""Whole-number Laplace noise."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from kohort.arrays import FloatArray, IntArray


def discrete_laplace(scale: float, n: int, seed: Sequence[int] | None) -> IntArray:
    """Return n whole numbers x with probability proportional to exp(-|x| / scale).

    Each is the difference of two geometric numbers, drawn by inversion from 53 random bits; the bits are the
    operating system's unless a seed is given. A sum of whole numbers that moves by Δ at most, with such
    noise of scale Δ/ε, is ε-differentially private.
    """
    one, other = (_uniforms(n, None if seed is None else [*seed, side]) for side in (0, 1))
    return np.asarray(_geometric(one, scale) - _geometric(other, scale))


def _geometric(uniform: FloatArray, scale: float) -> IntArray:
    return np.floor(-np.log(uniform) * scale).astype(np.int64)


def _uniforms(n: int, seed: Sequence[int] | None) -> FloatArray:
    """Return n numbers in (0, 1], multiples of 2^-53."""
    if seed is None:
        bits = np.frombuffer(os.urandom(8 * n), np.uint64)
    else:
        bits = np.random.default_rng(seed).integers(0, 2**64, n, np.uint64)
    return np.asarray(((bits >> np.uint64(11)) + np.uint64(1)) * 2.0**-53)
