"""How sure a success rate is, and how far chance alone takes it: 95 %, two-sided."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp, sqrt
from typing import NamedTuple

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.evidence.grain import significant_above

Z = 1.959963984540054  # 97.5 % of the standard normal distribution lies below
POWER = (Z + 0.8416212335729143) / Z  # a rise of so many margins is found four times in five
SHUFFLES = 10
STUDENT = 2.2621571628540993  # 97.5 % of Student's t with SHUFFLES - 1 degrees of freedom


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


def by_chance(draws: Sequence[float]) -> tuple[float, float]:
    """Return the mean of a figure over SHUFFLES shuffles, and how far another shuffle strays from it.

    The margin is that of a prediction: it knows that mean and spread were estimated from few draws.
    """
    if len(draws) != SHUFFLES:
        raise ValueError(f"{SHUFFLES} shuffles are asked for, not {len(draws)}")
    spread = float(np.std(draws, ddof=1))
    return float(np.mean(draws)), STUDENT * spread * sqrt(1 + 1 / SHUFFLES)


def chance_margin(chances: FloatArray, weights: FloatArray | None = None) -> float:
    """Return how far a mean of independent hits strays from its expectation; a hit weighs 1 unless told."""
    if not len(chances):
        return 0.0
    heavy = np.ones(len(chances)) if weights is None else weights
    return Z * sqrt(max(0.0, float((heavy**2 * chances * (1 - chances)).sum()))) / float(heavy.sum())


class Chance(NamedTuple):
    """What an attack reaches where nothing can be right by knowledge, and how far chance takes it (95 %)."""

    control: float
    margin: float
    spread: float


def beside(elses: float, mean: float, spread: float) -> Chance:
    """Return the control where two are at hand: with the class of somebody else, and on values dealt anew.

    The lesser of the two is the control. Dealt anew, classes still show by chance what they would show by knowledge:
    success counts as more than chance only beyond what that comes to.
    """
    control = min(elses, mean)
    return Chance(control, max(0.0, mean + spread - control), spread)


def beside_shuffles(elses: float, draws: Sequence[float], unit: float = 0.0) -> Chance:
    """Return the same, where values are dealt anew by shuffling.

    `unit` is what one class adds: few shuffles do not see what happens to one class now and then, so chance goes as far
    as such rare hits do at least.
    """
    mean, spread = by_chance(draws)
    return beside(elses, mean, max(spread, unit, rare_margin(mean, mean * unit, 1)))


def rare_margin(first: float, second: float, n: int) -> float:
    """Return how far a mean of n rare hits of different worth strays above its expectation.

    `first` and `second` are the sums of chance × worth and chance × worth². Hits are Poisson: where few are expected,
    the normal distribution would take three for a find too often.
    """
    if second <= 0 or n <= 0:
        return 0.0
    expected, worth = first**2 / second, second / first
    return max(0.0, _poisson_limit(expected) - expected) * worth / n


def _poisson_limit(expected: float) -> float:
    """Return the number of hits that is passed by chance at most once in forty times."""
    if expected > 50:
        return expected + Z * sqrt(expected)
    hits, chance = 0, exp(-expected)
    reached = chance
    while reached < 0.975:
        hits += 1
        chance *= expected / hits
        reached += chance
    return float(hits)


def per_cent(share: float) -> str:
    """Return a share in per cent; 0 and 100 are said of nothing and of all only.

    >>> per_cent(0.385), per_cent(0.0), per_cent(0.0001), per_cent(0.9999)
    ('38.5%', '0.0%', 'less than 0.1%', 'more than 99.9%')
    """
    if 0 < share < 0.0005:
        return "less than 0.1%"
    return "more than 99.9%" if 0.9995 <= share < 1 else f"{share:.1%}"


def up(share: float) -> str:
    """Return a bound in per cent, rounded up.

    >>> up(0.0241), up(0.2), up(1 / 3)
    ('2.5%', '20.0%', '33.4%')
    """
    return f"{ceil(share * 1000 - 1e-9) / 10:.1f}%"


def at_most(share: float) -> float:
    """Return a bound to six digits, rounded up.

    >>> at_most(1 / 3), at_most(0.2), at_most(0.1 + 0.2)
    (0.333334, 0.2, 0.3)
    """
    return min(1.0, significant_above(share, 6))
