"""The shifted negative binomial model of population class sizes.

A class of the population holds F people, with F − 1 negative binomial of parameters (α, β). Each person is in the
sample with probability π, so the class shows S people there. With the generating function
G(z) = (β/(1 − (1−β)z))^α of F − 1, that of S is (q + πz)·G(q + πz), q = 1 − π, and its first coefficients
say how many sample classes of size 1 and 2 a population of K classes should give. K follows from the
population's size; α and β are found by matching the two counts.

References: Chen, Keller-McNulty. Estimation of identification disclosure risk in microdata. Journal of
Official Statistics 14(1), 1998.
"""

from __future__ import annotations

from math import exp, isfinite, log

import numpy as np

from kohort.arrays import FloatArray, IntArray

_STARTS = ((1.0, 0.5), (0.1, 0.1), (0.5, 0.05), (3.0, 0.9), (0.05, 0.01), (10.0, 0.99))


def shifted_negative_binomial(sizes: IntArray, population: int) -> float | None:
    """Return the expected number of population uniques; None where no parameters match the sample."""
    if int(sizes.sum()) >= population:
        return float((sizes == 1).sum())
    found = snb_parameters(sizes, population)
    if found is None:
        return None
    alpha, beta = found
    return float(min(snb_classes(alpha, beta, population) * beta**alpha, population))


def snb_parameters(sizes: IntArray, population: int) -> tuple[float, float] | None:
    """Return α and β that give the sample's classes of one and two people; None where none do."""
    n = int(sizes.sum())
    ones, twos = int((sizes == 1).sum()), int((sizes == 2).sum())
    if ones == 0 or twos == 0:
        return None
    seen = np.array([ones, twos], np.float64)
    for alpha, beta in _STARTS:
        found = _matched(seen, n / population, population, np.array([log(alpha), log(beta / (1 - beta))]))
        if found is not None:
            return _parameters(found)
    return None


def snb_classes(alpha: float, beta: float, population: int) -> float:
    """Return the number of classes of a population of so many people."""
    return population / (1 + alpha * (1 - beta) / beta)


def _matched(seen: FloatArray, share: float, population: int, point: FloatArray) -> FloatArray | None:
    """Return the point at which expected and seen counts agree, by damped Newton steps on their logarithms."""

    def miss(at: FloatArray) -> FloatArray:
        return np.log(np.maximum(_expected(*_parameters(at), share, population), 1e-300)) - np.log(seen)

    current = miss(point)
    for _ in range(200):
        if np.abs(current).max() < 1e-9:
            return point
        slope = np.column_stack(
            [(miss(point + step) - miss(point - step)) / 2e-6 for step in np.eye(2) * 1e-6]
        )
        if abs(np.linalg.det(slope)) < 1e-14:
            return None
        move = -np.linalg.solve(slope, current)
        move *= min(1.0, 2.0 / float(np.abs(move).max()))
        for damping in (1.0, 0.5, 0.25, 0.1, 0.02):
            after = miss(point + damping * move)
            if np.isfinite(after).all() and np.abs(after).sum() < np.abs(current).sum():
                point, current = point + damping * move, after
                break
        else:
            return None
        if np.abs(point).max() > 40:  # α or β run off to a limit: the model does not fit
            return None
    return None


def _parameters(point: FloatArray) -> tuple[float, float]:
    x, y = np.clip(point, -50, 50)
    return exp(x), 1 / (1 + exp(-y))


def _expected(alpha: float, beta: float, share: float, population: int) -> FloatArray:
    q = 1 - share
    rest = (1 - beta) / (1 - (1 - beta) * q)
    log_g = alpha * (log(beta) - log(1 - (1 - beta) * q))
    g = exp(log_g) if isfinite(log_g) else 0.0
    first, second = alpha * rest * g, alpha * (alpha + 1) * rest**2 * g
    k = snb_classes(alpha, beta, population)
    return np.array([k * share * (g + q * first), k * share**2 * (first + q * second / 2)])
