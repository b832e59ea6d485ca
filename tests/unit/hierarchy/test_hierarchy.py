from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.errors import InputError
from kohort.hierarchy import Hierarchy


def test_levels_count_their_leaves_and_steps_compose() -> None:
    hierarchy = Hierarchy.from_rows("x", [("a", "A", "*"), ("b", "B", "*"), ("c", "A", "*")])
    assert hierarchy.ground == ("a", "c", "b")  # the values under a label stand side by side
    assert hierarchy.levels[1].labels == ("A", "B")
    assert hierarchy.levels[1].leaves.tolist() == [2, 1]
    assert hierarchy.step(0, 1).tolist() == [0, 0, 1]
    assert hierarchy.step(1, 2).tolist() == [0, 0]
    assert (hierarchy.height, hierarchy.size) == (2, 3)


def test_numbers_stand_by_value_and_the_missing_value_last() -> None:
    hierarchy = Hierarchy.from_rows("x", [("10", "*"), (None, "*"), ("9", "*"), ("-1.5", "*")])
    assert hierarchy.ground == ("-1.5", "9", "10", None)
    assert hierarchy.numbers is not None
    assert hierarchy.numbers[:3].tolist() == [-1.5, 9, 10]
    assert np.isnan(hierarchy.numbers[3])


def test_numbers_grouped_across_their_order_are_codes() -> None:
    hierarchy = Hierarchy.from_rows("x", [("1", "odd", "*"), ("2", "even", "*"), ("3", "odd", "*")])
    assert hierarchy.numbers is None
    assert hierarchy.ground == ("1", "3", "2")


@pytest.mark.parametrize(
    "texts", [("7", "07"), ("1_000", "2"), ("inf", "1"), ("٣", "4"), (" 7", "8"), ("-", "1")]
)
def test_what_python_would_take_for_numbers_may_be_none(texts: tuple[str, str]) -> None:
    assert Hierarchy.from_rows("x", [(text, "*") for text in texts]).numbers is None


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "holds no value"),
        ([("a", "*"), ("b",)], "1 to 2 levels"),
        ([("a", "*"), ("a", "*")], "more than once"),
        ([("a", "A", "x", "*"), ("b", "A", "y", "*")], "1 label at level 1 has"),
        ([("a", "*"), ("b", "+")], "2 roots"),
    ],
)
def test_what_is_no_hierarchy_is_refused(rows: list[tuple[str, ...]], words: str) -> None:
    with pytest.raises(InputError, match="column 'x'") as error:
        Hierarchy.from_rows("x", rows)
    assert words in str(error.value)


@given(st.data())
def test_each_value_has_one_parent_per_level_and_keeps_it_in_any_order(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 12))
    paths = [[f"v{i}"] for i in range(n)]
    groups = list(range(n))
    for depth in range(data.draw(st.integers(0, 3))):
        parent = data.draw(st.lists(st.integers(0, 3), min_size=max(n, 4), max_size=max(n, 4)))
        groups = [parent[group] for group in groups]
        for path, group in zip(paths, groups, strict=True):
            path.append(f"{depth}:{group}")
    rows = [(*path, "*") for path in paths]
    hierarchy = Hierarchy.from_rows("x", data.draw(st.permutations(rows)))
    columns = [[level.labels[code] for code in level.of_ground] for level in hierarchy.levels]
    assert sorted(zip(*columns, strict=True)) == sorted(rows)
    for level in hierarchy.levels:
        assert (
            1 + np.count_nonzero(np.diff(level.of_ground)) == len(level.labels) == level.of_ground.max() + 1
        )
