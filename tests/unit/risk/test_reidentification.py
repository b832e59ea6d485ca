from fractions import Fraction

import numpy as np
import pytest
from tests.reference import risk as naive
from tests.thinned import many

from kohort.classes import Classes, classes_of_rows
from kohort.risk import (
    at_risk,
    crowds,
    distribution,
    exposed,
    journalist,
    marketer,
    prosecutor,
    row_picker,
    shares_of_rows,
)


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


def test_who_names_everybody_is_right_once_in_every_class():
    assert marketer(sized(1, 3)) == pytest.approx(0.5)


def test_who_picks_a_row_finds_whoever_has_most_of_them():
    """Class a: Ann three times, Bob, Cid, Dan, Eve, Eve; class b: Ann and Bob."""
    codes = np.array([[0]] * 8 + [[1]] * 2, np.int32)
    who = np.array([0, 0, 0, 1, 2, 3, 4, 4, 0, 1], np.int32)
    classes, _ = classes_of_rows(codes, respondents=who)
    found = row_picker(classes)
    assert (found.highest, found.people, found.at_highest) == (0.5, 5, 2), "Ann and Bob by their rows in b"
    assert found.average == pytest.approx((1 / 2 + 1 / 2 + 1 / 8 + 1 / 8 + 2 / 8) / 5)
    assert marketer(classes) == pytest.approx((3 + 1) / 10)
    assert at_risk(exposed(classes), [0.24, 0.25]) == {0.24: 3, 0.25: 2}, (
        "Eve has a quarter; Cid is one of five"
    )
    assert at_risk(exposed(classes), [0.19, 0.2]) == {0.19: 5, 0.2: 3}


@many(seed=range(60))
def test_shares_of_rows_equal_their_twin(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    codes = rng.integers(0, 3, (n, 2)).astype(np.int32)
    persons = rng.integers(0, 8, n).astype(np.int32) if seed % 2 else None
    classes, _ = classes_of_rows(codes, respondents=persons)
    named = list(range(n)) if persons is None else persons.tolist()
    rows = [tuple(row) for row in codes.tolist()]
    expected = naive.best_pick_of_rows(rows, named)
    shares = shares_of_rows(classes)
    told = [Fraction(int(h), int(o)) for h, o in zip(shares.held, shares.of, strict=True)]
    assert sorted(f for f, people in zip(told, shares.people, strict=True) for _ in range(people)) == sorted(
        expected.values()
    )
    crowd = naive.crowd_of_each_person(rows, named)
    for limit in (Fraction(1, 5), Fraction(1, 3), Fraction(1, 2)):
        above = sum(max(expected[p], Fraction(1, crowd[p])) > limit for p in expected)
        assert at_risk(exposed(classes), [limit])[limit] == above
    assert marketer(classes) == pytest.approx(float(naive.best_naming_of_rows(rows, named)))


def test_a_risk_of_one_fifth_is_not_above_one_fifth():
    found = exposed(sized(4, 5, 6))
    assert at_risk(found, [0.2, Fraction(1, 5), 0.25, 0.1]) == {0.2: 4, Fraction(1, 5): 4, 0.25: 0, 0.1: 15}
    assert at_risk(exposed(sized(3, 11)), [Fraction(1, 3), Fraction(1, 11)]) == {
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
    assert (
        prosecutor(nothing).highest
        == journalist(nothing, nothing.sizes).highest
        == row_picker(nothing).highest
        == marketer(nothing)
        == 0
    )
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


@many(seed=range(60))
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
