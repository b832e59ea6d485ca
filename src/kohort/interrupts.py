"""Acts that are not cut short, and what ends a program from outside."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from kohort.stopping import INTERRUPT, Stop

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class StoppedError(BaseException):
    """The program was told to end (SIGTERM, SIGHUP): it cleans up and releases nothing."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


_received: list[int] = []  # signals that have raised something since the program began to listen


@contextmanager
def stop_on_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the program as Ctrl-C does: with everything cleaned up.

    Afterwards they do what they did before, unless one of them has come and the program is about to leave.
    """
    _received.clear()
    before = {number: signal.getsignal(number) for number in ENDING}
    heard = [n for n, handler in before.items() if handler in _USUAL]  # nohup ignores SIGHUP
    for number in heard:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in heard:
            if not (_received and signal.getsignal(number) is _leave):
                signal.signal(number, before[number])
        _received.clear()


def heed_signals() -> None:
    """Raise once more what a signal has raised: in a finalizer or a callback, Python or a library drops it."""
    if _received:
        raise _ended_by(_received[0])


def leave_at_once() -> None:
    """Let a further signal end the program without a word: everything is cleaned up, only the message is left."""
    for number in ENDING:
        if signal.getsignal(number) is _end:
            signal.signal(number, _leave)


def ending(problem: BaseException) -> BaseException | None:
    """Return the interrupt or the signal behind an error, None where there is none.

    Compiled code wraps what ends it; DuckDB drops it and raises an error of its own, so signals are remembered.
    """
    seen: list[BaseException] = []
    found: BaseException | None = problem
    while found is not None and not isinstance(found, KeyboardInterrupt | StoppedError):
        seen.append(found)
        below = found.__cause__ or found.__context__
        found = None if below in seen else below
    return found if found is not None or not _received else _ended_by(_received[0])


def _end(number: int, _: FrameType | None) -> None:
    _received.append(number)
    raise _ended_by(number)


def _leave(number: int, _: FrameType | None) -> NoReturn:
    os._exit(128 + number)


def _ended_by(number: int) -> BaseException:
    return KeyboardInterrupt() if number == signal.SIGINT else StoppedError(number)


_USUAL = (signal.SIG_DFL, signal.default_int_handler)


@contextmanager
def interrupt_pulls(stop: Stop) -> Iterator[None]:
    """Let the first Ctrl-C in the block pull the token, so that the search ends with its best; a second one interrupts.

    Where somebody else listens to Ctrl-C, or in another thread than the main one, everything stays as it is.
    """
    before = signal.getsignal(signal.SIGINT)
    ours = threading.current_thread() is threading.main_thread()
    if not ours or before not in (signal.default_int_handler, _end):
        yield
        return

    def pull(number: int, _: FrameType | None) -> None:
        signal.signal(number, before)
        stop.pull(INTERRUPT)

    signal.signal(signal.SIGINT, pull)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def uninterrupted(for_good: bool = False) -> Iterator[None]:
    """Finish what is begun: a signal that would end the program meanwhile comes too late and does nothing.

    For good: so it stays on the command line, where a signal in the moment after would say that nothing was done.
    Exceptions of signals are raised in the main thread only, so elsewhere there is nothing to hold off.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _too_late) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            if not (for_good and handler is _end):
                signal.signal(number, signal.SIG_DFL if handler is None else handler)


@contextmanager
def postponed() -> Iterator[None]:
    """Finish what is begun, and let a signal that comes meanwhile do afterwards what it would have done at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {number: signal.signal(number, lambda told, _: came.append(told)) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        if came:
            signal.raise_signal(came[0])


def _too_late(number: int, _: FrameType | None) -> None:
    """Do nothing."""
