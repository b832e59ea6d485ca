"""Every sign that a terminal or a page would obey is spelled out, wherever a name or a value of a stranger is shown."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.markup import escape
from rich.table import Table
from tests.cli.conftest import PATIENTS, PLAN, Result

from kohort.cli.terminal import terminal
from kohort.signs import harmless

Run = Callable[..., Result]
KEPT = "\n\t"
OBEYED = [
    chr(n) for n in range(0x10000) if unicodedata.category(chr(n)) in ("Cc", "Cf") and chr(n) not in KEPT
]


def table_of(name: str) -> Table:
    table = Table(escape(name), title=escape(name))
    table.add_row(escape(name))
    return table


@pytest.mark.parametrize("drawn", [escape, table_of], ids=["text", "table"])
def test_the_terminal_spells_every_sign_out_and_drops_none(drawn: Callable[[str], object]) -> None:
    for sign in OBEYED:
        told = io.StringIO()
        terminal(file=told, width=200).print(drawn(f"a{sign}b"))
        assert harmless(f"a{sign}b") in told.getvalue()
        assert sign not in told.getvalue()


@pytest.fixture
def strange(place: Path) -> Path:
    """A plan whose columns have names that a terminal would obey."""
    (place / "strange.csv").write_text(
        PATIENTS.replace("zip", NAME, 1).replace("ill\n", f"{SENSITIVE}\n", 1), encoding="utf-8"
    )
    columns = (
        ('"patients.csv"', '"strange.csv"'),
        ("zip  =", f"{SPELLED} ="),
        ("ill  =", f"{SPELLED_SENSITIVE} ="),
    )
    plan = PLAN
    for told, instead in columns:
        plan = plan.replace(told, instead)
    (place / "strange.toml").write_text(plan, encoding="utf-8")
    return place / "strange.toml"


NAME, SENSITIVE = "z\a\b\x1b]0;x\u202e\x7f\x9b", "i\a\x1b[2J\u2066ll"
SPELLED, SPELLED_SENSITIVE = r'"z\u0007\b\u001b]0;x\u202e\u007f\u009b"', r'"i\u0007\u001b[2J\u2066ll"'


def test_names_are_shown_whole_and_harmless_by_every_command(kohort: Run, strange: Path) -> None:
    out = strange.with_name("out")
    acts = {
        "anonymize": (strange, "-o", out),
        "verify": (out,),
        "attack": (out, "--all", "--report"),
        "explain": (out, "--row", "1", "--columns"),
        "compare": (strange, "--k", "2", "-o", strange.with_name("page.html")),
        "frontier": (strange, "--vary", "require.0.k=2,3", "-o", strange.with_name("plot.svg")),
        "audit": (strange.with_name("strange.csv"), "--plan", strange),
        "init": (strange.with_name("strange.csv"), "--header", "-o", strange.with_name("drafted.toml")),
    }
    for command, words in acts.items():
        result = kohort(command, *words)
        assert "unexpected" not in result.err
        told = re.sub(r"\x1b\[[0-9;]*m", "", result.out + result.err)
        assert not [sign for sign in OBEYED if sign in told], command
        assert any(name in told.replace("\n", "") for name in ("\\x07", "z\\a")) or command in (
            "verify",
            "frontier",
        ), command
    pages = [
        out / "report.html",
        out.with_name("out.private") / "report.html",
        strange.with_name("page.html"),
        strange.with_name("plot.svg"),
    ]
    for page in pages:
        told = page.read_text(encoding="utf-8")
        assert not [sign for sign in OBEYED if sign in told], page
    assert harmless(NAME) in pages[0].read_text(encoding="utf-8")


def test_wrong_words_of_a_command_line_are_shown_harmless(kohort: Run) -> None:
    for words in (
        ("verify", "x", f"y{NAME}"),
        (f"frob{NAME}",),
        ("explain", "x", f"--{NAME}"),
    ):
        result = kohort(*words)
        assert result.code == 2
        assert not [sign for sign in OBEYED if sign in result.err]
        assert r"\x07" in result.err
