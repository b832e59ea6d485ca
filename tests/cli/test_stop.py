"""Ctrl-C and other signals, sent to real processes: the best so far, or nothing at all."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from tests.warm import Running, Warm

import kohort

PLAN = """
[input]
path = "people.csv"
[columns]
age = { role = "quasi", hierarchy = { kind = "intervals", widths = [5, 10], origin = 0 } }
zip = { role = "quasi", hierarchy = { kind = "mask" } }
[[require]]
model = "k-anonymity"
k = 3
[recode]
algorithm = "annealing"
objective = "discernibility"
[recode.options]
coolings = 1000000000
"""
QUICK = PLAN.replace("1000000000", "1")
# The command line, which says on stdout what it is at and waits for a word after some of it.
TELLING = """
import sys, time
from kohort.cli import progress
shown, waiting = progress.Bar.update, set(sys.argv.pop(1).split(","))
def update(bar, note, *told):
    print(note, flush=True)
    while note in waiting:
        time.sleep(0.01)
    shown(bar, note, *told)
progress.Bar.update = update
from kohort.cli.main import main
main()
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    rows = "".join(f"{20 + i * 7 % 40},9{4138 + i % 7}\n" for i in range(90))
    (tmp_path / "people.csv").write_text("age,zip\n" + rows)
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


@contextmanager
def running(place: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run `kohort anonymize` in an interpreter of its own."""
    command = [sys.executable, "-W", "ignore", "-c", TELLING, "nothing"]
    command += ["anonymize", str(place / "plan.toml"), "-o", str(place / "out"), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        yield run


def staying(warm: Warm, place: Path, waiting: str) -> AbstractContextManager[Running]:
    """Run `kohort anonymize`, which stays where it is once it has told what it is waiting at."""
    return warm.running(TELLING, waiting, "anonymize", str(place / "plan.toml"), "-o", str(place / "out"))


def wait_for(run: subprocess.Popen[str] | Running, note: str) -> None:
    assert run.stdout is not None
    assert any(line.startswith(note) for line in run.stdout), run.communicate(timeout=120)


def files(place: Path) -> set[str]:
    return {path.name for path in place.iterdir()}


def test_the_first_interrupt_releases_the_best_so_far(place: Path) -> None:
    with running(place) as run:
        wait_for(run, "cooling")
        run.send_signal(signal.SIGINT)
        said, wrong = run.communicate(timeout=120)
    assert run.returncode == 0, wrong
    assert "stopped by Ctrl-C after" in said
    assert "the best so far is verified and released, gap" in said
    assert all(verdict.holds for verdict in kohort.verify(place / "out"))
    report = (place / "out.private" / "report.html").read_text(encoding="utf-8")
    assert "the search was interrupted: this is the best that was found by then" in report


def test_the_first_interrupt_in_figures(place: Path) -> None:
    with running(place, "--json") as run:
        wait_for(run, "cooling")
        run.send_signal(signal.SIGINT)
        said, _ = run.communicate(timeout=120)
    told = json.loads(said.splitlines()[-1])
    assert told["stopped"] == "interrupt"
    assert 0 <= told["gap"] <= 1
    assert not told["optimal"]


@pytest.mark.parametrize("second", ["recoding the rows", "verifying what was written"])
def test_the_second_interrupt_leaves_nothing(warm: Warm, place: Path, second: str) -> None:
    before = files(place)
    with staying(warm, place, second) as run:
        wait_for(run, "cooling")
        run.send_signal(signal.SIGINT)
        wait_for(run, second)
        run.send_signal(signal.SIGINT)
        _, wrong = run.communicate(timeout=120)
    assert run.returncode == 130
    assert "interrupted; nothing was released" in wrong
    assert files(place) == before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
@pytest.mark.parametrize("at", ["reading the table", "reducing the table to its classes", "cooling 1"])
def test_a_signal_ends_it_without_a_traceback_and_without_a_trace(
    warm: Warm, place: Path, at: str, number: signal.Signals
) -> None:
    before = files(place)
    with staying(warm, place, at) as run:
        wait_for(run, at)
        run.send_signal(number)
        _, wrong = run.communicate(timeout=120)
    assert run.returncode == 128 + number
    assert wrong.strip().endswith("told to stop; nothing was released")
    assert "Traceback" not in wrong
    assert "Error" not in wrong
    assert files(place) == before


@pytest.mark.parametrize("at", ["reading the table", "recoding the rows", "verifying what was written"])
def test_a_killed_process_leaves_nothing_that_looks_like_a_release(warm: Warm, place: Path, at: str) -> None:
    (place / "plan.toml").write_text(QUICK)
    with staying(warm, place, at) as run:
        wait_for(run, at)
        run.send_signal(signal.SIGKILL)
        run.communicate(timeout=120)
    assert run.returncode == -signal.SIGKILL
    assert {name for name in files(place) if not name.startswith(".")} == {"people.csv", "plan.toml"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_that_a_library_drops_is_told_all_the_same(
    warm: Warm, place: Path, number: signal.Signals
) -> None:
    """DuckDB raises a RuntimeError of its own in place of what a signal's handler raised."""
    dropping = TELLING.replace("time.sleep(0.01)", "sleep()").replace(
        "shown, waiting",
        "def sleep():\n"
        "    try:\n        time.sleep(0.01)\n"
        "    except BaseException:\n        raise RuntimeError('Query interrupted') from None\n"
        "shown, waiting",
    )
    (place / "plan.toml").write_text(PLAN)
    at = "reading the table"
    with warm.running(dropping, at, "anonymize", str(place / "plan.toml")) as run:
        wait_for(run, at)
        run.send_signal(number)
        _, wrong = run.communicate(timeout=120)
    assert run.returncode == 128 + number
    assert wrong.strip().endswith("nothing was released")


def test_a_frontier_shows_the_points_it_has(warm: Warm, place: Path) -> None:
    with warm.running(TELLING, "nothing", "frontier", str(place / "plan.toml"), "--k", "2,3,5") as run:
        wait_for(run, "cooling")
        run.send_signal(signal.SIGINT)
        said, wrong = run.communicate(timeout=120)
    assert run.returncode == 0, wrong
    assert "stopped by Ctrl-C: the last line is the best so far" in said
    table = said[said.index("discernibility") :].splitlines()
    assert [line.split()[0] for line in table[1:] if line[:1].isdigit()] == ["2"]


# The command line, where a finalizer is struck by a signal at some call: Python drops what the handler raises there.
STRUCK = """
import importlib, signal, sys
module, owner, name, note, number = (sys.argv.pop(1) for _ in range(5))
class Last:
    def __del__(self):
        signal.raise_signal(int(number))
place = importlib.import_module(module)
place = getattr(place, owner) if owner else place
real = getattr(place, name)
left = [1]
def struck(*told):
    if left and (not note or told[1].startswith(note)):
        left.pop()
        Last()
    return real(*told)
setattr(place, name, struck)
from kohort.cli.main import main
main()
"""
BAR = ("kohort.cli.progress", "Bar", "update")


def struck_at(warm: Warm, place: Path, number: signal.Signals, *at: str) -> tuple[int, str]:
    """Return the exit code of a run that is struck, and what it says on standard error."""
    told = ("anonymize", str(place / "plan.toml"), "-o", str(place / "out"))
    with warm.running(STRUCK, *at, str(int(number)), *told) as run:
        _, wrong = run.communicate(timeout=300)
    assert run.returncode is not None
    return run.returncode, wrong


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name
)
@pytest.mark.parametrize(
    "at",
    [
        (*BAR, "reading the table"),
        (*BAR, "recoding the rows"),
        (*BAR, "verifying what was written"),
        ("kohort.folders.workshop", "", "write_listing", ""),
        ("kohort.folders.workshop", "", "open_to_others", ""),
    ],
    ids=lambda at: at[-1] or at[-2],
)
def test_a_signal_that_a_finalizer_swallows_ends_it_all_the_same(
    warm: Warm, place: Path, at: tuple[str, ...], number: signal.Signals
) -> None:
    (place / "plan.toml").write_text(QUICK)
    before = files(place)
    code, wrong = struck_at(warm, place, number, *at)
    assert "Exception ignored" in wrong  # it was swallowed
    assert code == 128 + number
    assert wrong.strip().endswith("nothing was released")
    assert files(place) == before


def test_a_search_without_end_ends_by_a_signal_that_a_finalizer_swallows(warm: Warm, place: Path) -> None:
    before = files(place)
    code, wrong = struck_at(warm, place, signal.SIGTERM, *BAR, "cooling")
    assert "Exception ignored" in wrong
    assert code == 128 + signal.SIGTERM
    assert files(place) == before


# The command line, interrupted while it is at something and once more while it says so.
TWICE = """
import signal, sys
from kohort.cli import progress
from kohort.cli.main import main
import kohort.cli.terminal as shown
first, second = (getattr(signal, sys.argv.pop(1)) for _ in range(2))
real = shown.terminal
def update(*_):
    signal.raise_signal(first)
def terminal(*told, **how):
    if sys.exc_info()[0] is not None:  # it complains
        signal.raise_signal(second)
    return real(*told, **how)
progress.Bar.update, shown.terminal = update, terminal
main()
"""


@pytest.mark.parametrize("first", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("second", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_second_signal_while_the_first_is_told_ends_it_quietly(
    warm: Warm, place: Path, first: str, second: str
) -> None:
    before = files(place)
    with warm.running(TWICE, first, second, "anonymize", str(place / "plan.toml")) as run:
        _, wrong = run.communicate(timeout=120)
    assert run.returncode == 128 + getattr(signal, second)
    assert wrong == ""
    assert files(place) == before


# The command line, interrupted at its first import of some module.
IMPORTING = """
import signal, sys
struck = sys.argv.pop(1)
class Finder:
    def find_spec(self, name, *_):
        if name == struck:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
import runpy
runpy.run_module("kohort", run_name="__main__")
"""


@pytest.mark.parametrize(
    "module", ["typer", "kohort.cli.main", "kohort.interrupts", "kohort.pipeline", "pyarrow"]
)
def test_an_interrupt_while_it_is_loaded_ends_it_without_a_traceback(place: Path, module: str) -> None:
    before = files(place)
    command = [sys.executable, "-W", "ignore", "-c", IMPORTING, module, "anonymize", str(place / "plan.toml")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert run.returncode == 130
    assert "Traceback" not in run.stderr
    assert files(place) == before
