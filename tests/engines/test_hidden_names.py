"""Columns that only name people are never in the scratch as they are, and still tell whose rows agree."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.conftest import Written
from tests.engines.test_seam import named_rows

from kohort.engines import Engine, Wanted, opened
from kohort.plan import Plan

QUASI = ("trait", "chance", "only")


def kept(engine: str, path: Path, **reading: object) -> Engine:
    plan = Plan(
        columns=dict.fromkeys(QUASI, "quasi"), require=[{"model": "k-anonymity", "k": 2}], input=reading
    )
    return opened(engine, path, Wanted(QUASI, plan=plan, naming=("name",)))


def written_by(keeper: Engine) -> list[Path]:
    folder = keeper._rows._path.parent
    return list(folder.rglob("*.parquet"))


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
@pytest.mark.parametrize("reading", [{}, {"trim": True}, {"missing": ["", "Name 3"]}], ids=str)
@pytest.mark.usefixtures("small_pieces")
def test_no_name_is_in_the_scratch(written: Written, suffix: str, reading: dict[str, object]) -> None:
    path = written(named_rows(2), suffix)
    keeper, memory = kept("duckdb", path, **reading), kept("memory", path, **reading)
    files = written_by(keeper)
    assert files
    for file in files:
        assert b"Name" not in file.read_bytes()
        cells = pa.parquet.read_table(file).to_pylist()
        assert not any(isinstance(cell, str) for row in cells for cell in row.values())
    for other in QUASI:
        assert keeper.agreement("name", other) == pytest.approx(memory.agreement("name", other), abs=1e-12)


IDS = {
    "integers": [7, 7, 8, 8, None, 9],
    "floats": [1.5, 1.5, -0.0, 0.0, float("nan"), 2.5],
    "decimals": [Decimal("1.10"), Decimal("1.10"), Decimal("2.00"), Decimal("2.00"), None, Decimal("3.00")],
    "truths": [True, True, False, False, None, True],
}


@pytest.mark.parametrize("kind", IDS)
def test_names_of_every_kind_agree_as_in_memory(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    others = {"trait": list("aabbcc"), "chance": list("ababab"), "only": ["x"] * 6}
    pa.parquet.write_table(pa.table({"name": pa.array(IDS[kind]), **others}), path)
    keeper, memory = kept("duckdb", path), kept("memory", path)
    for other in QUASI:
        assert keeper.agreement("name", other) == pytest.approx(memory.agreement("name", other), abs=1e-12)


def test_each_reading_has_a_key_of_its_own(written: Written) -> None:
    path = written(named_rows(2), ".parquet")
    first, second = (
        pa.parquet.read_table(keeper._rows._path).column(keeper._rows.place("name")).to_pylist()
        for keeper in (kept("duckdb", path), kept("duckdb", path))
    )
    assert not {*first} & {*second} - {None}
