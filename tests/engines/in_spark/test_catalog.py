"""Tables that a catalog of Spark knows by name: from Python as frames, from the command line by `table:NAME`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.conftest import people, plan_of
from typer.testing import CliRunner

import kohort
from kohort import InputError
from kohort.cli.main import app
from kohort.table.reading import read_table

NAME = "kohort_people"


@pytest.fixture
def saved(tmp_path: Path, spark: Any) -> Iterator[pa.Table]:
    """Return the rows of a table that the catalog has, whose files lie in a folder of the test."""
    table = people(8, 150)
    pa.parquet.write_table(table, tmp_path / "rows.parquet")
    rows = spark.read.parquet(f"file://{tmp_path / 'rows.parquet'}")
    rows.write.mode("overwrite").option("path", f"file://{tmp_path / 'saved'}").saveAsTable(NAME)
    yield table
    spark.sql(f"DROP TABLE {NAME}")


def rows_of(table: pa.Table) -> list[str]:
    return sorted(map(str, table.to_pylist()))


@pytest.mark.long
def test_a_saved_table_is_released_as_in_memory(tmp_path: Path, saved: pa.Table, spark: Any) -> None:
    """Handed over as a frame, and named in a plan, whose folder is not looked at."""
    plan = plan_of(output__format="parquet")
    expected = rows_of(kohort.anonymize(saved, plan).table)
    assert rows_of(kohort.anonymize(spark.table(NAME), plan, engine="spark").table.toArrow()) == expected
    named = plan.with_settings({"input.path": f"table:{NAME}"})
    (tmp_path / "plan.toml").write_text(named.to_toml())
    told = CliRunner().invoke(
        app, ["anonymize", str(tmp_path / "plan.toml"), "-o", str(tmp_path / "out"), "--engine", "spark"]
    )
    assert told.exit_code == 0, told.output
    assert rows_of(read_table(tmp_path / "out" / "table.parquet").to_arrow()) == expected
    verdicts = kohort.verify(tmp_path / "out", original=Path(f"table:{NAME}"), engine="spark")
    assert {verdict.holds for verdict in verdicts} == {True}


@pytest.mark.long
def test_a_saved_table_is_audited_as_in_memory(saved: pa.Table) -> None:
    words = ["audit", f"table:{NAME}", "--quasi", "age,zip", "--engine", "spark", "--json"]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["k"] == kohort.audit(saved, ["age", "zip"])["k"]


def test_a_table_that_the_catalog_does_not_know_is_told() -> None:
    with pytest.raises(InputError, match="Spark knows no table or view of that name"):
        kohort.audit("table:no_such_table", ["age"], engine="spark")
