"""Weights in proportion: the same numbers whatever they are multiplied with, and bounds told downwards."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

import numpy as np
import pytest

from kohort.errors import InputError
from kohort.metrics.weights import shares
from kohort.models.threshold import rational
from kohort.recode.proportions import Proportions

SCALES = (1e-300, 1e-10, 1e-9, 0.1, 3.0, 1e10, 2.0**-1000, 2.0**900, 1e300)


def test_the_same_numbers_stand_for_weights_that_are_all_multiplied() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        weights = rng.choice([1.0, 2.0, 3.0, 7.0, 0.1, 0.25, 1e-3, 0.7312, 100.0, 0.0], 4)
        if not weights.any():
            continue
        first = Proportions.of(weights)
        assert 0.5 < first.weights.max() <= 1
        assert first.kept
        assert first.step
        whole = [int(Fraction(w) / first.step) for w in first.weights]
        assert (np.array(whole) * float(first.step) == first.weights).all()
        assert gcd(*whole) == 1
        assert shares(first.weights) == pytest.approx(shares(weights), rel=1e-14)
        for scale in SCALES:
            assert Proportions.of(weights * scale).weights.tolist() == first.weights.tolist()


def test_what_is_told_is_in_the_weights_as_written_and_bounds_are_not_above() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        weights = 10.0 ** rng.integers(-18, 3, 3) * rng.choice([1.0, 3.0, 0.1, rng.random()])
        found = Proportions.of(weights)
        times = rng.integers(0, 50, 3)
        truth = sum((int(n) * rational(float(w)) for n, w in zip(times, weights, strict=True)), Fraction(0))
        amount = float(times @ found.weights)
        assert found.told(amount) == pytest.approx(float(truth), rel=1e-12, abs=0.0)
        exact = found.step > 0
        bound = rational(found.told_below(amount, exact))
        assert truth * (1 - Fraction(1, 10**8)) <= bound <= truth


def test_simple_weights_tell_bounds_as_they_are() -> None:
    found = Proportions.of(np.array([0.3, 0.1]))
    assert found.weights.tolist() == [0.75, 0.25]
    assert found.told_below(1.0, True) == found.told(1.0) == 0.4


def test_a_weight_that_is_nothing_beside_another_is_none_and_known_to_be() -> None:
    found = Proportions.of(np.array([1e300, 1e-300]))
    assert found.weights.tolist() == [0.5, 0.0] or found.weights.tolist() == [1.0, 0.0]
    assert not found.kept
    assert found.told_below(1.0, False) <= 1e300
    assert Proportions.of(np.array([1.0, 1e-300])).kept


def test_weights_that_are_none_stand_for_themselves() -> None:
    assert Proportions.of(np.zeros(2)).weights.tolist() == [0.0, 0.0]
    assert Proportions.of(np.array([1.0, -1.0])).weights.tolist() == [1.0, -1.0]


def test_what_no_number_holds_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        Proportions.of(np.array([1.7e308])).told(2.0)
    assert refused.value.code == "metric.overflow"
