"""What an algorithm is, and how it tells of its progress."""

from __future__ import annotations

from typing import ClassVar, Protocol

from kohort.card import Card
from kohort.recode import Problem, Solution


class Progress(Protocol):
    """Whoever watches a search; calls are cheap and may come often."""

    def update(self, note: str, done: float | None = None, total: float | None = None) -> None:
        """Tell how far the search is: `note` in words (no cell values), `done` of `total` where known."""


class Silent:
    """A `Progress` that nobody watches."""

    def update(self, note: str, done: float | None = None, total: float | None = None) -> None:
        """Do nothing."""


class Algorithm(Protocol):
    """A search for a recoding.

    Implementations are frozen dataclasses whose fields, all with defaults, are the options that a plan's
    `[recode.options]` may set. What every algorithm shares (models, objective, suppression limit,
    time_limit, seed, weights, level bounds) is in the problem. An anytime algorithm catches
    KeyboardInterrupt while it searches and returns the best solution it has. Where what is guaranteed depends
    on the options, a property `guarantee` says it in words.
    """

    card: ClassVar[Card]

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return a solution whose released classes keep every promise, or raise InfeasibleError."""
