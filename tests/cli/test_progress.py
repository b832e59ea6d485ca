"""What is said while something takes long: on a terminal and elsewhere."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from kohort.algorithms import Standing
from kohort.cli import progress
from kohort.cli.progress import ENDED, STOPPING, Bar


class Clock:
    """A clock that tests set forward."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock by which progress is told."""
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


def told_until(
    clock: Clock, seconds: int, *, terminal: bool, best: float | None, pulled: bool = False
) -> str:
    """Return what a search of so many seconds shows."""
    seen = io.StringIO()
    with Bar() as bar:
        bar._console = Console(file=seen, force_terminal=terminal, width=250)
        if pulled:
            bar.stop.pull("interrupt")
        for _ in range(seconds):
            clock.now += 1
            bar.update("searching the lattice", 1, 9, Standing(1.0, best))
            if bar._bar is not None:
                bar._bar.refresh()
    return seen.getvalue()


def test_elsewhere_a_line_is_said_ever_more_seldom(clock: Clock) -> None:
    lines = told_until(clock, 100, terminal=False, best=0.5).splitlines()
    assert [line.split(":")[0] for line in lines] == [f"after {s} s" for s in (10, 20, 40, 80)]
    assert all("searching the lattice, best 0.5" in line for line in lines)


def test_nothing_is_said_of_what_is_quick(clock: Clock) -> None:
    assert told_until(clock, 9, terminal=False, best=0.5) == ""


@pytest.mark.parametrize("terminal", [True, False])
def test_a_long_search_that_found_something_says_how_it_is_ended(clock: Clock, terminal: bool) -> None:
    assert ENDED in told_until(clock, 12, terminal=terminal, best=0.5)
    assert ENDED not in told_until(clock, 12, terminal=terminal, best=None)
    assert ENDED not in told_until(clock, 9, terminal=terminal, best=0.5)
    assert STOPPING in told_until(clock, 12, terminal=terminal, best=0.5, pulled=True)
