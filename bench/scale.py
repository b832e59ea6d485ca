"""One machine and ever more rows: seconds per step, peak memory and nodes counted, beside DuckDB's plain copy of the same file.

`make bench-scale` makes census-like tables of few and of nearly all distinct tuples (`bench/census.py`) and takes each from Parquet
to a verified release, and through `kohort verify`. The floor is DuckDB reading the file and writing it again, run just before:
on a busy machine read the ratios. `--rows 1e6 1e7 1e8`, `--memory`, `--engines` and `--kinds` as you like; 10^8 rows take 6 GB of disk.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import duckdb
from bench.census import KINDS, QUASI, census_plan, write_census

KOHORT = str(Path(sys.executable).with_name("kohort"))
MEASURED = (
    "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], stdout=sys.stdout); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(done.returncode)"
)
COPY = (
    "import duckdb, sys; duckdb.sql(f\"COPY (FROM '{sys.argv[1]}') TO '{sys.argv[2]}' (COMPRESSION zstd)\")"
)


def measured(*command: str) -> tuple[float, float, str]:
    """Return seconds, peak memory in MB and what a command printed."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", MEASURED, *command], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return time.perf_counter() - started, int(done.stderr.split()[-1]) / 1000, done.stdout


def distinct(table: Path) -> int:
    """Return how many distinct tuples of quasi-identifiers the table has."""
    query = f"SELECT count(*) FROM (SELECT DISTINCT {', '.join(QUASI)} FROM '{table}')"
    return int(duckdb.sql(query).fetchall()[0][0])


def floor(table: Path) -> tuple[float, float]:
    """Return seconds and memory of a plain copy."""
    seconds, peak, _ = measured(sys.executable, "-c", COPY, str(table), str(table.with_suffix(".copy")))
    return seconds, peak


def released(folder: Path, plan: Path, engine: str, memory: str | None) -> dict[str, Any]:
    """Return what it takes to make a verified release, and to verify it again."""
    out = folder / f"{plan.stem}-{engine}"
    where = ["--engine", engine, *(["--memory", memory] if memory and engine != "memory" else [])]
    seconds, peak, told = measured(KOHORT, "anonymize", str(plan), "--json", "-o", str(out), *where)
    again, peak_again, _ = measured(KOHORT, "verify", str(out), *where)
    facts = json.loads(told)
    return facts | {"wall": seconds, "peak": peak, "verify": again, "peak of verify": peak_again}


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
        "| table | rows | distinct | engine | s | × floor | peak MB | nodes looked at / counted | steps, s | verify, s | peak MB |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for rows in map(int, told.rows):
        for kind in told.kinds:
            plan = table_of(folder, kind, rows)
            number = distinct(plan.with_suffix(".parquet"))
            for engine in told.engines:
                least, _ = floor(plan.with_suffix(".parquet"))
                row = released(folder, plan, engine, told.memory)
                steps = ", ".join(f"{k} {v:.1f}" for k, v in row["seconds"].items() if k != "total")
                nodes = f"{row.get('checked')} / {row.get('counted', '–')}"
                print(
                    f"| {kind} | {rows:,} | {number:,} | {engine} | {row['wall']:.1f} | {row['wall'] / least:.1f} | "
                    f"{row['peak']:,.0f} | {nodes} | {steps} | {row['verify']:.1f} | {row['peak of verify']:,.0f} |",
                    flush=True,
                )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=float, nargs="+", default=[1e6, 1e7])
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
    parser.add_argument("--engines", nargs="+", default=["memory", "duckdb"])
    parser.add_argument("--memory", help="a bound for engines that keep one, such as 2GB")
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
