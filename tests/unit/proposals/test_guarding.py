"""What nothing is known of waits for a decision; by a guard it is treated as known to others as far as the table bears it."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log2

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.proposals.test_roles import TABLES

from kohort.plan import Plan
from kohort.proposals import Proposal, plan_text, propose
from kohort.proposals.decisions import asked_together
from kohort.proposals.guarding import entropy, guardable
from kohort.table import Role, Table


def proposals(columns: Mapping[str, Sequence[object]]) -> dict[str, Proposal]:
    return {p.column: p for p in propose(Table.from_arrow(pa.table(dict(columns))), guard=True)}


def unknown(rows: int, columns: int, values: int) -> dict[str, list[int]]:
    rng = np.random.default_rng(5)
    return {f"z{'abcdefghijklm'[i]}": rng.integers(0, values, rows).tolist() for i in range(columns)}


@pytest.mark.parametrize("name", TABLES)
def test_without_a_guard_nothing_unknown_is_decided_and_with_it_nothing_else_changes(name: str) -> None:
    rng = np.random.default_rng(3)
    cells = {column: draw(rng) for column, (draw, _) in TABLES[name].items()}
    table = Table.from_arrow(pa.table(cells | unknown(len(next(iter(cells.values()))), 4, 3)))
    asked, taken = propose(table), propose(table, guard=True)
    nothing_known = {p.column for p in asked if p.concept is None and p.reason.startswith("nothing tells")}
    assert nothing_known >= {"za", "zb", "zc", "zd"}
    assert not any(p.decided or p.guarded for p in asked if p.column in nothing_known)
    decided = {column for question in guardable(table, asked) for column in question}
    assert decided
    assert decided == {p.column for p in taken if p.guarded} <= nothing_known
    assert [p for p in asked if p.column not in decided] == [p for p in taken if not p.guarded]


def test_a_guard_makes_quasi_identifiers_of_less_weight_that_need_no_decision() -> None:
    found = proposals(unknown(1000, 3, 3))
    assert {(p.role, p.confidence, p.guarded, p.weight) for p in found.values()} == {
        (Role.QUASI, "unsure", True, 0.25)
    }
    text = plan_text("t.csv", list(found.values()))
    assert "whoever drafted this with a guard decided" in text
    plan = Plan.from_dict(tomllib.loads(text))
    assert all(column.decided and column.weight == 0.25 for column in plan.columns.values())


@settings(deadline=None, max_examples=25)
@given(st.integers(20, 1000), st.integers(1, 9), st.integers(2, 9))
def test_they_leave_twenty_rows_alike_and_the_rest_is_asked(rows: int, columns: int, values: int) -> None:
    table = Table.from_arrow(pa.table(unknown(rows, columns, values)))
    few = [p for p in propose(table, guard=True) if p.role is Role.QUASI and "few" in p.reason]
    found = [p for p in few if p.guarded or not p.decided]
    guarded, asked = ([p.column for p in found if p.guarded is taken] for taken in (True, False))
    most = max(log2(rows / 20), 0)
    assert together(table, guarded) <= most + 1e-9
    for column in asked:
        assert together(table, [*guarded, column]) > most


def together(table: Table, columns: Sequence[str]) -> float:
    """Return how often these columns together halve the rows."""
    codes = [table[column].codes.tolist() for column in columns]
    rows = list(zip(*codes, strict=True)) if codes else [()] * table.n_rows
    return entropy(np.array(list(Counter(rows).values())))


def test_columns_that_say_the_same_count_once() -> None:
    rng = np.random.default_rng(2)
    first = rng.integers(0, 6, 400)
    found = proposals({f"z{c}": (first * (i + 1) % 7).tolist() for i, c in enumerate("abcdef")})
    assert all(p.guarded for p in found.values())


def test_items_of_a_questionnaire_are_one_question_and_not_split() -> None:
    rng = np.random.default_rng(1)
    items = {
        f"{letter}{i}": rng.integers(1, 7, 2800).astype(float).tolist()
        for letter in "ABC"
        for i in range(1, 6)
    }
    items["B2"] = [int(answer) for answer in items["B2"]]  # as a file has it that lacks no answer there
    table = Table.from_arrow(pa.table({"age": rng.integers(18, 80, 2800).tolist(), **items}))
    found = propose(table, guard=True)
    assert not any(p.guarded for p in found)
    assert asked_together(table, found) == [list(items)]


@pytest.mark.parametrize("name", ["status", "result", "grade"])
def test_what_may_be_sensitive_is_asked(name: str) -> None:
    found = proposals({name: [1, 2, 3] * 400})[name]
    assert (found.role, found.decided, found.guarded) == (Role.SENSITIVE, False, False)


def test_many_values_give_way_step_by_step_and_are_taken_whatever_the_table_bears() -> None:
    rng = np.random.default_rng(4)
    many = {f"z{c}": rng.normal(0, 9, 300).round(1).tolist() for c in "abcdef"}
    assert not any(p.decided for p in propose(Table.from_arrow(pa.table(many))))
    found = proposals(many)
    assert {(p.role, p.guarded, p.weight) for p in found.values()} == {(Role.QUASI, True, 0.25)}


@pytest.mark.parametrize("decimals", [1, 6, 17, 19])
def test_what_has_decimals_names_nobody_however_many_it_has(decimals: int) -> None:
    rng = np.random.default_rng(5)
    told = [f"0.{int(n):0{decimals}}" for n in rng.integers(1, min(10**decimals, 2**62), 300)]
    assert proposals({"zq": told})["zq"].guarded


@pytest.mark.parametrize("name", ["score", "duration", "rating"])
def test_many_values_that_may_be_sensitive_are_asked(name: str) -> None:
    found = proposals({name: [i * 7 % 97 for i in range(400)]})[name]
    assert (found.decided, found.guarded) == (False, False)
