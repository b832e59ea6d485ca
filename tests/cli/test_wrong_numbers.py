"""A wrong number for any option of any command: exit code 2, and one JSON object where that is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
import typer
from tests.cli.conftest import Result

from kohort.cli.main import app

Run = Callable[..., Result]
NO_NUMBERS = ("nan", "inf", "-inf", "")
TOO_SMALL = ("-1",)
ZERO_MAY_BE = ("skip", "footer")
IN_WORDS = {
    "memory": ("nan", "inf", "-1", "0"),
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
    callbacks = {
        command.name or command.callback.__name__: command.callback for command in app.registered_commands
    }
    for name, command in sorted(typer.main.get_command(app).commands.items()):
        kinds = {} if name.rstrip("_") not in callbacks else get_type_hints(callbacks[name])
        for parameter in command.params:
            wrong: tuple[str, ...] = IN_WORDS.get(str(parameter.name), ())
            if {int, float} & {kinds.get(parameter.name), *get_args(kinds.get(parameter.name))}:
                wrong = (*NO_NUMBERS, *TOO_SMALL, *(() if parameter.name in ZERO_MAY_BE else ("0",)))
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
    taken = []
    for command, option, value in found:
        engine = ("--engine", "duckdb") if option == "--memory" else ()
        result = kohort(command, *NEEDED[command], *engine, f"{option}={value}", "--json")
        if result.code != 2:
            taken.append((command, option, value))
            continue
        told_of = json.loads(result.out, parse_constant=lambda said: pytest.fail(f"{said} is no JSON"))
        assert told_of["exit_code"] == 2
        assert told_of["error"]["message"]
        assert "Traceback" not in result.err
    assert not taken
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
