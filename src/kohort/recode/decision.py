"""What a search hands back: a decision that can be applied to the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any, Protocol

from kohort.errors import InputError
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded
from kohort.recode.score_rounding import rounding


class Decision(Protocol):
    """How the table is to be recoded."""

    def apply(self, problem: Problem) -> Recoded:
        """Return the released values of every row."""

    def facts(self, problem: Problem) -> dict[str, Any]:
        """Return what manifest and report tell of it (no raw value), e.g. {"levels": {"age": 3}}."""


@dataclass(frozen=True, eq=False)
class Solution:
    """The decision a search came to, and what it can prove about it."""

    decision: Decision
    score: float  # of the problem's objective
    optimal: bool = False  # proved optimal for the objective among the recodings of its taxonomy model
    facts: Mapping[str, Any] = field(default_factory=dict)  # e.g. nodes, checked, bound, gap, visited
    curve: Sequence[
        tuple[float, float]
    ] = ()  # of an anytime search: (seconds, best score by then); no evidence

    def __post_init__(self) -> None:
        if not isfinite(self.score):
            raise InputError(
                "[recode] objective: the score of what was found is no finite number; lower the largest weight or "
                "suppression_cost under [columns], or choose another objective",
                code="metric.overflow",
            )

    def judged(self, score: float) -> Solution:
        """Return the solution with the score that its decision has, and without a proof about any other score.

        What a search says of itself is not evidence: another package's may be mistaken. Scores that are the same but for
        rounding stay as the search told them.
        """
        if abs(score - self.score) <= rounding(score):
            return self
        proofs = ("bound", "gap")
        facts = {name: told for name, told in self.facts.items() if name not in proofs}
        return replace(self, score=score, optimal=False, facts=facts)
