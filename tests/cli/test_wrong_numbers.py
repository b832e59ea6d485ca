"""A wrong number for any option of any command: exit code 2, and one JSON object where that is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer
from tests.cli.conftest import Result

from kohort.cli.main import app

Run = Callable[..., Result]
NO_NUMBERS = ("nan", "inf", "-inf", "x", "", "1e999", "0x10", "--1")
TOO_SMALL = ("-1", "-1e300")
ZERO_MAY_BE = ("skip",)
IN_WORDS = {
    "memory": (*NO_NUMBERS, *TOO_SMALL, "0", "0GB", "infGB"),
    "k": (*NO_NUMBERS, *TOO_SMALL, "0", "1"),
}
NEEDED = {  # what a command needs beside the option, from a table, a plan, a release and a ledger
    "anonymize": ("plan.toml", "-o", "out-2"),
    "attack": ("out",),
    "audit": ("patients.csv", "--quasi", "zip"),
    "compare": ("plan.toml",),
    "explain": ("out", "--columns"),
    "frontier": ("plan.toml",),
    "history": ("--ledger", "book.duckdb"),
    "init": ("patients.csv", "-o", "drafted.toml"),
    "verify": ("out",),
}


def numbers() -> Iterator[tuple[str, str, str]]:
    """Yield every command with an option that takes a number, and what is none that it can take."""
    for name, command in sorted(typer.main.get_command(app).commands.items()):
        for parameter in command.params:
            kind = str(parameter.type.name)
            wrong = IN_WORDS.get(str(parameter.name), ())
            if "int" in kind or "float" in kind:
                zero = () if parameter.name in ZERO_MAY_BE else ("0",)
                wrong = (*NO_NUMBERS, *TOO_SMALL, *zero)
            for value in wrong:
                yield name, parameter.opts[0], value


def test_every_wrong_number_is_one_json_object_and_code_two(
    kohort: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    told = ("--set", 'output.ledger="book.duckdb"', "--set", 'input.respondent="name"')
    assert kohort("anonymize", "plan.toml", "-o", "out", *told).code == 0
    found = list(numbers())
    assert {(command, option) for command, option, _ in found} >= {
        ("explain", "--seconds"), ("explain", "--row"), ("compare", "--time-limit"), ("history", "--shared"), ("frontier", "--k"),
        ("anonymize", "--memory"),
    }  # fmt: skip
    for command, option, value in found:
        engine = ("--engine", "duckdb") if option == "--memory" else ()
        result = kohort(command, *NEEDED[command], *engine, f"{option}={value}", "--json")
        assert result.code == 2, (command, option, value, result)
        told_of = json.loads(result.out, parse_constant=lambda said: pytest.fail(f"{said} is no JSON"))
        assert told_of["exit_code"] == 2
        assert told_of["error"]["message"]
        assert "Traceback" not in result.err
    assert not (place / "out-2").exists()


def test_a_very_long_time_is_a_time(kohort: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    assert kohort("anonymize", "plan.toml", "-o", "out").code == 0
    for words in (
        ("explain", "out", "--columns", "--seconds", "1e300"),
        ("compare", "plan.toml", "--k", "2", "--time-limit", "1e300"),
    ):
        result = kohort(*words, "--json")
        assert result.code == 0
        assert "Traceback" not in result.err
