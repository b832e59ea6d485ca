"""`Watch`: the clock, the token and the onlooker of one search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import isfinite
from time import monotonic
from typing import Any

from kohort.algorithms import kernel_time
from kohort.algorithms.algorithm import Progress, Silent, Standing, relative_gap
from kohort.algorithms.taxonomy import QUICK
from kohort.errors import InfeasibleError, Told, UnfinishedError
from kohort.interrupts import heed_signals
from kohort.recode import Problem
from kohort.stopping import ASKED, INTERRUPT, TIME_LIMIT, Stop

_SAID = {
    ASKED: "it was told to stop",
    INTERRUPT: "it was interrupted",
    TIME_LIMIT: "the time limit came",
}


@dataclass(eq=False)
class Watch:
    """Tells a search when to end, and others how it stands. It is a `Progress` itself, for the searches inside a search.

    The clock starts with the search and stands still while kernels are compiled.
    """

    progress: Progress
    stop: Stop
    time_limit: float | None = None
    ended: str | None = None  # why the search was over before its end, once it has asked
    begun: float = field(default_factory=lambda: _now())

    @classmethod
    def of(cls, problem: Problem, progress: Progress) -> Watch:
        """Start the clock of a search."""
        return cls(progress, progress.stop, problem.time_limit)

    @property
    def elapsed(self) -> float:
        """Seconds since the search began, compiling aside."""
        return _now() - self.begun

    @property
    def left(self) -> float | None:
        """Seconds that are left of the time limit, None without one."""
        return None if self.time_limit is None else max(0.0, self.time_limit - self.elapsed)

    @property
    def over(self) -> bool:
        """Whether the search must end now: somebody pulled the token, or the time is up. Raises what a signal raised."""
        heed_signals()
        if self.ended is None:
            if self.stop.pulled:
                self.ended = self.stop.reason
            elif self.time_limit is not None and self.elapsed >= self.time_limit:
                self.ended = TIME_LIMIT
        return self.ended is not None

    def update(
        self,
        note: str,
        done: float | None = None,
        total: float | None = None,
        standing: Standing | None = None,
    ) -> None:
        """Pass on how far the search is; an onlooker's KeyboardInterrupt pulls the token, a second one passes."""
        heed_signals()
        try:
            self.progress.update(note, done, total, standing or Standing(self.elapsed))
        except KeyboardInterrupt:
            if self.stop.pulled:
                raise
            self.stop.pull(INTERRUPT)

    def tell(
        self,
        note: str,
        done: float | None = None,
        total: float | None = None,
        best: float = float("inf"),
        bound: float = float("-inf"),
    ) -> None:
        """Tell how the search stands, too; scores that are not finite are not known."""
        known = [score if isfinite(score) else None for score in (best, bound)]
        self.update(note, done, total, Standing(self.elapsed, *known))

    def facts(self, score: float | None = None, bound: float | None = None) -> dict[str, Any]:
        """Return what a solution tells of its end: why it came early, and bound and gap where a bound is proved."""
        told: dict[str, Any] = {} if self.ended is None else {"stopped": self.ended}
        if score is not None and bound is not None and isfinite(bound):
            told |= {"bound": min(bound, score), "gap": relative_gap(score, bound)}
        return told

    @contextmanager
    def or_unfinished(self, who: str) -> Iterator[None]:
        """Tell a search that hurried because it was over, and found nothing, as unfinished: only a proof counts then."""
        try:
            yield
        except InfeasibleError as none:
            if self.ended is None or none.code != "infeasible.not-found":
                raise
            raise self.unfinished(who, none.nearest) from None

    def unfinished(self, who: str, nearest: Mapping[str, Told] | None = None) -> UnfinishedError:
        """Return the error of a search that was over before it had anything that may be released."""
        reason = self.ended or ASKED
        said = _SAID.get(reason, _SAID[ASKED])
        if reason == TIME_LIMIT:
            said += f" ({self.time_limit:g} s)"
        quick = " or ".join(name for name in QUICK if name != who)
        return UnfinishedError(
            f"{who}: {said} before anything was found that keeps every promise, so nothing can be released; "
            f"give it more time ([recode] time_limit), or choose a faster algorithm such as {quick}",
            reason,
            nearest,
            code="search.unfinished",
            algorithm=who,
        )


def watched(progress: Progress | None, stop: Stop | None) -> Progress:
    """Return who watches a search and holds its token: both may be missing, and a token of one's own counts most."""
    if progress is None:
        return Silent(stop)
    return progress if stop is None else _Holding(progress, stop)


@dataclass(eq=False)
class _Holding:
    """A `Progress` with another token than its own."""

    progress: Progress
    stop: Stop

    def update(
        self,
        note: str,
        done: float | None = None,
        total: float | None = None,
        standing: Standing | None = None,
    ) -> None:
        """Pass it on."""
        self.progress.update(note, done, total, standing)


def unwatched() -> Watch:
    """Return the watch of a search that nobody looks at and nothing ends."""
    return Watch(Silent(), Stop())


def _now() -> float:
    """Return the time by a clock that stands still while kernels are compiled."""
    return monotonic() - kernel_time.seconds()
