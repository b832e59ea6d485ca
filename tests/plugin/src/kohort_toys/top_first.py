"""`top-first`: generalize the first attribute as far as it goes, then the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kohort.algorithms import Progress
from kohort.algorithms.nothing_found import nothing_found
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.recode import Problem, Solution, decide_levels


@dataclass(frozen=True)
class TopFirst:
    """The first node on a path from the ground to the top that keeps every promise within the suppression limit.

    Complexity: at most Σ heights roll-ups of the distinct tuples.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, ward_plan
    >>> from kohort.third_parties import offered
    >>> with offered("kohort.algorithms", TopFirst):
    ...     release = anonymize(WARD, Plan(**ward_plan("top-first")))
    >>> release.levels
    {'age': 3, 'zip': 1}

    References: none; it is a toy.
    """

    card: ClassVar = Card(
        "top-first",
        "climbs the attributes one after the other",
        guarantee="none",
        taxonomy="AG_TS",
        decides="class",
        bounds=("min_level", "max_level"),
        levels=True,
        paper="none",
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the first node that is within the limit."""
        watch = Watch.of(problem, progress)
        levels = list(problem.lowest)
        while True:
            if watch.over:
                levels = list(problem.highest)
            decision = decide_levels(problem, tuple(levels))
            outcome = decision.apply(problem).outcome(problem)
            if outcome.suppressed <= problem.max_suppressed and outcome.kept:
                facts = {"checked": 1 + sum(levels), **watch.facts()}
                return Solution(decision, problem.objective.score(outcome), facts=facts)
            free = [j for j, level in enumerate(levels) if level < problem.highest[j]]
            if not free:
                with watch.or_unfinished(self.card.name):
                    raise nothing_found(problem, self.card, "even the most general node breaks a promise", {})
            levels[free[0]] += 1
