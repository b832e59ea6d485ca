"""The journalist's risk where the table is a sample: an estimate of E[1/F] with its interval.

A class of f people in a sample of a share π does not stand for f/π people: whoever is unique in a sample is often
unique in the population. So 1/F is estimated under a model of the population that is fitted to the class sizes:
Pitman's sampling formula up to a fraction of 0.1, the shifted negative binomial above, as for population uniques. The
interval needs no model (`counts_of_counts`). A model whose estimate lies outside it contradicts the sample, and is not told.

References: Skinner, Elliot. A measure of disclosure risk for microdata. JRSS B 64(4), 2002. Favaro, Lijoi, Mena, Prünster. Bayesian
non-parametric inference for species variety with a two-parameter Poisson–Dirichlet process prior. JRSS B 71(5), 2009.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import ceil, exp
from typing import Any

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.errors import InputError
from kohort.risk.counts_of_counts import (
    Interval,
    Sample,
    average_risk,
    fewest_faced,
    population_uniques_between,
    risk_of_size,
)
from kohort.risk.population import log_rising, pitman_parameters, population_uniques
from kohort.risk.shifted_negative_binomial import snb_classes, snb_parameters

FEW = 0.1  # sampling fractions up to here: Pitman first
TERMS = 1_000_000  # of a sum over F: what is left out is below a millionth


@dataclass(frozen=True)
class Modelled:
    """What a model says of the means of 1/F."""

    model: str
    average: float  # over everybody in the table
    smallest: float  # over the people of the smallest classes


def sampling_facts(sizes: IntArray, fraction: float) -> dict[str, Any]:
    """Return the estimates for a table with these class sizes that holds a `fraction` of the population."""
    check_fraction(fraction)
    if len(sizes) == 0:
        return {"left_out": "no class is left to estimate from"}
    sample = Sample(sizes, fraction)
    models = _models(sample)
    smallest = sample.smallest
    return {
        "people": sample.population,
        "sampled": {
            "average": _told(sample.people, average_risk(sample), [(m.model, m.average) for m in models]),
            "smallest": _told(
                sample.classes_of(smallest) * smallest,
                risk_of_size(sample, smallest),
                [(m.model, m.smallest) for m in models],
            ),
            "smallest_class": smallest,
            "at_most": float(1 / fewest_faced(np.array([smallest]), sample)[0]),
        },
        "estimates": _uniques(sample),
    }


def check_fraction(fraction: float) -> None:
    """Refuse what is no share of a population."""
    if not 0 < fraction <= 1:
        raise InputError(
            f"the sampling fraction is {fraction}; it must be above 0 and at most 1 (the share of the "
            "population that the table holds)",
            code="audit.option",
            value=fraction,
        )


def _told(people: int, interval: Interval, estimates: list[tuple[str, float]]) -> dict[str, Any]:
    """Return an interval, and the estimate of the first model that agrees with it."""
    model, estimate = next(((m, e) for m, e in estimates if e in interval), (None, None))
    return {"people": people, "estimate": estimate, "model": model, **asdict(interval)}


def _uniques(sample: Sample) -> dict[str, Any]:
    found, interval = population_uniques(sample.sizes, sample.fraction), population_uniques_between(sample)
    agrees = found.estimate in interval
    return {
        **asdict(found),
        "estimate": found.estimate if agrees else None,
        "share": found.share if agrees else None,
        **asdict(interval),
    }


def _models(sample: Sample) -> list[Modelled]:
    """Return what each model says, the one to be preferred first; none where no class of one is there to fit it to."""
    if sample.fraction == 1:
        exact = len(sample.sizes) / sample.people
        return [Modelled("none needed", exact, 1 / sample.smallest)]
    if not sample.classes_of(1):
        return []
    by_pitman, by_snb = _pitman(sample), _snb(sample)
    told = [by_pitman, by_snb] if sample.fraction <= FEW else [by_snb, by_pitman]
    return [model for model in told if model is not None]


def _pitman(sample: Sample) -> Modelled:
    """Return the means under Pitman's formula: further people join a class of f as balls of an urn with f − α.

    So F − f is beta-binomial (N − n; f − α, θ + n − f + α), and K has a closed form.
    """
    theta, alpha = pitman_parameters(sample.sizes)
    n, u, more = sample.people, len(sample.sizes), sample.population - sample.people
    grown = log_rising(theta + n + alpha, more) - log_rising(theta + n, more)
    classes = u + (u + theta / alpha) * (exp(grown) - 1)
    f = sample.smallest
    a, b = f - alpha, theta + n - f + alpha
    x = np.arange(_terms(sample.fraction, more, f), dtype=np.float64)
    steps = np.log(more - x) + np.log(a + x) - np.log(x + 1) - np.log(b + more - x - 1)
    average = min(classes / sample.population, u / n)  # F is at least f
    return Modelled("pitman", average, _mean_of_inverse(f, steps))


def _snb(sample: Sample) -> Modelled | None:
    """Return the means under the shifted negative binomial, by Bayes' rule over F; None where it does not fit."""
    found = snb_parameters(sample.sizes, sample.population)
    if found is None:
        return None
    alpha, beta = found
    f, more = sample.smallest, sample.population - sample.people
    faced = f + np.arange(_terms(sample.fraction, more, f), dtype=np.float64)
    unseen = faced - f
    steps = (np.log(alpha + faced - 1) - np.log(faced) + np.log(faced + 1) - np.log(unseen + 1)) + np.log(
        (1 - beta) * (1 - sample.fraction)
    )
    average = snb_classes(alpha, beta, sample.population) / sample.population
    return Modelled("snb", average, _mean_of_inverse(f, steps))


def _terms(fraction: float, more: int, size: int) -> int:
    """Return how many values of F − f to sum over: far into the tail, which falls off by π with each."""
    return max(min(more, ceil((2 * size + 60) / fraction), TERMS), 1)


def _mean_of_inverse(size: int, steps: FloatArray) -> float:
    """Return the mean of 1/F, F = size + x, where `steps` are the logarithms of Pr(x + 1)/Pr(x)."""
    logs = np.concatenate([[0.0], np.cumsum(steps[:-1])])
    weights = np.exp(logs - logs.max())
    return float((weights / (size + np.arange(len(weights)))).sum() / weights.sum())
