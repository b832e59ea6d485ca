from fractions import Fraction

import numpy as np
import pytest

from kohort.models.threshold import at_least, at_most, below, compared, rational


def ints(*values):
    return np.array(values, np.int64)


def test_a_threshold_is_the_decimal_that_was_written():
    assert rational(0.1) == Fraction(1, 10)
    assert rational(3) == 3
    assert rational(1e-7) == Fraction(1, 10**7)


def test_tenths_are_exact_where_floats_are_not():
    """3 of 10 records is a share of 0.3 although 3 · 0.1 > 0.3 in floating point."""
    assert 3 * 0.1 > 0.3
    assert at_most(ints(3, 30, 300_001), ints(10, 100, 1_000_000), rational(0.3)).tolist() == [
        True,
        True,
        False,
    ]
    assert below(ints(3, 2), ints(10, 10), rational(0.3)).tolist() == [False, True]


def test_a_denominator_of_zero_is_an_infinite_ratio():
    assert compared(ints(1, 0), ints(0, 0), Fraction(5)).tolist() == [1, 0]


def test_products_beyond_64_bits_are_settled_in_whole_numbers():
    third = rational(0.3333333333333333)  # a denominator of 10^16
    n = 3 * 10**15
    found = compared(ints(n // 3, n // 3 + 1, 1, n), ints(n, n, n, n), third)
    assert found.tolist() == [1, 1, -1, 1], "1/3 is more than the decimal with sixteen threes"
    exact = rational(0.1234567890123456)
    big = ints(1234567890123456, 1234567890123455, 1234567890123457)
    assert compared(big, ints(*[10**16] * 3), exact).tolist() == [0, -1, 1]


def test_agrees_with_fractions_on_random_ratios():
    rng = np.random.default_rng(5)
    for scale in (10, 10**6, 10**15):
        a, b = rng.integers(0, scale, 300), rng.integers(1, scale, 300)
        for bound in (0.5, 0.1, 1 / 3, 2.75, 1e-9):
            expected = [
                (Fraction(int(x), int(y)) > rational(bound)) - (Fraction(int(x), int(y)) < rational(bound))
                for x, y in zip(a, b, strict=True)
            ]
            assert compared(a, b, rational(bound)).tolist() == expected


def test_no_ratios():
    assert compared(ints(), ints(), Fraction(1, 2)).tolist() == []


def test_only_values_near_the_bound_are_settled_exactly():
    asked = []

    def settle(i):
        asked.append(i)
        return True

    reached = at_least(np.array([0.5, 1 - 1e-12, 1.0, 2.0]), 1.0, settle)
    assert reached.tolist() == [False, True, True, True]
    assert asked == [1, 2]
    asked.clear()
    assert at_least(np.array([1e-3 - 5e-10, 1e-3 + 5e-10]), 1e-3, settle).tolist() == [False, True]
    assert at_least(np.array([-1e-3 - 5e-10, -1e-3]), -1e-3, settle).tolist() == [False, True]
    assert asked == [1], "near is meant relatively"


@pytest.mark.parametrize(
    ("numerator", "denominator", "bound", "sign"),
    [
        (2**62, 1, Fraction(1, 2), 1),  # 2⁶² · 2 is one more than 64 bits hold
        (1, 2**62, Fraction(2), -1),  # and so on the right
        (2**62, 2**61, Fraction(2), 0),
        (2**62 + 1, 2**61, Fraction(2), 1),
        (-(2**62), 1, Fraction(1, 2), -1),
        (2**61, 2**62, Fraction(1, 2), 0),
        (3 * 2**60, 2**62, Fraction(3, 4), 0),
        (3 * 2**60 + 1, 2**62, Fraction(3, 4), 1),  # floating point takes it for equal
        (3 * 2**60 - 1, 2**62, Fraction(3, 4), -1),
    ],
)
def test_products_are_not_wrapped_at_64_bits(numerator, denominator, bound, sign):
    assert compared(ints(numerator), ints(denominator), bound).tolist() == [sign]
