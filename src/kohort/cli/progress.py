"""Progress on a terminal: a bar on stderr that appears only when something takes a while."""

from __future__ import annotations

import time
from types import TracebackType

from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

from kohort.algorithms import Standing
from kohort.cli.terminal import terminal
from kohort.interrupts import heed_signals
from kohort.stopping import Stop

PATIENCE = 0.3  # seconds before a bar is drawn
INTERVAL = 0.05
STOPPING = " · stopping; Ctrl-C again to release nothing"


class Bar:
    """A `Progress` of the algorithms, drawn with rich; the first Ctrl-C pulls its token."""

    def __init__(self) -> None:
        self.stop = Stop()
        self._started = time.monotonic()
        self._last = 0.0
        self._bar: Progress | None = None
        self._console = terminal(stderr=True)

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(
        self,
        note: str,
        done: float | None = None,
        total: float | None = None,
        standing: Standing | None = None,
    ) -> None:
        """Show the note with how the search stands, and the share done where it is known."""
        heed_signals()
        now = time.monotonic()
        if now - self._started < PATIENCE or now - self._last < INTERVAL:
            return
        self._last = now
        if self._bar is None:
            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TaskProgressColumn(),
                TimeElapsedColumn(),
                console=self._console,
                transient=True,
            )
            self._task = self._bar.add_task(note, total=None)
            self._bar.start()
        told = f"{note}{'' if standing is None else standing.said()}{STOPPING if self.stop.pulled else ''}"
        self._bar.update(self._task, description=told, completed=done or 0, total=total)
