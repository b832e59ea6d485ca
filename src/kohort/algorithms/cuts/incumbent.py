"""`Incumbent`: the best cut set so far, when it was found, and when the search must end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.space import Space
from kohort.errors import InfeasibleError
from kohort.recode import Solution


@dataclass(eq=False)
class Incumbent:
    """The best so far of an anytime search over cut sets."""

    space: Space
    progress: Progress
    time_limit: float | None
    cost: float = float("inf")
    included: CutSet | None = None
    least_lost: int = -1  # fewest records any set seen would suppress; for the message where none is allowed
    bound: float = float("-inf")
    begun: float = field(default_factory=time.monotonic)
    curve: list[tuple[float, float]] = field(default_factory=list)  # (seconds, score)

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self.begun

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return self.time_limit is not None and self.elapsed >= self.time_limit

    @contextmanager
    def hurried(self, share: float) -> Iterator[None]:
        """Let the time be up after this share of what is left of it, for as long as the block runs."""
        whole = self.time_limit
        if whole is not None:
            self.time_limit = min(whole, self.elapsed + share * (whole - self.elapsed))
        try:
            yield
        finally:
            self.time_limit = whole

    def offer(self, cost: float, lost: int, included: CutSet) -> bool:
        """Take the set if it is allowed and better; return whether it was."""
        if self.least_lost < 0 or lost < self.least_lost:
            self.least_lost = int(lost)
        if lost > self.space.limit or cost >= self.cost:
            return False
        self.cost = float(cost)
        self.included = included.copy()
        self.curve.append((self.elapsed, self.space.score(self.cost)))
        return True

    def tell(self, note: str) -> None:
        """Report the best cost, and bound and gap where a bound is proved."""
        if np.isfinite(self.cost):
            note += f", cost {self.space.score(self.cost):,.6g}"
            if np.isfinite(self.bound):
                note += f", bound {self.space.score(self.bound):,.6g}, gap {self.gap:.2%}"
        done = None if self.time_limit is None else min(self.elapsed, self.time_limit)
        self.progress.update(note, done, self.time_limit)

    @property
    def gap(self) -> float:
        """How far the bound is below the best score, as a share of it."""
        score = self.space.score(self.cost)
        return max(0.0, 1.0 - self.space.score(min(self.bound, self.cost)) / score) if score else 0.0

    def solution(self, optimal: bool, **facts: Any) -> Solution:
        """Return the best set as a solution whose score is the metric's own, or raise InfeasibleError."""
        if self.included is None:
            space = self.space
            raise InfeasibleError(
                f"no set of cuts found meets {space.k}-anonymity while suppressing at most {space.limit:,} of "
                f"{space.n_rows:,} records; the nearest suppresses {max(self.least_lost, 0):,}: raise "
                "max_suppression or lower k",
                nearest={"suppressed": max(self.least_lost, 0)},
            )
        decision = self.space.decide(self.included)
        outcome = decision.apply(self.space.asked).outcome(self.space.asked)
        score = self.space.asked.objective.score(outcome)
        return Solution(decision, score, optimal, {"alphabet": self.space.n_cuts, **facts}, tuple(self.curve))
