"""A word to whoever waits while kernels are compiled, on the logger `kohort`: stderr, unless its user says otherwise."""

from __future__ import annotations

import logging
from functools import cache
from types import FunctionType

from numba.core.event import Event, Listener, register

PACE = 3000.0  # bytes of Python's code that are compiled in a second, all that is called included


@cache
def watch() -> None:
    """Listen to the compiler, once per process."""
    register("numba:compile", _Waiting())


class _Waiting(Listener):  # type: ignore[misc]
    """Tells of the first kernel that is compiled, and of every other that takes a second or more."""

    def __init__(self) -> None:
        self._inside = 0
        self._told = False

    def on_start(self, event: Event) -> None:
        self._inside += 1
        function = event.data["dispatcher"].py_func
        if self._inside > 1 or not _ours(function):
            return
        seconds = seconds_for(function)
        if seconds >= 1 or not self._told:
            self._told = True
            name = function.__module__.rpartition(".")[2].replace("_", " ")
            about = f"about {seconds:.0f} s" if seconds >= 1 else "less than a second"
            logging.getLogger("kohort").warning("compiling %s, once for this machine: %s", name, about)

    def on_end(self, event: Event) -> None:  # noqa: ARG002
        self._inside -= 1


def seconds_for(function: FunctionType) -> float:
    """Return about how long it takes to compile a kernel with all that it calls."""
    reached, waiting = {function}, [function]
    while waiting:
        caller = waiting.pop()
        for name in caller.__code__.co_names:
            called = caller.__globals__.get(name)
            called = getattr(called, "py_func", called)
            if isinstance(called, FunctionType) and _ours(called) and called not in reached:
                reached.add(called)
                waiting.append(called)
    return sum(len(each.__code__.co_code) for each in reached) / PACE


def _ours(function: FunctionType) -> bool:
    return function.__module__.startswith("kohort.")
