"""Progress on stderr, only when something takes a while: a bar on a terminal, elsewhere a line from time to time."""

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
LONG = 10.0  # seconds before what is not drawn is said, and before it is said how a search is ended
STOPPING = " · stopping; Ctrl-C again to release nothing"
ENDED = " · Ctrl-C, or [recode] time_limit in the plan, ends the search with the best so far"


class Bar:
    """A `Progress` of the algorithms, drawn with rich; the first Ctrl-C pulls its token."""

    def __init__(self) -> None:
        self.stop = Stop()
        self._started = time.monotonic()
        self._last = 0.0
        self._bar: Progress | None = None
        self._console = terminal(stderr=True)
        self._silent = LONG  # seconds until the next line, where nothing can be drawn

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
        told = f"{note}{'' if standing is None else standing.said()}{self._ways_out(standing, now)}"
        if self._console.is_terminal:
            self._draw(told, done, total)
        elif now - self._started >= self._silent:
            self._silent *= 2
            self._console.print(f"after {now - self._started:,.0f} s: {told}", markup=False, soft_wrap=True)

    def _ways_out(self, standing: Standing | None, now: float) -> str:
        """Return how a search that takes long and has found something is ended."""
        if self.stop.pulled:
            return STOPPING
        found = standing is not None and standing.best is not None
        return ENDED if found and now - self._started >= LONG else ""

    def _draw(self, told: str, done: float | None, total: float | None) -> None:
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
            self._task = self._bar.add_task(told, total=None)
            self._bar.start()
        self._bar.update(self._task, description=told, completed=done or 0, total=total)
