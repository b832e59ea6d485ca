"""A file of more cells than fit is refused before any is read; with a bound, the duckdb engine works on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kohort
from kohort.errors import InputError
from kohort.table import memory_left
from kohort.table.formats.options import ReadingOptions
from kohort.table.memory_left import PER_CELL, SIZES
from kohort.table.reading import read_table
from kohort.table.streaming import STREAMS
from kohort.table.writing import write_table

ROWS = 3_000
TABLE = pa.table({"age": np.full(ROWS, 30), "zip": ["94138"] * ROWS, "ill": [None] * ROWS})


def _allowing(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    monkeypatch.setattr(memory_left, "memory_left", lambda: cells * PER_CELL)


@pytest.mark.parametrize("suffix", [".parquet", ".duckdb"])
def test_cells_are_counted_before_they_are_read(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"table{suffix}"
    write_table(TABLE, path)
    assert SIZES[suffix](path, ReadingOptions()) == (ROWS, 3)
    _allowing(monkeypatch, 3 * ROWS)
    assert read_table(path).n_rows == ROWS
    _allowing(monkeypatch, 3 * ROWS - 1)
    monkeypatch.setattr("kohort.table.reading.Table", None)  # nothing is made of it
    with pytest.raises(InputError, match="3,000 rows of 3 columns") as refused:
        read_table(path)
    assert refused.value.code == "table.no-room"
    assert refused.value.wants_room
    assert "94138" not in str(refused.value)
    assert refused.value.fields["found"] > refused.value.fields["allowed"]


def test_columns_that_nobody_asks_for_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.parquet"
    write_table(TABLE, path)
    _allowing(monkeypatch, ROWS)
    assert read_table(path, columns=["age"]).n_rows == ROWS


def test_every_format_that_is_stored_shorter_than_it_is_read_is_counted() -> None:
    delimited = {".csv", ".tsv", ".tab", ".txt"}
    assert STREAMS.keys() - delimited == SIZES.keys()


def test_the_duckdb_engine_reads_what_does_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.parquet"
    write_table(TABLE.drop_columns(["ill"]), path)
    _allowing(monkeypatch, 10)
    with pytest.raises(InputError, match="use the duckdb engine"):
        kohort.audit(path, ["age", "zip"])
    assert kohort.audit(path, ["age", "zip"], engine="duckdb")["k"] == ROWS


@pytest.mark.parametrize(
    ("machine", "container", "left"),
    [
        ("MemTotal: 9 kB\nMemAvailable: 4 kB\n", {}, 4096),
        ("MemAvailable: 4 kB\n", {"max": "max", "current": "7", "stat": ""}, 4096),
        (
            "MemAvailable: 4 kB\n",
            {"max": "900", "current": "500", "stat": "anon 3\ninactive_file 100\n"},
            500,
        ),
        ("MemAvailable: 4 kB\n", {"max": "900", "current": "1500", "stat": "anon 3\n"}, 0),
        ("MemTotal: 9 kB\n", {"max": "900", "current": "500", "stat": ""}, 400),
        ("", {}, 77),
    ],
)
def test_what_is_left_is_the_least_that_anybody_tells(
    machine: str, container: dict[str, str], left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "meminfo").write_text(machine)
    for name, told in container.items():
        (tmp_path / f"memory.{name}").write_text(told)
    monkeypatch.setattr(memory_left, "_MACHINE", tmp_path / "meminfo")
    monkeypatch.setattr(memory_left, "_CONTAINER", tmp_path)
    monkeypatch.setattr(memory_left, "machine_bytes", lambda: 77)
    assert memory_left.memory_left() == left


def test_small_files_of_many_rows_are_known_by_what_they_tell(tmp_path: Path) -> None:
    """A value that stands there a million times takes no room on disk."""
    written: dict[str, Callable[[Path], object]] = {
        ".parquet": lambda path: pq.write_table(pa.table({"a": np.zeros(1 << 20, np.int64)}), path),
        ".duckdb": lambda path: duckdb.connect(str(path)).execute("CREATE TABLE t AS SELECT 0 AS a FROM range(1048576)").close(),
    }  # fmt: skip
    for suffix, write in written.items():
        path = tmp_path / f"t{suffix}"
        write(path)
        assert SIZES[suffix](path, ReadingOptions()) == (1 << 20, 1)
        assert path.stat().st_size < (1 << 20)
