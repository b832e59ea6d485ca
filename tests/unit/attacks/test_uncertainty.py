"""Intervals against scipy and on their edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from kohort.attacks.uncertainty import bootstrap, fisher, wilson


@pytest.mark.parametrize(("hits", "n"), [(0, 5), (5, 5), (3, 9), (385, 1000), (1, 30000)])
def test_wilson_is_scipys(hits, n):
    expected = binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson(hits, n) == pytest.approx((expected.low, expected.high))


def test_no_trials_have_no_interval():
    assert wilson(0, 0) is None
    assert bootstrap(np.zeros(1), np.zeros(1, np.int64)) is None
    assert fisher(0.5, 3) is None


def test_the_bootstrap_is_the_same_each_time_and_near_the_normal_interval():
    values, counts = np.array([0.0, 1.0]), np.array([600, 400])
    low, high = bootstrap(values, counts)
    assert (low, high) == bootstrap(values, counts)
    assert (low, high) == pytest.approx((0.4 - 0.0304, 0.4 + 0.0304), abs=0.004)


def test_fisher_holds_the_correlation():
    low, high = fisher(-0.4, 100)
    assert 0.2 < low < 0.4 < high < 0.6
