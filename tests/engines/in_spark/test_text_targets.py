"""Releases that executors write as folders of text: the lines of the one file that memory writes, and judged by every engine."""

from __future__ import annotations

import csv
import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.contract.test_text_parts import MARKS
from tests.engines.conftest import people, plan_of
from tests.engines.in_spark.folders import folder_of
from tests.engines.in_spark.refused import AT_SAIL
from tests.engines.in_spark.test_releases import released, table_of

import kohort
from kohort import InputError, Plan
from kohort.folders.parts import parts_of
from kohort.verification.judges.beside import BESIDE

DAY = dt.datetime(2020, 2, 28, 23, 59)
TEXTS = ["", " lead", "trail ", 'say "so"', "a,b", "line\nbreak", "cr\rhere", "\r\n", "\ufefffirst", "=1+2", "'=x", "-5", "NaN",
         "null", "tab\there", "Ünï", "\u200b", "'", '"']  # fmt: skip
CELLS: dict[str, tuple[list[Any], pa.DataType]] = {
    "texts": (TEXTS, pa.string()),
    "numbers": ([float("nan"), 0.0, -0.0, 1.5, -1e300, 2.0**53, 1e-7], pa.float64()),
    "big": ([2**62, 2**62 + 1, -(2**63), 0, 1], pa.int64()),
    "unsigned": ([2**63 - 1, 0, 1], pa.uint64()),
    "decimals": ([Decimal("1.10"), Decimal("-0.01"), Decimal("99999999999999999999.99"), Decimal(0)], pa.decimal128(38, 2)),
    "moments": ([DAY + dt.timedelta(hours=h) for h in (0, 1, 2, 25)], pa.timestamp("us", "UTC")),
    "stamps": ([DAY + dt.timedelta(minutes=m) for m in (0, 1, 1500)], pa.timestamp("us")),
    "dates": ([dt.date(1600, 1, 1), dt.date(1969, 12, 31), dt.date(2020, 2, 29)], pa.date32()),
    "claims": ([True, False], pa.bool_()),
    "nothing": ([None], pa.float64()),
}  # fmt: skip
ODD = Plan(
    columns={"q": "quasi", **{name: {"role": "insensitive", "allow_unique": True} for name in CELLS}},
    require=[{"model": "k-anonymity", "k": 2}],
    output={"ledger": "", "format": "csv"},
)


def awkward(rows: int = 120) -> pa.Table:
    """Return rows in which every cell of every kind stands, and is missing."""
    columns = {}
    for i, (name, (cells, kind)) in enumerate(CELLS.items()):
        columns[name] = pa.array(
            [None if (row + i) % 11 == 0 else cells[row % len(cells)] for row in range(rows)], kind
        )
    if AT_SAIL:  # refused there by name
        columns["unsigned"] = columns["unsigned"].cast(pa.int64())
    return pa.table({"q": ["=a", "b,c", None] * (rows // 3), **columns})


def lines_of(table: Path) -> tuple[list[bytes], list[bytes]]:
    """Return the headers and the other records of a text, or of its parts, as they stand there."""
    headers, lines = [], []
    for part in parts_of(table):
        records, held = [], b""
        for line in part.read_bytes().splitlines(keepends=True):
            held += line
            if held.count(b'"') % 2 == 0 and held.endswith(b"\n"):
                records.append(held)
                held = b""
        assert not held
        headers.append(records[0])
        lines += records[1:]
    return headers, sorted(lines)


@pytest.mark.parametrize("rows_of_a_part", [1 << 20, 25])
def test_lines_are_those_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows_of_a_part: int
) -> None:
    """Byte by byte: quotes, line breaks, zones, signs of nothing and empty texts, in one part and in several."""
    monkeypatch.setattr("kohort.engines.spark.output.ROWS_OF_A_PART", rows_of_a_part)
    source = tmp_path / "source.parquet"
    pa.parquet.write_table(awkward(), source)
    one, other = (released(source, ODD, tmp_path / engine, engine) for engine in ("memory", "spark"))
    headers, lines = lines_of(tmp_path / "spark" / "table.csv")
    assert ([headers[0]], lines) == lines_of(tmp_path / "memory" / "table.csv")
    assert len({*headers}) == 1
    assert (len(headers) > 1) == (rows_of_a_part == 25)
    assert [(v.promise, v.holds, v.note) for v in other.verdicts] == [
        (v.promise, v.holds, v.note) for v in one.verdicts
    ]
    manifest = json.loads((tmp_path / "spark" / "manifest.json").read_text())
    assert list(manifest["files"]) == [f"table.csv/part-{i:05d}.csv" for i in range(len(headers))]
    for engine in ("memory", "duckdb", "spark"):
        assert {v.holds for v in kohort.verify(tmp_path / "spark", engine=engine)} == {True}, engine


def test_parts_of_text_are_the_same_bytes_whatever_the_order_of_the_original(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of text and of Parquet, from one part and many, one of them empty."""
    monkeypatch.setattr("kohort.engines.spark.output.ROWS_OF_A_PART", 150)
    table, plan = people(7), plan_of(output__format="csv", recode__max_suppression=0.1)
    one = folder_of(table, tmp_path / "one.parquet", 1, "parquet")
    many = folder_of(table.take(list(range(len(table)))[::-1]), tmp_path / "many.parquet", 5, "parquet")
    pa.parquet.write_table(table.slice(0, 0), many / "empty.parquet")
    found = []
    for source in (one, many):
        out = table_of(source, plan, tmp_path / f"of-{source.name}.csv")
        found.append({part.name: part.read_bytes() for part in out.iterdir()})
    assert found[0] == found[1]
    assert sorted(found[0]) == [f"part-0000{i}.csv" for i in range(3)]


@pytest.mark.parametrize(
    "mark", ["quotes around a cell", pytest.param("a hidden file", marks=pytest.mark.long)]
)
def test_marks_in_parts_are_found_in_spark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    monkeypatch.setattr("kohort.engines.spark.output.ROWS_OF_A_PART", 150)
    source, plan = tmp_path / "source.parquet", plan_of(output__format="csv")
    pa.parquet.write_table(people(9), source)
    released(source, plan, tmp_path / "out")
    (tmp_path / "out.private").rename(tmp_path / "elsewhere")
    held = {v.promise: v.holds for v in kohort.verify(tmp_path / "out", engine="spark")}
    assert held[BESIDE] is True
    MARKS[mark](tmp_path / "out" / "table.csv")
    held = {v.promise: v.holds for v in kohort.verify(tmp_path / "out", engine="spark")}
    assert held[BESIDE] is False


def test_people_of_text_are_named_by_their_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By every engine, and where the pseudonyms of two parts change places, by none."""
    monkeypatch.setattr("kohort.engines.spark.output.ROWS_OF_A_PART", 100)
    source = tmp_path / "source.csv"
    with source.open("w", newline="") as file:
        table = people(7, 300)
        csv.writer(file).writerows([table.column_names, *(row.values() for row in table.to_pylist())])
    plan = plan_of(
        input__respondent="person",
        output__format="csv",
        recode__max_suppression=0.3,
        require=[{"model": "k-anonymity", "k": 4}],
    )
    released(source, plan, tmp_path / "out")
    achieved = []
    for engine in ("memory", "duckdb") if AT_SAIL else ("memory", "duckdb", "spark"):
        verdicts = kohort.verify(tmp_path / "out", plan, engine=engine)
        assert {v.holds for v in verdicts} == {True}, engine
        achieved.append([(v.promise, v.achieved) for v in verdicts])
    assert all(figures == achieved[0] for figures in achieved)
    if AT_SAIL:
        with pytest.raises(InputError, match="the place in it of each row, which this Spark does not tell"):
            kohort.verify(tmp_path / "out", plan, engine="spark")


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, plan = tmp_path / "source.parquet", plan_of(output__format="csv")
    pa.parquet.write_table(people(9, 200), source)
    (tmp_path / "desk").mkdir()
    monkeypatch.setattr("kohort.engines.spark.output.write_parts", _fail)
    with pytest.raises(RuntimeError, match="in the middle"):
        released(source, plan, tmp_path / "desk" / "out")
    assert not list((tmp_path / "desk").iterdir())


def _fail(packets: Any, spelling: Any, path: Path) -> None:
    path.mkdir()
    (path / "part-00000.csv").write_text("age\n")
    raise RuntimeError("in the middle")
