"""Whose fault a release is that did not pass verification."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pytest
from tests.engines.at_hand import AT_HAND

import kohort
from kohort.algorithms import Progress
from kohort.card import Card
from kohort.errors import InfeasibleError, VerificationError
from kohort.models import KAnonymity
from kohort.recode import Problem, Solution
from kohort.recode.levels import Levels
from kohort.release.draft import demand
from kohort.third_parties import offered
from kohort.verification.judges import Verdict
from kohort.verification.judges.definitions import Counted, Finding


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


def test_what_was_not_achieved_is_not_told() -> None:
    plan = kohort.Plan.from_dict(PLAN)
    with pytest.raises(VerificationError, match=r"\(nothing else: achieved 1; 2-anonymity\)"):
        demand([Verdict("nothing else", False, 1.0), Verdict("2-anonymity", False)], plan)


@pytest.mark.parametrize(
    ("algorithm", "packages", "fault"),
    [
        (None, ["theirs"], "a bug of theirs, whose model says what is kept, or a file"),
        (None, ["theirs", "another"], "a bug of another, whose model says .* or of theirs, whose model"),
        (None, ["theirs", ""], "a bug of Kohort or a file"),
        ("careless", ["theirs"], "a bug of their-package, whose algorithm .* or of theirs, whose model"),
        ("careless", ["theirs", ""], "a bug of their-package, whose algorithm 'careless' made it, or a file"),
    ],
)
def test_the_package_of_the_model_is_named_where_only_its_promise_is_broken(
    algorithm: str | None, packages: list[str], fault: str
) -> None:
    with offered("kohort.algorithms", Careless, package="their-package"):
        plan = kohort.Plan.from_dict(PLAN | {"recode": {"algorithm": algorithm} if algorithm else {}})
        with pytest.raises(VerificationError, match=fault):
            demand([Verdict("a promise", False, package=package) for package in packages], plan)


class Torn(KAnonymity):
    """A model whose judge finds broken whatever the model calls kept."""

    card = replace(KAnonymity.card, name="torn")

    def judge(self, counted: Counted) -> Finding:
        return Finding(False, float(counted.people.min()))


def test_a_model_and_its_judge_that_disagree_are_the_packages_bug() -> None:
    with offered("kohort.models", Torn, package="their-package"):
        plan = kohort.Plan.from_dict({"columns": {"job": "quasi"}, "require": [{"model": "torn", "k": 2}]})
        with pytest.raises(VerificationError, match="the two judges of the package their-package") as failed:
            kohort.anonymize(pa.table({"job": ["cook", "nurse"]}), plan)
    assert "Kohort" not in str(failed.value)
    assert "None" not in str(failed.value)
    assert failed.value.fields["package"] == "their-package"


@dataclass(frozen=True)
class Lazy:
    """Leaves every row out."""

    card: ClassVar = Card("lazy", "releases nothing", paper="none", decides="class", levels=True)

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        del progress
        return Solution(Levels((0,) * len(problem.names), np.zeros(len(problem.base), np.bool_)), 1.0)


@pytest.mark.parametrize("engine", AT_HAND)
@pytest.mark.parametrize(
    ("allowed", "error", "told"),
    [
        (
            0.5,
            VerificationError,
            "no more rows left out than allowed.* a bug of their-package, whose algorithm",
        ),
        (1.0, InfeasibleError, "the algorithm 'lazy' of their-package left out every row"),
    ],
)
def test_a_search_of_another_package_that_leaves_out_every_row_is_named(
    tmp_path: Path, engine: str, allowed: float, error: type[kohort.KohortError], told: str
) -> None:
    (tmp_path / "jobs.csv").write_text("job\ncook\nnurse\n", encoding="utf-8")
    with offered("kohort.algorithms", Lazy, package="their-package"):
        plan = kohort.Plan.from_dict(PLAN | {"recode": {"algorithm": "lazy", "max_suppression": allowed}})
        with pytest.raises(error, match=told) as failed:
            kohort.anonymize(tmp_path / "jobs.csv", plan, engine=engine)
    assert "add levels" not in str(failed.value)
    assert failed.value.fields["package"] == "their-package"
