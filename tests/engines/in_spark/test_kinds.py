"""Types that Spark knows by other names, or not at all: released as in memory, or refused by the name of the column."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import kohort
from kohort import InputError, Plan
from kohort.engines.spark.recoding import kinds_needed, needed_by_all
from kohort.engines.spark.settling import kind_of_any
from kohort.engines.spark.spelling import Released
from kohort.table.cluster.packets import opened
from kohort.table.settling import released_kind

PLACES = [Decimal("0.0000012345"), Decimal("2.1234567891"), Decimal("1.5"), Decimal("9" * 27)]
# What must come out as it went in: the last places of long decimals, texts that are laid out otherwise and look like dates.
CARRIED = {
    "dose": pa.array(PLACES * 10, pa.decimal128(38, 10)),
    "year": pa.array(["2019", "2020", "2021-3", "2021-03-01"] * 10, pa.string_view()),
}
UNHELD = {
    "time64[us]": pa.array([1, 2, 3, 4] * 10, pa.time64("us")),
    "decimal256(40, 1)": pa.array([Decimal(1)] * 40, pa.decimal256(40, 1)),
}


def plan_for(name: str) -> Plan:
    columns: dict[str, Any] = {"sex": "quasi", name: {"role": "insensitive", "allow_unique": True}}
    return Plan.of(
        {
            "columns": columns,
            "require": [{"model": "k-anonymity", "k": 2}],
            "output": {"ledger": "", "format": "parquet"},
        }
    )


def written(folder: Path, name: str, cells: pa.Array) -> Path:
    path = folder / f"{name}.parquet"
    pyarrow.parquet.write_table(pa.table({"sex": ["f", "m"] * 20, name: cells}), path)
    return path


@pytest.mark.parametrize("name", CARRIED)
def test_carried_cells_are_those_of_the_original(name: str, tmp_path: Path) -> None:
    source = written(tmp_path, name, CARRIED[name])
    kohort.anonymize(source, plan_for(name), engine="spark").save(tmp_path / "out")
    released = pyarrow.parquet.read_table(tmp_path / "out" / "table.parquet")
    assert sorted(map(str, released[name].to_pylist())) == sorted(map(str, CARRIED[name].to_pylist()))
    assert all(verdict.holds for verdict in kohort.verify(tmp_path / "out"))


def test_types_follow_from_the_values_that_there_are() -> None:
    """What is missing needs no places, and where all is missing nothing of a type may show."""
    told = {
        "places": pa.array([Decimal("1.5"), None], pa.decimal128(38, 6)),
        "truth": pa.array([True, None]),
        "unsaid": pa.nulls(2, pa.bool_()),
        "unpaid": pa.nulls(2, pa.decimal128(38, 6)),
    }
    expected = {
        "places": pa.decimal128(38, 1),
        "truth": pa.bool_(),
        "unsaid": pa.string(),
        "unpaid": pa.string(),
    }
    numbers = {name: np.arange(2) for name in told}
    for asked, rows in ((dict.fromkeys(told), Released({}, told)), (told, Released(numbers, {}))):
        pieces = [fetched_here(kinds_needed(iter([rows]), asked=asked)) for _ in range(2)]
        found = needed_by_all([table for piece in pieces for table in piece])
        assert {name: released_kind(kind) for name, kind in found.items()} == expected
        nobody = Released(
            {name: own[:0] for name, own in rows.numbers.items()}, {n: c[:0] for n, c in rows.cells.items()}
        )
        none = needed_by_all(fetched_here(kinds_needed(iter([nobody]), asked=asked)))
        assert {released_kind(kind) for kind in none.values()} == {pa.string()}


def fetched_here(batches: Iterator[pa.RecordBatch]) -> list[pa.Table]:
    return [opened(batch.column("packet")[0]) for batch in batches]


def test_types_are_known_beforehand_only_where_nobody_could_change_them() -> None:
    assert kind_of_any(pa.string(), None) == pa.string()
    assert kind_of_any(pa.int8(), pa.array([1, 2], pa.int8())) == pa.int64()
    assert kind_of_any(pa.float64(), pa.array([1.0, 2.0])) == pa.int64()
    assert kind_of_any(pa.float64(), pa.array([1.5, 2.5])) == pa.float64()
    unknown = [
        (pa.int64(), pa.array([1, None])),
        (pa.float64(), pa.array([1.0, 77.5])),
        (pa.uint64(), pa.array([1, 2**63], pa.uint64())),
        (pa.decimal128(9, 2), pa.array([Decimal("1.50"), Decimal("1.55")], pa.decimal128(9, 2))),
        (pa.int64(), None),
    ]
    assert [kind_of_any(kind, values) for kind, values in unknown] == [None] * len(unknown)


@pytest.mark.parametrize("kind", UNHELD)
def test_what_spark_does_not_hold_is_refused_by_the_name_of_the_column(kind: str, tmp_path: Path) -> None:
    source = written(tmp_path, "odd", UNHELD[kind])
    with pytest.raises(InputError, match="'odd'") as refused:
        kohort.anonymize(source, plan_for("odd"), engine="spark")
    assert refused.value.code == "engine.format"


def test_a_failing_query_says_nothing_of_cells(capfd: pytest.CaptureFixture[str], spark: Any) -> None:
    from kohort.table.cluster.session import told_plainly

    with pytest.raises(InputError, match="Spark could not do it"), told_plainly():
        spark.sql("SELECT CAST('Xanthippe' AS DATE)").toArrow()
    assert "Xanthippe" not in "".join(capfd.readouterr())
