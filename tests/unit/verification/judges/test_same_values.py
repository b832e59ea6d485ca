"""A released value and an original one are the same text, or the same decimal with other zeros at its end."""

import numpy as np
import pytest

from kohort.verification.judges.same_values import codes_among, codes_in_use


@pytest.mark.parametrize(
    ("text", "known", "found"),
    [
        ("1234.5", ["1234.50"], 0),
        ("1234.50", ["1234.5"], 0),
        ("12", ["12.0"], 0),
        ("-0.5", ["-0.500"], 0),
        ("7", ["07"], -1),  # a code, not a number
        ("1.5", ["1.5", "1.50"], 0),
        ("1.50", ["1.5", "1.50"], 1),
        ("a.50", ["a.5"], -1),
        ("1.2.30", ["1.2.3"], -1),
        ("100", ["1"], -1),
        (None, [None], 0),
        (None, ["x"], -1),
    ],
)
def test_the_same_value_is_found(text: str | None, known: list[str | None], found: int) -> None:
    assert codes_among([text], known).tolist() == [found]


@pytest.mark.parametrize(
    ("texts", "known", "found"),
    [
        (["1000", "1000.0"], ["1000"], [0, -1]),
        (["1000.0", "1000.00"], ["1000"], [-1, -1]),  # neither is the original's
        (["1000.0", "2.0"], ["1000", "2"], [0, 1]),
        (["1000.00", "2.50"], ["1000", "2.5"], [0, 1]),
        (["1000.0", "2.5", "2.25"], ["1000", "2.5", "2.250"], [0, 1, 2]),  # as data frames write floats
        (["1000", "2.5", "x"], ["1000.0", "2.50", "x"], [0, 1, 2]),
        (["1.5", "1.50"], ["1.5", "1.50"], [0, 1]),  # which has both
    ],
)
def test_one_value_is_told_in_one_way(texts: list[str], known: list[str], found: list[int]) -> None:
    assert codes_among(texts, known).tolist() == found


@pytest.mark.parametrize(
    ("texts", "known", "found"),
    [
        (["1000.0", "2"], ["1000", "2.0"], [-1, -1]),
        (["1000.00", "2.5"], ["1000", "2.5"], [-1, 1]),
        (["7.0", "8.00", "9.000"], ["7", "8", "9"], [-1, -1, -1]),  # so many zeros tell who it is
        (["7.5", "8.50"], ["7.50", "8.5"], [-1, -1]),
        (["7.5", "8.50"], ["7.5", "8.50"], [0, 1]),  # as the original has them
        (["7.5", "8.50", "9.50"], ["7.5", "8.50", "9.5"], [0, 1, -1]),
        (["1000.0", "2.50", "2.25"], ["1000", "2.5", "2.25"], [-1, -1, 2]),
        (["True", "FALSE"], ["true", "false"], [-1, -1]),
        (["tRuE"], ["true"], [-1]),  # as no program writes them
        (["True", "false"], ["true", "false"], [-1, 1]),  # partly in other words
        (["True", "False", "2.0"], ["true", "false", "2"], [0, 1, 2]),
        (["true", "false", "2.0"], ["true", "false", "2"], [0, 1, 2]),
    ],
)
def test_all_values_of_a_column_are_told_by_one_rule(
    texts: list[str], known: list[str], found: list[int]
) -> None:
    assert codes_among(texts, known).tolist() == found


def test_truth_values_of_data_frames_are_the_originals() -> None:
    assert codes_among(["True", "False"], ["false", "true"]).tolist() == [1, 0]
    assert codes_among(["TRUE", "true"], ["true"]).tolist() == [-1, 0]
    assert codes_among(["True", "true"], ["True", "true"]).tolist() == [0, 1]


def test_a_spelling_that_no_cell_has_is_no_second_one() -> None:
    texts, known = ["9", "7", "7.0"], ["7", "8"]
    assert codes_in_use(np.array([2, 2]), texts, known).tolist() == [0, 0]
    assert codes_in_use(np.array([2, 1, 2]), texts, known).tolist() == [-1, 0, -1]
    assert codes_in_use(np.array([1, 0, 1]), texts, known).tolist() == [0, -1, 0]


def test_bits_are_truth_values_where_all_of_a_column_is_told_so() -> None:
    assert codes_among(["0", "1", None], ["True", "False", None]).tolist() == [1, 0, 2]
    assert codes_among(["0", "true"], ["true", "false"]).tolist() == [-1, 0]
    assert codes_among(["0", "1"], ["true", "1"]).tolist() == [-1, 1]
