"""A table that others wrote spells every value in one way: whatever Kohort reads as one, a reader of the file may tell apart."""

from __future__ import annotations

import sqlite3
import struct
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import kohort
from kohort.table import Table
from kohort.table.writing import write_table
from kohort.verification.judges.loose import SPELLED, judge_loose
from kohort.verification.judges.verdict import Verdict

NAN = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000001))[0]
# by what differs: two cells that are read as one value, and whether the column holds numbers
TEXTS: dict[str, tuple[Any, Any]] = {
    "escaped and not": ("@a", "'@a"),
    "escaped within and not": ("a;=b", "a;'=b"),
    "nothing and a blank": (None, " "),
    "blanks of two lengths": (" ", "  "),
    "zero-width signs": ("\u200b", "\u200c"),
}
NUMBERS: dict[str, tuple[Any, Any]] = {
    "zeros": (0.0, -0.0),
    "nothing and no number": (None, float("nan")),
    "two that are no numbers": (float("nan"), NAN),
}
PLAN: dict[str, Any] = {
    "columns": {"cell": {"role": "quasi"}, "ill": {"role": "sensitive"}},
    "require": [{"model": "k-anonymity", "k": 2}],
    "recode": {"max_suppression": 0.5},
}


def as_csv(table: pa.Table, path: Path) -> None:
    pyarrow.csv.write_csv(table, path)


def as_sqlite(table: pa.Table, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (cell, ill)")
        connection.executemany(
            "INSERT INTO t VALUES (?, ?)", [tuple(row.values()) for row in table.to_pylist()]
        )
    connection.close()


WRITERS = {".csv": as_csv, ".parquet": pyarrow.parquet.write_table, ".sqlite": as_sqlite}


# nothing is escaped but in text: elsewhere the two are two values
IN_FILES = [
    (told, suffix) for told in TEXTS for suffix in WRITERS if suffix == ".csv" or "escaped" not in told
]
# the bits of what is no number are lost on the way to 32 bits
IN_BITS = [(told, pa.float64()) for told in NUMBERS] + [("zeros", pa.float32())]


def spelled(path: Path, engine: str) -> bool | None:
    verdicts = kohort.verify(path, PLAN, engine=engine)
    return {verdict.promise: verdict.holds for verdict in verdicts}[SPELLED]


def table(cells: list[Any]) -> pa.Table:
    return pa.table({"cell": cells, "ill": ["flu", "hiv"] * (len(cells) // 2)})


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(("told", "suffix"), IN_FILES)
def test_two_spellings_of_one_text_are_found(tmp_path: Path, told: str, suffix: str, engine: str) -> None:
    one, other = TEXTS[told]
    path = tmp_path / f"table{suffix}"
    WRITERS[suffix](table([one] * 5 + [other] + ["x"] * 2), path)
    assert spelled(path, engine) is False
    path.unlink()
    for cell in (one, other):
        WRITERS[suffix](table([cell] * 6 + ["x"] * 2), path)
        assert spelled(path, engine) is True
        path.unlink()


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(("told", "kind"), IN_BITS)
def test_two_spellings_of_one_number_are_found(
    tmp_path: Path, told: str, kind: pa.DataType, engine: str
) -> None:
    one, other = NUMBERS[told]
    path = tmp_path / "table.parquet"
    pyarrow.parquet.write_table(_numbers([one] * 5 + [other], kind), path)
    assert spelled(path, engine) is False
    pyarrow.parquet.write_table(_numbers([one] * 6, kind), path)
    assert spelled(path, engine) is True


def _numbers(cells: list[Any], kind: pa.DataType) -> pa.Table:
    whole = table([*cells, 1.5, 1.5])
    return whole.set_column(0, "cell", pa.array([*cells, 1.5, 1.5], kind))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".sqlite", ".xlsx", ".sav"])
def test_what_kohort_writes_is_spelled_in_one_way(tmp_path: Path, suffix: str) -> None:
    cells = ["@a", "@a", "-5", "=1", "a;=b", None, None, "x", "'@b", "''@c"]
    path = tmp_path / f"table{suffix}"
    write_table(Table.from_arrow(table(cells)), path)
    assert spelled(path, "memory") is True


def unasked() -> Verdict:
    raise AssertionError("nothing is to be written of what is not read")


def test_folders_that_are_called_like_no_table_are_not_said_to_be_spelled_in_one_way(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    assert {verdict.holds for verdict in judge_loose(tmp_path / "parts", lambda _: [], unasked)} == {None}
