"""Definitions at their thresholds: numbers next to them, and numbers that 64 bits do not hold."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import log

import numpy as np
import pytest
from tests.reference.defined import judged

from kohort.hierarchy import Hierarchy
from kohort.models import BetaLikeness, DeltaDisclosure, LDiversity
from kohort.verification.judges.definitions import Whole
from kohort.verification.judges.definitions.distances import DISTANCES, Ratio
from kohort.verification.judges.definitions.exact import above, logarithm, near, written
from kohort.verification.judges.definitions.exact import whole as reckoned
from kohort.verification.judges.definitions.tally import Entries


@pytest.mark.parametrize(
    "size", [1, 10**6, 4 * 10**17]
)  # the last: products of more than 63 bits, and fewer than 64
def test_ratios_are_compared_exactly_whatever_their_size(size: int) -> None:
    three_tenths = (np.array([3 * size - 1, 3 * size, 3 * size + 1]), np.full(3, 10 * size))
    assert above(*three_tenths, written(0.3)).tolist() == [False, False, True]
    assert written(0.1) == Fraction(1, 10)
    assert reckoned(np.array([2**62]), 2**80)[0] * 4 == 2**64


def test_ratios_far_from_a_bound_are_compared_rightly_whatever_their_size() -> None:
    for power in range(200, 239):  # up to 10 · 2⁵⁹·⁵, which fits 64 bits; what it is multiplied by does not
        size = int(2 ** (power / 4))
        assert above(np.array([size, 9 * size]), np.full(2, 10 * size), written(0.3)).tolist() == [
            False,
            True,
        ]
        assert above(np.array([9, 2]), np.array([1, size]), written(8.5)).tolist() == [True, False]
        assert above(np.array([-9 * size, 9 * size]), np.full(2, size), written(-8.5)).tolist() == [
            False,
            True,
        ]


def test_logarithms_near_a_bound_are_taken_to_many_digits() -> None:
    assert near(np.array([1.0, 1.0 + 1e-12, 1.1]), 1.0).tolist() == [0, 1]
    assert abs(float(logarithm(Fraction(2))) - log(2)) < 1e-15
    assert str(logarithm(Fraction(2))).startswith(
        "0.693147180559945309417232121458176568075500134360255254120"
    )


def test_entropy_at_its_bound_is_settled_exactly() -> None:
    """Counts 2, 1, 1 have the entropy of 2√2 values; twelve even values that of twelve, and no more."""
    for l, kept in ((2.828427124746190, True), (2.828427124746191, False)):  # noqa: E741
        assert judged(LDiversity(l, "v", "entropy"), [[2, 1, 1]], [2, 1, 1]).holds is kept
    even = [[7] * 12]
    assert judged(LDiversity(12, "v", "entropy"), even, even[0]).holds
    assert not judged(LDiversity(12.000000000000002, "v", "entropy"), even, even[0]).holds
    assert judged(LDiversity(12, "v", "entropy"), even, even[0]).achieved == pytest.approx(12)


@pytest.mark.parametrize(
    ("counts", "l"), [([4, 1, 1, 1, 1], 4), ([4, 4, *[1] * 8], 8), ([9, 3, 3, 3, *[1] * 9], 9)]
)
def test_uneven_values_may_have_the_entropy_of_even_ones(counts: list[int], l: int) -> None:  # noqa: E741
    """nⁿ = lⁿ · ∏ cᶜ: 8⁸ = 4⁸ · 4⁴."""
    for times in (1, 7, 10**6):
        told = [count * times for count in counts]
        assert judged(LDiversity(l, "v", "entropy"), [told], told).holds
        assert not judged(LDiversity(l * (1 + 4e-16), "v", "entropy"), [told], told).holds


def test_gains_and_differences_at_their_bounds_are_settled_exactly() -> None:
    """A value of 1 in 4 that becomes 1 in 2 gains 1; |ln 2| is below 0.6931471805599454 and above 0.6931471805599453."""
    classes, totals = [[1, 1], [0, 2]], [1, 3]
    assert judged(BetaLikeness(1, "v"), classes, totals) == (True, 1.0)
    assert not judged(BetaLikeness(0.9999999999999999, "v"), classes, totals).holds
    for delta, kept in ((0.6931471805599453, False), (0.6931471805599454, True)):
        model = DeltaDisclosure(delta, "v", absent="ignore")
        assert judged(model, classes, totals).holds is kept
    assert judged(DeltaDisclosure(9, "v"), classes, totals) == (False, float("inf"))
    near_three_halves = DeltaDisclosure(
        0.40546510810816444, "v"
    )  # ln 3/2 is less, and floating point says no less
    assert judged(near_three_halves, [[1, 1]], [1, 2]).holds


def test_an_enhanced_gain_next_to_its_bound_is_settled_by_many_digits() -> None:
    """ln 4 lies between the two gains of a value that one in four holds."""
    p = Fraction(1, 4)
    for gain, kept in (
        (Fraction(13862943611, 10**10), True),
        (Fraction(13862943612, 10**10), False),
        (Fraction(138629436111989061, 10**17), True),
        (Fraction(138629436111989062, 10**17), False),
    ):
        q = p * (1 + gain)
        n = q.denominator
        classes = [[q.numerator, n - q.numerator]]
        found = judged(BetaLikeness(5, "v", "enhanced"), classes, [1, 3])
        assert found.holds is kept, float(gain) - log(4)
        assert (found.achieved == pytest.approx(float(gain))) is kept


def test_gains_of_products_that_pass_64_bits_are_whole_numbers_still() -> None:
    """A value of 1 in 4 that becomes 1 in 2, of ten thousand million people each."""
    many = 10**10
    for variant in ("basic", "enhanced"):
        model = BetaLikeness(1, "v", variant)
        assert judged(model, [[many, many]], [many, 3 * many]) == (True, 1.0)
        assert not judged(model, [[many + 1, many - 1]], [many, 3 * many]).holds


def test_distances_of_sums_that_pass_64_bits_are_whole_numbers_still() -> None:
    """The same shares, a hundred million times as many people each."""
    hierarchy = Hierarchy.from_rows("v", [("0", "a", "*"), ("1", "a", "*"), ("2", "b", "*")])
    small = Whole(("0", "1", "2"), np.array([2, 1, 1]), None, hierarchy, np.arange(3))
    large = replace(small, records=small.records * 10**10)
    for measure in DISTANCES.values():
        one, other = (
            measure(
                Entries(np.array([0, 0, 1]), np.array([0, 2, 1]), np.array([1, 1, 2]) * times),
                whole.records,
                whole,
            )
            for times, whole in ((1, small), (10**10, large))
        )
        assert other[0].dtype == object
        assert fractions(one) == fractions(other)


def fractions(ratio: Ratio) -> list[Fraction]:
    return [Fraction(int(work), int(unit)) for work, unit in zip(*ratio, strict=True)]


def test_distances_are_the_same_however_many_people_stand_for_one() -> None:
    """Products from 2⁵⁶ to 2⁶⁷: some fit 64 bits, some do not, and none is wrong."""
    tree = Hierarchy.from_rows("v", [(str(i), "ab"[i > 2], "*") for i in range(5)])
    records, counts = np.array([3, 1, 2, 1, 5]), np.array([5, 2, 1])
    for name, measure in DISTANCES.items():
        found = set()
        for times in (1, *(int(2 ** (power / 4)) for power in range(100, 122))):
            whole = Whole(tuple("01234"), records * times, None, tree, np.arange(5))
            classes = Entries(np.array([0, 0, 1]), np.array([0, 3, 4]), counts * times)
            found.add(tuple(fractions(measure(classes, whole.records, whole))))
        assert len(found) == 1, name


def test_a_hierarchy_without_levels_tells_values_apart_as_they_are() -> None:
    flat = Hierarchy.from_rows("v", [("0",)])
    whole = Whole(("0",), np.array([4]), None, flat, np.zeros(1, np.int64))
    work, unit = DISTANCES["hierarchical"](
        Entries(np.zeros(1, int), np.zeros(1, int), np.array([2])), whole.records, whole
    )
    assert (work.tolist(), unit.tolist()) == ([0], [8])


def test_values_under_one_root_are_as_far_apart_as_any_two() -> None:
    flat = Hierarchy.from_rows("v", [(label, "*") for label in "012"])
    whole = Whole(tuple("012"), np.array([1, 2, 5]), None, flat, np.arange(3))
    classes = Entries(np.array([0, 0, 1]), np.array([0, 2, 1]), np.array([1, 2, 4]))
    equal, deep = (
        fractions(DISTANCES[name](classes, whole.records, whole)) for name in ("equal", "hierarchical")
    )
    assert equal == deep == [Fraction(1, 4), Fraction(3, 4)]
