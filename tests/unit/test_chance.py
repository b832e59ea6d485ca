"""Chance that nobody can draw again."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from kohort.chance import below, permutation, shuffled


@pytest.mark.parametrize("n", [0, 1, 2, 7, 1000])
def test_a_permutation_holds_every_number_once(n: int) -> None:
    assert sorted(permutation(n).tolist()) == list(range(n))


def test_every_order_is_equally_likely() -> None:
    """24 orders, 24,000 draws: each comes a thousand times, within six deviations."""
    seen = Counter(tuple(permutation(4).tolist()) for _ in range(24_000))
    assert len(seen) == 24
    assert all(abs(count - 1000) < 6 * np.sqrt(1000) for count in seen.values())


def test_values_are_shuffled_and_none_is_lost() -> None:
    values = np.repeat(np.arange(50), 2)
    told = shuffled(values)
    assert sorted(told.tolist()) == values.tolist()
    assert told.tolist() != values.tolist()


def test_no_seed_of_any_generator_gives_it_again() -> None:
    drawn = []
    for _ in range(2):
        np.random.seed(1)  # the old global one, and the standard library's: neither matters
        random.seed(1)
        drawn.append((permutation(50).tolist(), below(10**12)))
    assert drawn[0][0] != drawn[1][0]
    assert drawn[0][1] != drawn[1][1]


def test_a_number_below_comes_in_its_range() -> None:
    assert {below(3) for _ in range(200)} == {0, 1, 2}
