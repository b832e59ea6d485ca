from __future__ import annotations

import numpy as np
import pytest
from tests.unit.algorithms.cuts.random_problems import problem_of

from kohort.algorithms.cuts.alphabet import alphabet_of
from kohort.algorithms.cuts.space import space_of
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, meaning

AGES = Hierarchy.from_rows("age", [(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 50)])
PLACES = Hierarchy.from_rows(
    "place", [("Rome", "Italy", "*"), ("Milan", "Italy", "*"), ("Oslo", "Norway", "*"), (None, None, "*")]
)


def test_absent_values_need_no_cut_and_intervals_end_at_round_places():
    alphabet = alphabet_of(AGES, np.array([3, 4, 14]))  # 23, 24 and 34 occur
    assert alphabet.size == 2
    blocks = alphabet.blocks(np.array([0, 1], np.uint8))
    assert blocks.tolist() == [0] * 10 + [1] * 20  # cut at 30, where the decade changes


def test_order_of_categories_can_be_given():
    alphabet = alphabet_of(PLACES, np.arange(4), ["Oslo", "Rome", None, "Milan"])
    blocks = alphabet.blocks(np.array([0, 1, 0], np.uint8))
    assert dict(zip(PLACES.ground, blocks.tolist(), strict=True)) == {
        "Oslo": 0,
        "Rome": 0,
        None: 1,
        "Milan": 1,
    }


@pytest.mark.parametrize(
    "order", [["Oslo", "Rome", None], ["Oslo", "Rome", None, "Rome"], ["x", "y", "z", "w"]]
)
def test_an_order_must_name_every_value_once(order):
    with pytest.raises(InputError, match="exactly once"):
        alphabet_of(PLACES, np.arange(4), order)


def test_numbers_are_cut_by_value():
    with pytest.raises(InputError, match="cut by value"):
        alphabet_of(AGES, np.arange(30), [str(a) for a in range(20, 50)])


def test_level_bounds_fix_cuts():
    codes = np.column_stack([np.arange(30)]).astype(np.int32)
    target = np.zeros(30, np.int32)
    problem = problem_of(codes, target, 2, "discernibility", 30, (AGES,), min_levels=(1,))
    assert np.flatnonzero(space_of(problem, {}, False, "k-optimize").start != 2).tolist() == [9, 19]
    problem = problem_of(codes, target, 2, "discernibility", 30, (AGES,), max_levels=(1,))
    assert np.flatnonzero(space_of(problem, {}, False, "k-optimize").start == 1).tolist() == [9, 19]


def test_respect_hierarchy_keeps_labels_whole_also_where_values_are_absent():
    codes = np.array([[0], [2], [3], [3]], np.int32)  # Milan does not occur
    problem = problem_of(codes, np.zeros(4, np.int32), 2, "discernibility", 4, (PLACES,))
    space = space_of(problem, {}, True, "k-optimize")
    assert space.n_cuts == 2
    recoded = space.decide(np.ones(2, np.uint8)).apply(problem)
    # Rome alone has a parted sibling: Italy is not parted, because only one of its values occurs
    assert recoded.columns[0].labels == ("Italy", "Oslo", None)
    for label in recoded.columns[0].labels:
        assert meaning(PLACES, label) is not None


def test_respect_hierarchy_needs_values_of_a_label_side_by_side():
    codes = np.array([[0], [1], [2], [3]], np.int32)
    problem = problem_of(codes, np.zeros(4, np.int32), 2, "discernibility", 4, (PLACES,))
    with pytest.raises(InputError, match="side by side"):
        space_of(problem, {"place": ["Rome", "Oslo", "Milan", None]}, True, "k-optimize")


def test_order_of_an_unknown_column_is_refused():
    codes = np.array([[0], [1], [2], [3]], np.int32)
    problem = problem_of(codes, np.zeros(4, np.int32), 2, "discernibility", 4, (PLACES,))
    with pytest.raises(InputError, match="not quasi-identifiers"):
        space_of(problem, {"city": []}, False, "k-optimize")
