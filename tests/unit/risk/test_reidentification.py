from fractions import Fraction

import numpy as np
import pytest
from tests.reference import risk as naive

from kohort.classes import Classes, classes_of_rows
from kohort.errors import InputError
from kohort.risk import at_risk, crowds, distribution, journalist, marketer, prosecutor


def sized(*sizes):
    array = np.array(sizes, np.int64)
    return Classes(np.arange(len(sizes), dtype=np.int32)[:, None], (0,), array, array)


def test_classes_of_1_2_and_5_people():
    found = prosecutor(sized(1, 2, 5))
    assert found.highest == 1
    assert found.average == pytest.approx(3 / 8), "classes over people"
    assert (found.people, found.at_highest) == (8, 1)


def test_a_journalist_faces_the_population():
    classes = sized(1, 2, 5)
    found = journalist(classes, np.array([10, 2, 50]))
    assert found.highest == 1 / 2
    assert found.average == pytest.approx((1 / 10 + 2 / 2 + 5 / 50) / 8)
    assert found.at_highest == 2
    assert journalist(classes, np.array([0, 2, 50])).highest == 1, (
        "the table's own people are in the population"
    )
    assert marketer(classes, np.array([10, 2, 50])) == pytest.approx((1 / 10 + 2 / 2 + 5 / 50) / 8)


def test_a_sampling_fraction_stands_for_the_population():
    found = journalist(sized(1, 3), 0.1)
    assert found.highest == pytest.approx(0.1)
    assert found.average == pytest.approx(0.1 * 2 / 4)
    assert marketer(sized(1, 3)) == pytest.approx(0.5)
    assert marketer(sized(1, 3), 0.1) == pytest.approx(0.05)
    for fraction in (0.0, 1.5, -1.0):
        with pytest.raises(InputError, match="sampling fraction"):
            journalist(sized(1), fraction)


def test_a_risk_of_one_fifth_is_not_above_one_fifth():
    found = crowds(sized(4, 5, 6))
    assert at_risk(found, [0.2, Fraction(1, 5), 0.25, 0.1]) == {0.2: 4, Fraction(1, 5): 4, 0.25: 0, 0.1: 15}
    assert at_risk(crowds(sized(3, 11)), [Fraction(1, 3), Fraction(1, 11)]) == {
        Fraction(1, 3): 0,
        Fraction(1, 11): 3,
    }


def test_the_distribution_doubles():
    told = distribution(sized(1, 2, 3, 5, 9))
    assert [(d["least"], d["most"], d["classes"], d["people"]) for d in told] == [
        (1, 1, 1, 1),
        (2, 3, 2, 5),
        (4, 7, 1, 5),
        (8, 15, 1, 9),
    ]
    assert sum(d["people"] for d in told) == 20


def test_nobody_is_at_no_risk():
    nothing = sized(1).kept(np.array([False]))
    assert prosecutor(nothing).highest == journalist(nothing, 0.5).highest == marketer(nothing) == 0
    assert distribution(nothing) == []


def test_a_person_with_rows_in_two_classes_stands_in_the_smaller_crowd():
    """Class a: Ann, Bob, Cid; class b: Ann twice. Ann is alone in b."""
    codes = np.array([[0], [0], [0], [1], [1]], np.int32)
    classes, _ = classes_of_rows(codes, respondents=np.array([0, 1, 2, 0, 0], np.int32))
    found = crowds(classes)
    assert (found.sizes.tolist(), found.people.tolist()) == ([1, 3], [1, 2])
    risk = prosecutor(classes)
    assert (risk.highest, risk.people, risk.at_highest) == (1, 3, 1)
    assert risk.average == pytest.approx((1 + 1 / 3 + 1 / 3) / 3)


@pytest.mark.parametrize("seed", range(60))
def test_crowds_equal_their_twin(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    codes = rng.integers(0, 3, (n, 2)).astype(np.int32)
    persons = rng.integers(0, 8, n).astype(np.int32) if seed % 2 else None
    classes, _ = classes_of_rows(codes, respondents=persons)
    named = list(range(n)) if persons is None else persons.tolist()
    expected = sorted(naive.crowd_of_each_person(codes.tolist(), named).values())
    found = crowds(classes)
    assert np.repeat(found.sizes, found.people).tolist() == expected
    assert prosecutor(classes).average == pytest.approx(np.mean([1 / size for size in expected]))
