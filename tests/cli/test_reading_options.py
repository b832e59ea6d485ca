"""How a file is read is said to every command that is given a table in the same words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.main import get_group
from typer.testing import CliRunner

from kohort.cli.main import app
from kohort.plan.sections import InputPlan

READING = {"table_name", "header", "skip", "footer", "delimiter", "encoding", "decimal", "missing"}
COMMANDS = ("init", "audit")
FILE = "list of the ward;;\n\nage;weight;ill\n31;1,5;a\n31;1,5;k.A.\n40;2,5;b\n40;2,5;ä\nTotal;8;\n"
SAID = [
    "--skip",
    "2",
    "--footer",
    "1",
    "--delimiter",
    ";",
    "--encoding",
    "cp1252",
    "--decimal",
    ",",
    "--missing",
    "k.A.",
]


def test_these_are_keys_of_a_plan() -> None:
    assert {name.removesuffix("_name") for name in READING} < set(InputPlan.__struct_fields__)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_is_given_a_table_takes_how_it_is_read(command: str) -> None:
    commands = get_group(app).commands
    told = {one.name: (one.opts, one.secondary_opts, one.help) for one in commands[command].params}
    first = {one.name: (one.opts, one.secondary_opts, one.help) for one in commands[COMMANDS[0]].params}
    assert {name: told[name] for name in READING} == {name: first[name] for name in READING}


def audited(table: Path, *options: str) -> dict[str, object]:
    done = CliRunner().invoke(app, ["audit", str(table), "--json", *options])
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_an_audit_reads_as_a_plan_that_says_the_same(tmp_path: Path) -> None:
    table, plan = tmp_path / "ward.csv", tmp_path / "plan.toml"
    table.write_bytes(FILE.encode("cp1252"))
    plan.write_text(
        '[input]\nskip = 2\nfooter = 1\ndelimiter = ";"\nencoding = "cp1252"\ndecimal = ","\nmissing = ["k.A."]\n'
        '[columns]\nage = "quasi"\nweight = "quasi"\nill = "sensitive"\n[[require]]\nmodel = "k-anonymity"\nk = 2\n',
        encoding="utf-8",
    )
    roles = ["--quasi", "age,weight", "--sensitive", "ill"]
    assert audited(table, *roles, *SAID) == audited(table, "--plan", str(plan))
    assert audited(table, *roles, *SAID)["k"] == 2


def test_what_a_format_does_not_have_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "ward.csv"
    table.write_text("age\n1\n1\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["audit", str(table), "--quasi", "age", "--sheet", "first"])
    assert done.exit_code != 0
    assert "a .csv file has none" in str(done.exception) + done.output
