"""Rows that tell nothing, over all algorithms that keep a max_level: those of a release are allowed, and not one more."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.contract.test_level_bounds import SPECIAL

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.errors import InfeasibleError
from kohort.verification.judges.suppression import SUPPRESSION

BOUNDED = [name for name in ALGORITHMS if "max_level" in algorithm(name).card.bounds and name != "anatomy"]
ROWS, QUASI = 40, ("age", "sex")
AGES = {"kind": "intervals", "widths": [10, 50], "domain": [0, 99]}


def people(seed: int) -> pa.Table:
    """Most are of two kinds; a few are alone, whatever is told at level 1."""
    rng = np.random.default_rng(seed)
    ages = np.where(rng.random(ROWS) < 0.85, rng.choice([22, 34], ROWS), rng.integers(50, 99, ROWS))
    columns = {"age": ages, "sex": rng.choice(["f", "m"], ROWS), "ill": rng.choice(["a", "b", "c"], ROWS)}
    return pa.table({name: pa.array(values.tolist()) for name, values in columns.items()})


def plan_of(name: str, rows: str, high: int, most: int) -> kohort.Plan:
    bounds: dict[str, Any] = {"max_level": high} if high < 3 else {}
    return kohort.Plan.from_dict(
        {
            "columns": {
                "age": {"role": "quasi", "hierarchy": AGES, **bounds},
                "sex": "quasi",
                "ill": "sensitive",
            },
            "require": [{"model": "k-anonymity", "k": 2}],
            "recode": {
                "algorithm": name,
                "max_suppression": most,
                "suppressed_rows": rows,
                **SPECIAL.get(name, {}),
            },
            "output": {"ledger": "", "shuffle": False},
        }
    )


def blanked(table: pa.Table, rows: int) -> pa.Table:
    """Return a table in which so many rows tell nothing."""
    for name in QUASI:
        texts = ["*" if i < rows else str(text) for i, text in enumerate(table[name].to_pylist())]
        table = table.set_column(table.column_names.index(name), name, pa.array(texts))
    return table


@pytest.mark.parametrize("name", BOUNDED)
def test_own_releases_keep_what_they_may_leave_blank(name: str) -> None:
    made = 0
    for seed, (rows, high, most) in enumerate(product(("blank", "drop"), (1, 3), (8, 20))):
        original = people(seed)
        plan = plan_of(name, rows, high, most)
        try:
            release = kohort.anonymize(original, plan)
        except InfeasibleError:
            continue
        made += 1
        assert all(verdict.holds for verdict in release.verdicts)
        told = kohort.verify(release.table, plan, original)
        assert not [verdict for verdict in told if verdict.holds is False], (rows, high, most)
    assert made >= 4


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("most", [2, 5, 9])
@pytest.mark.parametrize("high", [0, 1, 2, 3])
def test_not_one_row_more_is_blank_than_may_be(engine: str, most: int, high: int, tmp_path: Path) -> None:
    original = pa.table(
        {"age": [22] * ROWS, "sex": ["f", "m"] * (ROWS // 2), "ill": ["a", "b"] * (ROWS // 2)}
    )
    paths = {name: tmp_path / f"{name}.parquet" for name in ("original", "told")}
    pyarrow.parquet.write_table(original, paths["original"])
    for rows, blank in product(("blank", "drop"), (most, most + 1, ROWS)):
        pyarrow.parquet.write_table(blanked(original, blank), paths["told"])
        verdicts = kohort.verify(
            paths["told"], plan_of("optimal", rows, high, most), paths["original"], engine=engine
        )
        failed = {verdict.promise: verdict.note for verdict in verdicts if verdict.holds is False}
        if high == 3:
            assert not failed, "the root is allowed, and these rows are at it"
        elif rows == "drop":
            assert [*failed] == [f"age at level {high} or below"], "there are no blank rows"
        elif blank <= most:
            assert not failed
        else:
            note = f"{blank} rows are * in every quasi-identifier, and {most} may be"
            assert failed == {SUPPRESSION: note}


def test_nothing_is_called_proved_where_blank_rows_alone_break_a_promise() -> None:
    """The whole table told as `*` would do, with nobody suppressed."""
    asked = {
        "columns": {"zip": "quasi"},
        "require": [{"model": "k-anonymity", "k": 2}],
        "recode": {"suppressed_rows": "blank"},
    }
    refused = 0
    for alone in range(1, 4):
        table = pa.table({"zip": [*(["1"] * 20), *(str(2 + i) for i in range(alone))]})
        for most in (alone, alone + 1):
            plan = kohort.Plan.from_dict(asked | {"recode": asked["recode"] | {"max_suppression": most}})
            for trial in kohort.compare(table, plan, k=[2, 5]).to_pylist():
                assert trial["status"] != "infeasible"
                refused += trial["code"] == "infeasible.blank-rows"
    assert refused


@pytest.mark.parametrize("rows", ["drop", "blank"])
@pytest.mark.parametrize("seed", range(3))
def test_frontier_and_compare_count_the_classes_that_the_release_has(seed: int, rows: str) -> None:
    plan = plan_of("optimal", rows, 3, ROWS // 2)
    release = kohort.anonymize(people(seed), plan)
    told = {tuple(row[name] for name in QUASI) for row in release.table.to_pylist()}
    found = kohort.frontier(people(seed), plan, k=[2]).to_pylist()[0]
    beside = kohort.compare(people(seed), plan, algorithms=["optimal"], k=[2]).to_pylist()[0]
    assert release.facts.classes == len(told) == found["classes"] == beside["classes"]
    assert found["average_risk"] == beside["average_risk"] == pytest.approx(release.facts.risk.average)


def test_facts_count_the_sensitive_values_that_are_released() -> None:
    held = {"age": [20] * 4 + [90], "sex": ["f"] * 4 + ["m"], "ill": ["a", "b", "a", "b", "only"]}
    asked = {
        "columns": {"age": {"role": "quasi", "max_level": 0}, "sex": "quasi", "ill": "sensitive"},
        "require": [{"model": "k-anonymity", "k": 2}],
        "recode": {"max_suppression": 1},
        "output": {"ledger": ""},
    }
    release = kohort.anonymize(pa.table(held), asked)
    assert release.facts.sensitive["ill"].values == len(set(release.table["ill"].to_pylist())) == 2
