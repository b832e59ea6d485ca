"""What a killed run leaves on disk is cleared by the next one; what a living one needs is not."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from tests.engines.conftest import Written, people

import kohort
from kohort.engines import ENGINES, engine
from kohort.errors import InputError
from kohort.folders.claims import BusyError, Claim, claim
from kohort.table.scratch import Scratch, in_scratch, sweep
from kohort.table.text_weight import TextWeight

ON_DISK = [name for name in ENGINES if engine(name).bounded]
WAIT = """
import sys
from kohort.engines import Wanted, opened
keeper = opened(sys.argv[1], sys.argv[2], Wanted(("age", "sex")))
print("reading", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("name", ON_DISK)
def test_scratch_of_a_killed_run_is_cleared_by_the_next(
    written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    room = tmp_path / "room"
    room.mkdir()
    source = written(people(1, 40), ".csv")
    started = subprocess.Popen(
        [sys.executable, "-c", WAIT, name, str(source)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(room)},
    )
    assert started.stdout is not None
    assert started.stdout.readline() == b"reading\n"
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    (held,) = room.iterdir()
    kohort.audit(source, ["age"], engine=name)
    assert held in list(room.iterdir())  # it lives
    started.send_signal(signal.SIGKILL)
    started.communicate()
    assert held.exists()
    kohort.audit(source, ["age"], engine=name)
    assert held not in list(room.iterdir())


def test_a_folder_that_somebody_else_takes_first_is_drawn_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    asked: list[Path] = []

    def taken(folder: Path) -> Claim:
        asked.append(folder)
        if len(asked) == 1:
            raise BusyError(str(folder))
        if len(asked) == 2:
            raise FileExistsError(str(folder))
        return claim(folder)

    monkeypatch.setattr("kohort.table.scratch.claim", taken)
    with Scratch() as scratch:
        assert scratch.folder == asked[2]
        assert scratch.number("SELECT 7") == 7


KILLED = """
import os, signal, tempfile
from kohort.table.cluster.starting import _connecting
with _connecting():
    tempfile.mkdtemp()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_how_java_is_reached_is_cleared_where_its_start_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run([sys.executable, "-c", KILLED], env=os.environ | {"TMPDIR": str(tmp_path)}, check=False)
    (left,) = tmp_path.iterdir()
    assert len(list((left / "tables").iterdir())) == 1
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    sweep()
    assert list(tmp_path.iterdir()) == []


def test_what_a_scratch_folder_refuses_is_not_told_of_the_release() -> None:
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        with pytest.raises(InputError, match="set TMPDIR") as refused, in_scratch():
            raise OSError(number, os.strerror(number))
        assert refused.value.code == "engine.no-room"
        assert os.strerror(number) in str(refused.value)


def test_rows_of_many_numbers_weigh_as_much_as_texts_do() -> None:
    short = TextWeight(0, 0)
    assert short.beside(1000, 80) is short
    assert not short.beside(1000, 2400).is_short
    assert short.beside(1000, 2400).total == 2_400_000
