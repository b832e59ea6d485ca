"""The estimators of population uniqueness, against populations drawn from their own models."""

import numpy as np
import pandas as pd
import pytest
from tests.adult import adult_directory

from kohort.errors import InputError
from kohort.risk.population import log_rising, pitman, population_uniques, zayatz
from kohort.risk.shifted_negative_binomial import shifted_negative_binomial


def sampled(rng, population_sizes, fraction):
    """Class sizes of a simple random sample, and the population's uniques."""
    people = np.repeat(np.arange(len(population_sizes)), population_sizes)
    chosen = rng.choice(people, round(len(people) * fraction), replace=False)
    sizes = np.bincount(chosen)
    return sizes[sizes > 0], int((population_sizes == 1).sum()), len(people)


def pitman_population(rng, n, theta, alpha):
    """Seat n people one by one by Pitman's rule."""
    sizes: list[int] = []
    seats: list[int] = []  # the class of everyone seated
    for i in range(n):
        if rng.random() < (theta + alpha * len(sizes)) / (theta + i) if i else True:
            sizes.append(1)
            seats.append(len(sizes) - 1)
            continue
        while True:  # an old class with probability proportional to size − alpha
            at = seats[int(rng.integers(i))]
            if rng.random() < (sizes[at] - alpha) / sizes[at]:
                break
        sizes[at] += 1
        seats.append(at)
    return np.array(sizes)


@pytest.mark.parametrize("fraction", [0.05, 0.1, 0.3])
def test_pitman_finds_the_uniques_of_a_pitman_population(fraction):
    rng = np.random.default_rng(12)
    sizes, uniques, n = sampled(rng, pitman_population(rng, 30_000, theta=50.0, alpha=0.6), fraction)
    assert pitman(sizes, n) == pytest.approx(uniques, rel=0.2)


@pytest.mark.parametrize("fraction", [0.2, 0.5, 0.8])
def test_snb_finds_the_uniques_of_a_shifted_negative_binomial_population(fraction):
    rng = np.random.default_rng(5)
    population = 1 + rng.negative_binomial(0.4, 0.05, 20_000)
    sizes, uniques, n = sampled(rng, population, fraction)
    assert shifted_negative_binomial(sizes, n) == pytest.approx(uniques, rel=0.1)


@pytest.mark.parametrize("fraction", [0.5, 0.8])
def test_zayatz_is_near_where_the_sample_is_large(fraction):
    rng = np.random.default_rng(6)
    sizes, uniques, n = sampled(rng, 1 + rng.negative_binomial(0.4, 0.05, 20_000), fraction)
    assert zayatz(sizes, n) == pytest.approx(uniques, rel=0.25)


@pytest.mark.parametrize("fraction", [0.05, 0.1, 0.2, 0.5, 0.8])
def test_samples_of_adult_tell_how_many_of_adult_are_unique(fraction):
    """Adult as the population, seven columns: 7,653 are unique; the rule's choice comes within a sixth."""
    frame = pd.read_csv(adult_directory() / "adult.csv", sep=";").iloc[:, :7]
    columns = list(frame.columns)
    sizes = frame.sample(frac=fraction, random_state=1).groupby(columns).size().to_numpy()
    uniques = int((frame.groupby(columns).size() == 1).sum())
    assert uniques == 7653
    assert population_uniques(sizes, fraction).estimate == pytest.approx(uniques, rel=1 / 6)


def test_the_whole_population_is_known():
    sizes = np.array([1, 1, 1, 2, 5])
    assert zayatz(sizes, 10) == shifted_negative_binomial(sizes, 10) == 3
    assert population_uniques(sizes, 1.0).estimate == 3


def test_zayatz_by_hand():
    """Sizes 1 and 2, a sample of 3 of 6: a class of 1 shows up once with 1/2, one of 2 with 3/5."""
    assert zayatz(np.array([1, 2]), 6) == pytest.approx((1 / 2) / (1 / 2 + 3 / 5) * 1 * 6 / 3)


def test_a_sample_without_uniques_has_none_in_the_population():
    assert zayatz(np.array([3, 4]), 100) == 0
    assert shifted_negative_binomial(np.array([3, 4]), 100) is None


def test_the_model_is_chosen_by_the_sampling_fraction():
    rng = np.random.default_rng(7)
    population = 1 + rng.negative_binomial(0.4, 0.05, 5_000)
    small, _, _ = sampled(rng, population, 0.05)
    large, _, n = sampled(rng, population, 0.5)
    assert population_uniques(small, 0.05).chosen == "pitman"
    found = population_uniques(large, 0.5)
    assert found.chosen in {"snb", "zayatz"}
    assert found.estimate == min(x for x in (found.snb, found.zayatz) if x is not None)
    assert found.population == pytest.approx(n, abs=2)
    assert 0 <= found.share <= 1


def test_wrong_fractions_are_told():
    with pytest.raises(InputError, match="sampling fraction is 0"):
        population_uniques(np.array([1]), 0)
    with pytest.raises(InputError, match="no records"):
        population_uniques(np.array([], np.int64), 0.5)


@pytest.mark.parametrize("x", [0.5, 99_999.0, 100_001.0, 1e7])
def test_rising_factorials_do_not_cancel(x):
    expected = float(np.log(x + np.arange(2000)).sum())
    assert log_rising(x, 2000) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("sizes", [[1], [7], [1] * 50, [1, 1, 2], [1000, 1]])
def test_extreme_samples_give_finite_estimates(sizes):
    found = population_uniques(np.array(sizes), 0.1)
    assert 0 <= found.pitman <= found.population
    assert found.zayatz >= 0
