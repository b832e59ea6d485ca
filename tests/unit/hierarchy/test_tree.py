from __future__ import annotations

import tomllib

import pytest

from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, build_hierarchy


def tree(written: str, texts: list[str | None]) -> Hierarchy:
    spec = {"kind": "tree", "tree": tomllib.loads(written)}
    return build_hierarchy("diagnosis", spec, texts, [5] * len(texts))


def paths(hierarchy: Hierarchy) -> dict[str | None, tuple[str | None, ...]]:
    columns = [[level.labels[code] for code in level.of_ground] for level in hierarchy.levels]
    return {path[0]: path[1:] for path in zip(*columns, strict=True)}


def test_groups_equally_far_from_the_root_share_a_level_and_short_paths_repeat_the_value() -> None:
    written = """
    lung = ["J45", "J44"]
    unknown = "R69"
    [heart]
    rhythm = ["I48"]
    failure = { left = ["I50.1"], right = ["I50.0"] }
    """
    assert paths(tree(written, ["J45"])) == {
        "J45": ("J45", "J45", "lung", "*"),
        "J44": ("J44", "J44", "lung", "*"),
        "R69": ("R69", "R69", "unknown", "*"),
        "I48": ("I48", "rhythm", "heart", "*"),
        "I50.1": ("left", "failure", "heart", "*"),
        "I50.0": ("right", "failure", "heart", "*"),
    }


def test_one_group_at_the_top_is_the_root() -> None:
    assert paths(tree('person = { "not released" = ["a"], released = ["b"] }', ["a"])) == {
        "a": ("not released", "person"),
        "b": ("released", "person"),
    }


def test_numbers_in_the_tree_are_matched_as_text() -> None:
    assert paths(tree("low = [1, 2]\nhigh = [3, true]", ["1", "true"]))["true"] == ("high", "*")


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("a = []", "a label without values at depth 1"),
        ("", "a label without values at depth 0"),
        ("a = [['x']]", "something other than ground values"),
        ("a = ['x']\nb = ['x']", "1 ground value stands in its hierarchy more than once"),
        (
            "a = { other = ['x'] }\nb = { other = ['y'] }",
            "1 label at level 1 has more than one",
        ),
        ("a = ['x']", "misses 1 of the 2 distinct values, in 5 rows"),
    ],
)
def test_a_wrong_tree_is_told_without_values(written: str, words: str) -> None:
    with pytest.raises(InputError, match="column 'diagnosis'") as error:
        tree(written, ["x", "secret"])
    assert words in str(error.value)
    assert "secret" not in str(error.value)
