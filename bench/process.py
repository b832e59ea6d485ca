"""Whole processes: CSV to verified release, for Adult and for millions of perturbed rows.

Every figure is the best of several runs of the installed command, warm caches, and is printed beside a yardstick run in
the same minute: the time this machine takes to start Python and import numpy, numba and pyarrow.
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

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv
from tests.adult import QUASI, adult_directory


def adult_plan(directory: Path, table: Path, algorithm: str = "optimal") -> str:
    columns = "\n".join(
        f'{name} = {{ role = "quasi", hierarchy = {{ kind = "file", path = "{directory}/adult_hierarchy_{name}.csv" }} }}'
        for name in QUASI
    )
    return (
        f'[input]\npath = "{table}"\n[columns]\n{columns}\n[[require]]\nmodel = "k-anonymity"\nk = 5\n'
        f'[recode]\nmax_suppression = 0.05\nalgorithm = "{algorithm}"\n'
    )


def perturbed(directory: Path, rows: int, seed: int = 1) -> pa.Table:
    """Bootstrap Adult: age moved by up to 5 years, six columns resampled from their marginal with probability 0.15."""
    adult = arrow_csv.read_csv(
        directory / "adult.csv",
        parse_options=arrow_csv.ParseOptions(delimiter=";"),
    ).to_pandas()
    rng = np.random.default_rng(seed)
    frame = adult.iloc[rng.integers(0, len(adult), rows)].reset_index(drop=True)
    frame["age"] = np.clip(frame["age"].to_numpy() + rng.integers(-5, 6, rows), 1, 100)
    for name in ("race", "marital-status", "education", "native-country", "workclass", "occupation"):
        moved = rng.random(rows) < 0.15
        values = frame[name].to_numpy(copy=True)
        values[moved] = adult[name].to_numpy()[rng.integers(0, len(adult), int(moved.sum()))]
        frame[name] = values
    return pa.Table.from_pandas(frame, preserve_index=False)


def timed(command: list[str]) -> tuple[float, str]:
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return time.perf_counter() - started, done.stdout


def measure(plan: Path, repeats: int) -> tuple[float, dict[str, object]]:
    command = [
        str(Path(sys.executable).with_name("kohort")),
        "anonymize",
        str(plan),
        "-o",
        str(plan.with_suffix(".out")),
        "--json",
    ]
    runs = [timed(command) for _ in range(repeats)]
    seconds, out = min(runs)
    return seconds, json.loads(out)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    directory = adult_directory().resolve()
    yardstick = min(timed([sys.executable, "-c", "import numpy, numba, pyarrow"])[0] for _ in range(3))
    print(f"yardstick (start Python, import numpy, numba, pyarrow): {yardstick:.2f} s")
    print(f"{'table':>12} {'rows':>10} {'seconds':>8} {'× yardstick':>12} {'field best':>11}  steps")
    with tempfile.TemporaryDirectory() as place:
        plan = Path(place) / "adult.toml"
        plan.write_text(adult_plan(directory, directory / "adult.csv"), encoding="utf-8")
        measure(plan, 1)  # kernels compiled
        report("Adult", *measure(plan, options.repeats), yardstick, "2.7 s")
        table = Path(place) / "perturbed.csv"
        arrow_csv.write_csv(perturbed(directory, options.rows), table)
        plan.write_text(adult_plan(directory, table), encoding="utf-8")
        report("perturbed", *measure(plan, options.repeats), yardstick, "24.6 s")


def report(name: str, seconds: float, told: dict[str, object], yardstick: float, peer: str) -> None:
    steps = told["seconds"]
    print(f"{name:>12} {told['rows']:>10,} {seconds:8.2f} {seconds / yardstick:12.1f} {peer:>11}  {steps}")


if __name__ == "__main__":
    main()
