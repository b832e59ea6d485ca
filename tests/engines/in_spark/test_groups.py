"""Algorithms that look at single rows group them in Spark region by region, and the result says so."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.conftest import people, plan_of
from tests.engines.in_spark.test_releases import released

import kohort
from kohort.folders.release_folder import private_of


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "most"), [("k-member", 100), ("k-member", 10_000), ("enhanced-pk", 100), ("mdav", 100)]
)
def test_rows_are_grouped_within_regions(
    tmp_path: Path, name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kohort.algorithms.partition.grouped_search.ROWS_OF_A_REGION", most)
    source = tmp_path / "source.parquet"
    pa.parquet.write_table(people(11, 300), source)
    plan = plan_of(
        recode__algorithm=name,
        recode__seed=3,
        recode__max_suppression=0,
        recode__options={"release": "interval"} if name == "mdav" else {},
        output__format="parquet",
        require=[
            {"model": "k-anonymity", "k": 3},
            {"model": "l-diversity", "column": "illness", "l": 2},
        ],
    )
    release = released(source, plan, tmp_path / "out")
    for engine in ("memory", "duckdb", "spark"):
        verdicts = kohort.verify(tmp_path / "out", original=source, engine=engine)
        assert {v.holds for v in verdicts} == {True}, engine
    assert release.suppressed == 0
    said = [told for told in release.facts.warnings if "no group reaches from one region" in told]
    if most > 300:
        assert not said
        return
    assert said
    assert said[0].split(";")[0] in (private_of(tmp_path / "out") / "report.html").read_text()
    audit = json.loads((private_of(tmp_path / "out") / "audit.json").read_text())
    assert said[0] in audit["facts"]["warnings"]
    assert audit["facts"]["search"]["figures"]["regions"] > 1
