"""What is told in public, on tables of a few rows."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import kohort
from kohort.evidence import card_of, manifest_bytes, public_facts
from kohort.facts import Manifest
from kohort.facts.columns import ReleasedColumn, Shown
from kohort.facts.figures import PersonRisk
from kohort.facts.promises import VerdictFacts
from kohort.table import Table
from kohort.verification.judges.contents import contents_of

AGES = ["20-29"] * 3 + ["30-39"] * 3 + [None] * 2
ILLS = ["flu", "flu", "cold", "flu", "cold", "cold", "flu", "cold"]
INTERVALS = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10]}}


def plan(*require: Any, **sections: Any) -> kohort.Plan:
    columns = {"age": INTERVALS, "ill": "sensitive", "name": "identifier"}
    return kohort.Plan(columns=columns, require=require or [kohort.KAnonymity(2)], **sections)


def facts(asked: kohort.Plan, ages: list[str | None] = AGES, ills: list[str] = ILLS) -> Manifest:
    table = Table.from_arrow(pa.table({"age": ages, "ill": ills}))
    return public_facts(contents_of(table, asked.quasi, asked.sensitive), asked, {"table.csv": "0" * 64})


def test_figures_are_those_of_the_released_rows() -> None:
    told = facts(plan())
    assert (told.rows, told.classes, told.counted) == (8, 3, "records")
    assert told.risk.prosecutor == PersonRisk(0.5, 0.375, 8, 2)
    assert told.sensitive["ill"].distinct_l == 2
    assert told.sensitive["ill"].t["equal"] == 0.166667
    assert sum(step.records for step in told.class_sizes) == 8


def test_a_promise_that_the_table_shows_is_judged_on_it() -> None:
    assert facts(plan(kohort.KAnonymity(2))).verdicts[0] == VerdictFacts("2-anonymity", 2, True)
    assert facts(plan(kohort.KAnonymity(3))).verdicts[0].holds is False
    assert facts(plan(kohort.LDiversity(2, "ill"))).verdicts[0].achieved == 2


def test_a_promise_about_the_original_is_told_in_the_release_and_who_checked_it() -> None:
    told = facts(plan(kohort.TCloseness(0.1, "ill"))).verdicts[0]
    assert (
        told.in_itself == 0.166667
    )  # more than promised: rows were left out, and the original is another table
    assert (told.holds, told.achieved) == (True, None)
    assert "against the original, which the holder checked" in told.note
    unknown = facts(plan(kohort.KAnonymity(2), kohort.KMap(3))).verdicts[1]
    assert unknown.achieved is None
    assert unknown.note == "checked by the holder against the population"


def test_columns_that_are_not_declared_are_found() -> None:
    table = Table.from_arrow(pa.table({"age": AGES, "ill": ILLS, "name": ["x"] * 8}))
    told = public_facts(contents_of(table, ["age"], ["ill"]), plan(), {})
    shape = next(v for v in told.verdicts if v.promise == "nothing but the declared columns")
    assert shape.holds is False


def test_where_people_are_counted_rows_are_told_and_risks_are_not() -> None:
    told = facts(plan(input={"respondent": "name"}))
    assert (told.counted, told.risk, told.sensitive) == ("rows", None, {})
    assert told.verdicts[0].achieved is None
    assert "one person's" in told.verdicts[0].note
    assert "name" not in told.asked["columns"]


def test_generalized_values_are_shown_where_k_rows_share_them_and_sensitive_ones_never() -> None:
    age, ill = facts(plan(kohort.KAnonymity(3))).columns
    assert age.values == 3
    assert age.shown == (Shown("20-29", 3), Shown("30-39", 3))
    assert age.others == 2
    assert ill == ReleasedColumn("ill", "sensitive", 2)
    assert b"flu" not in manifest_bytes(facts(plan(kohort.KAnonymity(3))))


def test_many_values_are_cut_and_stand_in_the_order_that_people_expect() -> None:
    ages = [f"{5 * i}-{5 * i + 4}" for i in range(15) for _ in range(5 if i < 13 else 6)]
    shown = facts(plan(), ages, ["flu"] * len(ages)).columns[0]
    assert [entry.value for entry in shown.shown][:3] == ["0-4", "5-9", "10-14"]
    assert len(shown.shown) == 12
    assert shown.others == 15


@pytest.mark.parametrize(
    ("recode", "rows", "name"),
    [
        ({}, 9, "optimal"),
        ({"generalize": "cell"}, 9, "mondrian"),
        ({"generalize": "none", "suppress": "cell"}, 10, "cells-exact"),
        ({"generalize": "none", "suppress": "cell"}, 11, "forest"),
        ({"algorithm": "mdav"}, 9, "mdav"),
    ],
)
def test_the_algorithm_follows_from_the_plan(recode: dict[str, Any], rows: int, name: str) -> None:
    assert card_of(plan(recode=recode), rows).name == name
