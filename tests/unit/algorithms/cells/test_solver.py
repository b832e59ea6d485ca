"""The solver has a process of its own: one that does not hear is ended, and none outlives whoever began it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from kohort.algorithms import Silent
from kohort.algorithms.cells import solver_process
from kohort.algorithms.cells.solver import Program, solve
from kohort.algorithms.cells.solver_process import SolverProcess
from kohort.algorithms.watch import Watch, unwatched
from kohort.errors import InputError
from kohort.stopping import Stop

DEAF = "import time; time.sleep(600)"


@pytest.fixture(autouse=True)
def no_process_before_and_after() -> Iterator[None]:
    solver_process._end_idle()
    yield
    solver_process._end_idle()


def cheapest_of(n: int) -> Program:
    """One of n columns has to be chosen; the first costs least."""
    return Program(
        costs=np.arange(1.0, n + 1),
        starts=np.arange(n + 1),
        rows=np.zeros(n, np.int64),
        low=np.array([1.0]),
        high=np.array([1.0]),
    )


def begin(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    monkeypatch.setattr(solver_process, "_command", lambda: [sys.executable, "-c", told])


def begun(monkeypatch: pytest.MonkeyPatch) -> list[SolverProcess]:
    """Return a list that grows by every process that is begun."""
    found: list[SolverProcess] = []
    usual = SolverProcess.__init__

    def noted(self: SolverProcess, command: list[str]) -> None:
        usual(self, command)
        found.append(self)

    monkeypatch.setattr(SolverProcess, "__init__", noted)
    return found


def pulled() -> Watch:
    stop = Stop()
    stop.pull()
    return Watch(Silent(), stop)


@pytest.mark.parametrize("n", [3, 200_000])
def test_a_deaf_solver_is_ended(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    begin(monkeypatch, DEAF)
    processes = begun(monkeypatch)
    assert solve(cheapest_of(n), True, "cells-exact", pulled()) is None
    (process,) = processes
    assert not process.alive
    assert not solver_process._idle


def test_the_next_question_has_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as deaf:
        begin(deaf, DEAF)
        assert solve(cheapest_of(3), True, "cells-exact", pulled()) is None
    answer = solve(cheapest_of(3), True, "cells-exact", unwatched())
    assert answer is not None
    assert (answer.value, answer.proved, answer.x.tolist()) == (1.0, True, [1.0, 0.0, 0.0])


def test_one_process_answers_all_that_is_asked_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    processes = begun(monkeypatch)
    for n in (2, 5, 9):
        for integer in (True, False):
            answer = solve(cheapest_of(n), integer, "cells-exact", unwatched())
            assert answer is not None
            assert answer.value == answer.bound == 1.0
    assert len(processes) == 1


def test_a_process_that_has_ended_meanwhile_is_replaced() -> None:
    assert solve(cheapest_of(2), True, "cells-exact", unwatched())
    solver_process._idle[0].end()
    assert solve(cheapest_of(2), True, "cells-exact", unwatched())


def test_questions_at_once_get_their_own_answers() -> None:
    with ThreadPoolExecutor(3) as pool:
        found = pool.map(lambda n: solve(cheapest_of(n), True, "cells-exact", unwatched()), range(2, 14))
    assert [None if answer is None else len(answer.x) for answer in found] == list(range(2, 14))
    assert len(solver_process._idle) == 1


@pytest.mark.parametrize("interpreter", ["", "/nowhere/python"])
def test_where_no_interpreter_can_be_started_the_search_is_refused(
    monkeypatch: pytest.MonkeyPatch, interpreter: str
) -> None:
    """As in a program that embeds Python: there is no `sys.executable`, or it is no Python."""
    monkeypatch.setattr(sys, "executable", interpreter)
    with pytest.raises(InputError, match="which cannot be started") as met:
        solve(cheapest_of(2), True, "cells-exact", unwatched())
    assert met.value.code == "algorithm.no-solution"
    assert not solver_process._idle


def test_a_process_that_another_thread_takes_first_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    class Taken(list[SolverProcess]):
        """Looks as if one waited, and none does when it is asked for."""

        def __bool__(self) -> bool:
            return True

    monkeypatch.setattr(solver_process, "_idle", Taken())
    assert solve(cheapest_of(2), True, "cells-exact", unwatched())


@pytest.mark.parametrize("told", ["", "import sys; sys.stdin.buffer.read(1); sys.stdout.write('half')"])
def test_a_process_that_ends_by_itself_is_said(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    begin(monkeypatch, told)
    with pytest.raises(InputError, match="ended by itself") as met:
        solve(cheapest_of(2), True, "cells-exact", unwatched())
    assert met.value.code == "algorithm.no-solution"
    assert not solver_process._idle


def test_what_interrupts_the_asking_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(Watch):
        @property
        def over(self) -> bool:
            raise KeyboardInterrupt

    begin(monkeypatch, DEAF)
    processes = begun(monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        solve(cheapest_of(2), True, "cells-exact", Interrupted(Silent(), Stop()))
    assert [process.alive for process in processes] == [False]


@pytest.mark.parametrize("number", [None, signal.SIGKILL])
def test_it_ends_with_the_program_that_began_it(number: int | None) -> None:
    told = (
        "import sys\n"
        "from tests.unit.algorithms.cells.test_solver import cheapest_of, solve, solver_process, unwatched\n"
        "assert solve(cheapest_of(3), True, 'cells-exact', unwatched())\n"
        "print(solver_process._idle[0]._running.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", told], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin
        assert program.stdout
        solving = int(program.stdout.readline())
        os.kill(solving, 0)
        if number is None:
            program.stdin.close()
        else:
            program.send_signal(number)
        program.wait()
    for _ in range(3_000):  # until it has read the end
        if not _running(solving):
            return
        time.sleep(0.01)
    os.kill(solving, signal.SIGKILL)
    pytest.fail("the solver's process outlived the program")


def _running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:  # one that nobody has asked after is gone all the same
        with open(f"/proc/{process}/stat", encoding="utf-8") as told:
            return told.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
