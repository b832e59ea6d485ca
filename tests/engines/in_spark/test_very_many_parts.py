"""Tables in very many parts, most of them of one row or of none: the same answer, and few tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from tests.engines.conftest import people
from tests.engines.in_spark.folders import folder_of
from tests.engines.in_spark.refused import AT_SAIL

import kohort

QUASI, SENSITIVE = ["age", "zip"], ["illness"]


def audited(source: Any, engine: str) -> Any:
    return kohort.audit(source, QUASI, SENSITIVE, engine=engine)


@pytest.mark.parametrize("suffix", ["parquet", pytest.param("csv", marks=pytest.mark.long)])
@pytest.mark.parametrize("parts", [200, pytest.param(2_000, marks=pytest.mark.long)])
def test_files_in_very_many_parts_are_one_table(tmp_path: Path, parts: int, suffix: str) -> None:
    table, whole = people(5, 300), tmp_path / f"whole.{suffix}"
    pa.csv.write_csv(table, whole) if suffix == "csv" else pa.parquet.write_table(table, whole)
    folder = folder_of(table, tmp_path / f"parts.{suffix}", parts, suffix)
    assert audited(folder, "spark") == audited(whole, "memory")


# Sail took more than 21 GB for a frame of 10,000 parts, and all memory of the machine with it: a gap that how-to.md tells.
@pytest.mark.parametrize("parts", [200, *([] if AT_SAIL else [pytest.param(10_000, marks=pytest.mark.long)])])
def test_frames_in_very_many_parts_are_one_table(spark: Any, parts: int) -> None:
    table = people(5, 300)
    assert audited(spark.createDataFrame(table).repartition(parts), "spark") == audited(table, "memory")
