from __future__ import annotations

import pytest

from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, build_hierarchy

TEXTS = ["nurse", "baker", None, "clerk", "diver"]
COUNTS = [5, 5, 9, 7, 1]


def order(**options: object) -> Hierarchy:
    return build_hierarchy("job", {"kind": "order", **options}, TEXTS, COUNTS)


def paths(hierarchy: Hierarchy) -> dict[str | None, tuple[str | None, ...]]:
    columns = [[level.labels[code] for code in level.of_ground] for level in hierarchy.levels]
    return {path[0]: path[1:] for path in zip(*columns, strict=True)}


def test_the_first_of_the_list_are_kept_and_the_rest_are_other() -> None:
    assert paths(order(values=["diver", "baker", "pilot"], keep=[2, 1])) == {
        "diver": ("diver", "diver", "*"),
        "baker": ("baker", "other", "*"),
        "pilot": ("other", "other", "*"),
        "clerk": ("other", "other", "*"),
        "nurse": ("other", "other", "*"),
        None: (None, None, "*"),
    }


def test_without_keep_all_that_are_listed_are_kept() -> None:
    found = paths(order(values=["diver"], other="elsewhere"))
    assert {ground: labels[0] for ground, labels in found.items() if ground} == {
        "diver": "diver",
        "baker": "elsewhere",
        "clerk": "elsewhere",
        "nurse": "elsewhere",
    }


def test_counts_order_the_values_only_where_asked_and_ties_follow_the_alphabet() -> None:
    found = paths(order(by_count=True, keep=[3, 2, 1]))
    assert {ground: labels for ground, labels in found.items() if ground} == {
        "clerk": ("clerk", "clerk", "clerk", "*"),
        "baker": ("baker", "baker", "other", "*"),
        "nurse": ("nurse", "other", "other", "*"),
        "diver": ("other", "other", "other", "*"),
    }


def test_numbers_listed_are_matched_as_text() -> None:
    hierarchy = build_hierarchy("grade", {"kind": "order", "values": [1, 2.5]}, ["1", "2.5", "4"], [1, 1, 1])
    assert paths(hierarchy) == {"1": ("1", "*"), "2.5": ("2.5", "*"), "4": ("other", "*")}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "values is empty"),
        ({"values": ["a", "a"]}, "holds a value twice"),
        ({"values": ["a"], "keep": [2]}, "keep is 2 but only 1 value is listed"),
        ({"values": ["a", "b"], "keep": [1, 2]}, "descending"),
        ({"values": ["a"], "keep": [0]}, "descending"),
        ({"by_count": True}, "keep is missing"),
        ({"values": ["a"], "other": "a"}, "choose another label"),
    ],
)
def test_wrong_options_are_told_with_the_column(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match="column 'job'") as error:
        order(**options)
    assert words in str(error.value)
