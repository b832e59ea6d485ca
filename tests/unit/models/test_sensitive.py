"""What a `[[require]]` may name: columns and numbers, each bound from both sides."""

import numpy as np
import pytest

from kohort.classes import classes_of_rows
from kohort.errors import InputError
from kohort.models import Attribute, Reference
from kohort.models.sensitive import attribute_of, histogram_of, named_columns, number, spoken, whole_number


@pytest.mark.parametrize(
    ("column", "columns", "named"),
    [
        ("a", (), ("a",)),
        (None, ("a", "b"), ("a", "b")),
        ("a", ("b", "a"), ("a", "b")),
        (None, "ab", ("ab",)),
        (None, ["b", "b"], ("b",)),
    ],
)
def test_columns_are_named_once_each(column: str | None, columns: object, named: tuple[str, ...]) -> None:
    assert named_columns("m", column, columns) == named  # type: ignore[arg-type]


@pytest.mark.parametrize(("column", "columns"), [(None, ()), ("", ()), (None, ("",)), (None, ("a", 3))])
def test_no_column_is_no_promise(column: str | None, columns: object) -> None:
    with pytest.raises(InputError, match="m: no sensitive column is named"):
        named_columns("m", column, columns)  # type: ignore[arg-type]


def test_a_column_that_is_not_there_is_told_with_those_that_are() -> None:
    classes = classes_of_rows(np.zeros((2, 1), np.int32), {"ill": (np.array([0, 1], np.int32), 2)})[0]
    assert histogram_of("m", classes, "ill").counts.tolist() == [1, 1]
    with pytest.raises(InputError, match=r"no sensitive column 'pay'; the sensitive columns are: ill"):
        histogram_of("m", classes, "pay")
    reference = Reference(2, {"ill": Attribute("ill", ("x",), np.array([2]))})
    assert attribute_of("m", reference, "ill").name == "ill"
    with pytest.raises(InputError, match=r"no sensitive column 'pay' .* are: ill"):
        attribute_of("m", reference, "pay")
    with pytest.raises(InputError, match=r"are: \(none\)"):
        attribute_of("m", Reference(2), "pay")


@pytest.mark.parametrize("value", [2, 3, 10**9])
def test_whole_numbers_from_the_least_on(value: int) -> None:
    assert whole_number("m", "k", value, least=2) == value


@pytest.mark.parametrize("value", [1, -2, True, 2.0, "2", None])
def test_other_whole_numbers_are_refused(value: object) -> None:
    with pytest.raises(InputError, match=r"m: k is .*whole number of at least 2"):
        whole_number("m", "k", value, least=2)


@pytest.mark.parametrize("value", [1e-12, 0.5, 1, 1.0])
def test_numbers_up_to_the_most(value: float) -> None:
    assert number("m", "t", value, above=0, most=1) == value


@pytest.mark.parametrize("value", [1e12, 3])
def test_numbers_without_a_most(value: float) -> None:
    assert number("m", "t", value, above=0) == value


@pytest.mark.parametrize(
    ("value", "most", "told"),
    [
        (0, 1, "above 0 and at most 1"),
        (1.1, 1, "above 0 and at most 1"),
        (-1, float("inf"), "above 0$"),
        (True, 1, "t is True"),
        ("1", 1, "t is '1'"),
        (float("nan"), 1, "t is nan"),
        (float("inf"), float("inf"), "is infinite"),
        (1.1e12, float("inf"), "between 1e-12 and 1e12"),
        (0.9e-12, 1, "between 1e-12 and 1e12"),
    ],
)
def test_other_numbers_are_refused(value: object, most: float, told: str) -> None:
    with pytest.raises(InputError, match=told):
        number("m", "t", value, above=0, most=most)


def test_columns_in_words() -> None:
    assert [spoken(tuple("abc"[:n])) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


def test_nothing_is_a_number_where_less_is_allowed() -> None:
    assert number("m", "t", 0, above=-1) == 0
    assert number("m", "t", -0.5, above=-1) == -0.5
