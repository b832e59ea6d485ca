"""The private audit and the manifest tell one plan; where they do not, the promises are not said to be those that were made."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kohort
from kohort.demo.ward import WARD, ward_plan
from kohort.verification.case import WORD

CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a weaker promise": lambda plan: plan["require"][0].update(k=plan["require"][0]["k"] - 1),
    "a stronger promise": lambda plan: plan["require"][0].update(k=plan["require"][0]["k"] + 1),
    "a promise more": lambda plan: plan["require"].append({"model": "average-risk", "risk": 0.9}),
    "another role": lambda plan: plan["columns"].update(zip="insensitive"),
    "more left out": lambda plan: plan.setdefault("recode", {}).update(max_suppression=0.99),
}


def released(place: Path, algorithm: str = "optimal") -> Path:
    plan = ward_plan(algorithm) | {"require": [{"model": "k-anonymity", "k": 3}], "output": {"ledger": ""}}
    kohort.anonymize(WARD, plan).save(place)
    return place


def said(folder: Path) -> bool | None:
    return next(verdict.holds for verdict in kohort.verify(folder) if verdict.promise == WORD)


@pytest.mark.parametrize("change", CHANGES)
def test_an_audit_that_tells_another_plan_is_not_believed(change: str, tmp_path: Path) -> None:
    out = released(tmp_path / "out")
    audit = tmp_path / "out.private" / "audit.json"
    told = json.loads(audit.read_text(encoding="utf-8"))
    assert said(out) is True
    CHANGES[change](told["plan"])
    audit.write_text(json.dumps(told), encoding="utf-8")
    assert said(out) is False
