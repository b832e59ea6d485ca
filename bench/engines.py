"""The engines side by side: seconds and peak memory of whole processes, CSV to verified release.

The table is Adult bootstrapped and perturbed, with two columns that are only carried along; both engines must
come to the same score. `--rows` and `--memory` as you like.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import pyarrow as pa
from bench.process import adult_plan, perturbed
from pyarrow import csv as arrow_csv
from tests.adult import adult_directory


def write_source(folder: Path, rows: int) -> Path:
    directory = adult_directory()
    table = perturbed(directory, rows)
    notes = pa.array([f"note {i % 1000:04d} on this visit" for i in range(rows)])
    table = table.append_column("note", notes).append_column(
        "visit", pa.array([i % 365 for i in range(rows)])
    )
    arrow_csv.write_csv(table, folder / "adult.csv")
    plan = adult_plan(directory, folder / "adult.csv")
    carried = '[columns.note]\nrole = "insensitive"\n[columns.visit]\nrole = "insensitive"\n[[require]]'
    (folder / "plan.toml").write_text(plan.replace("[[require]]", carried, 1))
    return folder / "plan.toml"


def measure(plan: Path, options: list[str]) -> tuple[float, float, dict[str, object]]:
    """Return seconds, peak memory in MB and what the command told; the peak is that of the largest child so far."""
    code = (
        "import resource, subprocess, sys; "
        "done = subprocess.run(sys.argv[1:], stdout=sys.stdout); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(done.returncode)"
    )
    command = [str(Path(sys.executable).with_name("kohort")), "anonymize", str(plan), "--json", *options]
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - started
    return seconds, int(done.stderr.split()[-1]) / 1000, json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--memory", default="500MB")
    parser.add_argument("--repeats", type=int, default=2)
    told = parser.parse_args()
    ways = {
        "memory": ["--engine", "memory"],
        "duckdb": ["--engine", "duckdb"],
        f"duckdb, {told.memory}": ["--engine", "duckdb", "--memory", told.memory],
    }
    with tempfile.TemporaryDirectory() as folder:
        plan = write_source(Path(folder), told.rows)
        size = (Path(folder) / "adult.csv").stat().st_size / 1e6
        print(f"{told.rows:,} rows, {size:,.0f} MB of CSV; least of {told.repeats} runs")
        scores = set()
        for name, options in ways.items():
            runs = [
                measure(plan, [*options, "-o", f"{folder}/{name.split(',')[0]}"]) for _ in range(told.repeats)
            ]
            seconds, peak, facts = min(runs, key=lambda run: run[0])
            scores.add((facts["score"], facts["suppressed"]))
            parts = ", ".join(f"{k} {v:.1f}" for k, v in facts["seconds"].items() if k != "total")  # type: ignore[attr-defined]
            print(f"{name:16} {seconds:6.1f} s   peak {peak:6,.0f} MB   ({parts})")
        assert len(scores) == 1, "the engines disagree"


if __name__ == "__main__":
    main()
