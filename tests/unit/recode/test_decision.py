"""What a search says of its own score is told only where it is the score of what it decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.algorithms import Progress, Silent
from kohort.card import Card
from kohort.frontiers import points_of
from kohort.recode import Problem, Solution
from kohort.recode.levels import Levels
from kohort.tables.outcome import outcome, summary
from kohort.third_parties import offered

PLAN = {
    "columns": {"job": {"role": "quasi", "hierarchy": {"kind": "suppress"}}},
    "require": [{"model": "k-anonymity", "k": 2}],
    "recode": {"algorithm": "boastful"},
}
JOBS = pa.table({"job": ["cook", "cook", "nurse"]})


@dataclass(frozen=True)
class Boastful:
    """Takes all detail away, and says that nothing was lost and that this is proved."""

    card: ClassVar = Card("boastful", "takes everything away", paper="none", levels=True)

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        del progress
        top = tuple(hierarchy.height for hierarchy in problem.hierarchies)
        facts = {"bound": 0.0, "gap": 0.0, "nodes": 2}
        return Solution(Levels(top, np.ones(len(problem.base), np.bool_)), 0.0, optimal=True, facts=facts)


def test_a_false_score_of_another_packages_search_is_told_nowhere() -> None:
    with offered("kohort.algorithms", Boastful, package="their-package"):
        facts = kohort.anonymize(JOBS, PLAN).facts
        [point] = points_of(JOBS, kohort.Plan.from_dict(PLAN), "require.0.k", [2], Silent())
    assert (facts.score, facts.optimal) == (1.0, False)
    assert (facts.search.bound, facts.search.gap, facts.search.nodes) == (None, None, 2)
    assert summary(facts)["score"] == facts.losses["loss"] == 1
    assert any(str(line).startswith("loss 1,") for line in outcome(facts))
    assert (point["score"], point["optimal"], "bound" in point) == (1.0, False, False)


@pytest.mark.parametrize(
    ("score", "facts"), [(0.5, {"nodes": 1}), (0.25 + 1e-15, {"bound": 0.1, "nodes": 1})]
)
def test_a_proof_stays_with_the_score_it_is_about(score: float, facts: Mapping[str, float]) -> None:
    found = Solution(Levels((0,), np.ones(1, np.bool_)), 0.25, True, {"bound": 0.1, "nodes": 1})
    judged = found.judged(score)
    same = "bound" in facts
    assert (judged.score, judged.optimal, judged.facts) == (0.25 if same else score, same, facts)
