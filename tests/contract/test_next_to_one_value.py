"""Entropy l-diversity where almost all of a class have one value, for search and verifier: against logarithms to sixty digits."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest
from tests.reference.defined import judged

from kohort.classes import Histogram
from kohort.models import LDiversity
from kohort.models.l_diversity import entropies, entropy_diverse

CLASSES = [
    [10**power * step - rare, *[1] * rare]
    for power in (2, 5, 7, 8, 9, 12, 15)
    for step in (1, 3)
    for rare in (1, 3)
] + [[10**9, 10**9 - 1], [5 * 10**8, 7, 10**3], [2, 1, 1], [10**6] * 7 + [1]]


def entropy_of(counts: list[int]) -> Decimal:
    n = sum(counts)
    with localcontext(prec=60):
        return Decimal(n).ln() - sum((c * Decimal(c).ln() for c in counts), Decimal(0)) / n


@pytest.mark.parametrize("counts", CLASSES, ids=str)
def test_the_least_miss_fails_and_the_least_more_passes(counts: list[int]) -> None:
    entropy = entropy_of(counts)
    held = Histogram(np.array([0, len(counts)]), np.arange(len(counts)), np.array(counts), len(counts))
    assert entropies(held)[0] == pytest.approx(float(entropy), rel=1e-13)
    nearest = float(entropy.exp())
    for steps in (-40, -3, -2, -1, 0, 1, 2, 3, 40):
        l = nearest  # noqa: E741
        for _ in range(abs(steps)):
            l = float(np.nextafter(l, 9 * steps))  # noqa: E741
        if l <= 1:
            continue
        with localcontext(prec=60):
            holds = entropy >= Decimal(repr(l)).ln()
        assert bool(entropy_diverse(held, l)[0]) is holds
        assert judged(LDiversity(l, "v", "entropy"), [counts], counts).holds is holds
