"""Mondrian where distinct tuples do not fit: cut from counts, finished by executors, the same boxes as in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.conftest import people, plan_of
from tests.engines.in_spark.test_people import compared

import kohort
from kohort import InputError
from kohort.algorithms import Silent
from kohort.engines.spark.engine import InCluster
from kohort.pipeline import make_release

PROMISES: dict[str, list[dict[str, Any]]] = {
    "t": [
        {"model": "k-anonymity", "k": 4},
        {"model": "t-closeness", "column": "illness", "t": 0.6},
    ],
    "k": [{"model": "k-anonymity", "k": 3}],
}


@pytest.fixture(autouse=True)
def little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the driver room for some boxes."""
    monkeypatch.setattr(InCluster, "room", 50_000)


@pytest.mark.parametrize(
    ("kind", "rows_of_a_cell"),
    [("k", 200), *(pytest.param(kind, 60, marks=pytest.mark.long) for kind in PROMISES)],
)
def test_boxes_are_those_of_memory(
    tmp_path: Path, kind: str, rows_of_a_cell: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kohort.engines.spark.regions.ROWS_OF_A_CELL", rows_of_a_cell)
    source = tmp_path / "source.parquet"
    pa.parquet.write_table(people(11, 300), source)
    plan = plan_of(
        recode__algorithm="mondrian",
        output__format="parquet",
        require=PROMISES[kind],
        columns__ward="identifier",
    )
    compared(source, plan, tmp_path)
    assert {v.holds for v in kohort.verify(tmp_path / "spark")} == {True}


@pytest.mark.long
def test_what_needs_all_tuples_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "source.parquet"
    pa.parquet.write_table(people(11, 300), source)
    plan = plan_of(recode__algorithm="top-down", output__format="parquet")
    with pytest.raises(InputError, match=r"choose one of .*mondrian"):
        make_release(source, plan, Silent(), "spark")
