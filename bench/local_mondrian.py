"""Mondrian, microaggregation and Anatomy on Adult, and Mondrian on 3,000,000 perturbed rows.

    python bench/local_mondrian.py [--save] [--rows 3000000]   # --save writes docs/benchmarks/mondrian.md

Seven quasi-identifiers (sex, age, race, marital-status, education, native-country, workclass), 30,162 rows. Seconds
are the best of several warm solves, score included, without compiling and reading. The perturbed rows are a bootstrap
of Adult with age moved by up to 5 years and each other column drawn from its marginal with probability 0.15.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from tests.adult import adult_directory, level_rows

from kohort.algorithms import Algorithm, Silent, algorithm
from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.metrics import METRICS
from kohort.models import KAnonymity, LDiversity, PrivacyModel
from kohort.recode import Problem, Solution

QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass")
HEAD = """# Mondrian and microaggregation on Adult

Printed by `bench/local_mondrian.py` (`make bench-local`): 30,162 rows, seven quasi-identifiers (sex, age, race, marital-status, education,
native-country, workclass). Seconds are the best of several warm solves, score included, without compiling and reading. Where other tools are named,
their figures were measured on the same rows by a machine of the same kind.
"""
PEERS = """\
| tool | method | k | seconds | classes | DM |
|---|---|---|---|---|---|
| qiyuangong | Mondrian strict | 10 | 0.21 | 1237 | 2.30M |
| qiyuangong | Mondrian relaxed | 10 | 0.27 | 1941 | 0.50M |
| kaylode | Mondrian with hierarchies | 10 | 0.83 | 1101 | 1.42M |
| anonypy | Mondrian | 10 | 12 | 1524 | 1.06M |
| anonypy | Mondrian | 5 | 24 | 2717 | 0.90M |
| mosaicrown | Mondrian | 10 | 14.5 | 1545 | 1.07M |
"""


def adult() -> tuple[tuple[Hierarchy, ...], np.ndarray, np.ndarray]:
    """The hierarchies, the ground codes row by row and the occupations."""
    with (adult_directory() / "adult.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    hierarchies = tuple(Hierarchy.from_rows(name, level_rows(name)) for name in QUASI)
    codes = np.column_stack([h.encode([row[h.name] for row in rows]) for h in hierarchies]).astype(np.int32)
    occupation = np.unique([row["occupation"] for row in rows], return_inverse=True)[1].astype(np.int32)
    return hierarchies, codes, occupation


def perturbed(codes: np.ndarray, n: int) -> np.ndarray:
    generator = np.random.default_rng(2026)
    age = QUASI.index("age")
    rows = codes[generator.integers(0, len(codes), n)]
    moved = rows[:, age] + generator.integers(-5, 6, n, dtype=np.int32)
    rows[:, age] = np.clip(moved, codes[:, age].min(), codes[:, age].max())
    for j in range(len(QUASI)):
        if j != age:
            drawn = np.flatnonzero(generator.random(n) < 0.15)
            rows[drawn, j] = codes[generator.integers(0, len(codes), len(drawn)), j]
    return rows


def timed(chosen: Algorithm, problem: Problem, repeats: int) -> tuple[Solution, float]:
    solution = chosen.solve(problem, Silent())
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        solution = chosen.solve(problem, Silent())
        best = min(best, time.perf_counter() - start)
    return solution, best


def line(name: str, k: int, problem: Problem, solution: Solution, seconds: float) -> str:
    outcome = solution.decision.apply(problem).outcome(problem)
    figures = {
        metric: METRICS[metric]().score(outcome)
        for metric in ("loss", "discernibility", "average-class-size")
    }
    average = figures["average-class-size"] / k
    return (
        f"| {name} | {k} | {len(outcome.classes):,} | {outcome.classes.sizes.min()} | "
        f"{figures['discernibility']:,.0f} | {average:.3f} | {figures['loss']:.4f} | {seconds:.4f} |"
    )


HEAD = (
    "| algorithm | k | classes | smallest | DM | C_avg | loss | seconds |\n|---|---|---|---|---|---|---|---|"
)


def on_adult(repeats: int) -> list[str]:
    hierarchies, codes, occupation = adult()
    base, class_of = classes_of_rows(codes, {"occupation": (occupation, int(occupation.max()) + 1)})

    def problem(*models: PrivacyModel) -> Problem:
        return Problem(
            QUASI, hierarchies, base, class_of, models, sensitive={"occupation": occupation}, seed=1
        )

    lines = ["## Mondrian", "", HEAD]
    for name, options in (
        ("mondrian", {}),
        ("mondrian", {"tight": True}),
        ("mondrian", {"release": "ancestor"}),
        ("mondrian", {"split": "hierarchy"}),
        ("mondrian-relaxed", {}),
        ("mondrian-relaxed", {"tight": True}),
    ):
        told = " ".join([name, *(f"{key}={value}" for key, value in options.items())])
        for k in (5, 10, 25, 50, 100, 250, 500, 1000):
            asked = problem(KAnonymity(k))
            lines.append(line(told, k, asked, *timed(algorithm(name)(**options), asked, repeats)))
    diverse = problem(KAnonymity(10), LDiversity(3, "occupation"))
    for name in ("mondrian", "mondrian-relaxed"):
        told = f"{name}, and 3 distinct occupations"
        lines.append(line(told, 10, diverse, *timed(algorithm(name)(), diverse, repeats)))
    lines += ["", PEERS, "## Microaggregation", "", HEAD]
    for name in ("mdav", "v-mdav"):
        for k in (5, 10, 50):
            asked = problem(KAnonymity(k))
            lines.append(line(name, k, asked, *timed(algorithm(name)(), asked, 1)))
    bucketed = problem(LDiversity(3, "occupation"))
    solution, seconds = timed(algorithm("anatomy")(), bucketed, 1)
    return [*lines, "", f"anatomy, l = 3: {solution.decision.group_of.max():,} groups in {seconds:.3f} s"]


def on_many(n: int) -> list[str]:
    hierarchies, codes, _ = adult()
    rows = perturbed(codes, n)
    start = time.perf_counter()
    base, class_of = classes_of_rows(rows)
    reduced = time.perf_counter() - start
    lines = [
        "",
        f"## {n:,} perturbed rows, {len(base):,} distinct tuples (reduced in {reduced:.2f} s)",
        "",
        HEAD,
    ]
    problem = Problem(QUASI, hierarchies, base, class_of, (KAnonymity(10),))
    for name in ("mondrian", "mondrian-relaxed"):
        lines.append(line(name, 10, problem, *timed(algorithm(name)(), problem, 2)))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", action="store_true")
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    text = "\n".join([HEAD, *on_adult(options.repeats), *on_many(options.rows)])
    print(text)
    if options.save:
        target = Path(__file__).parents[1] / "docs" / "benchmarks" / "mondrian.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
