"""The experiment of Bayardo & Agrawal (2005) on Adult: k-optimize against the stochastic methods.

    python bench/cuts.py [--quick] [--seconds 120] [--only fine,discernibility,50,none] [--curve]

Prints one row per setting (cost, proven bound, nodes, seconds) and, with --curve, draws the cost over time at
k = 50 on fine ages, no limit (the paper's Fig. 7b), to docs/images/cuts-over-time.svg.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from kohort.algorithms import Silent, algorithm
from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.metrics import METRICS
from kohort.models import KAnonymity
from kohort.recode import Problem

HERE = Path(__file__).parent
ADULT = Path(os.environ.get("KOHORT_ADULT", HERE.parents[1] / "shared" / "data" / "adult"))
QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
KS = (1000, 500, 250, 100, 50, 25, 10, 5)
LIMITS = {"0": 0, "100": 100, "none": 10**9}
STOCHASTIC = ("hill-climbing", "genetic", "annealing")


def hierarchy(name: str, occurring: set[str], coarse: bool) -> Hierarchy:
    """Return one step over the occurring values in the order of the experiment."""
    if name == "age":
        values = sorted(
            {_age(value, coarse) for value in occurring}, key=lambda label: int(label.split("-")[0])
        )
    else:
        with (ADULT / f"adult_hierarchy_{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = sorted(csv.reader(file, delimiter=";"), key=lambda row: tuple(reversed(row)))
        values = [row[0] for row in rows if row[0] in occurring]
    return Hierarchy.from_rows(name, [(value, "*") for value in values])


def _age(value: str, coarse: bool) -> str:
    low = int(value) // 5 * 5
    return f"{low}-{low + 4}" if coarse else value


def adult(coarse: bool, metric: str, k: int, limit: int, seconds: float | None) -> Problem:
    """Return the problem of the experiment; nothing but codes and counts."""
    with (ADULT / "adult.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    hierarchies, columns = [], []
    for name in QUASI:
        texts = [row[name] for row in rows]
        own = hierarchy(name, set(texts), coarse)
        code_of = own.levels[0].code_of
        columns.append([code_of[_age(text, coarse) if name == "age" else text] for text in texts])
        hierarchies.append(own)
    target = np.array([row["salary-class"] == ">50K" for row in rows]).astype(np.int32)
    base, class_of = classes_of_rows(np.array(columns, np.int32).T.copy(), {"salary-class": (target, 2)})
    objective = METRICS[metric](**({"target": "salary-class"} if metric == "classification" else {}))
    return Problem(
        names=QUASI, hierarchies=tuple(hierarchies), base=base, class_of=class_of, models=(KAnonymity(k),),
        objective=objective, max_suppressed=min(limit, len(rows)), sensitive={"salary-class": target},
        time_limit=seconds, seed=1,
    )  # fmt: skip


def settings(args: argparse.Namespace) -> list[tuple[str, str, int, str]]:
    """Return (ages, metric, k, limit) of every run asked for."""
    ks = (1000, 250, 50) if args.quick else KS
    limits = ("0",) if args.quick else tuple(LIMITS)
    found = [
        (ages, metric, k, limit)
        for metric in ("discernibility", "classification")
        for limit in limits
        for ages in ("coarse", "fine")
        for k in ks
    ]
    if args.only:
        wanted = set(args.only.split(","))
        found = [one for one in found if wanted <= {one[0], one[1], str(one[2]), one[3]}]
    return found


def table(args: argparse.Namespace) -> None:
    """Print cost, bound, nodes and seconds of k-optimize for every setting."""
    print(
        "| ages | metric | k | limit | cost | proved | bound | gap | nodes | seconds | cost first found after |"
    )
    print("|---|---|---:|---|---:|---|---:|---:|---:|---:|---:|")
    for ages, metric, k, limit in settings(args):
        hardest = (ages, metric, k, limit) == ("fine", "discernibility", 50, "none") and not args.given
        problem = adult(ages == "coarse", metric, k, LIMITS[limit], 600.0 if hardest else args.seconds)
        began = time.perf_counter()
        solution = algorithm("k-optimize")().solve(problem, Silent())
        seconds = time.perf_counter() - began
        facts = solution.facts
        print(
            f"| {ages} | {metric} | {k} | {limit} | {solution.score:,.0f} | {'yes' if solution.optimal else 'no'} "
            f"| {facts['bound']:,.0f} | {facts['gap']:.1%} | {facts['visited']:,} | {seconds:.1f} "
            f"| {solution.curve[-1][0]:.1f} |",
            flush=True,
        )


def curve(seconds: float) -> None:
    """Run all methods at k = 50, fine, no limit; print the best cost over time and draw it."""
    problem = adult(False, "discernibility", 50, LIMITS["none"], seconds)
    found: dict[str, list[tuple[float, float]]] = {}
    for name in ("k-optimize", *STOCHASTIC):
        solution = algorithm(name)().solve(replace(problem, time_limit=seconds), Silent())
        found[name] = [*solution.curve, (seconds, solution.score)]
    best = min(points[-1][1] for points in found.values())
    print(f"\nCost at k = 50, fine, no limit, by seconds (best known {best:,.0f}):\n")
    moments = [moment for moment in (1, 2, 5, 10, 30, 60, 120, 300, 600) if moment <= seconds]
    print("| method | " + " | ".join(f"{moment} s" for moment in moments) + " |")
    print("|---|" + "---:|" * len(moments))
    for name, points in found.items():
        cells = []
        for moment in moments:
            costs = [cost for when, cost in points if when <= moment]
            cells.append(f"{costs[-1]:,.0f} (+{costs[-1] / best - 1:.2%})" if costs else "–")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    target = HERE.parent / "docs" / "images" / "cuts-over-time.svg"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(draw(found, seconds), encoding="utf-8")


def draw(found: dict[str, list[tuple[float, float]]], seconds: float) -> str:
    """Return the curves as SVG: time on a logarithmic axis, cost on a linear one."""
    width, height, left, bottom = 720, 400, 90, 50
    colours = ("#1b6ca8", "#c8553d", "#588157", "#7b2d8b")
    last = min(points[-1][1] for points in found.values())
    top = last * 1.25
    early = 0.1

    def x(moment: float) -> float:
        share = np.log(max(moment, early) / early) / np.log(seconds / early)
        return float(left + share * (width - left - 20))

    def y(cost: float) -> float:
        share = (min(cost, top) - last * 0.99) / (top - last * 0.99)
        return float(height - bottom - share * (height - bottom - 30))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{left}" y="18">Discernibility of the best set so far; Adult, fine ages, k = 50, no limit</text>',
    ]
    for cost in np.linspace(last, top, 6):
        parts.append(
            f'<line x1="{left}" x2="{width - 20}" y1="{y(cost):.1f}" y2="{y(cost):.1f}" stroke="#ddd"/>'
            f'<text x="{left - 6}" y="{y(cost) + 4:.1f}" text-anchor="end">{cost / 1e6:.2f} M</text>'
        )
    for moment in (0.1, 1, 10, 100, 600):
        if moment <= seconds:
            parts.append(
                f'<text x="{x(moment):.1f}" y="{height - bottom + 18}" text-anchor="middle">{moment:g} s</text>'
            )
    for (name, points), colour in zip(found.items(), colours, strict=True):
        path, previous = [], None
        for moment, cost in points:
            if previous is not None:
                path.append(f"L{x(moment):.1f} {y(previous):.1f}")
            path.append(f"{'L' if path else 'M'}{x(moment):.1f} {y(cost):.1f}")
            previous = cost
        parts.append(f'<path d="{" ".join(path)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        line = list(found).index(name)
        parts.append(f'<text x="{width - 150}" y="{44 + 16 * line}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help="three values of k, no suppression, 20 s each")
    parser.add_argument(
        "--seconds", type=float, default=None, help="time limit of each run (120; 600 for k = 50, fine, none)"
    )
    parser.add_argument("--only", default="", help="words every setting must have, such as fine,50,none")
    parser.add_argument("--curve", action="store_true", help="only the curves")
    args = parser.parse_args()
    if not (ADULT / "adult.csv").exists():
        raise SystemExit(f"the Adult benchmark is not at {ADULT}: set KOHORT_ADULT to its directory")
    args.given = args.quick or args.seconds is not None
    args.seconds = args.seconds or (20.0 if args.quick else 120.0)
    # kernels are compiled before anything is timed
    for metric in ("discernibility", "classification"):
        for limit in (0, 10**9):
            algorithm("k-optimize")(descents=4).solve(adult(True, metric, 5000, limit, 30.0), Silent())
    if args.curve or not args.only:
        for name in STOCHASTIC:
            algorithm(name)().solve(adult(True, "discernibility", 5000, 10**9, 15.0), Silent())
    if not args.curve:
        table(args)
    if args.curve or not args.only:
        curve(20.0 if args.quick else max(args.seconds, 60.0))


if __name__ == "__main__":
    main()
