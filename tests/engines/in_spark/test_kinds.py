"""Types that Spark knows by other names, or not at all: released as in memory, or refused by the name of the column."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

import kohort
from kohort import InputError, Plan
from kohort.engines.spark.settling import kind_of, settled_kinds
from kohort.table.cluster.cluster import Cluster

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


def test_types_follow_from_the_values_that_there_are(spark: Any) -> None:
    """What is missing needs no places, and where all is missing nothing of a type may show."""
    cluster = Cluster(spark)
    told = {
        "places": pa.array([Decimal("1.5"), None], pa.decimal128(38, 6)),
        "truth": pa.array([True, None]),
        "unsaid": pa.nulls(2, pa.bool_()),
        "unpaid": pa.nulls(2, pa.decimal128(38, 6)),
    }
    cluster.put("settled", spark.createDataFrame(pa.table(told)))
    columns = {name: (name, column.type) for name, column in told.items()}
    expected = {
        "places": "DECIMAL(38, 1)",
        "truth": "BOOLEAN",
        "unsaid": "STRING",
        "unpaid": "STRING",
    }
    assert settled_kinds(cluster, "FROM settled", columns, {}) == ({}, expected)
    assert {name: kind_of(column) for name, column in told.items()} == expected  # and of values that are here


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
