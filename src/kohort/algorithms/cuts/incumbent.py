"""`Incumbent`: the best cut set so far, when it was found, and when the search must end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.space import Space, trivial_bound
from kohort.algorithms.nothing_found import none_exists
from kohort.algorithms.watch import Watch
from kohort.errors import InfeasibleError
from kohort.recode import Solution
from kohort.recode.score_rounding import rounding


@dataclass(eq=False)
class Incumbent:
    """The best so far of an anytime search over cut sets."""

    space: Space
    watch: Watch
    until: float | None = None  # seconds of the search after which a part of it must end
    cost: float = float("inf")
    included: CutSet | None = None
    least_lost: int = -1  # fewest records any set seen would suppress; for the message where none is allowed
    bound: float = float("-inf")
    curve: list[tuple[float, float]] = field(default_factory=list)  # (seconds, score)

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""
        return self.watch.elapsed

    @property
    def late(self) -> bool:
        """Whether it is over, or the time of this part of it is up."""
        return self.watch.over or (self.until is not None and self.elapsed >= self.until)

    @contextmanager
    def hurried(self, share: float) -> Iterator[None]:
        """Let the time be up after this share of what is left of it, for as long as the block runs."""
        whole = self.until
        self.until = self.after(share)
        try:
            yield
        finally:
            self.until = whole

    def after(self, share: float) -> float | None:
        """Return when this share of the time left will be gone, None without a time limit."""
        left = self.watch.left
        return None if left is None else self.elapsed + share * left

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
        """Report the best score, and the bound where one is proved."""
        limit = self.watch.time_limit
        done = None if limit is None else min(self.elapsed, limit)
        if not np.isfinite(self.cost):
            self.watch.update(note, done, limit)
            return
        bound = self.space.score(min(self.bound, self.cost)) if np.isfinite(self.bound) else -float("inf")
        self.watch.tell(note, done, limit, self.space.score(self.cost), bound)

    def solution(self, optimal: bool, **facts: Any) -> Solution:
        """Return the best set as a solution whose score is the metric's own, or raise InfeasibleError.

        Where it is over early and the search proves no bound of its own, the gap is from what no set can beat.
        """
        if self.included is None:
            space = self.space
            near = {"suppressed": max(self.least_lost, 0)}
            miss = (
                f"meets {space.k}-anonymity while suppressing at most {space.limit:,} of {space.n_rows:,} records; the "
                f"nearest suppresses {near['suppressed']:,}: raise max_suppression or lower k"
            )
            if none_exists(space.asked):
                raise InfeasibleError(f"no set of cuts {miss}", near, code="infeasible.no-recoding")
            raise InfeasibleError(f"no set of cuts found {miss}", near, code="infeasible.not-found")
        decision = self.space.decide(self.included)
        score = self.space.asked.objective.score(decision.apply(self.space.asked).outcome(self.space.asked))
        searched = self.space.score(self.cost)
        # The set is claimed as it is released; what the search looked at costs the same, or nothing is proved.
        optimal = optimal and score <= searched + rounding(searched)
        bound = self.bound
        if self.watch.ended is not None:
            bound = max(bound, trivial_bound(self.space))
        proved = self.space.score(min(bound, self.cost)) if np.isfinite(bound) else None
        told = {"alphabet": self.space.n_cuts, **facts, **self.watch.facts(score, proved)}
        return Solution(decision, score, optimal, told, tuple(self.curve))
