"""Releases that executors write: the same rows as in memory, judged everywhere alike, in parts that tell no order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.conftest import people, plan_of
from tests.engines.in_spark.folders import folder_of

import kohort
from kohort import Plan, VerificationError
from kohort.algorithms import Silent
from kohort.engines.spark.engine import InCluster
from kohort.pipeline import make_release
from kohort.release.release import Release
from kohort.table.reading import read_table

PLANS: dict[str, dict[str, Any]] = {
    "levels": {"recode__max_suppression": 0.05},
    "blank": {"recode__suppressed_rows": "blank", "recode__max_suppression": 0.2},
    "cuts": {"recode__algorithm": "top-down"},
    "boxes": {"recode__algorithm": "mondrian", "require": [{"model": "t-closeness", "column": "illness", "t": 0.6},
                                                         {"model": "k-anonymity", "k": 5}]},
}  # fmt: skip


def rows_of(table: Path) -> list[str]:
    return sorted(map(str, read_table(table).to_arrow().to_pylist()))


def table_of(source: Any, plan: Plan, path: Path) -> Path:
    """Let Spark write the released table alone, which nobody judges."""
    tables = make_release(source, plan, Silent(), "spark").tables
    tables["table"](path)  # type: ignore[operator]
    return path


def released(source: Any, plan: Plan, out: Path, engine: str = "spark") -> Release:
    return Release.written(make_release(source, plan, Silent(), engine), out)


@pytest.mark.parametrize(
    "kind", [kind if kind == "levels" else pytest.param(kind, marks=pytest.mark.long) for kind in PLANS]
)
def test_a_release_is_that_of_memory(tmp_path: Path, kind: str) -> None:
    plan = plan_of(output__format="parquet", **PLANS[kind])
    source = tmp_path / "source.parquet"
    pa.parquet.write_table(people(5), source)
    one = released(source, plan, tmp_path / "one", "memory")
    other = released(source, plan, tmp_path / "other")
    assert other.levels == one.levels
    assert other.losses == pytest.approx(one.losses)
    assert rows_of(tmp_path / "one" / "table.parquet") == rows_of(tmp_path / "other" / "table.parquet")
    told = [(v.promise, v.holds, v.note) for v in one.verdicts]
    assert [(v.promise, v.holds, v.note) for v in other.verdicts] == told
    manifests = [json.loads((tmp_path / out / "manifest.json").read_text()) for out in ("one", "other")]
    assert list(manifests[1].pop("files")) == ["table.parquet/part-00000.parquet"]
    manifests[0].pop("files")
    assert manifests[0] == manifests[1]
    for engine in ("memory", "duckdb"):
        assert {v.holds for v in kohort.verify(tmp_path / "other", engine=engine)} == {True}
    if kind == "levels":
        assert {v.holds for v in kohort.verify(tmp_path / "other", plan, source, engine="spark")} == {True}


def test_types_are_those_that_the_released_values_need(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    ages = rng.integers(20, 24, 60).astype(float)
    ages[0] = 77.5  # somebody who is left out must not show in the type
    table = pa.table(
        {
            "age": ages,
            "dose": pa.array([1.0, 2.0] * 30),
            "nothing": pa.nulls(60, pa.float64()),
            "day": pa.array(
                [1_600_000_000 * 10**6 // 86_400_000_000 * 86_400_000_000] * 60, pa.timestamp("us")
            ),
            "cost": pa.array([None, *["1.50"] * 59]).cast(pa.decimal128(10, 4)),
        }
    )
    pa.parquet.write_table(table, tmp_path / "source.parquet")
    roles = {
        "age": "quasi",
        "dose": "sensitive",
        "nothing": "insensitive",
        "day": "insensitive",
        "cost": "insensitive",
    }
    plan = Plan(
        columns=roles,
        require=[{"model": "k-anonymity", "k": 3}],
        recode={"max_suppression": 0.1},
        output={"ledger": "", "format": "parquet"},
    )
    released(tmp_path / "source.parquet", plan, tmp_path / "memory", "memory")
    tables = [
        tmp_path / "memory" / "table.parquet",
        table_of(tmp_path / "source.parquet", plan, tmp_path / "spark.parquet"),
    ]
    schemas = [pa.parquet.ParquetDataset(path).schema.remove_metadata() for path in tables]
    assert schemas[0].field("age").type == pa.int64()
    assert schemas[0] == schemas[1]


def test_columns_may_be_called_anything(tmp_path: Path) -> None:
    """Names that mean something in SQL, in Spark and in Kohort's own views."""
    names = ["a.b", "c`d", "e f", 'g"h', "person", "k0", "code", "kept_rows", "ÄÖ"]
    rng = np.random.default_rng(2)
    table = pa.table({name: rng.integers(0, 3, 90) for name in names})
    pa.parquet.write_table(table, tmp_path / "source.parquet")
    plan = Plan(
        columns={name: "quasi" if i % 3 else "insensitive" for i, name in enumerate(names)},
        require=[{"model": "k-anonymity", "k": 2}],
        output={"ledger": "", "format": "parquet"},
    )
    released(tmp_path / "source.parquet", plan, tmp_path / "memory", "memory")
    found = table_of(tmp_path / "source.parquet", plan, tmp_path / "spark.parquet")
    assert rows_of(found) == rows_of(tmp_path / "memory" / "table.parquet")


def test_parts_are_the_same_bytes_whatever_the_order_of_the_original(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shuffled, in one part or many, some of them empty; and cut into as many parts as there are rows for."""
    monkeypatch.setattr("kohort.engines.spark.output.ROWS_OF_A_PART", 150)
    table, plan = people(7), plan_of(output__format="parquet", recode__max_suppression=0.1)
    shuffled = table.take(np.random.default_rng(3).permutation(len(table)))
    one = folder_of(table, tmp_path / "one.parquet", 1, "parquet")
    many = folder_of(shuffled, tmp_path / "many.parquet", 7, "parquet")
    pa.parquet.write_table(table.slice(0, 0), many / "empty.parquet")
    found = []
    for source in (one, many):
        out = table_of(source, plan, tmp_path / f"of-{source.name}")
        found.append({part.name: part.read_bytes() for part in out.iterdir()})
    assert found[0] == found[1]
    assert sorted(found[0]) == [f"part-0000{i}.parquet" for i in range(3)]


def test_a_release_that_lies_is_found(tmp_path: Path) -> None:
    """A cell, a row left out, a row told twice, a claim that is not true: judged by Spark as what they are."""
    source, plan = (
        tmp_path / "source.parquet",
        plan_of(output__format="parquet", recode__max_suppression=0.05),
    )
    pa.parquet.write_table(people(9, 200), source)
    draft = make_release(source, plan, Silent(), "spark")
    honest = tmp_path / "honest.parquet"
    draft.tables["table"](honest)  # type: ignore[operator]
    table = pa.parquet.read_table(honest)
    wards = table["ward"].to_pylist()
    lies = {
        "a cell": table.set_column(
            table.column_names.index("ward"), "ward", pa.array(["nowhere", *wards[1:]])
        ),
        "one row in place of another": pa.concat_tables([table.slice(1), table.slice(5, 1)]),
        "fewer rows": table.slice(1),
    }
    for lie, told in lies.items():
        path = tmp_path / f"{lie}.parquet"
        pa.parquet.write_table(told, path)
        verdicts = {v.promise: v.holds for v in draft.judge({"table": path}).verdicts}
        promise = "nothing but the declared columns" if lie == "fewer rows" else "truthful"
        assert verdicts[promise] is False, lie


def test_a_false_claim_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kohort.engines.spark.output import Output

    bounds = {"columns__age__max_level": 1, "recode__max_suppression": 0.9}
    source, plan = tmp_path / "source.parquet", plan_of(output__format="parquet", **bounds)
    pa.parquet.write_table(people(9, 400), source)
    swapped = Output._labels
    monkeypatch.setattr(Output, "_labels", lambda self, j: swapped(self, j)[::-1])
    with pytest.raises(kohort.VerificationError, match="holds a value that is not true of its row"):
        kohort.anonymize(source, plan, engine="spark")


def test_the_judge_reads_the_original_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Spark holds of the engine's reading is not what the judge looks at: it finds what became of the file meanwhile."""
    source = tmp_path / "source.parquet"
    pa.parquet.write_table(people(5), source)
    judge = InCluster.judge

    def judged_later(self: InCluster, *told: Any) -> Any:
        table = pa.parquet.read_table(source)
        ill = table.column("illness").to_pylist()
        at = table.column_names.index("illness")
        pa.parquet.write_table(table.set_column(at, "illness", pa.array(ill[1:] + ill[:1])), source)
        return judge(self, *told)

    monkeypatch.setattr(InCluster, "judge", judged_later)
    # engine and judge ask for the same columns in one order then: the same work, to Spark
    plan = plan_of(output__format="parquet", columns__ward="identifier")
    with pytest.raises(VerificationError, match="generalize no row of the original"):
        released(source, plan, tmp_path / "out")
