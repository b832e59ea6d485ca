"""How many rows a share of `max_suppression` lets out: what was written, and not a row more."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort import Plan
from kohort.preparation import max_suppressed


def _allowed(share: float | int, rows: int) -> int:
    plan = Plan.of(
        {
            "columns": {"age": "quasi"},
            "require": [{"model": "k-anonymity", "k": 2}],
            "recode": {"max_suppression": share},
        }
    )
    return max_suppressed(plan, rows)


@given(st.floats(0, 1), st.integers(0, 10**12))
def test_a_share_is_the_decimal_that_was_written_rounded_down(share: float, rows: int) -> None:
    assert _allowed(share, rows) <= Fraction(repr(share)) * rows < _allowed(share, rows) + 1


@pytest.mark.parametrize(
    ("share", "rows", "allowed"),
    [(0.29, 100, 29), (0.1, 10, 1), (0.0999999999, 10, 0), (0.07, 100, 7), (1.0, 3, 3), (5, 3, 3), (0, 3, 0)],
)
def test_no_row_more(share: float | int, rows: int, allowed: int) -> None:
    assert _allowed(share, rows) == allowed
