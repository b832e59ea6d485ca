"""The process that solves: begun when it is first needed, kept for the next question, ended where it does not listen."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import BinaryIO, cast

from kohort.algorithms.cells.solving import SOLVE, STOP, Answered, Asked, put, taken
from kohort.algorithms.taxonomy import USUAL_CELLS
from kohort.algorithms.watch import Watch
from kohort.errors import InputError

_LOOK = 0.02  # seconds between two looks at whether it is over
_GRACE = 0.2  # seconds in which the solver may answer once it is
_idle: list[SolverProcess] = []


class SolverProcess:
    """A process of `solving.py`. It ends when its standard input does: with the program that began it at the latest."""

    def __init__(self, command: list[str]) -> None:
        pipe = subprocess.PIPE
        self._running = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True
        )
        self._handed_over = Event()
        self._answers: SimpleQueue[Answered | None] = SimpleQueue()  # None where it has ended
        self._talking: Thread | None = None

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._running.poll() is None

    def answer(self, asked: Asked, watch: Watch) -> Answered | None:
        """Return its answer, None where it is over and none came; raises EOFError where it ended by itself."""
        stdin, stdout = cast(BinaryIO, self._running.stdin), cast(BinaryIO, self._running.stdout)
        self._talking = Thread(target=self._talk, args=(stdin, stdout, asked), name="HiGHS", daemon=True)
        self._talking.start()
        while True:
            try:
                return _or_ended(self._answers.get(timeout=_LOOK))
            except Empty:
                if watch.over:
                    break
        if not self._handed_over.is_set():
            return None
        try:
            stdin.write(STOP)
            stdin.flush()
            return _or_ended(self._answers.get(timeout=_GRACE))
        except (OSError, Empty):
            return None

    def end(self) -> None:
        """End it, whatever it does."""
        self._running.kill()
        self._running.wait()
        if self._talking is not None:
            self._talking.join()
        for pipe in (self._running.stdin, self._running.stdout):
            with suppress(OSError):  # what it has not read is lost with it
                cast(BinaryIO, pipe).close()

    def _talk(self, stdin: BinaryIO, stdout: BinaryIO, asked: Asked) -> None:
        self._handed_over.clear()
        try:
            stdin.write(SOLVE)
            put(stdin, asked)
            self._handed_over.set()
            self._answers.put(Answered(*taken(stdout, len(Answered._fields))))
        except (OSError, ValueError):
            self._answers.put(None)


def answered(asked: Asked, watch: Watch, who: str) -> Answered | None:
    """Return the solver's answer; None where it is over before there is one, and then the process is ended."""
    process = _begun(who)
    found = None
    try:
        found = process.answer(asked, watch)
    except EOFError:
        raise InputError(
            f"{who}: the solver's process ended by itself, perhaps for want of memory; choose {USUAL_CELLS!r}",
            code="algorithm.no-solution",
            algorithm=who,
        ) from None
    finally:
        if found is None or _idle:
            process.end()
        else:
            _idle.append(process)
    return found


def _begun(who: str) -> SolverProcess:
    """Return a process that waits, else a new one; where none can be begun, the search is refused and not the program."""
    with suppress(IndexError):  # another thread may have taken the last one
        waiting = _idle.pop()
        if waiting.alive:
            return waiting
        waiting.end()
    try:
        return SolverProcess(_command())
    except OSError as problem:
        raise InputError(
            f"{who}: the solver runs in a process of its own, by the interpreter {sys.executable!r}, which cannot be started "
            f"({problem.strerror}); choose {USUAL_CELLS!r}, or run Kohort by a Python of its own",
            code="algorithm.no-solution",
            algorithm=who,
        ) from None


def _or_ended(found: Answered | None) -> Answered:
    if found is None:
        raise EOFError
    return found


def _command() -> list[str]:
    """Return what starts it: this interpreter, which finds the same modules, with nothing of Kohort but that file."""
    file = str(Path(__file__).with_name("solving.py"))
    start = f"import runpy, sys; sys.path = {sys.path!r}; runpy.run_path({file!r}, run_name='__main__')"
    return [sys.executable, "-P", "-W", "ignore", "-c", start]


@atexit.register
def _end_idle() -> None:
    while _idle:
        _idle.pop().end()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # the pipes are the parent's
