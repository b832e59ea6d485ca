"""How many people of the population are unique, estimated from a sample's class sizes.

Three models of how class sizes arise: Pitman's sampling formula (Hoshino 2001), Zayatz's reading of
the sample as a picture of the population (1991), and the shifted negative binomial (Chen and Keller-McNulty
1998). None is best everywhere; `population_uniques` chooses as Dankar et al. found by simulation.

References: Dankar, El Emam, Neisa, Roffey. Estimating the re-identification risk of clinical data sets. BMC Medical
Informatics and Decision Making 12:66, 2012.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, lgamma, log, log1p

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.risk.shifted_negative_binomial import shifted_negative_binomial

_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True)
class PopulationUniques:
    """The estimates of each model, in people; None where a model does not fit the sample."""

    population: int
    pitman: float
    zayatz: float
    snb: float | None
    chosen: str

    @property
    def estimate(self) -> float:
        """The number of population uniques by the model chosen."""
        return float(getattr(self, self.chosen))

    @property
    def share(self) -> float:
        """The share of the population that is unique."""
        return self.estimate / self.population


def population_uniques(sizes: IntArray, fraction: float) -> PopulationUniques:
    """Return the estimates for a sample with these class sizes that holds a `fraction` of the population.

    Chosen is Pitman up to a fraction of 0.1; above, the lower of SNB and Zayatz, Zayatz where SNB does not fit.
    """
    if not 0 < fraction <= 1:
        raise InputError(
            f"the sampling fraction is {fraction}; it must be above 0 and at most 1",
            code="audit.option",
            value=fraction,
        )
    if len(sizes) == 0:
        raise InputError(
            "the table holds no records: nothing can be estimated about its population", code="table.empty"
        )
    population = max(round(int(sizes.sum()) / fraction), int(sizes.sum()))
    by_pitman, by_zayatz = pitman(sizes, population), zayatz(sizes, population)
    by_snb = shifted_negative_binomial(sizes, population)
    above = "zayatz" if by_snb is None or by_snb > by_zayatz else "snb"
    chosen = "pitman" if fraction <= 0.1 else above
    return PopulationUniques(population, by_pitman, by_zayatz, by_snb, chosen)


def zayatz(sizes: IntArray, population: int) -> float:
    """Return the expected uniques if population classes are distributed like the sample's.

    Pr(unique in the population | unique in the sample) by Bayes' rule, with a class of i people giving
    exactly one to the sample by the hypergeometric distribution; times the sample uniques, blown up.
    """
    n = int(sizes.sum())
    if n >= population:
        return float((sizes == 1).sum())
    distinct, counts = np.unique(sizes, return_counts=True)
    whole = _log_choose(population, n)
    once = np.array(
        [
            exp(log(i) + _log_choose(population - i, n - 1) - whole) if population - i >= n - 1 else 0.0
            for i in map(int, distinct)
        ]
    )
    weighed = counts * once
    if distinct[0] != 1 or weighed.sum() == 0:
        return 0.0
    return float(weighed[0] / weighed.sum() * counts[0] * population / n)


def pitman(sizes: IntArray, population: int) -> float:
    """Return the expected uniques under Pitman's sampling formula."""
    theta, alpha = pitman_parameters(sizes)
    rising = log_rising(theta + alpha, population - 1) - log_rising(theta + 1, population - 1)
    return float(min(exp(log(population) + rising), population))


def pitman_parameters(sizes: IntArray) -> tuple[float, float]:
    """Return θ and α of Pitman's sampling formula by maximum likelihood.

    The likelihood is searched by golden section, α outside and θ + α on a logarithmic scale inside; class sizes
    enter through their histogram only, so the cost does not grow with the number of classes.
    """
    n, u = int(sizes.sum()), len(sizes)
    distinct, counts = np.unique(sizes, return_counts=True)

    def inner(alpha: float) -> tuple[float, float]:
        spread = sum(
            int(c) * (lgamma(int(s) - alpha) - lgamma(1 - alpha))
            for s, c in zip(distinct, counts, strict=True)
        )

        def likelihood(x: float) -> float:
            theta = exp(x) - alpha
            classes = (u - 1) * log(alpha) + log_rising(theta / alpha + 1, u - 1)
            return classes - log_rising(theta + 1, n - 1) + spread

        best = _greatest(likelihood, -12.0, 25.0)
        return likelihood(best), best

    alpha = _greatest(lambda a: inner(a)[0], 1e-4, 1 - 1e-4)
    return exp(inner(alpha)[1]) - alpha, alpha


def log_rising(x: float, n: int) -> float:
    """Return log(x·(x+1)…(x+n−1)), also where x is so large that two log-gammas would cancel."""
    if x < 1e5:
        return lgamma(x + n) - lgamma(x)
    return (x + n - 0.5) * log1p(n / x) + n * log(x) - n + 1 / (12 * (x + n)) - 1 / (12 * x)


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _greatest(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function with one peak is greatest, by golden section."""
    a, b = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_a, at_b = function(a), function(b)
    for _ in range(48):
        if at_a < at_b:
            low, a, at_a = a, b, at_b
            b = low + _GOLDEN * (high - low)
            at_b = function(b)
        else:
            high, b, at_b = b, a, at_a
            a = high - _GOLDEN * (high - low)
            at_a = function(a)
    return (low + high) / 2
