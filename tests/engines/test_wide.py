"""Tables of many columns: the same release as in memory, footers read once, and no more joins than fit together."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kohort
from kohort.engines import Wanted
from kohort.engines.duckdb import engine as on_disk
from kohort.engines.duckdb.engine import OnDisk
from kohort.errors import InputError
from kohort.plan import Plan
from kohort.table.budget import Budget
from kohort.table.scratch import Scratch
from kohort.table.streaming import open_stream
from kohort.table.text_room import PER_TOLD, TextRoom
from kohort.table.text_weight import TOGETHER
from kohort.table.typed_source import FEW_JOINS, TypedSource, UntypedError

N = 60
CELLS = TOGETHER * PER_TOLD * 2  # bytes of a column while it is judged, by two threads
FLOATS: dict[str, list[float | None]] = {
    "whole": [float(i) for i in range(N)],
    "a_half": [*map(float, range(N - 1)), 77.5],
    "beyond": [*map(float, range(N - 1)), 2.0**53],
    "below": [*map(float, range(N - 1)), 2.0**53 - 1],
    "endless": [*map(float, range(N - 1)), float("inf")],
    "signed": [-0.0] * N,
    "gone": [None] * N,
    "some": [3.0, None] * (N // 2),
}


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32()])
def test_floats_are_released_in_the_type_that_all_their_values_need(
    kind: pa.DataType, tmp_path: Path
) -> None:
    path = tmp_path / "floats.parquet"
    pq.write_table(
        pa.table({"age": [20, 30] * (N // 2)} | {n: pa.array(c, kind) for n, c in FLOATS.items()}), path
    )
    carried = {name: {"role": "insensitive", "allow_unique": True} for name in FLOATS}
    plan = Plan(
        columns={"age": "quasi"} | carried,
        require=[kohort.KAnonymity(2)],
        output={"ledger": "", "format": "parquet"},
    )
    schemas = {}
    for engine in ("memory", "duckdb"):
        kohort.anonymize(path, plan, engine=engine).save(tmp_path / engine)
        schemas[engine] = pq.read_schema(tmp_path / engine / "table.parquet")
    assert schemas["duckdb"].types == schemas["memory"].types
    assert {pa.int64(), pa.float64()} <= set(schemas["duckdb"].types)


def test_a_file_is_read_as_it_is_however_soon_it_was_written_again(tmp_path: Path) -> None:
    """DuckDB's cache of footers takes a file that was written again within its clock's step for the one before."""
    path = tmp_path / "t.parquet"
    with Scratch() as scratch:
        for rows in range(1, 60):
            pq.write_table(pa.table({"a": range(rows)}), path)
            assert scratch.number(f"SELECT count(*) + max(a) FROM read_parquet('{path}')") == 2 * rows - 1


@pytest.mark.parametrize("told", ["code", "tell"])
def test_values_of_several_joins_that_do_not_fit_together_are_left_to_the_reader_of_pieces(
    told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, names = tmp_path / "t.parquet", [f"c{i}" for i in range(FEW_JOINS + 1)]
    pq.write_table(pa.table({name: np.arange(100) for name in names}), path)
    monkeypatch.setattr(Scratch, "memory", 1000)
    with Scratch() as scratch:
        source = TypedSource(scratch, open_stream(path), names)
        for name in names[:-1]:
            _joined(source, told, name)  # a few are spilled
        with pytest.raises(UntypedError):
            _joined(source, told, names[-1])


def test_more_columns_of_many_values_than_are_judged_within_the_bound_are_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Scratch, "threads", 2)
    path, columns = tmp_path / "t.parquet", 200
    rng = np.random.default_rng(1)
    told = {f"v{i}": rng.normal(size=12_000) if i < 150 else np.arange(12_000) % 100 for i in range(columns)}
    pq.write_table(pa.table({"age": np.arange(12_000) % 50} | told), path)
    carried = {name: {"role": "insensitive", "allow_unique": True} for name in told}
    plan = Plan(columns={"age": "quasi"} | carried, require=[kohort.KAnonymity(2)], output={"ledger": ""})
    room, many = TextRoom(150 * CELLS - 1), "150 columns of very many values"
    with pytest.raises(InputError, match=many) as refused:
        OnDisk(path, Wanted.by(plan), "600MB")._demand_columns(room)
    assert refused.value.code == "engine.out-of-memory"
    OnDisk(path, Wanted.by(plan), "600MB")._demand_columns(TextRoom(150 * CELLS))


def _joined(source: TypedSource, told: str, name: str) -> None:
    if told == "tell":
        source.tell(name, name, lambda column: column.to_arrow())
        return
    raw, column = source.values(name)
    source.code(name, name, raw, column.codes)


def test_columns_that_cannot_be_judged_are_refused_before_the_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*_: object) -> None:
        raise AssertionError("the file was read")

    monkeypatch.setattr(on_disk, "CodedRows", read)
    monkeypatch.setattr(Scratch, "threads", 64)  # for each of which rows are held
    path, plan = many_floats(tmp_path, 12_000, 6)
    few = TextRoom(Budget.of("600MB").left).most_columns(64)
    assert few < 6
    with pytest.raises(InputError, match="6 columns of very many values") as refused:
        OnDisk(path, Wanted.by(plan), "600MB")
    assert refused.value.code == "engine.out-of-memory"


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is asked of Linux")
def test_a_wide_row_group_is_refused_within_the_bound(tmp_path: Path) -> None:
    plan = many_floats(tmp_path, 140_000, 200)[1]
    (tmp_path / "plan.toml").write_text(plan.to_toml())
    asked = ["anonymize", str(tmp_path / "plan.toml"), "--engine", "duckdb", "--memory", "600MB"]
    child = subprocess.Popen([sys.executable, "-m", "kohort", *asked], stderr=subprocess.PIPE, text=True)
    most = 0
    while child.poll() is None:
        told = Path(f"/proc/{child.pid}/status").read_text().splitlines()
        most = max([most, *(int(line.split()[1]) for line in told if line.startswith("VmHWM"))])
        time.sleep(0.02)
    assert child.returncode == 2
    assert "columns of very many values" in child.communicate()[1]
    assert most * 1024 <= 600_000_000


def many_floats(folder: Path, rows: int, columns: int) -> tuple[Path, Plan]:
    """Write columns of floats that are all distinct as one row group; return a plan that carries them along."""
    path, rng = folder / "floats.parquet", np.random.default_rng(2)
    cells = {f"v{i}": rng.random(rows) for i in range(columns)}
    pq.write_table(pa.table({"age": np.arange(rows) % 50} | cells), path)
    carried = {name: {"role": "insensitive", "allow_unique": True} for name in cells}
    told = {"path": str(path)}
    return path, Plan(
        input=told, columns={"age": "quasi"} | carried, require=[kohort.KAnonymity(2)], output={"ledger": ""}
    )
