"""Cell recodings of 1,000 Adult rows: cells suppressed, steps generalized, loss and seconds.

    python bench/cells.py [--save]      # --save writes docs/benchmarks/cells.md

1,000 rows drawn with a fixed seed, nine quasi-identifiers. Seconds are the best of three warm solves, without
compiling and reading. Beside them what attribute generalization with tuple suppression (`optimal`, no limit) and
Mondrian lose on the same rows; and `cells-exact` against the approximations on 80 rows, where it can prove the least.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from tests.adult import QUASI, adult_directory, level_rows

from kohort.algorithms import algorithm
from kohort.algorithms.algorithm import Algorithm, Silent
from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.metrics import METRICS
from kohort.models import KAnonymity
from kohort.recode import Problem, Solution

SEED = 2007
HEAD = "| model | algorithm | k | seconds | cells suppressed | steps | at least | classes | loss | discernibility |"


def adult(n: int, k: int) -> Problem:
    with (adult_directory() / "adult.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    drawn = np.sort(np.random.default_rng(SEED).choice(len(rows), n, replace=False))
    hierarchies = tuple(Hierarchy.from_rows(name, level_rows(name)) for name in QUASI)
    codes = np.column_stack([h.encode([rows[i][h.name] for i in drawn]) for h in hierarchies])
    base, class_of = classes_of_rows(codes)
    return Problem(QUASI, hierarchies, base, class_of, (KAnonymity(k),), seed=SEED)


def timed(problem: Problem, solver: Algorithm, runs: int) -> tuple[float, Solution]:
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        solution = solver.solve(problem, Silent())
        best = min(best, time.perf_counter() - start)
    return best, solution


def line(model: str, name: str, k: int, problem: Problem, runs: int, **options: object) -> str:
    if model == "AG_TS":
        problem = replace(problem, max_suppressed=problem.n_rows)
    solver = algorithm(name)(**options)
    seconds, solution = timed(problem, solver, runs)
    outcome = solution.decision.apply(problem).outcome(problem)
    facts = solution.facts
    told = f"{name} (generalize)" if options.get("generalize") else name
    cells = facts.get("suppressed_cells", "–" if model != "AG_TS" else f"{outcome.suppressed} rows")
    bound = facts.get("lower_bound")
    least = "–" if bound is None else f"{bound:,.0f}"
    return (
        f"| {model} | `{told}` | {k} | {seconds:.3f} | {cells} | {facts.get('generalization_steps', '–')} | {least} "
        f"| {len(outcome.classes)} | {METRICS['loss']().score(outcome):.4f} "
        f"| {METRICS['discernibility']().score(outcome):,.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", action="store_true", help="write docs/benchmarks/cells.md")
    parser.add_argument("--runs", type=int, default=3)
    told = parser.parse_args()
    lines = ["# Cell recodings", "", *__doc__.split("\n\n")[-1].strip().splitlines(), ""]
    lines += ["`at least` is the bound that the run proves on cells (or steps, where it generalizes).", ""]
    lines += ["## 1,000 rows", "", HEAD, "|---|---|---|---|---|---|---|---|---|---|"]
    for k in (2, 3, 5, 10):
        problem = adult(1000, k)
        solvers: list[tuple[str, str, dict[str, object]]] = [
            ("_CS", "forest", {}),
            ("_CS", "meyerson-williams", {}),
            *([("_CS", f"factor-{k}", {})] if k < 4 else []),
            ("CG_", "forest", {"generalize": True}),
            ("CG_", "meyerson-williams", {"generalize": True}),
            *([("CG_", f"factor-{k}", {"generalize": True})] if k < 4 else []),
            ("CG_", "mondrian", {}),
            ("AG_CS", "levels-and-cells", {}),
            ("AG_CS", "mu-argus", {}),
            ("AG_TS", "optimal", {}),
        ]
        for model, name, options in solvers:
            lines.append(line(model, name, k, problem, told.runs, **options))
            print(lines[-1], flush=True)
    lines += ["", "## 80 rows, k = 2", "", HEAD, "|---|---|---|---|---|---|---|---|---|---|"]
    problem = adult(80, 2)
    for name in ("cells-exact", "factor-2", "forest", "meyerson-williams"):
        for model, options in (("_CS", {}), ("CG_", {"generalize": True})):
            lines.append(line(model, name, 2, problem, 1, **options))
            print(lines[-1], flush=True)
    if told.save:
        saved = Path(__file__).parents[1] / "docs" / "benchmarks" / "cells.md"
        saved.parent.mkdir(parents=True, exist_ok=True)
        saved.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
