"""What a command says that is ended by a signal: what did not come of it, and that is so."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from tests.unit.ledger.test_ledger import NAMED, save

from kohort.cli import ending, main
from kohort.cli.main import app
from kohort.interrupts import ENDING, StoppedError
from kohort.ledger import FILE, Ledger
from kohort.ledger.file import Book

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
ENDS = {"interrupted": KeyboardInterrupt(), "told to stop": StoppedError(signal.SIGTERM)}


@pytest.fixture(autouse=True)
def _signals_as_before() -> Iterator[None]:
    """A program that a signal ended is about to leave, and lets others end it at once: not so the tests after it."""
    before = {number: signal.getsignal(number) for number in ENDING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def ended(
    end: BaseException, *words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    def commands() -> None:
        raise end

    monkeypatch.setattr(sys, "argv", ["kohort", *words])
    with pytest.raises(SystemExit):
        ending.run_and_end(commands)
    return capsys.readouterr().err


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_says_what_did_not_come_of_it(
    command: str, how: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = ended(ENDS[how], "--x", command, "anonymize", monkeypatch=monkeypatch, capsys=capsys)
    assert f"{how}; {ending.UNDONE.get(command, ending.UNFINISHED)}" in said
    assert ("released" in said) is (command in ("anonymize", "demo"))
    assert ("marked" in said) is (command in ("share", "history"))


def test_words_are_kept_for_commands_that_there_are() -> None:
    assert set(ending.UNDONE) <= set(COMMANDS)


@pytest.mark.parametrize("step", ["mark", "close_seal"])
@pytest.mark.parametrize(
    "words", [["--withdraw", "1"], ["--shared", "1", "--forget", "1"], ["--discard-drafts"]]
)
def test_history_that_was_interrupted_while_it_marks_comes_to_its_end(
    words: list[str],
    step: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """From the first mark on signals come too late: nobody is told that nothing was marked."""
    save(tmp_path / "out", input=NAMED)
    usual = getattr(Book, step)

    def struck(*told: object, **states: object) -> object:
        signal.raise_signal(signal.SIGINT)
        return usual(*told, **states)

    before = Ledger(tmp_path / FILE).releases()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    monkeypatch.setattr(Book, step, struck)
    monkeypatch.setattr(sys, "argv", ["kohort", "history", "--ledger", str(tmp_path / FILE), *words])
    try:
        with pytest.raises(SystemExit) as end:
            main()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert end.value.code == 0, capsys.readouterr().err
    assert Ledger(tmp_path / FILE).releases() != before


def test_history_that_was_interrupted_before_it_marks_has_marked_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    save(tmp_path / "out", input=NAMED)
    before, usual = Ledger(tmp_path / FILE).releases(), Book.releases

    def struck(book: Book) -> object:
        signal.raise_signal(signal.SIGINT)
        return usual(book)

    with monkeypatch.context() as patched:
        patched.setattr(Book, "releases", struck)
        patched.setattr(
            sys, "argv", ["kohort", "history", "--ledger", str(tmp_path / FILE), "--withdraw", "1"]
        )
        with pytest.raises(SystemExit) as end:
            main()
    assert end.value.code == 130
    assert "interrupted; nothing was marked" in capsys.readouterr().err
    assert Ledger(tmp_path / FILE).releases() == before
