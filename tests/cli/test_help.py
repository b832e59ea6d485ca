"""What `--help` says of every command."""

from __future__ import annotations

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from kohort.cli.flags import with_flags
from kohort.cli.main import app
from kohort.errors import InputError

COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined]


def told(*words: str) -> str:
    """Return the help in one line, whatever the width of the terminal."""
    shown = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "300"}).stdout
    return " ".join(shown.replace("│", " ").split())


@pytest.mark.parametrize("words", [(), *((name,) for name in COMMANDS)], ids=str)
def test_switches_are_shown_without_a_type(words: tuple[str, ...]) -> None:
    shown = told(*words)
    assert "--help" in shown
    assert "<bool>" not in shown


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("anonymize", "by default PLAN-release beside the plan"),
        ("verify", "needs the private audit beside the release, or --plan"),
        ("history", "unless it is withdrawn too"),
        ("metrics", "one that needs a target where the plan names it"),
    ],
)
def test_what_is_not_obvious_is_said(command: str, words: str) -> None:
    assert words in told(command)


def test_whoever_has_to_choose_a_table_is_told_the_flag() -> None:
    assert "--table NAME" in with_flags(InputError("several", code="table.several-parts"))
