"""No canary in any error: wrong plans over planted people, in every format; message, code and fields are searched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.trust import canaries
from tests.trust.canaries import ALONE_ILL, ALONES, HELD, HIDDEN, PLANTERS, SHEETS

import kohort
from kohort.error_codes import CODES, FIELDS

CELLS = {**ALONES, **HELD, "person": HIDDEN["person"], ALONE_ILL: canaries.spellings(ALONE_ILL)}
COLUMNS: dict[str, Any] = {
    "name": "identifier",
    "code": {"role": "quasi", "hierarchy": {"kind": "mask"}},
    "club": {"role": "quasi", "hierarchy": {"kind": "suppress"}},
    "ill": "sensitive",
}
WIDTHS = {"kind": "intervals", "widths": [10]}
CLUBS = {"kind": "tree", "tree": {"any": ["Skat"]}}
K = {"model": "k-anonymity", "k": 3}

# what is other in the plan, and the code of the error that it must be
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "values of no hierarchy": ({"code": {"role": "quasi", "hierarchy": WIDTHS}}, "hierarchy.unfit-values"),
    "values no date": ({"code": {"role": "quasi", "hierarchy": {"kind": "dates"}}}, "hierarchy.unfit-values"),
    "values that a tree misses": ({"club": {"role": "quasi", "hierarchy": CLUBS}}, "hierarchy.uncovered-values"),
    "values too long": ({"code": {"role": "quasi", "hierarchy": {"kind": "mask", "length": 2}}}, "hierarchy.unfit-values"),
    "values that point at people": ({"name": "insensitive"}, "plan.identifying"),
    "a column that is not there": ({"nothing": "quasi"}, "plan.unknown-column"),
    "guards of nothing": (
        {"ill": {"role": "sensitive", "hierarchy": {"kind": "mask"}}, "club": "guard", "require": {"model": "personalized", "column": "ill", "guard": "club", "breach": 0.5}},
        "model.guard",
    ),
    "labels of no value": (
        {"club": {"role": "quasi", "hierarchy": {"kind": "suppress"}}, "ill": {"role": "sensitive", "hierarchy": {"kind": "tree", "tree": {"any": ["x"]}}}, "require": {"model": "extended-p-sensitive", "p": 2, "column": "ill", "protected": ["y"]}},
        "hierarchy.uncovered-values",
    ),
    "too few values": ({"require": {"model": "l-diversity", "column": "ill", "l": 9}}, "infeasible.whole-table"),
    "too few people": ({"require": {"model": "k-anonymity", "k": 41}}, "model.parameter"),
    "an order of other values": ({"recode": {"algorithm": "k-optimize", "objective": "discernibility", "options": {"order": {"club": ["Skat", "Skat"]}}}}, "algorithm.wrong-option"),
}  # fmt: skip


@pytest.mark.parametrize("format", PLANTERS)
def test_no_canary_leaves_by_an_error(format: str, tmp_path: Path) -> None:
    path = canaries.planted(tmp_path, format)
    for case, (other, code) in WRONG.items():
        with pytest.raises(kohort.KohortError) as refused:
            kohort.anonymize(path, plan_for(other, format, path.parent))
        error = refused.value
        assert error.code == code, (case, str(error))
        assert error.code in CODES
        assert set(error.fields) <= set(FIELDS)
        said = [
            str(error).encode(),
            repr(error.fields).encode(),
            json.dumps(error.told()).encode(),
        ]
        assert canaries.marks_in(said, CELLS) == [], case


def plan_for(other: dict[str, Any], format: str, base: Path) -> kohort.Plan:
    columns = {name: told for name, told in other.items() if name not in ("require", "recode")}
    told = {
        "input": {"table": SHEETS[format]} if format in SHEETS else {},
        "columns": COLUMNS | columns,
        "require": [other.get("require", K)],
        "recode": {"max_suppression": 0.0} | other.get("recode", {}),
        "output": {"ledger": ""},
    }
    return kohort.Plan.from_dict(told, base)


def test_a_canary_in_an_error_would_be_found() -> None:
    told = kohort.InputError("no", code="table.empty", value=canaries.ALONE_CLUB).told()
    assert canaries.marks_in([json.dumps(told).encode()], CELLS) == ["club"]
