"""Commands that are printed to be typed: what is put into one is quoted for a shell, whatever blanks and signs it has."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "kohort"
COMMAND = re.compile(r"kohort [a-z]+(?: (?!is |to |has |and )[^;`]*)? $")
SAFE = re.compile(r"(escape\()?quote\(|told\.release$")  # a number of the ledger needs no quotes


def put_in(path: Path) -> list[str]:
    """Return the expressions that the texts of a file put into commands."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.JoinedStr):
            continue
        before = ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                before += str(part.value)
            elif isinstance(part, ast.FormattedValue):
                if COMMAND.search(before):
                    found.append(ast.unparse(part.value))
                before += "x"
    return found


@pytest.fixture(scope="module")
def said() -> dict[str, list[str]]:
    told = {path.relative_to(SOURCE).as_posix(): put_in(path) for path in sorted(SOURCE.rglob("*.py"))}
    return {name: found for name, found in told.items() if found}


def test_what_is_put_into_a_command_is_quoted(said: dict[str, list[str]]) -> None:
    assert len(said) > 4
    assert not {
        name: bare for name, found in said.items() if (bare := [x for x in found if not SAFE.match(x)])
    }
