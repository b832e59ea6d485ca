"""Standard output that lacks signs, is full or was left by who read it: what was done is told as it is."""

from __future__ import annotations

import errno
import io
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import PATIENTS, PLAN, Result
from tests.thinned import dealt

from kohort import Plan, anonymize
from kohort.cli.ending import DONE

Kohort = Callable[..., Result]
WORDS = {
    "anonymize": ["plan.toml", "-o", "new"],
    "share": ["out"],
    "history": ["--ledger", "kohort-ledger.duckdb"],
    "keygen": ["team.key"],
    "init": ["patients.csv", "-o", "drafted.toml"],
    "verify": ["out"],
    "audit": ["patients.csv", "--quasi", "age,sex"],
    "algorithms": [],
    "hierarchy": ["show", "plan.toml", "age"],
    "schema": ["plan"],
}
STANDS = {"anonymize": "new/manifest.json", "keygen": "team.key.pub", "init": "drafted.toml"}


class Refusing(io.RawIOBase):
    """A file that takes nothing, until the test is over."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.over = False

    def writable(self) -> bool:
        return True

    def write(self, told: Any) -> int:
        if self.over:
            return len(told)
        raise OSError(self.number, "refused")


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a release, recorded in a ledger: each test has a copy of it."""
    folder = tmp_path_factory.mktemp("streams")
    (folder / "patients.csv").write_text(PATIENTS)
    told = PLAN.replace("[columns]\n", 'respondent = "name"\n\n[columns]\n')
    (folder / "plan.toml").write_text(told)
    anonymize(folder / "patients.csv", Plan.load(folder / "plan.toml")).save(folder / "out")
    assert (folder / "kohort-ledger.duckdb").exists()
    return folder


@pytest.fixture
def place(tmp_path: Path, released: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(released, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "options", "number"),
    dealt(WORDS, [[], ["--json"]], [errno.ENOSPC, errno.EIO, errno.EPIPE], every=3),
)
def test_what_was_done_is_told_where_nothing_can_be_printed(
    command: str,
    options: list[str],
    number: int,
    place: Path,
    kohort: Kohort,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if command == "schema" and options:
        return  # it prints nothing but JSON
    refusing = Refusing(number)
    full = io.TextIOWrapper(io.BufferedWriter(refusing))
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", full)
        done = kohort(command, *WORDS[command], *options)
    refusing.over = True
    assert done.code == 1
    if command in DONE or number != errno.EPIPE:
        assert "standard output takes nothing more" in done.err
        assert DONE.get(command, "what was found is not told") in done.err
    assert "bug" not in done.err
    if command in STANDS:
        assert (place / STANDS[command]).exists()
    if command == "share":
        assert "shared" in kohort("history", "--ledger", "kohort-ledger.duckdb").out


@pytest.mark.parametrize(
    ("command", "encoding"), dealt(WORDS, ["cp1252", "latin-1", "ascii", "utf-8"], every=2)
)
def test_signs_that_an_encoding_lacks_are_spelled_out(
    command: str, encoding: str, place: Path, kohort: Kohort, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.BytesIO()
    with monkeypatch.context() as patched:
        narrow = io.TextIOWrapper(written, encoding)
        patched.setattr(sys, "stdout", narrow)
        done = kohort(command, *WORDS[command])
        narrow.flush()
    assert (done.code, "bug" in done.err) == (0, False)
    assert written.getvalue().decode(
        "utf-8" if encoding == "ascii" else encoding
    )  # typer takes ASCII for a mistake
    assert command in ("keygen", "init", "anonymize") or not (place / "new").exists()


def test_words_are_kept_for_what_was_done(kohort: Kohort) -> None:
    for command in DONE:
        assert kohort(command, "--help").code == 0


@pytest.mark.parametrize("words", [["history", "--ledger", "."], ["history", "--ledger", "/"], ["keygen", "."], ["keygen", ""]])  # fmt: skip
def test_a_file_needs_a_name(words: list[str], kohort: Kohort) -> None:
    done = kohort(*words)
    assert done.code == 2
    assert "is a folder; name a file" in done.err


@pytest.mark.parametrize("option", ["--decimal", "--missing", "--delimiter", "--encoding", "--sheet", "--quasi"])  # fmt: skip
def test_an_argument_that_is_no_text_is_refused(option: str, place: Path, kohort: Kohort) -> None:
    del place
    done = kohort("audit", "patients.csv", "--quasi", "zip", option, "\udcff")
    assert (done.code, "bug" in done.err) == (2, False)


@pytest.mark.parametrize("command", ["anonymize", "audit", "init"])
def test_a_path_that_is_no_text_is_refused_by_name(command: str, place: Path, kohort: Kohort) -> None:
    odd = place / "d\udcff"
    try:
        odd.mkdir()
    except (OSError, UnicodeError):
        pytest.skip("this system has no such names")
    (odd / "patients.csv").write_text(PATIENTS)
    (odd / "plan.toml").write_text(PLAN)
    words = {
        "anonymize": ["plan.toml", "-o", odd / "out"],
        "audit": [odd / "patients.csv", "--quasi", "zip"],
        "init": [odd / "patients.csv", "-o", "x.toml"],
    }
    done = kohort(command, *words[command])
    assert done.code == 2
    assert "not UTF-8 text" in done.err
    assert sorted(path.name for path in odd.iterdir()) == ["patients.csv", "plan.toml"]


def test_a_draft_is_its_owners(place: Path, kohort: Kohort) -> None:
    assert kohort("init", "patients.csv", "-o", "drafted.toml").code == 0
    assert (place / "drafted.toml").stat().st_mode & 0o077 == 0
