"""Columns that are not released may be called like anything that a promise says: the public promise stays what was asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import kohort
from kohort.evidence import public_plan
from kohort.models import MODELS

ILL = {"column": "ill"}
PROMISES: dict[str, dict[str, Any]] = {
    "k-anonymity": {"k": 2},
    "l-diversity": {"l": 2, "variant": "entropy", **ILL},
    "t-closeness": {"t": 0.9, "distance": "ordered", **ILL},
    "p-sensitive": {"p": 2, "k": 2, **ILL},
    "alpha-k": {"alpha": 0.9, "k": 2, "value": "flu", **ILL},
    "beta-likeness": {"beta": 9.0, "variant": "enhanced", **ILL},
    "delta-disclosure": {"delta": 9.0, "absent": "ignore", **ILL},
    "average-risk": {"risk": 0.9},
    "personalized": {"breach": 0.9, "guard": "wish", **ILL},
}
APART = {
    "k-map",
    "extended-p-sensitive",
}  # the one reads a file, the other a tree; neither has a word of its own


def words() -> set[str]:
    """Every text that a promise may hold, beside the columns that are released."""
    said = {value for told in PROMISES.values() for value in told.values() if isinstance(value, str)}
    return said - {"ill", "wish"} | set(PROMISES) | {"distinct", "equal", "basic", "breaks", "recursive"}


def asking(model: str, hidden: str) -> tuple[pa.Table, dict[str, Any]]:
    table = pa.table(
        {
            hidden: [f"somebody {i}" for i in range(8)],
            "q": ["a"] * 4 + ["b"] * 4,
            "ill": ["flu", "hiv"] * 4,
            "wish": [None] * 8,
        }
    )
    columns = {hidden: "identifier", "q": "quasi", "ill": "sensitive"}
    if model == "personalized":
        columns["wish"] = "guard"
    require = [{"model": model, **PROMISES[model]}]
    return table, {"columns": columns, "require": require, "output": {"ledger": ""}}


def test_every_model_is_tried() -> None:
    assert set(PROMISES) | APART == set(MODELS)


@pytest.mark.parametrize("model", PROMISES)
def test_a_hidden_column_changes_no_promise(model: str) -> None:
    usual = public_plan(kohort.Plan.from_dict(asking(model, "nothing of the kind")[1]))
    for hidden in sorted(words()):
        public = public_plan(kohort.Plan.from_dict(asking(model, hidden)[1]))
        assert public == usual
        assert hidden not in public["columns"]


@pytest.mark.parametrize("model", ["alpha-k", "l-diversity"])
def test_the_manifest_tells_what_was_promised(model: str, tmp_path: Path) -> None:
    table, plan = asking(model, {"alpha-k": "flu", "l-diversity": "entropy"}[model])
    release = kohort.anonymize(table, plan)
    release.save(tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    [promise] = manifest["promises"]
    assert promise["promise"] == release.verdicts[0].promise
    assert all(verdict.holds for verdict in kohort.verify(tmp_path / "out"))


def test_a_guard_is_called_otherwise_wherever_it_is_named() -> None:
    public = public_plan(kohort.Plan.from_dict(asking("personalized", "flu")[1]))
    [promise] = public["require"]
    assert promise["guard"] == "(not told) 1"
    assert promise["column"] == "ill"
    assert "wish" not in json.dumps(public)
