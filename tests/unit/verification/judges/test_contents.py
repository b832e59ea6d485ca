"""What written tables say: the same however they are coded, counted and ordered."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from kohort.classes import Classes, Histogram
from kohort.classes.alone import standing_alone
from kohort.models import GroupPromise
from kohort.table import Table
from kohort.verification.judges import Contents, contents_of
from kohort.verification.judges.contents import contents_by_classes
from kohort.verification.judges.two_tables import TwoTables


def told(**columns: list[str | None]) -> Contents:
    return contents_of(Table.from_arrow(pa.table(columns)), ["zip", "sex"], ["ill"])


def as_data(found: Contents) -> object:
    held = found.classes.sensitive["ill"]
    return (
        found.names,
        found.labels,
        found.classes.codes.tolist(),
        found.classes.rows.tolist(),
        (held.starts.tolist(), held.values.tolist(), held.counts.tolist(), held.size),
    )


def test_labels_and_classes_are_in_order_and_missing_comes_first() -> None:
    found = told(zip=["b", "a", "b", None], sex=["m", "m", "m", "f"], ill=["x", "y", "z", "x"])
    assert found.rows == 4
    assert found.labels == {"zip": (None, "a", "b"), "sex": ("f", "m"), "ill": ("x", "y", "z")}
    assert found.classes.codes.tolist() == [[0, 0], [1, 1], [2, 1]]
    assert found.classes.rows.tolist() == [1, 1, 2]
    assert found.classes.levels == (0, 0)
    assert found.counts("zip").tolist() == [1, 1, 2]
    assert found.counts("ill").tolist() == [2, 1, 1]


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_rows_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = rng.choice(np.array(["a", "b", "10", "9", None], dtype=object), (int(rng.integers(1, 13)), 3))

    def of(rows: np.ndarray) -> object:
        return as_data(told(**{name: rows[:, j].tolist() for j, name in enumerate(("zip", "sex", "ill"))}))

    assert of(cells) == of(rng.permutation(cells))


def test_labels_that_do_not_occur_are_not_told() -> None:
    """Whoever counted may know the values of rows that were left out."""
    classes = Classes(
        np.array([[2]], np.int32),
        (0,),
        np.array([3]),
        np.array([3]),
        {"ill": Histogram(np.array([0, 2]), np.array([1, 3], np.int32), np.array([2, 1]), 5)},
    )
    found = contents_by_classes(
        ["zip", "ill"],
        classes,
        {"zip": ("p", "q", "r")},
        {"ill": ("e", "d", "c", "b", "a")},
        standing_alone([], lambda _: 0),
    )
    assert found.labels == {"zip": ("r",), "ill": ("b", "d")}
    assert found.counts("ill").tolist() == [1, 2]
    assert found.classes.sensitive["ill"].size == 2


def test_a_second_table_tells_groups() -> None:
    first = pa.table({"zip": ["1", "2", "3"], "sex": ["f", "f", "m"], "group": [2, 1, 2]})
    second = pa.table({"group": [1, 2, 2], "ill": ["x", "x", "y"], "count": [1, 1, 1]})
    found = TwoTables(GroupPromise("ill", 2)).contents(
        {"table": Table.from_arrow(first), "sensitive": Table.from_arrow(second)}, ["zip", "sex"], ["ill"]
    )
    assert list(found.apart) == ["ill"]
    assert found.apart["ill"].rows.tolist() == [1, 2]
    assert found.classes.rows.tolist() == [1, 1, 1]
    assert found.counts("ill").tolist() == [2, 1]
    assert found.classes.sensitive == {}
