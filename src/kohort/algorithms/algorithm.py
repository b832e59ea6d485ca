"""What an algorithm is, and how it tells of its progress and is told to stop."""

from __future__ import annotations

from typing import ClassVar, NamedTuple, Protocol

from kohort.card import Card
from kohort.recode import Problem, Solution
from kohort.stopping import Stop


class Standing(NamedTuple):
    """How a search stands: what is not known is None."""

    elapsed: float  # seconds since it began, compiling aside
    best: float | None = None  # the best score so far
    bound: float | None = None  # no recoding scores less

    @property
    def gap(self) -> float | None:
        """How far the best may be from the least possible score, as a share of it: 0 to 1."""
        return None if self.best is None or self.bound is None else relative_gap(self.best, self.bound)

    def said(self) -> str:
        """Return best, bound and gap in words, as far as they are known, to follow a note."""
        if self.best is None:
            return ""
        told = f", best {self.best:,.6g}"
        return told if self.gap is None else f"{told}, bound {self.bound:,.6g}, gap {self.gap:.1%}"


class Progress(Protocol):
    """Whoever watches a search, and may end it; calls are cheap and may come often."""

    stop: Stop  # a search that finds it pulled returns the best it has

    def update(
        self,
        note: str,
        done: float | None = None,
        total: float | None = None,
        standing: Standing | None = None,
    ) -> None:
        """Tell how far the search is: `note` in words (no cell values), `done` of `total` where known."""


class Silent:
    """A `Progress` that nobody watches; its token may be pulled all the same."""

    def __init__(self, stop: Stop | None = None) -> None:
        self.stop = stop or Stop()

    def update(
        self,
        note: str,
        done: float | None = None,
        total: float | None = None,
        standing: Standing | None = None,
    ) -> None:
        """Do nothing."""


class Algorithm(Protocol):
    """A search for a recoding.

    Implementations are frozen dataclasses whose fields, all with defaults, are the options that a plan's
    `[recode.options]` may set. What every algorithm shares (models, objective, suppression limit,
    time_limit, seed, weights, level bounds) is in the problem. A search keeps a `Watch`, looks at it often, and
    when its time is over returns the best solution it has, or raises UnfinishedError where it has none. Where
    what is guaranteed depends on the options, a property `guarantee` says it in words.
    """

    card: ClassVar[Card]

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return a solution whose released classes keep every promise, or raise InfeasibleError."""


def relative_gap(score: float, bound: float) -> float:
    """Return how far a score is above a bound, as a share of the greater of both: 0 to 1.

    For scores above 0 that is the share of the score that a better recoding could save at most.
    """
    if not score > bound:
        return 0.0
    return min(1.0, (score - bound) / max(abs(score), abs(bound)))
