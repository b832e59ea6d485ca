"""Acts that are not cut short, and what ends a program from outside."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from kohort.stopping import INTERRUPT, Stop

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class StoppedError(BaseException):
    """The program was told to end (SIGTERM, SIGHUP): it cleans up and releases nothing."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def stop_on_signals() -> None:
    """Let SIGTERM and SIGHUP end the program as Ctrl-C does: with everything cleaned up."""
    for number in ENDING:
        if number is not signal.SIGINT and signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores SIGHUP
            signal.signal(number, _stop)


def _stop(number: int, _: FrameType | None) -> None:
    raise StoppedError(number)


@contextmanager
def interrupt_pulls(stop: Stop) -> Iterator[None]:
    """Let the first Ctrl-C in the block pull the token, so that the search ends with its best; a second one interrupts.

    Where somebody else listens to Ctrl-C, or in another thread than the main one, everything stays as it is.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def pull(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.default_int_handler)
        stop.pull(INTERRUPT)

    signal.signal(signal.SIGINT, pull)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Finish what is begun: a signal that would end the program meanwhile comes too late and does nothing.

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
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def _too_late(number: int, _: FrameType | None) -> None:
    """Do nothing."""
