"""One machine and ever more rows: seconds per step, peak memory and nodes counted, beside DuckDB's plain copy of the same file.

`make bench-scale` makes census-like tables of few and of nearly all distinct tuples (`bench/census.py`) and takes each from Parquet
to a verified release, and through `kohort verify`. The floor is DuckDB reading the file and writing it again, run just before:
on a busy machine read the ratios, and rather those of CPU than those of the clock. The peak is that of the largest process (Spark
has several). `--rows`, `--memory`, `--engines` and `--kinds` as you like; 10^8 rows take 20 GB of disk and most of the time. The
memory engine holds some 400 bytes a row: where the machine has less, its line says so and nothing is run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import duckdb
from bench.census import KINDS, QUASI, census_plan, write_census

from kohort.engines.registry import bounded

BYTES_OF_A_ROW = 400  # that the memory engine takes, and its verifier more
KOHORT = str(Path(sys.executable).with_name("kohort"))
MEASURED = (
    "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], stdout=sys.stdout); "
    "took = resource.getrusage(resource.RUSAGE_CHILDREN); "
    "print(took.ru_utime + took.ru_stime, took.ru_maxrss, file=sys.stderr); sys.exit(done.returncode)"
)
COPY = (
    "import duckdb, sys; duckdb.sql(f\"COPY (FROM '{sys.argv[1]}') TO '{sys.argv[2]}' (COMPRESSION zstd)\")"
)


class Measured(NamedTuple):
    """What a command took, and what it printed."""

    seconds: float
    cpu: float  # seconds, of all cores
    peak: float  # MB
    printed: str


def measured(*command: str) -> Measured:
    """Run a command."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", MEASURED, *command], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    cpu, peak = done.stderr.split()[-2:]
    return Measured(time.perf_counter() - started, float(cpu), int(peak) / 1000, done.stdout)


def distinct(table: Path) -> int:
    """Return how many distinct tuples of quasi-identifiers the table has."""
    query = f"SELECT count(*) FROM (SELECT DISTINCT {', '.join(QUASI)} FROM '{table}')"
    return int(duckdb.sql(query).fetchall()[0][0])


def floor(table: Path) -> Measured:
    """Return what a plain copy takes."""
    return measured(sys.executable, "-c", COPY, str(table), str(table.with_suffix(".copy")))


def released(folder: Path, plan: Path, engine: str, memory: str | None) -> dict[str, Any]:
    """Return what it takes to make a verified release, and to verify it again."""
    out = folder / f"{plan.stem}-{engine}"
    where = ["--engine", engine, *(["--memory", memory] if memory and engine in bounded() else [])]
    made = measured(KOHORT, "anonymize", str(plan), "--json", "-o", str(out), *where)
    again = measured(KOHORT, "verify", str(out), *where)
    return json.loads(made.printed) | {"made": made, "verified": again}


def bound_of(rows: int) -> str:
    """Return the bound of memory under which that many rows are released, where none is told."""
    return "2GB" if rows <= 10_000_000 else "8GB"


def fits(engine: str, rows: int) -> bool:
    """Say whether an engine can hold the rows: those that keep none of them can, whatever the machine."""
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return engine != "memory" or rows * BYTES_OF_A_ROW < there


def table_of(folder: Path, kind: str, rows: int) -> Path:
    """Return the plan of a table that is written where it is not there yet."""
    table = folder / f"{kind}-{rows}.parquet"
    if not table.exists():
        write_census(table, kind, rows)
    plan = table.with_suffix(".toml")
    plan.write_text(census_plan(table), encoding="utf-8")
    return plan


def run(folder: Path, told: argparse.Namespace) -> None:
    print(
        "| table | rows | distinct | engine | s | × floor | CPU s | × floor | peak MB | nodes looked at / counted | steps, s | "
        "verify, s | CPU s | peak MB |"
    )
    print("|---" * 14 + "|")
    for rows in map(int, told.rows):
        for kind in told.kinds:
            plan = table_of(folder, kind, rows)
            number = distinct(plan.with_suffix(".parquet"))
            for engine in told.engines:
                if not fits(engine, rows):
                    print(
                        f"| {kind} | {rows:,} | {number:,} | {engine} | does not fit here |" + " – |" * 9,
                        flush=True,
                    )
                    continue
                least = floor(plan.with_suffix(".parquet"))
                row = released(folder, plan, engine, told.memory or bound_of(rows))
                steps = ", ".join(f"{k} {v:.1f}" for k, v in row["seconds"].items() if k != "total")
                nodes = f"{row.get('checked')} / {row.get('counted', '–')}"
                made, again = row["made"], row["verified"]
                print(
                    f"| {kind} | {rows:,} | {number:,} | {engine} | {made.seconds:.1f} | {made.seconds / least.seconds:.1f} | "
                    f"{made.cpu:.1f} | {made.cpu / least.cpu:.1f} | {made.peak:,.0f} | {nodes} | {steps} | "
                    f"{again.seconds:.1f} | {again.cpu:.1f} | {again.peak:,.0f} |",
                    flush=True,
                )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=float, nargs="+", default=[1e6, 1e7, 1e8])
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
    parser.add_argument("--engines", nargs="+", default=["memory", "duckdb", "spark"])
    parser.add_argument("--memory", help="a bound for engines that keep one; 2GB, from 10^8 rows on 8GB")
    parser.add_argument("--folder", type=Path, help="where tables are kept between runs")
    told = parser.parse_args()
    if told.folder is not None:
        told.folder.mkdir(exist_ok=True)
        run(told.folder, told)
        return
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder), told)


if __name__ == "__main__":
    main()
