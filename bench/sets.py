"""`apriori` on set-valued tables: seconds of search, of judging, and what is lost.

    python bench/sets.py [--save] [--short]      # --save writes docs/benchmarks/sets.md

People hold few items, some items are held by very many (Zipf), and items that lie near each other in the hierarchy are held
together. Seeded, so that every run has the same tables. Seconds are CPU seconds (one thread), of searches the best of three warm ones.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

import numpy as np

from kohort.algorithms import Silent
from kohort.hierarchy import Hierarchy
from kohort.sets.apriori import Apriori
from kohort.sets.baskets import Baskets
from kohort.sets.item_tree import ItemTree
from kohort.sets.judges.recount import smallest_support
from kohort.sets.k_m import KM
from kohort.sets.set_problem import SetProblem, SetSolution

SEED = 61
K = 5
TABLES = {  # people, items, mean size of a set, m
    "short": (5_000, 100, 4.0, 2),
    "60k × 500, m = 2": (60_000, 500, 8.0, 2),
    "60k × 500, m = 3": (60_000, 500, 8.0, 3),
    "as BMS-POS: 515,597 × 1,657, m = 2": (515_597, 1_657, 6.5, 2),
    "as BMS-POS: 515,597 × 1,657, m = 3": (515_597, 1_657, 6.5, 3),
}


def tree_of(n_items: int, fanout: int = 5) -> ItemTree:
    """Items in groups of five, these in groups of five, up to the root."""
    depth = 1
    while fanout**depth < n_items:
        depth += 1
    rows = (
        [f"i{i:05}", *(f"g{h}-{i // fanout**h:05}" for h in range(1, depth)), "*"] for i in range(n_items)
    )
    return ItemTree.of(Hierarchy.from_rows("basket", rows))


def baskets_of(n_people: int, n_items: int, mean: float) -> Baskets:
    """Sizes are geometric; of a person's items half lie near the first one."""
    draw = np.random.default_rng(SEED)
    sizes = np.minimum(draw.geometric(1 / mean, n_people), 164)
    people = np.repeat(np.arange(n_people), sizes)
    skew = 1 / np.arange(1, n_items + 1)
    popular = draw.permutation(n_items)
    items = popular[draw.choice(n_items, len(people), p=skew / skew.sum())]
    firsts = np.repeat(items[np.cumsum(sizes) - sizes], sizes)
    near = draw.random(len(people)) < 0.5
    items[near] = (firsts[near] + draw.geometric(0.2, int(near.sum())) - 1) % n_items
    return Baskets.of(people, items, n_people)


def solved(problem: SetProblem, runs: int = 3) -> tuple[SetSolution, float]:
    seconds = []
    for _ in range(runs):
        started = time.process_time()
        solution = Apriori().solve(problem, Silent())
        seconds.append(time.process_time() - started)
    return solution, min(seconds)


def line(name: str) -> str:
    n_people, n_items, mean, m = TABLES[name]
    problem = SetProblem(baskets_of(n_people, n_items, mean), tree_of(n_items), [KM(K, m)])
    solution, seconds = solved(problem)
    labels, codes = np.unique(solution.node_of_item, return_inverse=True)
    released = problem.baskets.recoded(codes)
    started = time.process_time()
    least = smallest_support(released, len(labels), m)
    judged = time.process_time() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return (
        f"| {name} | {len(problem.baskets.items):,} | {seconds:.2f} | {judged:.2f} | {len(labels):,} | {solution.loss:.4f} "
        f"| {least} | {solution.facts['counts']} | {solution.facts['rises']} | {memory:,} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--save", action="store_true")
    parser.add_argument("--short", action="store_true")
    asked = parser.parse_args()
    warm = line("short")  # compiled before the clock runs
    text = "\n".join(
        [
            "# Set-valued tables",
            "",
            "Printed by `bench/sets.py`: `apriori` on synthetic tables (seeded; Zipf's popularity, neighbours held together), items in",
            f"groups of five up to the root, k = {K}. CPU seconds (one thread), those of the search the best of three warm runs;",
            "judging recounts every combination of the released labels with code of its own. Reading and writing are not in it.",
            "",
            "| people × items | items held | search s | judge s | labels | NCP | least support | counts | rises | peak MB so far |",
            "|---|---|---|---|---|---|---|---|---|---|",
            *([warm] if asked.short else [line(name) for name in TABLES if name != "short"]),
            "",
        ]
    )
    print(text)
    if asked.save:
        target = Path(__file__).parents[1] / "docs" / "benchmarks" / "sets.md"
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
