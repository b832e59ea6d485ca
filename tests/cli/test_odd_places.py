"""Paths that lead in a circle, nowhere, to a pipe or that no file can have are answered, whichever command is given them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

READING = {
    "anonymize": ("anonymize", "PATH", "-o", "new"),
    "audit": ("audit", "PATH", "--quasi", "zip"),
    "init": ("init", "PATH"),
    "verify": ("verify", "PATH"),
    "verify --plan": ("verify", "patients.csv", "--plan", "PATH"),
    "verify --original": ("verify", "patients.csv", "--plan", "plan.toml", "--original", "PATH"),
    "attack": ("attack", "PATH"),
    "share": ("share", "PATH"),
    "explain": ("explain", "PATH", "--row", "1"),
    "import": ("import", "PATH"),
    "hierarchy": ("hierarchy", "show", "PATH", "zip"),
    "history": ("history", "--ledger", "PATH"),
    "input": ("anonymize", "plan.toml", "-o", "new", "--set", "input.path=PATH"),
    "ledger": ("anonymize", "plan.toml", "-o", "new", "--set", "output.ledger=PATH"),
    "hierarchy file": ("anonymize", "plan.toml", "-o", "new", "--set", "columns.zip.hierarchy.kind=file", "--set",
                       "columns.zip.hierarchy.path=PATH"),
}  # fmt: skip
WRITING = {
    "anonymize": ("anonymize", "plan.toml", "-o", "PATH"),
    "init": ("init", "patients.csv", "-o", "PATH"),
    "audit": ("audit", "patients.csv", "--quasi", "zip,age", "--html", "PATH"),
    "compare": ("compare", "plan.toml", "--k", "2", "-o", "PATH"),
    "frontier": ("frontier", "plan.toml", "--k", "2,3", "-o", "PATH"),
    "hierarchy": ("hierarchy", "export", "plan.toml", "zip", "-o", "PATH"),
    "keygen": ("keygen", "PATH"),
    "demo": ("demo", "PATH"),
}
PIPE, NUL = "pipe", "null\\u0000sign"
PLACES = ("loop", "round/a/b", "long" * 80, PIPE, NUL)


@pytest.fixture(autouse=True)
def _odd(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    Path("loop").symlink_to("loop")
    Path("round").symlink_to("back/x")
    Path("back").symlink_to("round/y")
    os.mkfifo("pipe")


def cases() -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield what is done with which place; who writes a page into a pipe wants to, and waits for its reader."""
    for odd in PLACES:
        for name, words in READING.items():
            if "u0000" not in odd or words[-1].endswith("=PATH"):
                yield name, words, odd
        for name, words in WRITING.items():
            if odd not in (PIPE, NUL):
                yield f"{name} to it", words, odd


@pytest.mark.skipif(os.name != "posix", reason="links and pipes are otherwise there")
@pytest.mark.parametrize(("words", "odd"), [pytest.param(w, o, id=f"{n}-{o[:10]}") for n, w, o in cases()])
def test_odd_places_are_answered(words: tuple[str, ...], odd: str, kohort, place: Path) -> None:  # type: ignore[no-untyped-def]
    if "u0000" in odd:  # no argument can hold it: a plan can
        words = tuple(word.replace("=PATH", '="PATH"') for word in words)
    before = sorted(path.name for path in place.iterdir())
    ended = kohort(*(word.replace("PATH", odd) for word in words))
    assert ended.code == 2, (ended.out, ended.err)
    assert "bug" not in ended.err
    assert {path.name for path in place.iterdir()} <= {*before, "kohort-ledger.duckdb"}
