"""The program ends as Python would end it, only without taking its objects down first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = """
import atexit, sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
{leaving}

def late(word):
    time.sleep(0.05)
    with Path({place!r}).open("a") as file:
        file.write(word)

def program():
    atexit.register(late, "registered ")
    threading.Thread(target=late, args=("thread ",)).start()
    ThreadPoolExecutor(1).submit(late, "pool ")
    print("said", end="")
    print("complained", end="", file=sys.stderr)
    {end}

run(program)
"""
ENDS = (
    "pass",
    "sys.exit()",
    "sys.exit(3)",
    "sys.exit(True)",
    "sys.exit(300)",
    "sys.exit('why')",
    "sys.exit(-1)",
    "1 / 0",
)
LEAVING = "from kohort.cli.leaving import run_and_leave as run"
AS_PYTHON = "run = lambda program: program()"


@pytest.mark.parametrize("end", ENDS)
def test_the_end_is_that_of_python(tmp_path: Path, end: str) -> None:
    ours, theirs = (
        _ended(tmp_path / name, leaving, end) for name, leaving in (("a", LEAVING), ("b", AS_PYTHON))
    )
    assert ours == theirs


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_cannot_be_written_ends_as_python_ends(tmp_path: Path, unbuffered: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this machine has no /dev/full")
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        ours, theirs = (
            _ended(tmp_path / name, leaving, "pass", stdout=full, env=env)
            for name, leaving in (("a", LEAVING), ("b", AS_PYTHON))
        )
    assert ours == theirs
    assert ours[0]


def _ended(place: Path, leaving: str, end: str, **how: Any) -> tuple[int, str | None, str, list[str]]:
    text = PROGRAM.format(leaving=leaving, place=str(place), end=end)
    how = {"stdout": subprocess.PIPE, **how}
    done = subprocess.run([sys.executable, "-c", text], stderr=subprocess.PIPE, text=True, check=False, **how)
    last = done.stderr.strip().splitlines()[-1]
    return done.returncode, done.stdout, last, sorted(place.read_text().split())
