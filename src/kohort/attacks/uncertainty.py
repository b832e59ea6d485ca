"""Confidence intervals of a success rate: 95 %, two-sided."""

from __future__ import annotations

from math import atanh, sqrt, tanh

import numpy as np

from kohort.arrays import FloatArray, IntArray

Z = 1.959963984540054  # 97.5 % of the standard normal distribution lies below


def wilson(hits: float, n: int) -> tuple[float, float] | None:
    """Return Wilson's score interval of a share; None for no trials.

    References: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
    """
    if n <= 0:
        return None
    share = hits / n
    middle = share + Z * Z / (2 * n)
    half = Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def bootstrap(values: FloatArray, counts: IntArray, draws: int = 1000) -> tuple[float, float] | None:
    """Return the percentile bootstrap interval of the mean of `values`, each held by `counts` people.

    The generator is seeded: the same release has the same interval.
    """
    n = int(counts.sum())
    if n == 0:
        return None
    generator = np.random.default_rng(20260101)
    means = generator.multinomial(n, counts / n, size=draws) @ values / n
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def fisher(correlation: float, n: int) -> tuple[float, float] | None:
    """Return the interval of the size of a correlation by Fisher's z; None for fewer than four pairs."""
    if n < 4:
        return None
    z = atanh(min(abs(correlation), 1 - 1e-12))
    half = Z / sqrt(n - 3)
    return max(0.0, tanh(z - half)), tanh(z + half)
