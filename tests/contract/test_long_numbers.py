"""Numbers longer than anybody measures, in cells: answered or taken for texts by all that read a column, and never computed with."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import kohort
from kohort.cli.main import app
from kohort.errors import InputError
from kohort.hierarchy.numerals import is_number, numbers_of

LONG = {
    "digits": "9" * 5000,
    "decimals": "0." + "0" * 5000 + "1",
    "zeros": "0" * 5000 + "7",
    "small power": "1e-9999999999",
    "smaller power": "-1E-" + "9" * 30,
    "great power": "1e+999999999999",
    "digits and a power": "9" * 5000 + "e-4990",
}
K = [kohort.KAnonymity(3)]
READERS = {
    "intervals": {"age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 10]}}},
    "bands": {"age": {"role": "quasi", "hierarchy": {"kind": "bands", "ends": [[20, 40]]}}},
    "no hierarchy": {"age": {"role": "quasi"}},
    "rounded": {"zone": "quasi", "age": {"role": "insensitive", "round": 5, "allow_unique": True}},
    "ends": {"zone": "quasi", "age": {"role": "insensitive", "bottom": 5, "top": 80, "allow_unique": True}},
    "as it is": {"zone": "quasi", "age": {"role": "sensitive", "allow_unique": True}},
}


def table(text: str) -> pa.Table:
    return pa.table({"age": [str(i % 90) for i in range(60)] + [text], "zone": ["a", "b"] * 30 + ["a"]})


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_what_is_longer_is_no_number(text: str) -> None:
    assert not is_number(text)
    assert numbers_of(["7", text]) is None


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
@pytest.mark.parametrize("columns", READERS.values(), ids=READERS)
def test_whoever_reads_it_answers(text: str, columns: dict[str, object]) -> None:
    plan = kohort.Plan(columns=columns, require=K, recode={"max_suppression": 1.0})
    said = ""
    try:
        assert kohort.anonymize(table(text), plan).verified
    except InputError as refused:
        said = str(refused)
    assert text not in said


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_it_has_a_place_under_differential_privacy(text: str) -> None:
    """A refusal, too, would tell of one record."""
    options = {"bounds": {"age": [0, 99]}, "decimals": 0}
    plan = kohort.Plan(
        columns={"age": "quasi"}, require=K, recode={"algorithm": "dp-mdav", "options": options}
    )
    assert kohort.anonymize(table(text).select(["age"]), plan).table.num_rows == 61


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_plan_is_proposed_for_it(text: str) -> None:
    assert "age" in kohort.propose(table(text)).to_toml()


NINES = "9" * 5000
PLAN = '[input]\npath = "t.csv"\n[columns]\nage = "quasi"\n[[require]]\nmodel = "k-anonymity"\nk = 2\n'
ASKED = {
    "a plan": ["anonymize", "long.toml"],
    "a setting": ["anonymize", "plan.toml", "--set", f"require.0.k={NINES}"],
    "an entry": ["anonymize", "plan.toml", "--set", f"require.{NINES}.k=2"],
    "a frontier": ["frontier", "plan.toml", "--k", f"2,{NINES}"],
    "a comparison": ["compare", "plan.toml", "--k", NINES],
    "memory": ["anonymize", "plan.toml", "--engine", "duckdb", "--memory", f"{NINES}GB"],
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_whoever_is_asked_for_one_answers(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("age\n" + "20\n30\n" * 20)
    Path("plan.toml").write_text(PLAN)
    Path("long.toml").write_text(PLAN.replace("k = 2", f"k = {NINES}"))
    done = CliRunner().invoke(app, asked)
    assert isinstance(done.exception, InputError | SystemExit), done.exception
    assert done.exit_code in (1, 2)
