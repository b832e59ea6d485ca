"""Every cell has a place on a declared grid, and every place is spelled alike."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.algorithms.microaggregation.grid import Grid
from kohort.errors import InputError

AGE = Grid.declared("age", [0, 99], 0)
PAY = Grid.declared("pay", [-1.5, 10**18], 2, missing="0.25")

NUMBERS = st.one_of(
    st.integers(-(10**40), 10**40).map(str),
    st.decimals(-1000, 1000, allow_nan=False).map(str),
    st.floats(allow_nan=True, allow_infinity=True).map(repr),
    st.sampled_from(
        ["7", "07", "7.0", "+7", "-0", "-0.0", ".5", "1.", "1e3", "1E-5", "1e999", "-1e999", "9" * 5000]
    ),
)


@settings(deadline=None, max_examples=300)
@given(st.one_of(st.none(), st.text(), NUMBERS))
def test_every_cell_whatever_has_a_place_within_the_bounds(text):
    for grid in (AGE, PAY):
        assert grid.least <= grid.place(text) <= grid.greatest


@settings(deadline=None, max_examples=300)
@given(st.decimals(-3, 120, allow_nan=False, places=3), st.integers(0, 3))
def test_a_number_stands_at_the_nearest_place(number, decimals):
    grid = Grid.declared("x", [-2, 100], decimals)
    clamped = min(max(Fraction(number), Fraction(-2)), Fraction(100))
    assert abs(Fraction(grid.place(str(number)), 10**decimals) - clamped) <= Fraction(1, 2 * 10**decimals)


def test_what_is_no_number_stands_where_missing_says():
    for text in (None, "", "x", "*", "NaN", "inf", "1_000", "1,5", " 7", "٧", "1e1000", "0x10"):
        assert (AGE.place(text), PAY.place(text)) == (49, 25)


def test_the_holder_is_told_how_many_records_stand_elsewhere():
    ground, records = ("7", "1e3", None, "x", "-1", "99"), np.array([10, 1, 2, 3, 4, 5])
    assert AGE.displaced(ground, records) == {"unread": 5, "outside": 5}


@given(st.integers(-(10**20), 10**20), st.integers(0, 4))
def test_a_place_is_spelled_with_exactly_the_declared_decimals(units, decimals):
    text = Grid(-(10**21), 10**21, decimals, 0).spelled(units)
    assert Decimal(text) == Decimal(units).scaleb(-decimals)
    assert len(text.partition(".")[2]) == decimals
    assert text.lstrip("-").partition(".")[0] == str(abs(units) // 10**decimals)


def test_a_declaration_is_taken_as_it_is_written():
    assert Grid.declared("x", [0.1, "0.3"], 1) == Grid(1, 3, 1, 2)
    assert Grid.declared("x", [-1e18, 10**18], 0).width == 2 * 10**18
    assert Grid.declared("x", [0, 1e-05], 5) == Grid(0, 1, 5, 0)


@pytest.mark.parametrize(
    ("bounds", "decimals", "missing", "said"),
    [
        ([9, 9], 0, None, "the least first"),
        ([9, 1], 0, None, "the least first"),
        ([1], 0, None, "two numbers"),
        ("09", 0, None, "two numbers"),
        (7, 0, None, "two numbers"),
        ([0, float("inf")], 0, None, "finite number"),
        ([0, float("nan")], 0, None, "finite number"),
        ([False, True], 0, None, "finite number"),
        ([0, [1]], 0, None, "finite number"),
        ([0, 10**31], 0, None, "within"),
        ([0, 10**6000], 0, None, "within"),
        ([0, 0.5], 0, None, "more than the 0 decimals"),
        ([0, 9], -1, None, "decimals of 'x'"),
        ([0, 9], 31, None, "decimals of 'x'"),
        ([0, 9], True, None, "decimals of 'x'"),
        ([0, 9], 1.5, None, "decimals of 'x'"),
        ([0, 9], 0, 10, "within its bounds"),
        ([0, 9], 0, "x", "missing of 'x' must be a finite number"),
        ([0, 9], 0, 0.5, "more than the 0 decimals"),
    ],
)
def test_a_declaration_that_says_nothing_is_refused(bounds, decimals, missing, said):
    with pytest.raises(InputError, match=said):
        Grid.declared("x", bounds, decimals, missing)
