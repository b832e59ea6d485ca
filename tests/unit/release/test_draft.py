"""Whose fault a release is that did not pass verification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.algorithms import Progress
from kohort.card import Card
from kohort.errors import VerificationError
from kohort.recode import Problem, Solution
from kohort.recode.levels import Levels
from kohort.release.draft import demand
from kohort.third_parties import offered
from kohort.verification.judges import Verdict


@dataclass(frozen=True)
class Careless:
    """Releases every row as it is, whatever was promised."""

    card: ClassVar = Card("careless", "releases everything", paper="none", levels=True)

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        del progress
        return Solution(Levels((0,) * len(problem.names), np.ones(len(problem.base), np.bool_)), 0.0)


PLAN = {"columns": {"job": "quasi"}, "require": [{"model": "k-anonymity", "k": 2}]}


def test_the_package_of_another_partys_search_is_named() -> None:
    with offered("kohort.algorithms", Careless, package="their-package"):
        plan = kohort.Plan.from_dict(PLAN | {"recode": {"algorithm": "careless"}})
        with pytest.raises(
            VerificationError, match="a bug of their-package, whose algorithm 'careless'"
        ) as failed:
            kohort.anonymize(pa.table({"job": ["cook", "nurse"]}), plan)
    assert failed.value.fields["package"] == "their-package"


def test_what_kohorts_own_search_made_is_a_bug_of_kohort() -> None:
    plan = kohort.Plan.from_dict(PLAN)
    with pytest.raises(VerificationError, match="this is a bug of Kohort or a file") as failed:
        demand([Verdict("2-anonymity", False)], plan)
    assert "package" not in failed.value.fields
