"""Columns of long texts that are only carried along: the same release, and a process that stays within its bound."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import kohort
from kohort.plan import Plan
from kohort.table.reading import read_table
from kohort.verification.judges.truth import PROMISE as TRUTH

BOUND = 600_000_000


def rows(n: int, length: int) -> pa.Table:
    """Return people of few ages and towns, each with a long text of their own."""
    texts = [f"{i:09d}" + "y" * length for i in range(n)]
    ages, towns, ills = (
        [f"{(i * 7) % 90}" for i in range(n)],
        ["Ayr", "Oban"] * (n // 2),
        ["flu", "gout", "mumps"],
    )
    return pa.table({"age": ages, "town": towns, "ill": [ills[i % 3] for i in range(n)], "note": texts})


def plan_of(path: Path, **output: Any) -> Plan:
    return Plan(
        input={"path": str(path)},
        columns={
            "age": {
                "role": "quasi",
                "hierarchy": {"kind": "intervals", "widths": [10, 30], "domain": [0, 89]},
            },
            "town": {"role": "quasi"},
            "ill": {"role": "sensitive"},
            "note": {"role": "insensitive", "allow_unique": True},
        },
        require=[{"model": "k-anonymity", "k": 5}],
        output={"ledger": "", **output},
    )


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
@pytest.mark.parametrize("shuffle", [True, False])
def test_long_texts_are_released_as_in_memory(tmp_path: Path, suffix: str, shuffle: bool) -> None:
    path, source = tmp_path / f"long{suffix}", rows(4_000, 300)
    write(source, path)
    found = {}
    for name in ("memory", "duckdb"):
        out = tmp_path / name
        plan = plan_of(path, shuffle=shuffle, format=suffix[1:])
        kohort.anonymize(path, plan, engine=name).save(out)
        assert all(v.holds is not False for v in kohort.verify(out, original=path, engine="duckdb"))
        table = read_table(out / f"table{suffix}")
        found[name] = list(zip(*(table[c].to_arrow().to_pylist() for c in table.names), strict=True))
    assert Counter(found["memory"]) == Counter(found["duckdb"])
    assert (found["memory"] == found["duckdb"]) == (not shuffle)
    assert shuffle == ([row[-1] for row in found["duckdb"]] != source.column("note").to_pylist())


def test_a_sign_changed_in_a_long_text_is_found(tmp_path: Path) -> None:
    path, source = tmp_path / "long.parquet", rows(2_000, 300)
    write(source, path)
    notes = source.column("note").to_pylist()
    notes[77] = notes[77][:-1] + "x"
    changed = source.set_column(3, "note", pa.array(notes))
    for table, holds in ((source, True), (changed, False)):
        write(table, tmp_path / "told.parquet")
        verdicts = kohort.verify(
            tmp_path / "told.parquet", plan=plan_of(path), original=path, engine="duckdb"
        )
        assert [v.holds for v in verdicts if v.promise == TRUTH] == [holds]


@pytest.mark.long
@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the system does not tell the memory of a process"
)
@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".sqlite"])
def test_a_process_with_long_texts_stays_within_its_bound(tmp_path: Path, suffix: str) -> None:
    path, plan = tmp_path / f"long{suffix}", tmp_path / "plan.toml"
    write(rows(140_000, 4_000), path)
    plan.write_text(plan_of(path).to_toml())
    out = tmp_path / "out"
    told = ("--engine", "duckdb", "--memory", "600MB")
    assert peak("anonymize", str(plan), "-o", str(out), *told) <= BOUND
    assert peak("verify", str(out), "--original", str(path), *told) <= BOUND
    released = str(out / "table.csv")
    assert peak("verify", released, "--plan", str(plan), "--original", str(path), *told) <= BOUND
    assert peak("audit", str(path), "--plan", str(plan), *told) <= BOUND


def write(table: pa.Table, path: Path) -> None:
    import sqlite3

    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path)
    elif path.suffix == ".csv":
        pyarrow.csv.write_csv(table, path)
    else:
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (age TEXT, town TEXT, ill TEXT, note TEXT)")
            connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", lines(table))


def lines(table: pa.Table) -> Iterator[tuple[str, ...]]:
    for batch in table.to_batches(1_000):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def peak(*arguments: str) -> int:
    """Return the most memory that a command took, which must end well; what the system says of a child counts its parent too."""
    child = subprocess.Popen([sys.executable, "-m", "kohort", *arguments], stdout=subprocess.DEVNULL)
    most = 0
    while child.poll() is None:
        told = Path(f"/proc/{child.pid}/status").read_text().splitlines()
        most = max([most, *(int(line.split()[1]) for line in told if line.startswith("VmHWM"))])
        time.sleep(0.02)
    assert child.returncode == 0
    return most * 1024
