"""`kohort init` says how a file is read, and the plan that it writes is read so by every engine."""

import csv
import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Result

HEAD = "Klinik Nord\n\n;age;town;pay;seen\n"
ROWS = "".join(
    f"{i};{['34', '35', 'k.A.', '999'][i % 4]};{['Berlin', 'BERLIN ', 'Bonn'][i % 3]};"
    f"{['1.234,50', '12,5', '0,75'][i % 3]};{1 + i % 2:02d}.02.21 13:45\n"
    for i in range(1, 61)
)
AGES = "".join(f"{60 + i};{20 + i % 7};Bonn;2,5;01.02.21 00:00\n" for i in range(1, 31))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(HEAD + ROWS + AGES, encoding="utf-8")
    return path


def test_what_is_found_stands_in_the_plan_and_both_engines_read_by_it(
    table: Path, kohort: Callable[..., Result], tmp_path: Path
) -> None:
    plan = tmp_path / "plan.toml"
    answer = kohort("init", table, "-o", plan)
    assert answer.code == 0, answer.err
    assert "it has no name in the file and it counts the rows" in " ".join(answer.out.split())
    assert "read with skip = 2" in answer.out
    told = tomllib.loads(plan.read_text(encoding="utf-8"))
    assert told["input"] == {
        "path": "people.csv",
        "skip": 2,
        "trim": True,
        "missing": ["k.A."],
        "missing_in": {"age": ["999"]},
        "decimal": ",",
        "fold": ["town"],
    }
    assert told["columns"]["unnamed1"]["role"] == "identifier"
    assert told["columns"]["seen"]["hierarchy"]["format"] == "%d.%m.%y %H:%M"
    columns = {
        **dict.fromkeys(("age", "town", "seen"), "quasi"),
        "pay": "insensitive",
        "unnamed1": "identifier",
    }
    head = plan.read_text(encoding="utf-8").partition("[columns]")[0]
    roles = "".join(f'{name}.role = "{role}"\n' for name, role in columns.items())
    plan.write_text(
        f'{head}[columns]\n{roles}\n[[require]]\nmodel = "k-anonymity"\nk = 3\n', encoding="utf-8"
    )
    tables = []
    for engine in ("memory", "duckdb"):
        made = kohort("anonymize", plan, "-o", tmp_path / engine, "--engine", engine)
        assert made.code == 0, made.err
        tables.append(sorted((tmp_path / engine / "table.csv").read_text(encoding="utf-8").splitlines()))
    assert tables[0] == tables[1]
    released = (tmp_path / "duckdb" / "table.csv").read_text(encoding="utf-8").splitlines()
    pays = {row["pay"] for row in csv.DictReader(released)}
    assert pays == {"1234.50", "12.5", "0.75", "2.5"}


def test_what_is_said_is_carried_by_the_plan(
    table: Path, kohort: Callable[..., Result], tmp_path: Path
) -> None:
    plan = tmp_path / "plan.toml"
    said = [
        "--skip",
        "2",
        "--delimiter",
        ";",
        "--encoding",
        "utf-8",
        "--decimal",
        ",",
        "--missing",
        "k.A.",
        "--missing",
        "999",
    ]
    answer = kohort("init", table, "-o", plan, "--header", *said, "--json")
    assert answer.code == 0, answer.err
    told = tomllib.loads(plan.read_text(encoding="utf-8"))["input"]
    asked = {
        "skip": 2,
        "delimiter": ";",
        "encoding": "utf-8",
        "decimal": ",",
        "missing": ["k.A.", "999"],
        "header": True,
    }
    assert asked.items() <= told.items()
    assert {finding["key"] for finding in json.loads(answer.out)["input"]} == {"trim", "fold"}


@pytest.mark.parametrize(
    ("flag", "value"),
    [("--sheet", "x"), ("--table", "x"), ("--decimal", "x"), ("--skip", "99"), ("--encoding", "x")],
)
def test_a_flag_that_cannot_be_heeded_is_refused(
    flag: str, value: str, table: Path, kohort: Callable[..., Result], tmp_path: Path
) -> None:
    answer = kohort("init", table, "-o", tmp_path / "plan.toml", flag, value)
    assert answer.code == 2
    assert flag.strip("-").replace("sheet", "table") in answer.err
    assert not (tmp_path / "plan.toml").exists()


@pytest.mark.parametrize(
    ("flag", "value"), [("--delimiter", ";"), ("--skip", "1"), ("--encoding", "utf-8"), ("--sheet", "t")]
)
def test_a_format_that_has_none_refuses_the_flag_before_the_file_is_looked_for(
    flag: str, value: str, kohort: Callable[..., Result], tmp_path: Path
) -> None:
    answer = kohort("init", tmp_path / "nobody.parquet", "-o", tmp_path / "plan.toml", flag, value, "--json")
    assert answer.code == 2
    assert json.loads(answer.out)["error"]["code"] == "plan.no-effect"


@pytest.mark.parametrize(
    "first", [["1", "Eva Quelln", "1944-03-11", "79107"], ["column1", "column2", "column3", "column4"]]
)
def test_that_a_file_has_no_names_is_said_on_screen_and_in_the_plan(kohort, tmp_path, first):
    rows = [
        [str(i), f"Eva Quell{'n' * (i % 40)}", f"19{20 + i % 70}-03-{1 + i % 28:02}", str(79101 + i * 7 % 6)]
        for i in range(2, 200)
    ]
    (tmp_path / "t.csv").write_text("\n".join(",".join(row) for row in [first, *rows]), encoding="utf-8")
    result = kohort("init", tmp_path / "t.csv", "-o", tmp_path / "plan.toml")
    assert result.code == 0, result.err
    plan = tomllib.loads((tmp_path / "plan.toml").read_text(encoding="utf-8"))
    nameless = first[0] == "1"
    assert ("read with header = false" in result.out) == nameless
    assert (plan["input"].get("header") is False) == nameless
    assert plan["columns"]["column4"]["hierarchy"]["kind"] == "prefix"
