"""Progress where a notebook runs: one line below the cell, which goes when the work is done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kohort.algorithms import Progress, Standing
from kohort.interrupts import heed_signals
from kohort.stopping import Stop

PATIENCE = 0.3  # seconds before anything is said
INTERVAL = 0.2
Display = Callable[..., Any]


@contextmanager
def shown(progress: Progress, silent: bool) -> Iterator[Progress]:
    """Yield who watches a search: where nobody does and a notebook runs, a line below its cell."""
    display = _display() if silent else None
    if display is None:
        yield progress
        return
    line = Line(display, progress.stop)
    try:
        yield line
    finally:
        line.clear()


class Line:
    """A `Progress` in a notebook: plain text, told anew in its place a few times a second."""

    def __init__(self, display: Display, stop: Stop) -> None:
        self.stop = stop
        self._display = display
        self._begun = time.monotonic()
        self._last = 0.0
        self._handle: Any = None
        self._done = False  # a release keeps its onlooker, and is saved from another cell

    def update(
        self,
        note: str,
        done: float | None = None,
        total: float | None = None,
        standing: Standing | None = None,
    ) -> None:
        """Tell the note with how the search stands, and the share done where it is known."""
        heed_signals()
        now = time.monotonic()
        if self._done or now - self._begun < PATIENCE or now - self._last < INTERVAL:
            return
        self._last = now
        share = f" {done / total:.0%}" if done is not None and total else ""
        self._tell(f"{note}{share}{'' if standing is None else standing.said()} · {now - self._begun:.0f} s")

    def clear(self) -> None:
        """Leave nothing behind, and say nothing more."""
        self._done = True
        if self._handle is not None:
            self._tell("")

    def _tell(self, said: str) -> None:
        if self._handle is None:
            self._handle = self._display({"text/plain": said}, raw=True, display_id=True)
        else:
            self._handle.update({"text/plain": said}, raw=True)


def _display() -> Display | None:
    """Return how a notebook shows something; None where none runs. IPython is asked where it is, never imported anew."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if getattr(shell, "kernel", None) is None:
        return None
    from IPython.display import display  # type: ignore[import-not-found]

    told: Display = display
    return told
