"""What a killed run leaves on disk is cleared by the next one; what a living one needs is not."""

from __future__ import annotations

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
from kohort.folders.claims import BusyError, Claim, claim
from kohort.table.scratch import Scratch

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
