from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.hierarchy import Hierarchy, lowest_common_ancestor, meaning, span_label

WORDS = st.text(st.sampled_from('ab ,{}"\\[]\n*é日'), max_size=4)
TIMES = ["2019-12-31 23:59:00", "2020-01-01 00:00:00", "2020-02-29 12:00:00", "2020-03-01 08:00:00", None]


def suppressible(ground: list[str | None]) -> Hierarchy:
    return Hierarchy.from_rows("x", [(value, "*") for value in ground])


def told(hierarchy: Hierarchy, label: str | None) -> list[str | None] | None:
    mask = meaning(hierarchy, label)
    return None if mask is None else [g for g, held in zip(hierarchy.ground, mask, strict=True) if held]


@given(st.lists(st.one_of(WORDS, st.none()), min_size=1, max_size=6, unique=True), st.data())
def test_a_set_of_words_is_read_back_as_it_was_spelled(ground: list[str | None], data: st.DataObject) -> None:
    hierarchy = suppressible(ground)
    codes = data.draw(st.sets(st.integers(0, len(ground) - 1), min_size=1))
    label = span_label(hierarchy, np.array(sorted(codes)))
    if (
        label not in hierarchy.levels[0].code_of or len(codes) == 1
    ):  # a ground value may be spelled like a set
        assert np.flatnonzero(meaning(hierarchy, label)).tolist() == sorted(codes)


@given(
    st.lists(st.decimals(-99, 99, places=1).map(str), min_size=1, max_size=8, unique_by=float),
    st.booleans(),
    st.data(),
)
def test_neighbouring_numbers_are_read_back(numbers: list[str], missing: bool, data: st.DataObject) -> None:
    hierarchy = suppressible([*numbers, None] if missing else numbers)
    low = data.draw(st.integers(0, len(numbers) - 1))
    high = data.draw(st.integers(low, len(numbers) - 1))
    codes = [*range(low, high + 1), *([len(numbers)] if missing and data.draw(st.booleans()) else [])]
    label = span_label(hierarchy, np.array(codes))
    assert np.flatnonzero(meaning(hierarchy, label)).tolist() == codes


@given(st.sets(st.integers(0, 4), min_size=1))
def test_any_timestamps_are_read_back(codes: set[int]) -> None:
    hierarchy = suppressible(TIMES)
    label = span_label(hierarchy, np.array(sorted(codes)))
    assert np.flatnonzero(meaning(hierarchy, label)).tolist() == sorted(codes)


def test_dates_in_a_row_are_an_interval_and_others_a_set() -> None:
    hierarchy = suppressible(["2020-01-01", "2020-01-02", "2020-01-07", "2020-02-01"])
    assert span_label(hierarchy, np.array([0, 1, 2])) == "[2020-01-01, 2020-01-07]"
    assert span_label(hierarchy, np.array([0, 2])) == "{2020-01-01, 2020-01-07}"
    assert told(hierarchy, "[2020-01-02, 2020-01-31)") == ["2020-01-02", "2020-01-07"]
    assert told(hierarchy, "[2020-01, 2020-02]") is None


def test_an_interval_of_numbers_may_leave_out_its_ends() -> None:
    hierarchy = suppressible(["1", "2", "3", "4", None])
    assert told(hierarchy, "[1, 3)") == ["1", "2"]
    assert told(hierarchy, "(1, 3]") == ["2", "3"]
    assert told(hierarchy, "(-inf, 3)") == ["1", "2"]
    assert told(hierarchy, "[4, 9] or missing") == ["4", None]
    assert told(hierarchy, "[a, 9]") is None


def test_a_label_at_two_levels_means_all_that_it_covers_at_either() -> None:
    hierarchy = Hierarchy.from_rows(
        "x", [("other", "other", "*"), ("odd", "other", "*"), ("fine", "fine", "*")]
    )
    assert told(hierarchy, "other") == ["other", "odd"]
    assert told(hierarchy, "fine") == ["fine"]
    alone = np.array([hierarchy.ground.index("other")])
    assert span_label(hierarchy, alone) == "{other}"
    assert told(hierarchy, "{other}") == ["other"]
    assert span_label(hierarchy, np.array([hierarchy.ground.index("fine")])) == "fine"


@pytest.mark.parametrize(
    "label", ["c", "{a, c}", "{a", '{"a}', '{"a"b}', "[1, 2]", "[", "", "a or missing", "{}", None]
)
def test_a_spelling_that_means_nothing_is_none(label: str | None) -> None:
    assert meaning(suppressible(["a", "b"]), label) is None


def test_star_is_any_value() -> None:
    assert told(suppressible(["a", None]), "*") == ["a", None]


def test_the_lowest_common_ancestor_is_the_first_level_at_which_all_agree() -> None:
    hierarchy = Hierarchy.from_rows("x", [("a", "A", "*"), ("b", "A", "*"), ("c", "C", "*")])
    assert lowest_common_ancestor(hierarchy, np.array([0, 1])) == (1, 0)
    assert lowest_common_ancestor(hierarchy, np.array([1, 2])) == (2, 0)
    assert lowest_common_ancestor(hierarchy, np.array([2])) == (0, 2)
