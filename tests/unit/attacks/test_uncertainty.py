"""Intervals against scipy and on their edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, norm, poisson, t

from kohort.attacks.uncertainty import (
    POWER,
    SHUFFLES,
    STUDENT,
    beside_shuffles,
    bootstrap,
    by_chance,
    chance_margin,
    rare_margin,
    up,
    wilson,
)


@pytest.mark.parametrize(("hits", "n"), [(0, 5), (5, 5), (3, 9), (385, 1000), (1, 30000)])
def test_wilson_is_scipys(hits, n):
    expected = binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson(hits, n) == pytest.approx((expected.low, expected.high))


def test_no_trials_have_no_interval():
    assert wilson(0, 0) is None
    assert bootstrap(np.zeros(1), np.zeros(1, np.int64)) is None
    assert chance_margin(np.zeros(0)) == 0
    assert rare_margin(0.0, 0.0, 0) == 0


def test_the_bootstrap_is_the_same_each_time_and_near_the_normal_interval():
    values, counts = np.array([0.0, 1.0]), np.array([600, 400])
    low, high = bootstrap(values, counts)
    assert (low, high) == bootstrap(values, counts)
    assert (low, high) == pytest.approx((0.4 - 0.0304, 0.4 + 0.0304), abs=0.004)


def test_the_constants_are_scipys():
    assert pytest.approx(t(SHUFFLES - 1).ppf(0.975)) == STUDENT
    assert pytest.approx((norm.ppf(0.975) + norm.ppf(0.8)) / norm.ppf(0.975)) == POWER


def test_another_shuffle_stays_within_the_margin_nineteen_times_in_twenty():
    rng = np.random.default_rng(1)
    within = 0
    for _ in range(2000):
        draws = rng.normal(0.3, 0.1, SHUFFLES + 1)
        mean, margin = by_chance(draws[:-1])
        within += abs(draws[-1] - mean) <= margin
    assert 0.93 < within / 2000 < 0.97
    with pytest.raises(ValueError, match="shuffles"):
        by_chance([0.1, 0.2])


def test_the_lesser_of_two_controls_and_what_shuffles_reach_beyond_it():
    draws = [0.2, 0.3] * (SHUFFLES // 2)
    mean, spread = by_chance(draws)
    assert beside_shuffles(0.1, draws) == pytest.approx((0.1, mean + spread - 0.1, spread))
    assert beside_shuffles(0.9, draws) == pytest.approx((mean, spread, spread))


@pytest.mark.parametrize(("expected", "worth"), [(0.2, 1.0), (1.0, 0.5), (5.0, 0.2), (80.0, 1.0)])
def test_rare_hits_are_poisson(expected, worth):
    n = 500
    got = rare_margin(expected * worth, expected * worth**2, n)
    limit = poisson(expected).ppf(0.975) if expected <= 50 else expected + norm.ppf(0.975) * expected**0.5
    assert got == pytest.approx((limit - expected) * worth / n)


def test_a_mean_of_hits_strays_as_a_binomial_does():
    assert chance_margin(np.full(400, 0.3)) == pytest.approx(norm.ppf(0.975) * (0.3 * 0.7 / 400) ** 0.5)


def test_bounds_are_rounded_up():
    assert [up(share) for share in (0.0, 0.1, 0.1001, 1 / 3, 1.0)] == [
        "0.0%",
        "10.0%",
        "10.1%",
        "33.4%",
        "100.0%",
    ]
