"""A solver that does not hear is left behind: the search goes on without it, and the program can end."""

from __future__ import annotations

import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from threading import Event, Thread
from threading import enumerate as threads
from typing import Any

import pytest

from kohort.algorithms import Silent
from kohort.algorithms.cells import solver as cells
from kohort.algorithms.watch import Watch
from kohort.stopping import Stop


class Question:
    def __init__(self) -> None:
        self.asked: list[Callable[[Any], None]] = []

    def subscribe(self, look: Callable[[Any], None]) -> None:
        self.asked.append(look)

    def clear(self) -> None:
        self.asked = []


class Deaf:
    """A solver that asks nothing and does not end until it is let go."""

    def __init__(self) -> None:
        self.let_go = Event()
        self.cbMipInterrupt, self.cbSimplexInterrupt, self.cbIpmInterrupt = (
            Question(),
            Question(),
            Question(),
        )

    def run(self) -> None:
        self.let_go.wait()


@pytest.fixture
def deaf() -> Iterator[Deaf]:
    solver = Deaf()
    yield solver
    solver.let_go.set()


def running() -> list[Thread]:
    return [thread for thread in threads() if thread.name == "HiGHS"]


def pulled() -> Watch:
    stop = Stop()
    stop.pull()
    return Watch(Silent(), stop)


def test_a_deaf_solver_is_told_and_left_behind(deaf: Deaf) -> None:
    over, before = Event(), running()
    assert not cells._ended(deaf, pulled(), over)
    assert over.is_set()
    (left,) = set(running()) - set(before)
    assert left.daemon
    deaf.let_go.set()
    left.join()


def test_when_the_program_ends_it_is_asked_nothing_more(deaf: Deaf) -> None:
    for question in cells._questions(deaf):
        question.subscribe(print)
    left = Thread(target=deaf.run, daemon=True)
    left.start()
    cells._hush(weakref.ref(deaf), left)
    assert [question.asked for question in cells._questions(deaf)] == [[], [], []]


def test_a_solver_that_ends_is_not_left_behind(deaf: Deaf) -> None:
    deaf.let_go.set()
    over = Event()
    assert cells._ended(deaf, Watch(Silent(), Stop()), over)


def test_the_program_ends_although_a_solver_does_not() -> None:
    told = (
        "from threading import Event\n"
        "from tests.unit.algorithms.cells.test_solver import Deaf, cells, pulled\n"
        "assert not cells._ended(Deaf(), pulled(), Event())\n"
        "print('left')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout) == (0, "left\n"), done.stderr
