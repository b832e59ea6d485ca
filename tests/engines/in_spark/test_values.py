"""The same answer in memory, by DuckDB and in Spark: whatever the values are, and however the rows are laid out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.conftest import people, plan_of
from tests.engines.in_spark.refused import REFUSED
from tests.engines.in_spark.test_releases import released, rows_of

import kohort
from kohort import Plan
from kohort.release.release import Release

pytestmark = pytest.mark.long

DAY = dt.datetime(2020, 2, 28, 23, 59)
POOLS: dict[str, tuple[list[Any], pa.DataType]] = {
    "texts": (["", " ", "a", "A", "ä", "01", "1", "1.0", "NaN", "null", "it's", 'say "so"', "x,y"], pa.string()),
    "nan": ([float("nan"), 0.0, -0.0, 1.5, -1e300, 2.0**53, float("inf")], pa.float64()),
    "halves": ([0.5, 1.0, -0.0, 1 / 3], pa.float32()),
    "big integers": ([2**62, 2**62 + 1, -(2**63), 0, 1], pa.int64()),
    "small integers": ([-128, -1, 0, 127], pa.int8()),
    "unsigned": ([2**63 - 1, 0, 1], pa.uint64()),
    "decimals": ([Decimal("1.10"), Decimal("-0.01"), Decimal("99999999999999999999.99"), Decimal(0)], pa.decimal128(38, 2)),
    "timestamps": ([DAY + dt.timedelta(minutes=m) for m in (0, 1, 2, 1500)], pa.timestamp("us")),
    "moments": ([DAY + dt.timedelta(hours=h) for h in (0, 1, 2, 25)], pa.timestamp("us", "UTC")),
    "dates": ([dt.date(1600, 1, 1), dt.date(1969, 12, 31), dt.date(2020, 2, 29)], pa.date32()),
    "booleans": ([True, False], pa.bool_()),
}  # fmt: skip


def drawn(rng: np.random.Generator, kind: str, rows: int) -> pa.Array:
    """Return cells of a kind, the first values more often than the last, some or none or all of them missing."""
    pool, held = POOLS[kind]
    missing = rng.choice([0.0, 0.1, 0.6])
    picked = (len(pool) * rng.random(rows) ** 2).astype(int)
    cells = [None if gone else pool[i] for i, gone in zip(picked, rng.random(rows) < missing, strict=True)]
    return pa.array(cells, held)


def told(release: Release, table: Path) -> dict[str, Any]:
    return {
        "rows": rows_of(table),
        "kinds": pa.parquet.ParquetDataset(table).schema.types,
        "levels": release.levels,
        "suppressed": release.suppressed,
        "losses": {name: lost and round(lost, 9) for name, lost in release.losses.items()},
        "verdicts": [(v.promise, v.holds) for v in release.verdicts],
    }


@pytest.mark.parametrize("seed", range(6))
def test_engines_release_the_same_whatever_the_values(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = rng.permutation([kind for kind in POOLS if kind not in REFUSED])
    roles = ["quasi", "quasi", "sensitive", "insensitive", "insensitive"]
    columns = {f"{role} {i}": drawn(rng, kinds[i], 120) for i, role in enumerate(roles)}
    source = tmp_path / "source.parquet"
    pa.parquet.write_table(pa.table(columns), source, row_group_size=50)
    plan = Plan(
        columns={
            name: {"role": role, **({"allow_unique": True} if role == "insensitive" else {})}
            for name, role in zip(columns, roles, strict=True)
        },
        require=[{"model": "k-anonymity", "k": 3}],
        recode={"max_suppression": 0.5},
        output={"ledger": "", "format": "parquet"},
    )
    found = {}
    for engine in ("memory", "duckdb", "spark"):
        release = released(source, plan, tmp_path / engine, engine)
        found[engine] = told(release, tmp_path / engine / "table.parquet")
    assert found["duckdb"] == found["memory"]
    assert found["spark"] == found["memory"]


def skewed() -> pa.Table:
    """Return people of whom nearly all are alike: one key has most of the rows."""
    table = people(3, 400)
    alike = pa.concat_tables([table.slice(7, 1)] * 3600)
    return pa.concat_tables([table, alike])


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "one part": lambda frame: frame.coalesce(1),
    "parts without rows": lambda frame: frame.repartition(16, "sex"),  # of three values
    "one part with nearly all": lambda frame: frame.repartition(4, "age", "zip"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_engines_release_the_same_however_rows_are_laid_out(tmp_path: Path, spark: Any, layout: str) -> None:
    table, plan = skewed(), plan_of(output__format="parquet", recode__max_suppression=0.1)
    one = released(table, plan, tmp_path / "memory", "memory")
    frame = LAYOUTS[layout](spark.createDataFrame(table))
    other = released(frame, plan, tmp_path / "spark")
    expected = told(one, tmp_path / "memory" / "table.parquet")
    assert told(other, tmp_path / "spark" / "table.parquet") == expected


def test_ten_thousand_parts_count_as_one(spark: Any) -> None:
    """Most of them without rows."""
    table = people(5, 300)
    frame = spark.createDataFrame(table).repartition(10_000)
    asked = {"quasi": ["age", "zip"], "sensitive": ["illness"]}
    assert kohort.audit(frame, **asked, engine="spark") == kohort.audit(table, **asked)
