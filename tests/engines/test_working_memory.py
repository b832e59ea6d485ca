"""What `--memory` admits classes by is what they take with whoever searches them."""

from __future__ import annotations

import gc
import tracemalloc
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kohort import Plan
from kohort.algorithms import ALGORITHMS, Silent, algorithm, card_of
from kohort.engines import Wanted, opened
from kohort.engines.preparing import prepare
from kohort.engines.room import class_bytes
from kohort.errors import KohortError
from kohort.recode import Problem

RESERVED = {"samarati", "incognito"}  # they reserve a table of nodes, of which they touch what they fill
BY_CLASS = [name for name in ALGORITHMS if card_of(name).decides == "class" and name not in RESERVED]
BY_TIME = {
    "k-optimize",
    "hill-climbing",
    "genetic",
    "annealing",
    "top-down",
    "bottom-up",
    "mingen",
    "incognito",
}
CUTS = {"k-optimize", "hill-climbing", "genetic", "annealing"}
N = 20_000


def _prepared(folder: Path, name: str, tuples: int = N) -> tuple[Problem, int]:
    rng = np.random.default_rng(1)
    quasi = [f"a{j}" for j in range(5)]
    columns = {column: np.tile(rng.integers(0, 30, tuples), 5) for column in quasi}
    columns["ill"] = rng.integers(0, 6, 5 * tuples)
    path = folder / "table.parquet"
    pq.write_table(pa.table(columns), path)
    told = {
        column: {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 10], "domain": [0, 29]}}
        for column in quasi
    }
    promised = [{"model": "k-anonymity", "k": 5}]
    monotone = card_of(name).keeps != "all"
    if not monotone:
        promised.append({"model": "t-closeness", "column": "ill", "t": 0.5})
    plan = Plan.of(
        {
            "columns": told | {"ill": "sensitive"},
            "require": promised,
            "recode": {"algorithm": name, "time_limit": 1, "max_suppression": 0.2}
            | ({"objective": "discernibility"} if name in CUTS else {}),
            "output": {"ledger": ""},
        }
    )
    keeper = opened("duckdb", path, Wanted.by(plan), "4GB")
    problem = prepare(keeper, plan)
    watched = [] if monotone and name in CUTS else ["ill"]
    return problem, class_bytes(keeper, len(problem.base), len(quasi), watched, card_of(name))


def _searched(name: str, problem: Problem) -> None:
    with suppress(KohortError):  # nothing that keeps the promises was found, or not in time
        algorithm(name)().solve(problem, Silent())


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if name in BY_TIME else []) for name in BY_CLASS]
)
def test_a_search_takes_no_more_than_it_is_admitted_by(name: str, tmp_path: Path) -> None:
    """Arrays of numpy are traced, and not those that live within a kernel."""
    problem, allowed = _prepared(tmp_path, name)
    _searched(name, problem)  # kernels are compiled and imported
    assert _taken(name, problem) <= allowed * 1.05 + 4_000_000  # modules and hierarchies are the program's


def _taken(name: str, problem: Problem) -> int:
    gc.collect()  # what earlier tests left is not counted in its place
    tracemalloc.start()
    try:
        _searched(name, problem)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    base = problem.base
    held = sum(h.starts.nbytes + h.values.nbytes + h.counts.nbytes for h in base.sensitive.values())
    return base.codes.nbytes + base.rows.nbytes + held + peak


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in BY_CLASS if card_of(name).work_ends])
def test_what_a_search_keeps_at_most_is_not_counted_for_every_class(name: str, tmp_path: Path) -> None:
    """Beyond that, tables are let in that fit; before, ten million tuples were counted one node at a time where they would have fitted."""
    most = card_of(name)
    problem, allowed = _prepared(tmp_path, name, tuples=2 * most.work_ends // (5 * most.work))
    _searched(name, problem)
    taken = _taken(name, problem)
    assert taken <= allowed * 1.05 + 4_000_000
    assert allowed <= 4 * taken  # masks over keys take less than counts do


def test_an_estimate_grows_with_the_classes_and_no_faster_once_all_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table({"age": [1, 2]}), path)
    keeper, card = opened("duckdb", path, Wanted(("age",)), "4GB"), card_of("optimal")
    told = [class_bytes(keeper, classes, 8, [], card) for classes in range(0, 20_000_000, 10_000)]
    steps = {after - before for before, after in pairwise(told)}
    counted = [class_bytes(keeper, classes, 8, []) for classes in (0, 10_000)]
    assert min(steps) > 0
    assert told[-1] - told[-2] == counted[1] - counted[0]
