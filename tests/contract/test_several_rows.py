"""Where a plan names no respondent and people seem to have several rows, whoever holds the original is told, whatever the engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from tests.unit.proposals.test_repeated_people import drawn

import kohort
from kohort.errors import InfeasibleError
from kohort.plan import Plan

QUASI: dict[str, dict[str, Any]] = {
    "sex": {"kind": "suppress"},
    "dob": {"kind": "dates"},
    "postcode": {"kind": "mask"},
}
SAID = "people seem to have several rows"


def plan_of(**told: Any) -> Plan:
    columns: dict[str, Any] = {name: {"role": "quasi", "hierarchy": kind} for name, kind in QUASI.items()}
    columns |= {"diagnosis": {"role": "sensitive"}, "who": {"role": "identifier"}}
    asked = [{"model": "k-anonymity", "k": 2}]
    return Plan.from_dict({"input": told, "columns": columns, "require": asked})


def table(each: int, seed: int = 1) -> pa.Table:
    return pa.table(drawn(each, seed, who=lambda who: f"P{who:05}"))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("each", [1, 2, 6])
def test_it_is_said_in_release_report_and_audit_and_only_there(
    each: int, engine: str, tmp_path: Path
) -> None:
    path = tmp_path / "table.csv"
    pa.csv.write_csv(table(each), path)
    release = kohort.anonymize(path, plan_of(), engine=engine)
    release.save(tmp_path / "out")
    private, public = tmp_path / "out.private", tmp_path / "out"
    assert (SAID in release.facts.several_rows) == (each > 1)
    assert (SAID in (private / "report.html").read_text(encoding="utf-8")) == (each > 1)
    assert (SAID in (private / "audit.json").read_text(encoding="utf-8")) == (each > 1)
    assert not any(SAID in path.read_text(encoding="utf-8") for path in public.iterdir())
    cells = {*drawn(each)["dob"], *drawn(each)["postcode"]}
    assert not any(cell in release.facts.several_rows for cell in cells)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("named", ["who", "patient_id", "name", "column7"])
@pytest.mark.parametrize("each", [1, 5])
def test_a_column_that_names_people_tells_it_whatever_it_is_called(
    each: int, named: str, engine: str, tmp_path: Path
) -> None:
    """Without a day of birth: rows of one name agree in traits that have nothing to do with each other."""
    rng = np.random.default_rng(4)
    traits = {
        "age": rng.integers(20, 80, 120),
        "sex": rng.choice(["f", "m"], 120),
        "zip" if named == "name" else "job": rng.choice(["94138", "94139", "94141"], 120),
    }
    rows = {name: np.repeat(values, each).tolist() for name, values in traits.items()}
    rows |= {
        named: [f"Name {i // each}" for i in range(120 * each)],
        "ill": rng.choice(["flu", "hiv"], 120 * each).tolist(),
    }
    columns: dict[str, Any] = dict.fromkeys(traits, "quasi") | {named: "identifier", "ill": "sensitive"}
    asked = Plan.from_dict({"columns": columns, "require": [{"model": "k-anonymity", "k": 2}]})
    pa.csv.write_csv(pa.table(rows), tmp_path / "table.csv")
    release = kohort.anonymize(tmp_path / "table.csv", asked, engine=engine)
    assert (SAID in release.facts.several_rows) == (each > 1)
    assert "Name " not in release.facts.several_rows
    told = kohort.audit(tmp_path / "table.csv", plan=asked, engine=engine)["warnings"]
    assert [SAID in warning for warning in told] == ([True] if each > 1 else [])
    release.save(tmp_path / "out")
    if each > 1:
        with pytest.raises(InfeasibleError, match=SAID):
            kohort.share(tmp_path / "out")


@pytest.mark.parametrize("each", [1, 3])
def test_an_audit_of_a_table_says_it_too(each: int) -> None:
    told = kohort.audit(table(each), quasi=list(QUASI))["warnings"]
    assert [SAID in warning for warning in told] == ([True] if each > 1 else [])


def test_nothing_is_said_where_people_are_counted() -> None:
    assert kohort.anonymize(table(3), plan_of(respondent="who")).facts.several_rows == ""
    assert kohort.audit(table(3), quasi=list(QUASI), respondent="who")["warnings"] == []


def test_a_plan_that_generalizes_no_birth_says_nothing() -> None:
    few = plan_of().to_dict()
    del few["columns"]["dob"], few["columns"]["who"]
    assert kohort.anonymize(table(3), Plan.from_dict(few)).facts.several_rows == ""


def test_the_commands_last_lines_say_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from kohort.cli import anonymize

    pa.csv.write_csv(table(3), tmp_path / "table.csv")
    plan = plan_of(path="table.csv")
    (tmp_path / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")
    anonymize.run(tmp_path / "plan.toml", tmp_path / "out", "memory", [], as_json=False)
    assert "people seem to have several rows" in " ".join(capsys.readouterr().out.split())
    anonymize.run(tmp_path / "plan.toml", tmp_path / "out", "memory", [], as_json=True)
    assert SAID in json.loads(capsys.readouterr().out)["several_rows"]
