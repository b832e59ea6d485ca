"""Standard output and error as commands write to them: any sign can be written, and what is refused is told as that."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


class UnspokenError(Exception):
    """Standard output takes nothing more: what a command came to cannot be said there."""

    def __init__(self, problem: OSError) -> None:
        super().__init__(os.strerror(problem.errno) if problem.errno else "refused")
        self.is_left = isinstance(problem, BrokenPipeError)  # by who read it, as `head` does


class _Output:
    """A stream whose refusals are told from those of other files."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text."""
        with _unspoken():
            return int(self._stream.write(text))

    def flush(self) -> None:
        """Hand over what was written."""
        with _unspoken():
            self._stream.flush()


class _Error(_Output):
    """A stream for words that nothing depends on: where it takes nothing, nothing is said."""

    def write(self, text: str) -> int:
        """Write a text."""
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Hand over what was written."""
        with suppress(OSError):
            self._stream.flush()


@contextmanager
def own_streams() -> Iterator[None]:
    """Write to standard output and error by these rules; signs that an encoding lacks are spelled out."""
    before = sys.stdout, sys.stderr
    for stream in filter(None, before):
        with suppress(
            AttributeError, OSError
        ):  # what is no text of Python's, or cannot tell where it stands, stays as it is
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if before[0] is not None:
        sys.stdout = _Output(before[0])  # type: ignore[assignment]
    if before[1] is not None:
        sys.stderr = _Error(before[1])  # type: ignore[assignment]
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def give_up_output() -> None:
    """Let what could not be written go, or Python would try again at the end and complain of it."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextmanager
def _unspoken() -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise UnspokenError(problem) from None
