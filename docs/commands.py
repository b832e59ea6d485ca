"""Writes docs/commands.md: every command with its arguments and options, from the command line itself (`make docs`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from typer.main import get_command

from kohort.cli.main import app

TARGET = Path(__file__).with_suffix(".md")
HEAD = """# Commands

Made by `make docs` from the command line; do not edit. `kohort COMMAND --help` says the same. Exit codes and the keys of a plan stand in the
[reference](reference.md), error codes under [errors](errors.md).
"""
MARKUP = re.compile(r"\[/?(?:bold)?\]")  # what rich makes of a help text


def text() -> str:
    """Return the whole page."""
    root: Any = get_command(app)
    return "\n".join([HEAD, *(_command(name, command) for name, command in _commands(root.commands))])


def _commands(told: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every command with its words, and those of a group below it."""
    for name, command in told.items():
        yield above + name, command
        yield from _commands(getattr(command, "commands", {}), f"{above}{name} ")


def _command(name: str, command: Any) -> str:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option"]
    within = ["COMMAND"] if hasattr(command, "commands") else []
    usage = " ".join(["kohort", name, *within, *(_place(each) for each in arguments), "[OPTIONS]"])
    rows = [_row(each.name, each) for each in arguments]
    rows += [_row(", ".join([*each.opts, *each.secondary_opts]), each) for each in options]
    table = ["| argument or option | meaning | default |", "|---|---|---|", *rows, ""]
    said = " ".join(MARKUP.sub("", command.help or "").split())
    return "\n".join([f"## {name}\n", f"{said}\n", f"```text\n{usage}\n```\n", *(table if rows else [])])


def _place(argument: Any) -> str:
    return argument.name.upper() if argument.required else f"[{argument.name.upper()}]"


def _row(name: str, parameter: Any) -> str:
    meaning = MARKUP.sub("", parameter.help or "").replace("|", "&#124;")
    told = "required" if parameter.required else _default(parameter.default)
    return f"| `{name}` | {meaning} | {told} |"


def _default(value: Any) -> str:
    return "" if value is None or value is False or value == () else f"`{value}`"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
