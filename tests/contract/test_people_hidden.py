"""What fewer than k people share is not named, however many rows they have: every label in audit, manifest and reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest

import kohort

K = 3
OFTEN = 7  # rows of somebody who stands alone: more than k
ENGINES = ("memory", "duckdb")
ALGORITHMS = ("optimal", "top-down", "datafly")


def visits(rows_each: int = OFTEN) -> pa.Table:
    """Return rows of people, of whom one has many rows with a town, a birth and an illness that nobody else has."""
    rows = [(f"p{i}", ("a", "b")[i % 2], 30 + i % 4, ("flu", "cold")[i // 2 % 2]) for i in range(16)]
    rows += [("X", "lonelytown", 77, "secretill")] * rows_each
    rows += [(f"y{i % 2}", "pairtown", 58, "pairill") for i in range(2 * rows_each)]
    names = ("person", "town", "age", "ill")
    return pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)})


def plan_by(algorithm: str, require: list[Any], **recode: Any) -> dict[str, Any]:
    ages = {"kind": "intervals", "widths": [10, 20], "domain": [0, 99]}
    return {
        "input": {"respondent": "person"},
        "columns": {
            "person": "identifier",
            "age": {"role": "quasi", "hierarchy": ages},
            "town": "quasi",
            "ill": "sensitive",
        },
        "require": require,
        "recode": {"algorithm": algorithm, "max_suppression": 3 * OFTEN, **recode},
        "output": {"ledger": ""},
    }


def labels_in(told: Any) -> set[str]:
    """Return all texts of a document."""
    if isinstance(told, dict):
        return set().union(*map(labels_in, told.values()))
    if isinstance(told, list | tuple):
        return set().union(*map(labels_in, told))
    return {told} if isinstance(told, str) else set()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_nobodys_own_group_is_named(algorithm: str, engine: str, tmp_path: Path) -> None:
    pyarrow.csv.write_csv(visits(), tmp_path / "visits.csv")
    plan = plan_by(algorithm, [{"model": "k-anonymity", "k": K}])
    release = kohort.anonymize(tmp_path / "visits.csv", plan, engine=engine)
    assert release.facts.left_out is not None
    named = {group.label for groups in release.facts.left_out.columns for group in groups.groups} | {
        label for marginal in release.facts.marginals for label in marginal.labels
    }
    assert "a" in named
    assert not named & {"lonelytown", "pairtown", "secretill", "pairill", "77", "58"}
    together = {groups.column: groups for groups in release.facts.left_out.columns}
    assert together["town"].small == 2
    assert together["town"].small_rows == 3 * OFTEN
    release.save(tmp_path / "out")
    page = (tmp_path / "out.private" / "report.html").read_text()
    facts = json.loads((tmp_path / "out.private" / "audit.json").read_text())
    said = labels_in(
        {name: facts.get(name) for name in ("left_out", "marginals", "columns", "why", "warnings")}
    )
    for own in ("lonelytown", "pairtown"):
        assert own not in page
        assert own not in said
    for own in ("secretill", "pairill"):
        assert own not in page


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian"])
def test_a_value_that_one_person_has_in_many_rows_is_not_quoted_in_public(
    algorithm: str, tmp_path: Path
) -> None:
    """No promise names a k: values of fewer than five people are not quoted, and whose rows are whose is not released."""
    require = [{"model": "l-diversity", "column": "ill", "l": 2}]
    table = visits()
    ills = table["ill"].to_pylist()
    some = [("flu", "cold")[i % 2] for i in range(len(ills))]
    table = table.set_column(3, "ill", pa.array(some))
    release = kohort.anonymize(table, plan_by(algorithm, require, max_suppression=0))
    release.save(tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    released = set(release.table["town"].to_pylist()) if isinstance(release.table, pa.Table) else set()
    quoted = {
        entry["value"] if "value" in entry else entry["label"]
        for column in manifest["columns"]
        for entry in column.get("shown", ())
    }
    assert not quoted & {"lonelytown", "pairtown"}
    assert released


def test_where_nobody_is_named_rows_count() -> None:
    """The control: without a respondent the same rows are seven people, and their group is named."""
    plan = plan_by("optimal", [{"model": "k-anonymity", "k": OFTEN - 1}])
    del plan["input"]
    release = kohort.anonymize(visits().slice(0, 16 + OFTEN - 2), plan)
    assert release.facts.left_out is not None
    assert {groups.column: groups.small for groups in release.facts.left_out.columns}["town"] == 1
    plan["require"] = [{"model": "k-anonymity", "k": OFTEN + 1}]
    plan["columns"]["town"] = {"role": "quasi", "max_level": 0}
    release = kohort.anonymize(visits(), plan)
    assert release.facts.left_out is not None
    named = {group.label for groups in release.facts.left_out.columns for group in groups.groups}
    assert "pairtown" in named
    assert "lonelytown" not in named
