"""What a simple random sample tells of its population, whatever that is.

Somebody of the population is in the sample with probability π, and not with q = 1 − π. φ_j classes of the sample hold
j people; a class of f there holds F in the population. Three identities need no model of F:

- a class of the population shows π·F people on average, so Σ f/F over the sample's classes is π·K on average, K being the
  number of the population's classes: the mean of 1/F over the sample's people is K/N;
- (F − f)·Pr(f) = (f+1)·Pr(f+1)·q/π, so those of φ_f have F = f + (f+1)·φ_{f+1}·q/(π·φ_f) on average (Good), and by Jensen
  a mean of 1/F of at least one over that; for the unseen classes it says φ₀ ≥ φ₁²/(2φ₂ + φ₁·π/q) (Chao and Lin);
- φ₁ is Σ F·π·q^(F−1) on average, so K is at most φ₁/π + φ₂ + φ₃ + … (Charikar et al.), and the classes of one are between
  φ₁/π − 2q·φ₂/π² and φ₁/π.

Counts are sums of independent chances, so limits for a Poisson count hold for them. Errors are shared out: 2.5 % on each
side of an interval, divided by the number of counts that it rests on.

References: Good. The population frequencies of species and the estimation of population parameters. Biometrika 40, 1953. Chao,
Lin. Nonparametric lower bounds for species richness under sampling without replacement. Biometrics 68, 2012. Charikar, Chaudhuri,
Motwani, Narasayya. Towards estimation error guarantees for distinct values. PODS 2000.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from kohort.arrays import FloatArray, IntArray

ONE, HALF, THIRD = 1.960, 2.242, 2.394  # normal quantiles of 2.5 %, 1.25 % and 0.83 % in one tail
WRONG = 0.05  # that some class of all is smaller than told


@dataclass(frozen=True)
class Interval:
    """Two ends between which a figure lies with a confidence of 95 %."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, eq=False)
class Sample:
    """The class sizes of a simple random sample."""

    sizes: IntArray  # people of each class
    fraction: float  # of the population

    @property
    def people(self) -> int:
        """The people of the sample."""
        return int(self.sizes.sum())

    @property
    def population(self) -> int:
        """The people of the population."""
        return max(round(self.people / self.fraction), self.people)

    @property
    def smallest(self) -> int:
        """The size of the smallest class."""
        return int(self.sizes.min())

    def classes_of(self, size: int) -> int:
        """Return how many classes hold so many people."""
        return int((self.sizes == size).sum())


def average_risk(sample: Sample) -> Interval:
    """Return the 95 % interval of the mean of 1/F over the people of the sample.

    Where no class of one is left, classes may have been formed or left out by their size; then the upper end is
    that of all classes at once, which no selection upsets.
    """
    n, share, rest = sample.people, sample.fraction, 1 - sample.fraction
    surely = len(sample.sizes) / n  # F is at least f
    if not rest:
        return Interval(surely, surely)
    ones = sample.classes_of(1)
    spread = float((1 / sample.sizes).sum())  # Σ f/F varies by no more than that about π·K
    seen = share * (len(sample.sizes) + _unseen(sample)) - THIRD * sqrt(spread)
    if ones:
        most = ones + share * (len(sample.sizes) - ones) + ONE * sqrt(spread + share**2 * len(sample.sizes))
    else:
        sizes, counts = np.unique(sample.sizes, return_counts=True)
        most = float((counts * sizes / fewest_faced(sizes, sample)).sum())
    high = min(most / n, surely)
    return Interval(min(max(seen / n, 1 / sample.population), high), high)


def risk_of_size(sample: Sample, size: int) -> Interval:
    """Return the 95 % interval of the mean of 1/F over the people in classes of `size`."""
    if sample.fraction == 1:
        return Interval(1 / size, 1 / size)
    classes = sample.classes_of(size)
    odds = (1 - sample.fraction) / sample.fraction
    further = (size + 1) * _above(sample.classes_of(size + 1), THIRD) * odds
    mean = 1 / (size + further / max(_below(classes, THIRD), 1e-9))
    low = mean - THIRD * sqrt(mean / size / classes)
    high = float(1 / fewest_faced(np.array([size]), sample)[0])
    return Interval(min(max(low, 1 / sample.population), high), high)


def fewest_faced(sizes: IntArray, sample: Sample) -> FloatArray:
    """Return how many people classes of these sizes have in the population at least, all at once with 95 % confidence.

    The least F for which as many as f of F come into the sample with a chance of WRONG/N, by Chernoff's bound on
    it: exp(−F·KL(f/F, π)). There are no more than N classes, so none is smaller with 95 %, however one is chosen.
    """
    share, rare = sample.fraction, log(sample.population / WRONG)
    if share == 1:
        return sizes.astype(np.float64)
    low, high = sizes.astype(np.float64), sizes / share
    for _ in range(60):
        middle = (low + high) / 2
        too_few = _chernoff(sizes, middle, share) > rare
        low, high = np.where(too_few, middle, low), np.where(too_few, high, middle)
    return np.maximum(np.ceil(low - 1e-9), sizes)


def population_uniques_between(sample: Sample) -> Interval:
    """Return the 95 % interval of the number of people who are unique in the population."""
    ones, twos, share = sample.classes_of(1), sample.classes_of(2), sample.fraction
    if share == 1:
        return Interval(ones, ones)
    low = _below(ones, HALF) / share - 2 * (1 - share) * _above(twos, HALF) / share**2
    return Interval(max(low, 0.0), min(_above(ones, ONE) / share, float(sample.population)))


def _unseen(sample: Sample) -> float:
    """Return how many classes of the population are not in the sample at least, with 98.3 % confidence."""
    ones, twos = _below(sample.classes_of(1), THIRD), _above(sample.classes_of(2), THIRD)
    return ones**2 / (2 * twos + ones * sample.fraction / (1 - sample.fraction)) if ones else 0.0


def _chernoff(sizes: IntArray, faced: FloatArray, share: float) -> FloatArray:
    """Return F·KL(f/F, π)."""
    left_out = np.maximum(faced - sizes, 0)
    beside = np.where(
        left_out > 0, left_out * np.log(np.maximum(left_out, 1e-300) / (faced * (1 - share))), 0.0
    )
    return np.asarray(sizes * np.log(sizes / (faced * share)) + beside)


def _above(count: int, z: float) -> float:
    """Return the upper limit of the mean of a Poisson count, by Wilson and Hilferty."""
    more = count + 1
    return float(more * (1 - 1 / (9 * more) + z / (3 * sqrt(more))) ** 3)


def _below(count: int, z: float) -> float:
    """Return its lower limit."""
    return float(count * max(1 - 1 / (9 * count) - z / (3 * sqrt(count)), 0.0) ** 3) if count else 0.0
