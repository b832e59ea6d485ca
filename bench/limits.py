"""Time limits: by how much does each algorithm overrun them, over metrics, on Adult?

    python bench/limits.py [--limits 0.02,0.5,2] [--save] [ALGORITHM …]     # --save writes docs/benchmarks/limits.md

Every algorithm of the registry searches with each limit and metric that it serves. The kernels are compiled before, by one
search of a second on the same problem; what is compiled after all does not count, as the searches' own clock has it.
Overruns are told in seconds of wall clock and of this process's CPU: on a busy machine only the latter means much, and
k-optimize searches on two threads. factor-2 and factor-3 are given 2,000 rows and cells-exact 27, which is what they serve.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import pyarrow as pa
from tests.adult import QUASI, adult_directory

import kohort
from kohort.algorithms import ALGORITHMS, Silent, algorithm
from kohort.engines import DEFAULT, Wanted, opened
from kohort.engines.preparing import prepare
from kohort.errors import InputError, KohortError
from kohort.preparation import chosen_algorithm
from kohort.recode import Problem
from kohort.table import Table

LIMITS = (0.02, 0.5, 2.0)
METRICS_TRIED = ("loss", "entropy", "discernibility", "average-class-size")
ROWS = {"factor-2": 2_000, "factor-3": 2_000, "cells-exact": 27}
K = {"factor-2": 2, "factor-3": 3, "cells-exact": 3}
NUMBERS_ONLY = {"univariate", "dp-mdav"}
OPTIONS: dict[str, dict[str, Any]] = {"dp-mdav": {"bounds": {"age": [0, 120]}, "decimals": 0}}
SAVED = Path(__file__).parents[1] / "docs" / "benchmarks" / "limits.md"


def adult() -> dict[str, list[str]]:
    with (adult_directory() / "adult.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    return {name: [row[name] for row in rows] for name in QUASI}


def problem_for(name: str, columns: dict[str, list[str]], objective: str) -> tuple[Any, Problem]:
    """Return the algorithm and its problem: 5-anonymity (or what it serves) of Adult, 5 % suppressed at most."""
    directory = adult_directory()
    told: dict[str, Any] = {
        column: {
            "role": "quasi",
            "hierarchy": {"kind": "file", "path": str(directory / f"adult_hierarchy_{column}.csv")},
        }
        for column in QUASI
    }
    require: list[Any] = [kohort.KAnonymity(K.get(name, 5))]
    if name == "anatomy":
        told["occupation"] = "sensitive"
        require = [kohort.LDiversity(column="occupation", l=3)]
    if name in NUMBERS_ONLY:
        told = {
            "age": {
                "role": "quasi",
                "hierarchy": {"kind": "intervals", "widths": [5, 10, 20], "domain": [0, 119]},
            }
        }
    if algorithm(name).card.covers_all:
        told = {"age": "quasi"}
    recode = {
        "algorithm": name, "objective": objective, "max_suppression": 0.05,
        "seed": None if name == "dp-mdav" else 1, "options": OPTIONS.get(name, {}),
    }  # fmt: skip
    plan = kohort.Plan(columns=told, require=require, recode=recode)  # type: ignore[arg-type]
    held = {column: columns[column][: ROWS.get(name)] for column in told}
    numbers = {c: list(map(int, held[c])) if name in NUMBERS_ONLY else held[c] for c in held}
    keeper = opened(DEFAULT, Table.from_arrow(pa.table(numbers)), Wanted.by(plan))
    problem = prepare(keeper, plan)
    return chosen_algorithm(plan, problem), problem


def compiling() -> float:
    try:
        from kohort.algorithms.kernel_time import seconds
    except ImportError:  # the searches of before had no such clock
        return 0.0
    return seconds()


def measured(chosen: Any, problem: Problem) -> tuple[float, float, str]:
    """Return wall and CPU seconds of a search, and how it ended."""
    wall, cpu, before = time.perf_counter(), time.process_time(), compiling()
    try:
        solution = chosen.solve(problem, Silent())
        ended = "optimal" if solution.optimal else f"gap {solution.facts['gap']:.1%}" if "gap" in solution.facts else "found"  # fmt: skip
    except KohortError as problem_met:
        ended = type(problem_met).__name__
    aside = compiling() - before
    return time.perf_counter() - wall - aside, time.process_time() - cpu - aside, ended


def rows(names: list[str], limits: list[float]) -> Iterator[tuple[str, ...]]:
    columns = adult()
    for name in names:
        for objective in METRICS_TRIED:
            try:
                chosen, problem = problem_for(name, columns, objective)
                chosen.solve(replace(problem, time_limit=1.0), Silent())
            except InputError:
                continue  # it does not serve this metric
            except KohortError:
                pass
            cells = []
            for limit in limits:
                wall, cpu, ended = measured(chosen, replace(problem, time_limit=limit))
                cells.append(f"{wall - limit:+.2f} / {cpu - limit:+.2f} {ended}")
            yield (name, objective, *cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(ALGORITHMS))
    parser.add_argument("--limits", default=",".join(map(str, LIMITS)))
    parser.add_argument("--save", action="store_true")
    asked = parser.parse_args()
    limits = [float(limit) for limit in asked.limits.split(",")]
    heads = ["algorithm", "metric", *(f"limit {limit:g} s: overrun wall / CPU, end" for limit in limits)]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    print(*lines, sep="\n", flush=True)
    for row in rows(asked.names, limits):
        lines.append(f"| {' | '.join(row)} |")
        print(lines[-1], flush=True)
    if asked.save:
        SAVED.write_text(
            "# Time limits on Adult\n\n" + __doc__.split("\n\n", 2)[2] + "\n" + "\n".join(lines) + "\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
