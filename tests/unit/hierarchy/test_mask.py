from __future__ import annotations

import pytest

from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, build_hierarchy


def mask(texts: list[str | None], **options: object) -> Hierarchy:
    return build_hierarchy("zip", {"kind": "mask", **options}, texts, [1] * len(texts))


def paths(hierarchy: Hierarchy) -> dict[str | None, tuple[str | None, ...]]:
    columns = [[level.labels[code] for code in level.of_ground] for level in hierarchy.levels]
    return {path[0]: path[1:] for path in zip(*columns, strict=True)}


def test_characters_are_hidden_one_by_one_from_the_right() -> None:
    assert paths(mask(["01234", "01239"])) == {
        "01234": ("0123*", "012**", "01***", "0****", "*"),
        "01239": ("0123*", "012**", "01***", "0****", "*"),
    }


def test_characters_are_hidden_from_the_left_where_asked() -> None:
    assert paths(mask(["abc", "xbc"], side="left", char="#"))["abc"] == ("#bc", "##c", "*")


def test_steps_say_how_many_are_hidden_and_all_hidden_is_the_root() -> None:
    assert paths(mask(["12345", "12999"], steps=[2, 3, 5]))["12345"] == ("123**", "12***", "*")


def test_kept_characters_are_hidden_by_the_root_only() -> None:
    assert paths(mask(["12345", "13999"], keep=3))["12345"] == ("1234*", "123**", "*")


def test_values_of_unequal_length_are_filled_up_on_the_side_that_is_hidden() -> None:
    assert paths(mask(["I10", "I25.1"])) == {
        "I10": ("I10**", "I10**", "I1***", "I****", "*"),
        "I25.1": ("I25.*", "I25**", "I2***", "I****", "*"),
    }
    assert paths(mask(["7", "42"], side="left"))["7"] == ("*7", "*")


def test_one_character_and_none_have_the_root_only() -> None:
    assert paths(mask(["a", "b", None])) == {"a": ("*",), "b": ("*",), None: ("*",)}


def test_every_character_of_unicode_counts_once() -> None:
    assert paths(mask(["łódź", "łoś"]))["łódź"] == ("łód*", "łó**", "ł***", "*")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"char": "**"}, "one character"),
        ({"keep": -1}, "keep is -1"),
        ({"steps": [2, 1]}, "ascending"),
        ({"steps": []}, "ascending"),
        ({"steps": [6], "length": 5}, "hides 6 characters where hierarchy.length is 5 and 0 are to be kept"),
        ({"steps": [3], "keep": 3, "length": 5}, "3 are to be kept"),
        ({"length": 1_001}, "it must be from 1 to 1,000"),
        ({"length": 10**9}, "it must be from 1 to 1,000"),
        ({"side": "middle"}, "side: there is no value"),
    ],
)
def test_wrong_options_are_told_with_the_column(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match="column 'zip'") as error:
        mask(["12345"], **options)
    assert words in str(error.value)


@pytest.mark.parametrize("options", [{}, {"steps": [1]}, {"length": 1_000}])
def test_what_is_too_long_for_a_code_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match="in 1 row, do not fit"):
        mask(["12345", "7" * 1_001], **options)


def test_labels_that_memory_would_not_hold_are_refused_and_few_levels_taken() -> None:
    long = [f"{i:0>1000}" for i in range(5_000)]
    with pytest.raises(InputError, match=r"say hierarchy\.steps") as error:
        mask(long)
    assert "0000" not in str(error.value)
    assert len(paths(mask(long, steps=[2, 999]))[long[7]]) == 3
