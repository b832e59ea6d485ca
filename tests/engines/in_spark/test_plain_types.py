"""Types of which Spark is not asked are those that it would tell."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from kohort.table.cluster import opening as room
from kohort.table.cluster.opening import from_parquet
from kohort.table.formats.options import ReadingOptions

CELLS = {
    "text": pa.array(["a", None]),
    "long": pa.array(["a", None], pa.large_string()),
    "yes": pa.array([True, None]),
    "tiny": pa.array([1, None], pa.int8()),
    "small": pa.array([1, None], pa.int16()),
    "int": pa.array([1, None], pa.int32()),
    "big": pa.array([1, None], pa.int64()),
    "single": pa.array([1.5, None], pa.float32()),
    "double": pa.array([1.5, None]),
    "day": pa.array([datetime.date(2020, 1, 1), None]),
}


def test_spark_would_tell_the_same_in_spark(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.parquet"
    pyarrow.parquet.write_table(pa.table(CELLS), path)
    known = from_parquet(spark, path, ReadingOptions())
    assert known.frame is None
    monkeypatch.setattr(room, "_is_plain", lambda *_: False)
    asked = from_parquet(spark, path, ReadingOptions())
    assert asked.frame is not None
    assert (known.names, known.kinds, known.held) == (asked.names, asked.kinds, asked.held)
    assert [known.type_of(name) for name in known.names] == [asked.type_of(name) for name in asked.names]


def test_of_other_types_and_folders_spark_is_asked_in_spark(spark: Any, tmp_path: Path) -> None:
    other, within = tmp_path / "other.parquet", tmp_path / "folders"
    pyarrow.parquet.write_table(pa.table(CELLS | {"zone": pa.array([1, None], pa.timestamp("us"))}), other)
    (within / "year=2020").mkdir(parents=True)
    pyarrow.parquet.write_table(pa.table(CELLS), within / "year=2020" / "a.parquet")
    for path in (other, within):
        assert from_parquet(spark, path, ReadingOptions()).frame is not None
    assert "year" in from_parquet(spark, within, ReadingOptions()).names
