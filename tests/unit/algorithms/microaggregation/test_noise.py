"""Exact noise: its distribution is enumerated, not sampled; then its size, and where it comes from."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import exp

import numpy as np
import pytest

from kohort.algorithms.microaggregation.noise import _happens, discrete_laplace


class UndecidedError(Exception):
    """A draw that nobody has decided yet, of so many outcomes."""


class Script:
    """Draws that are decided beforehand, and how likely they are together."""

    def __init__(self, draws: tuple[int, ...]) -> None:
        self.draws, self.taken, self.likelihood = draws, 0, Fraction(1)

    def below(self, n: int) -> int:
        if self.taken == len(self.draws):
            raise UndecidedError(n)
        self.likelihood /= n
        self.taken += 1
        return self.draws[self.taken - 1]


def every_way(
    monkeypatch: pytest.MonkeyPatch, draw: Callable[[], int], least: Fraction
) -> Iterator[tuple[int, Fraction]]:
    """Yield each result with its exact probability, for every sequence of draws that is at least so likely."""
    pending: list[tuple[int, ...]] = [()]
    while pending:
        script = Script(pending.pop())
        monkeypatch.setattr(secrets, "randbelow", script.below)
        try:
            yield draw(), script.likelihood
        except UndecidedError as undecided:
            (outcomes,) = undecided.args
            if script.likelihood / outcomes >= least:
                pending += [(*script.draws, choice) for choice in range(outcomes)]


@pytest.mark.parametrize("share", [(0, 2), (1, 3), (1, 2), (2, 3), (3, 7), (1, 1)])
def test_a_chance_is_exactly_the_exponential(share: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    ways = list(every_way(monkeypatch, lambda: _happens(*share), Fraction(1, 60_000)))
    found = sum(likelihood for happened, likelihood in ways if happened)
    lost = 1 - sum(likelihood for _, likelihood in ways)
    assert lost < Fraction(1, 500)
    assert float(found) - 1e-12 <= exp(-share[0] / share[1]) <= float(found + lost) + 1e-12


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(2), Fraction(3, 2), Fraction(2, 3), Fraction(1, 3)])
def test_every_number_has_exactly_its_probability(scale: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws too unlikely to follow are left out: they bound how far a probability may be from its value."""
    found: Counter[int] = Counter()
    for x, likelihood in every_way(monkeypatch, lambda: discrete_laplace(scale), Fraction(1, 60_000)):
        found[x] += likelihood
    lost = 1 - sum(found.values())
    assert 0 <= lost < Fraction(1, 3)
    ratio = exp(-1 / scale)
    for x in range(-6, 7):
        expected = (1 - ratio) / (1 + ratio) * ratio ** abs(x)
        assert float(found[x]) <= expected + 1e-12 <= float(found[x] + lost) + 2e-12
        # Given that a draw was followed to its end both signs are as likely, exactly.
        assert found[x] == found[-x]


@pytest.mark.parametrize("scale", [Fraction(7, 10), Fraction(3), Fraction(100, 7)])
def test_many_draws_have_the_distribution(scale: Fraction) -> None:
    n = 15_000
    drawn = np.array([discrete_laplace(scale) for _ in range(n)])
    ratio = exp(-1 / scale)
    for x in range(-6, 7):
        expected = (1 - ratio) / (1 + ratio) * ratio ** abs(x)
        assert abs((drawn == x).mean() - expected) < 7 * (expected / n) ** 0.5
        beyond = ratio ** max(x, 0) / (1 + ratio) if x >= 0 else 1 - ratio ** (1 - x) / (1 + ratio)
        assert abs((drawn >= x).mean() - beyond) < 7 * (0.25 / n) ** 0.5


@pytest.mark.parametrize("digits", [18, 30, 100, 400])
def test_noise_of_any_size_is_whole_and_as_large_as_its_scale(digits: int) -> None:
    """Floats end at 1e308 and int64 at 9e18: neither is met on the way."""
    scale = Fraction(10**digits)
    drawn = [discrete_laplace(scale) for _ in range(400)]
    assert all(isinstance(x, int) for x in drawn)
    mean = sum(map(abs, drawn)) / Fraction(len(drawn)) / scale
    assert Fraction(1, 2) < mean < 2  # 1 in expectation; out of these bounds with probability below 1e-15
    assert {x % 2 for x in drawn} == {0, 1}  # the last digit is as random as the first
    assert {x > 0 for x in drawn} == {True, False}


def test_noise_of_a_tiny_scale_is_none() -> None:
    assert {discrete_laplace(Fraction(1, 10**9)) for _ in range(50)} == {0}


def test_no_two_draws_are_known_from_another() -> None:
    scale = Fraction(10**40)
    assert len({discrete_laplace(scale) for _ in range(200)}) == 200
