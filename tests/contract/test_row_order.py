"""A loose table in the order of the original fails; no shuffled one does, however small, coarse or uniform it is."""

from __future__ import annotations

from itertools import permutations
from math import exp
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.verification.judges.row_order import SHUFFLED, Fits, follows, log_chance

ALGORITHMS = ("optimal", "mondrian", "mondrian-relaxed", "k-member", "datafly")


def table_of(rows: int, seed: int, values: int = 60) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "age": rng.integers(20, 20 + values, rows),
            "sex": rng.choice(["f", "m"], rows).tolist(),
            "ill": rng.choice(["flu", "cold", "gout", "hiv"], rows).tolist(),
        }
    )


def plan_for(algorithm: str, shuffle: bool, **recode: Any) -> kohort.Plan:
    ages = {"kind": "intervals", "widths": [10, 20, 40], "domain": [0, 99]}
    return kohort.Plan(
        columns={"age": {"role": "quasi", "hierarchy": ages}, "sex": "quasi", "ill": "sensitive"},
        require=[kohort.KAnonymity(2)],
        recode={"algorithm": algorithm, "max_suppression": 0.2, **recode},  # type: ignore[arg-type]
        output={"ledger": "", "shuffle": shuffle},  # type: ignore[arg-type]
    )


def failed(table: Any, plan: kohort.Plan, original: pa.Table, engine: str = "memory") -> bool:
    verdicts = kohort.verify(table, plan, original, engine=engine)
    return any(verdict.promise == SHUFFLED and verdict.holds is False for verdict in verdicts)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("backwards", [False, True])
def test_rows_in_order_fail(algorithm: str, backwards: bool) -> None:
    for seed in range(3):
        original = table_of(120, seed)
        table = kohort.anonymize(original, plan_for(algorithm, False)).tables["table"].to_arrow()
        if backwards:
            table = table.take(pa.array(np.arange(table.num_rows)[::-1]))
        assert failed(table, plan_for(algorithm, True), original)
        assert not failed(table, plan_for(algorithm, False), original)  # the plan asks for it


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_no_shuffled_release_fails(algorithm: str) -> None:
    for seed in range(25):
        rows = (4, 5, 6, 8, 10, 12, 15, 40)[seed % 8]
        original = table_of(rows, seed, (60, 3, 1)[seed % 3])
        try:
            release = kohort.anonymize(original, plan_for(algorithm, True, max_suppression=rows // 2))
        except kohort.InfeasibleError:
            continue
        assert not failed(release.tables["table"].to_arrow(), plan_for(algorithm, True), original)


def random_fits(rng: np.random.Generator) -> Fits:
    whole = int(rng.integers(3, 7))
    n = int(rng.integers(1, whole + 1))
    left, right = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    may = rng.random((left, right)) < 0.5
    edges = [np.flatnonzero(row) for row in may]
    return Fits(
        rng.integers(0, left, n),
        rng.integers(0, right, whole),
        np.append(0, np.cumsum([len(e) for e in edges])),
        np.concatenate(edges),
    )


def test_the_bound_is_never_below_the_chance() -> None:
    """Every order of up to six rows, against the bound by which a table is judged at all."""
    rng = np.random.default_rng(1)
    passed = 0
    for _ in range(300):
        fits = random_fits(rng)
        orders = [
            Fits(np.array(order), fits.original, fits.starts, fits.edges)
            for order in permutations(fits.released.tolist())
        ]
        share = np.mean([follows(o, False) or follows(o, True) for o in orders])
        passed += bool(share)
        assert share <= exp(log_chance(fits)) + 1e-9
    assert passed > 30


def test_rows_that_are_alike_are_not_judged() -> None:
    """Of rows that are all alike any order is as good; of a few, chance could do it."""
    original = pa.table({"age": [30] * 50, "sex": ["f"] * 50, "ill": ["flu"] * 50})
    table = kohort.anonymize(original, plan_for("optimal", False)).tables["table"].to_arrow()
    assert not failed(table, plan_for("optimal", True), original)
