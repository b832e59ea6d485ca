"""The plan as outsiders see it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import kohort
from kohort.evidence import public_plan

COLUMNS: dict[str, Any] = {
    "name": "identifier",
    "zip": {"role": "quasi", "hierarchy": {"kind": "file", "path": "secret/zip.csv", "delimiter": ";"}},
    "age": {"role": "quasi", "weight": 2, "hierarchy": {"kind": "intervals", "widths": [5, 10]}},
    "ill": {"role": "sensitive", "hierarchy": {"kind": "tree", "tree": {"lungs": ["flu", "cold"]}}},
    "visit": "insensitive",
}
WHOLE = kohort.Plan(
    columns=COLUMNS,
    require=[kohort.KAnonymity(5), {"model": "l-diversity", "column": "ill", "l": 3}],  # type: ignore[list-item]
    input={
        "path": "secret/patients.xlsx",
        "table": "secret sheet",
        "respondent": "patient",
        "missing": ["secret"],
    },  # type: ignore[arg-type]
    recode={
        "seed": 42,
        "max_suppression": 20,
        "time_limit": 9,
        "options": {"memory": 7, "seed": 4, "path": "secret"},
    },  # type: ignore[arg-type]
    output={"ledger": "secret.duckdb", "format": "parquet"},  # type: ignore[arg-type]
)


def test_what_was_declared_stays_and_what_is_private_goes() -> None:
    told = public_plan(WHOLE)
    assert told == {
        "input": {"respondent": "(not told)"},
        "columns": {
            "zip": {"role": "quasi", "hierarchy": {"kind": "file"}},
            "age": {"role": "quasi", "weight": 2.0, "hierarchy": {"kind": "intervals", "widths": [5, 10]}},
            "ill": {"role": "sensitive", "hierarchy": {"kind": "tree", "tree": {"lungs": ["flu", "cold"]}}},
            "visit": {"role": "insensitive"},
        },
        "require": WHOLE.to_dict()["require"],
        "recode": {"max_suppression": 20, "time_limit": 9.0, "options": {"memory": 7}},
        "output": {"format": "parquet"},
    }
    assert not [word for word in ("secret", "patient", "name", "42") if word in json.dumps(told)]


def test_it_is_a_plan_and_its_own_public_plan_in_the_same_spelling() -> None:
    told = public_plan(WHOLE)
    again = kohort.Plan.from_dict(json.loads(json.dumps(told)))
    assert json.dumps(public_plan(again)) == json.dumps(told)
    assert again.released == WHOLE.released
    assert again.input.respondent is not None


def test_a_released_column_is_never_taken_for_what_is_not_told() -> None:
    plan = kohort.Plan(
        columns={**COLUMNS, "(not told)": "insensitive"},
        require=[kohort.KAnonymity(5)],
        input={"respondent": "name"},
    )
    told = kohort.Plan.from_dict(public_plan(plan))
    assert "(not told)" in told.released
    assert json.dumps(public_plan(told)) == json.dumps(public_plan(plan))


@pytest.mark.parametrize("respondent", [None, "name", "patient"])
def test_that_people_were_counted_is_told_and_by_which_column_is_not(respondent: str | None) -> None:
    plan = kohort.Plan(columns=COLUMNS, require=[kohort.KAnonymity(5)], input={"respondent": respondent})  # type: ignore[arg-type]
    assert ("input" in public_plan(plan)) == (respondent is not None)
