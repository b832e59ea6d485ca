"""People with several rows, and columns told coarsely: Spark releases and judges as memory does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.conftest import people, plan_of
from tests.engines.in_spark.refused import AT_SAIL
from tests.engines.in_spark.test_releases import released, rows_of

import kohort
from kohort import InputError, Plan
from kohort.algorithms import Silent
from kohort.folders.parts import parts_of
from kohort.folders.release_folder import private_of
from kohort.pipeline import make_release
from kohort.table.reading import read_table

NUMBERED = pytest.mark.skipif(AT_SAIL, reason="refused there by name, as is tested below")
TOLD = {
    "pay": {"role": "insensitive", "round": 500, "top": 5000},
    "big": {"role": "insensitive", "round": 100_000},
    "day": {"role": "insensitive", "unit": "quarter"},
    "dose": {"role": "sensitive", "round": 0.5},
}


def told_coarsely(rows: int) -> pa.Table:
    table = people(5, rows)
    numbers = range(rows)
    return (
        table.append_column("pay", pa.array([None if i % 9 == 0 else 1000 + 37.5 * i for i in numbers]))
        .append_column("big", pa.array([2**62 + 1013 * i for i in numbers], pa.uint64()))
        .append_column("day", pa.array([18_000 + i for i in numbers], pa.date32()))
        .append_column("dose", pa.array([str(i % 7 / 4) for i in numbers]))
    )


def compared(source: Path, plan: Plan, out: Path) -> None:
    """Release in memory and by Spark: the same rows, types and verdicts."""
    one = released(source, plan, out / "memory", "memory")
    other = released(source, plan, out / "spark")
    told = [(v.promise, v.holds, v.note) for v in one.verdicts]
    assert [(v.promise, v.holds, v.note) for v in other.verdicts] == told
    tables = [out / engine / "table.parquet" for engine in ("memory", "spark")]
    assert rows_of(tables[0]) == rows_of(tables[1])
    schemas = [read_table(table).to_arrow().schema for table in tables]
    assert schemas[0] == schemas[1]


@pytest.mark.long
def test_columns_are_told_as_coarsely_as_in_memory_and_judged(tmp_path: Path) -> None:
    source = tmp_path / "source.parquet"
    table = told_coarsely(200)
    pa.parquet.write_table(table, source)
    plan = plan_of(output__format="parquet", recode__max_suppression=0.1).with_settings(
        {f"columns.{name}": told for name, told in TOLD.items()}
    )
    if AT_SAIL:  # refused by name; of numbers with a sign the same is served
        with pytest.raises(InputError, match=r"would lose: 'big' \(uint64 as int64\)"):
            make_release(source, plan, Silent(), "spark")
        place = table.column_names.index("big")
        pa.parquet.write_table(table.set_column(place, "big", table["big"].cast(pa.int64())), source)
    compared(source, plan, tmp_path)
    assert {v.holds for v in kohort.verify(tmp_path / "spark", plan, source, engine="spark")} == {True}


def test_what_an_executor_cannot_read_is_told_in_the_words_of_memory(tmp_path: Path) -> None:
    source, told = tmp_path / "source.parquet", []
    pa.parquet.write_table(people(5, 60), source)
    plan = plan_of(columns__ward={"role": "insensitive", "round": 5}, output__format="parquet")
    for engine in ("memory", "spark"):
        with pytest.raises(InputError) as raised:
            make_release(source, plan, Silent(), engine)
        told.append(raised.value.told())
    assert told[0] == told[1]


@NUMBERED
def test_people_of_several_rows_and_columns_told_coarsely_are_released_as_in_memory(tmp_path: Path) -> None:
    source = tmp_path / "source.parquet"
    pa.parquet.write_table(told_coarsely(200), source)
    plan = of_several("k").with_settings({"columns.pay": TOLD["pay"], "columns.day": TOLD["day"]})
    compared(source, plan, tmp_path)
    verdicts = kohort.verify(tmp_path / "spark", engine="memory")
    assert {v.holds for v in verdicts if v.achieved is not None} == {True}


@pytest.mark.skipif(not AT_SAIL, reason="Apache Spark tells them")
def test_places_of_rows_that_are_not_told_are_asked_for_by_name(tmp_path: Path) -> None:
    pa.parquet.write_table(people(5, 100), tmp_path / "source.parquet")
    with pytest.raises(InputError, match="people are named by the file and the place in it of each row"):
        released(tmp_path / "source.parquet", of_several("k"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def of_several(kind: str) -> Plan:
    promises: dict[str, list[dict[str, Any]]] = {
        "k": [{"model": "k-anonymity", "k": 4}],
        "t": [
            {"model": "k-anonymity", "k": 3},
            {"model": "t-closeness", "column": "illness", "t": 0.7},
            {"model": "l-diversity", "column": "illness", "l": 2},
        ],
    }
    return plan_of(
        input__respondent="person",
        output__format="parquet",
        recode__max_suppression=0.3,
        require=promises[kind],
    )


@NUMBERED
@pytest.mark.long
@pytest.mark.parametrize("kind", ["t", "k"])
def test_people_of_several_rows_are_released_as_in_memory(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In parts, and verified again by every engine from the pseudonyms that the private zone keeps."""
    monkeypatch.setattr("kohort.engines.spark.output.ROWS_OF_A_PART", 100)
    source, plan = tmp_path / "source.parquet", of_several(kind)
    table = people(7, 300)
    pa.parquet.write_table(table, source)
    compared(source, plan, tmp_path)
    named = private_of(tmp_path / "spark") / "respondents.parquet"
    parts = [len(parts_of(place)) for place in (named, tmp_path / "spark" / "table.parquet")]
    assert parts[0] == parts[1] > 1
    owners = read_table(named).to_arrow()["respondent"].to_pylist()
    assert len(set(owners)) < len(owners)
    for engine in ("memory", "duckdb", "spark"):
        verdicts = kohort.verify(tmp_path / "spark", engine=engine)
        assert {v.holds for v in verdicts if v.achieved is not None} == {True}, engine
    shuffled = np.random.default_rng(1).permutation(owners)
    pa.parquet.write_table(pa.table({"respondent": shuffled}), named / "part-00000.parquet")
    assert False in {v.holds for v in kohort.verify(tmp_path / "spark", engine="spark")}
