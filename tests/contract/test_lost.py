"""What is printed is what is charged: a column that is released as `*` throughout is wholly lost, whoever decided that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.contract.test_effects import problem_for

from kohort.algorithms import ALGORITHMS, Silent, card_of
from kohort.hierarchy import SUPPRESSED, Hierarchy
from kohort.metrics import METRICS
from kohort.preparation import chosen_algorithm
from kohort.recode import Problem, Recoded
from kohort.recode.cuts import Cuts

GENERALIZING = [name for name in ALGORITHMS if card_of(name).truthful and card_of(name).layout == "one-table"]


def charged_as_printed(problem: Problem, recoded: Recoded) -> int:
    """Check every released `*`, and return how many columns say nothing else."""
    outcome, starry = recoded.outcome(problem), 0
    for j, (column, hierarchy) in enumerate(zip(recoded.columns, problem.hierarchies, strict=True)):
        stars = np.array([label == SUPPRESSED for label in column.labels])[outcome.classes.codes[:, j]]
        assert (outcome.leaves[stars, j] == hierarchy.size).all()
        assert (outcome.depth[stars, j] == 1).all()
        if stars.all():
            starry += 1
            alone = tuple(float(i == j) for i in range(len(problem.names)))
            told = replace(outcome, weights=np.array(alone))
            assert METRICS["loss"]().score(told) == pytest.approx(1.0 if hierarchy.size > 1 else 0.0)
    return starry


@pytest.mark.parametrize("name", GENERALIZING)
def test_a_star_is_charged_as_everything(name: str) -> None:
    problem, plan = problem_for(name, 5)
    solution = chosen_algorithm(plan, problem).solve(problem, Silent())
    recoded = solution.decision.apply(problem)
    charged_as_printed(problem, recoded)
    assert solution.score == pytest.approx(problem.objective.score(recoded.outcome(problem)))


def test_a_block_that_alone_remains_is_charged_as_the_star_that_it_is_printed_as() -> None:
    """Whoever was in the other block is left out: no end is told, and so the whole domain is open."""
    problem, _ = problem_for("optimal", 5)
    undeclared = tuple(replace(hierarchy, declared=False) for hierarchy in problem.hierarchies)
    problem = replace(problem, hierarchies=undeclared)
    blocks = tuple(halved(hierarchy) for hierarchy in problem.hierarchies)
    codes = problem.base.codes
    kept = np.all([blocks[j][codes[:, j]] == 0 for j in range(len(blocks))], axis=0)
    assert kept.any()
    assert charged_as_printed(problem, Cuts(blocks, kept).apply(problem)) == len(blocks)


def halved(hierarchy: Hierarchy) -> np.ndarray:
    return (np.arange(hierarchy.size) >= (hierarchy.size + 1) // 2).astype(np.int64)
