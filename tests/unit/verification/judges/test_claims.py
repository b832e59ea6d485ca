"""What a claim says, value by value, before the cluster is asked anything."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from tests.reference.cluster import PlayedCluster, PlayedSource

from kohort.hierarchy import Hierarchy
from kohort.verification.judges.cell_store import ORIGINAL, WRITTEN
from kohort.verification.judges.cells_in_cluster import CellsInCluster
from kohort.verification.judges.claims import CLAIMED, ClaimedBoxes, ClaimedClasses, ValuesAt

TOWNS = Hierarchy.from_rows("town", [("Ayr", "north", "*"), ("Oban", "north", "*"), ("Bude", "south", "*")])
NORTH, SOUTH = (TOWNS.levels[1].labels.index(label) for label in ("north", "south"))


def laid(written: list[str], original: list[str]) -> CellsInCluster:
    cells = CellsInCluster(PlayedCluster(), ["town"], [])  # type: ignore[arg-type]
    cells.put(WRITTEN, PlayedSource(pa.table({"town": written})), ["town"])  # type: ignore[arg-type]
    cells.put(ORIGINAL, PlayedSource(pa.table({"town": original})), ["town"])  # type: ignore[arg-type]
    return cells


@pytest.mark.parametrize(
    ("original", "level", "one_each", "one_for_all"),
    [
        (["Ayr", "Bude", "Bude"], 0, True, False),
        (["Ayr", "Bude"], 1, True, False),
        (["Ayr", "Oban", "Bude"], 1, False, False),
        (["Ayr", "Oban"], 1, False, True),
        (["Ayr", "Oban"], 2, False, True),
        (["Bude"], 1, True, True),
    ],
)
def test_values_are_told_apart_by_their_codes_at_a_level(
    original: list[str], level: int, one_each: bool, one_for_all: bool
) -> None:
    values = ValuesAt.of(laid(["*"], original), TOWNS, level)
    assert (values.is_one_each, values.is_one_for_all) == (one_each, one_for_all)


def test_a_value_knows_the_same_text_where_it_is_written() -> None:
    cells = laid(["Oban", "Bude"], ["Ayr", "Bude"])
    values = ValuesAt.of(cells, TOWNS, 0)
    told = {
        text: -1 if code < 0 else cells.texts(WRITTEN, "town")[code]
        for text, code in zip(cells.texts(ORIGINAL, "town"), values.same.tolist(), strict=True)
    }
    assert told == {"Ayr": -1, "Bude": "Bude"}


def test_the_text_of_a_code_that_none_has_is_none() -> None:
    """Be it between those of texts, or beyond them all."""
    values = ValuesAt(codes=np.array([4, 1]), same=np.array([0, 1]))
    assert values.text_of(np.array([1, 4, 0, 3, 4])).tolist() == [1, 0, -1, -1, 0]
    assert values.text_of(np.array([1, 6, 5])).tolist() == [1, -1, -1]
    assert ValuesAt(np.zeros(0, np.int64), np.zeros(0, np.int64)).text_of(np.array([0])).tolist() == [-1]


def test_a_class_of_values_that_nobody_has_tells_nothing() -> None:
    """Its text is none, here and where it is written: no row of the original is told by it."""
    cells = laid(["Ayr", "Bude", "Oban"], ["Bude", "Ayr"])
    codes = TOWNS.encode(["Ayr", "Oban", "Bude"])
    ClaimedClasses(codes[:, np.newaxis], (0,), (None,)).lay(cells, [TOWNS])
    told = cells.table(f"SELECT * FROM {CLAIMED}").to_pydict()
    assert told["b0"] == codes.tolist()
    ground, own = cells.texts(ORIGINAL, "town"), cells.texts(WRITTEN, "town")
    assert [None if t < 0 else ground[t] for t in told["t0"]] == ["Ayr", None, "Bude"]
    assert [None if s < 0 else own[s] for s in told["s0"]] == ["Ayr", None, "Bude"]


def test_classes_are_known_here_and_tuples_in_the_cluster() -> None:
    assert ClaimedClasses(np.zeros((1, 1), np.int32), (1,), (("north",),)).is_here
    boxes = ClaimedBoxes(None, 2, np.zeros(1, np.int32), np.zeros(1, np.int32), (None, None))
    assert not boxes.is_here
    assert boxes.levels == (0, 0)


@pytest.mark.parametrize(
    ("labels", "covers"),
    [(("north", "south"), True), (("*", "*"), True), (("north", "north"), False), (("north", "Ayr"), False)],
)
def test_labels_cover_all_ground_values_of_their_classes(labels: tuple[str, str], covers: bool) -> None:
    claim = ClaimedClasses(np.array([[NORTH], [SOUTH]], np.int32), (1,), (labels,))
    assert claim.covers(laid(["*"], ["Ayr"]), TOWNS, 0) is covers
