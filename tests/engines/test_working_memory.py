"""What `--memory` admits classes by is what they take with whoever searches them."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress
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


def _prepared(folder: Path, name: str) -> tuple[Problem, int]:
    rng = np.random.default_rng(1)
    quasi = [f"a{j}" for j in range(5)]
    columns = {column: np.tile(rng.integers(0, 30, N), 5) for column in quasi}
    columns["ill"] = rng.integers(0, 6, 5 * N)
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
    tracemalloc.start()
    try:
        _searched(name, problem)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    base = problem.base
    held = (
        base.codes.nbytes
        + base.rows.nbytes
        + sum(h.starts.nbytes + h.values.nbytes + h.counts.nbytes for h in base.sensitive.values())
    )
    assert held + peak <= allowed * 1.05 + 4_000_000  # modules and hierarchies are the program's
