"""Columns of many values that nothing is known of are in no release until somebody says what they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.plan.decided import undecided
from kohort.proposals import propose
from kohort.proposals.decisions import left_out
from kohort.proposals.unknown import without_unknown
from kohort.table import Role, Table

ROWS = 400
RNG = np.random.default_rng(4)
MANY = {
    "numbers": RNG.integers(0, 150, ROWS),
    "fractions": RNG.integers(0, 900, ROWS) / 8,
    "codes": np.array([f"k{n}" for n in RNG.integers(0, 120, ROWS)]),
}


def table_of(cells: object) -> pa.Table:
    return pa.table({"sex": ["f", "m"] * (ROWS // 2), "x_2": cells, "v17": [1, 2, 2, 1] * (ROWS // 4)})


@pytest.mark.parametrize("kind", MANY)
def test_many_values_are_left_out_and_few_are_asked(kind: str) -> None:
    plan = kohort.propose(table_of(MANY[kind]))
    assert plan.columns["x_2"].role is Role.IDENTIFIER
    assert "until you say what it is" in plan.notes["x_2"]
    assert undecided(plan) == ("v17",)
    guarded = kohort.propose(table_of(MANY[kind]), guard=True)
    assert guarded.columns["x_2"].role is (Role.IDENTIFIER if kind == "codes" else Role.QUASI)


@pytest.mark.parametrize("rows", [1, 3, 10, 40])
@pytest.mark.parametrize("spelled", ["{:06x}", "dev-{}", "{}", "Mc{:o}arthy", "+4930{:06}"])
def test_no_guard_releases_what_may_name_people(spelled: str, rows: int) -> None:
    """As many rows of one person as you like are a class of one person."""
    chance = np.random.default_rng(rows)
    names = [spelled.format(n) for n in chance.choice(10**6, max(60, 400 // rows), replace=False)] * rows
    table = pa.table({"did": names, "ev": chance.choice(["open", "close"], len(names))})
    plan = kohort.propose(table, guard=True)
    assert plan.columns["did"].role is Role.IDENTIFIER or not plan.columns["did"].decided


@pytest.mark.parametrize("kind", MANY)
def test_what_is_left_out_is_in_no_release_and_said(kind: str, tmp_path: Path) -> None:
    table = table_of(MANY[kind])
    plan = kohort.propose(table).decide({"v17": "insensitive"})
    release = kohort.anonymize(table, plan)
    assert "x_2" not in release.table.column_names
    read = Table.from_arrow(table)
    found = without_unknown(read, propose(read))
    assert "x_2" in left_out(found)[0]
    assert [proposal.column for proposal in found if proposal.unknown] == ["x_2"]
