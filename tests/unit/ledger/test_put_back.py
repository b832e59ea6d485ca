"""A ledger that was put back to an earlier state is recognised: at every point of a series, wherever a run was killed."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from tests.unit.ledger.test_ledger import CROSSED, edited

from kohort.errors import InputError
from kohort.ledger import FILE, Ledger
from kohort.ledger.file import Book
from kohort.ledger.keys import SIZE, draft_path, key_path

ACTS: list[Callable[[Ledger], object]] = [
    lambda ledger: ledger.record(CROSSED[0], Path("first")),
    lambda ledger: ledger.record(CROSSED[1], Path("second")),
    lambda ledger: ledger.withdraw(1),
    lambda ledger: ledger.mark_shared(1),
    lambda ledger: ledger.retract(2),
    lambda ledger: ledger.record(CROSSED[1], Path("third")),
    lambda ledger: ledger.forget(1),
]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """A ledger with one release."""
    made = Ledger(tmp_path / "here" / FILE)
    made.record(CROSSED[0], tmp_path / "out")
    return made


def is_refused(ledger: Ledger) -> bool:
    """Say whether reading and writing are refused because the ledger is older; nothing is written where it is not."""
    codes = set()
    for act in (ledger.releases, lambda: ledger.withdraw(99)):
        try:
            act()
        except InputError as problem:
            codes.add(problem.code)
    assert codes in ({"ledger.older"}, {"ledger.unknown-release"})
    return codes == {"ledger.older"}


def test_every_earlier_state_is_refused_at_every_point_of_a_series(tmp_path: Path) -> None:
    ledger, states = Ledger(tmp_path / FILE), list[bytes]()
    for act in ACTS:
        act(ledger)
        newest = ledger.path.read_bytes()
        for state in states:
            ledger.path.write_bytes(state)
            assert is_refused(ledger)
        ledger.path.write_bytes(newest)
        assert not is_refused(ledger)
        states.append(newest)


def test_what_is_said_names_the_file_and_what_to_do(ledger: Ledger) -> None:
    older = ledger.path.read_bytes()
    ledger.record(CROSSED[1], Path("second"))
    ledger.path.write_bytes(older)
    with pytest.raises(InputError, match="an older copy of the ledger was put back") as refused:
        ledger.check()
    said = str(refused.value)
    assert str(ledger.path) in said
    assert "Put back the newest copy" in said
    assert '[output] ledger = "…"' in said


# Withdraws release 1 and is killed as soon as a function of the ledger was called so many times, before it or after it.
KILLED = """
import os, signal, sys
from pathlib import Path
from kohort.ledger import Ledger, file, keys
path, where, name, calls, when = sys.argv[1:]
module = {"file": file, "keys": keys}[where]
own, left = getattr(module, name), int(calls)
def struck(*told):
    global left
    left -= 1
    if left == 0 and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    found = own(*told)
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return found
setattr(module, name, struck)
Ledger(Path(path)).withdraw(1)
"""
POINTS = [
    ("file", "note_states", 1, "before", False),  # nothing is noted yet
    ("keys", "_write", 1, "after", False),  # a draft of the note lies about
    ("file", "note_states", 1, "after", False),  # both states are noted
    ("file", "_commit", 1, "before", False),
    ("file", "_commit", 1, "after", True),
    ("keys", "_write", 2, "before", True),
    ("keys", "_write", 2, "after", True),
    ("file", "note_states", 2, "after", True),  # all is done
]


@pytest.mark.skipif(os.name != "posix", reason="nothing is killed so there")
@pytest.mark.parametrize(("where", "name", "calls", "when", "stands"), POINTS)
def test_wherever_a_run_is_killed_the_ledger_is_taken_and_an_older_one_is_not(
    where: str, name: str, calls: int, when: str, stands: bool, ledger: Ledger
) -> None:
    older = ledger.path.read_bytes()
    told = [str(ledger.path), where, name, str(calls), when]
    killed = subprocess.run([sys.executable, "-c", KILLED, *told], check=False, timeout=60)
    assert killed.returncode == -signal.SIGKILL
    assert bool(ledger.releases()[0]["withdrawn"]) is stands
    newest = [(path, path.read_bytes()) for path in (ledger.path, wal(ledger)) if path.exists()]
    ledger.path.write_bytes(older)
    wal(ledger).unlink(missing_ok=True)
    assert is_refused(ledger) is stands
    for path, content in newest:
        path.write_bytes(content)
    ledger.withdraw(1)
    assert ledger.releases()[0]["withdrawn"]
    assert {path.name for path in ledger.path.parent.iterdir()} == {FILE, f"{FILE}.key"}


def wal(ledger: Ledger) -> Path:
    return ledger.path.with_name(f"{FILE}.wal")


def test_a_run_that_ends_between_note_and_commit_leaves_the_old_ledger_good(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    class EndedError(BaseException):
        """The end of a process."""

    def ended(_: object) -> None:
        raise EndedError

    with monkeypatch.context() as patched:
        patched.setattr("kohort.ledger.file._commit", ended)
        with pytest.raises(EndedError):
            ledger.withdraw(1)
    assert len(key_path(ledger.path).read_bytes()) == SIZE + 2 * 65  # both states are noted
    assert not ledger.releases()[0]["withdrawn"]
    assert len(key_path(ledger.path).read_bytes()) == SIZE + 65
    ledger.withdraw(1)
    assert ledger.releases()[0]["withdrawn"]


def test_a_commit_that_is_refused_leaves_ledger_and_key_as_they_were(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = {path.name: path.read_bytes() for path in ledger.path.parent.iterdir()}
    with monkeypatch.context() as patched:
        patched.setattr("kohort.ledger.file._commit", refused)
        with pytest.raises(InputError, match="no release in it was changed"):
            ledger.withdraw(1)
    assert {path.name: path.read_bytes() for path in ledger.path.parent.iterdir()} == before


def test_where_the_note_cannot_be_written_nothing_is(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = key_path(ledger.path).read_bytes()

    def refused(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", refused)
        with pytest.raises(InputError, match="no release in it was changed") as said:
            ledger.withdraw(1)
    assert said.value.code == "ledger.refused"
    assert key_path(ledger.path).read_bytes() == kept
    assert not ledger.releases()[0]["withdrawn"]


def test_a_ledger_that_went_on_from_the_noted_state_is_newer_and_taken(
    ledger: Ledger, tmp_path: Path
) -> None:
    """The key was put back from a safe place where it lay since the first day, or the ledger worked on elsewhere."""
    key = key_path(ledger.path).read_bytes()
    ledger.record(CROSSED[1], Path("second"))
    older = ledger.path.read_bytes()
    ledger.record(CROSSED[1], Path("third"))
    newest = ledger.path.read_bytes()
    key_path(ledger.path).write_bytes(key)
    assert len(ledger.releases()) == 3
    ledger.path.write_bytes(older)
    assert is_refused(ledger)  # from then on the newest state is noted again
    ledger.path.write_bytes(newest)
    assert not is_refused(ledger)


def test_of_two_copies_that_were_both_gone_on_with_neither_takes_the_others_place(
    ledger: Ledger, tmp_path: Path
) -> None:
    shutil.copytree(ledger.path.parent, tmp_path / "there")
    other = Ledger(tmp_path / "there" / FILE)
    for one in (ledger, other, other):
        one.record(CROSSED[1], Path("second"))
    assert (len(ledger.releases()), len(other.releases())) == (2, 3)
    shutil.copy(other.path, ledger.path)
    assert is_refused(ledger)


def test_ledger_and_key_are_moved_together(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    moved = Ledger(tmp_path / "there" / "renamed.duckdb")
    shutil.copy(ledger.path, moved.path)
    shutil.copy(key_path(ledger.path), key_path(moved.path))
    moved.record(CROSSED[1], Path("second"))
    for place in (ledger.path, key_path(ledger.path)):
        place.unlink()
    shutil.copy(moved.path, ledger.path)
    shutil.copy(key_path(moved.path), key_path(ledger.path))
    assert len(ledger.releases()) == 2


@pytest.mark.parametrize("act", ["reading", "writing"])
def test_a_ledger_without_a_note_is_taken_once_and_noted(act: str, ledger: Ledger) -> None:
    """As of a ledger of the version before, or where the note was lost."""
    key = key_path(ledger.path)
    with duckdb.connect(str(ledger.path)) as connection:
        connection.execute("DROP TABLE earlier")
        connection.execute("UPDATE ledger SET version = 4")
        Book(ledger.path, connection, key.read_bytes()[:SIZE]).close_seal()
    key.write_bytes(key.read_bytes()[:SIZE])
    before = ledger.path.read_bytes()
    if act == "reading":
        assert len(ledger.releases()) == 1
        assert len(key.read_bytes()) == SIZE + 65
    ledger.record(CROSSED[1], Path("second"))
    assert ledger.compare(CROSSED[1]).compared == (1, 2)
    ledger.path.write_bytes(before)
    assert is_refused(ledger)


def test_a_note_that_was_damaged_is_no_key(ledger: Ledger) -> None:
    key = key_path(ledger.path)
    key.write_bytes(key.read_bytes()[:-1])
    with pytest.raises(InputError, match="is not the key of a ledger"):
        ledger.releases()


def test_where_nothing_may_be_written_the_ledger_is_read_all_the_same(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = key_path(ledger.path)
    key.write_bytes(key.read_bytes()[:SIZE])

    def refused(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("kohort.ledger.file.note_states", refused)
    assert len(ledger.releases()) == 1
    key.rename(draft_path(ledger.path))
    monkeypatch.setattr("kohort.ledger.keys.settle_key", refused)
    assert len(ledger.releases()) == 1


@pytest.mark.skipif(os.name != "posix", reason="links are otherwise there")
def test_a_key_behind_a_link_stays_there(ledger: Ledger, tmp_path: Path) -> None:
    key, safe = key_path(ledger.path), tmp_path / "safe"
    key.rename(safe)
    key.symlink_to(safe)
    ledger.record(CROSSED[1], Path("second"))
    assert key.is_symlink()
    assert safe.stat().st_mode & 0o077 == 0
    assert len(ledger.releases()) == 2


@pytest.mark.parametrize(
    "edit", ["DELETE FROM earlier", "DROP TABLE earlier", "INSERT INTO earlier VALUES ('x')"]
)
def test_the_seals_before_are_sealed_too(edit: str, ledger: Ledger) -> None:
    edited(ledger.path, edit)
    with pytest.raises(InputError, match="its list of releases"):
        ledger.releases()
