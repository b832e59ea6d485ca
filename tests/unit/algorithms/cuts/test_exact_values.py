"""Where the plan asks for exact values, searches look at them: what they find is what is released, and the best."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tests.unit.algorithms.cuts.random_problems import problem_of

from kohort.algorithms import ALGORITHMS, Silent, algorithm
from kohort.algorithms.cuts.space import METRIC_CODES, space_of
from kohort.errors import InfeasibleError
from kohort.hierarchy import Hierarchy, build_hierarchy
from kohort.metrics import metrics_that_add
from kohort.recode import Problem
from kohort.recode.cuts import decide_cuts

DAYS = ["1980-01-03", "1980-01-30", "1980-05-01", "1981-12-30", "1981-12-31"]
PAYS = ["100", "150", "1210", "1290", "4000"]
TIMES = ["2020-01-01T08:00", "2020-01-01T09:30", "2020-01-02T08:00"]
KINDS = {
    "born": ({"kind": "dates", "levels": ["month", "year"]}, DAYS),
    "seen": ({"kind": "dates", "levels": ["day", "month"]}, TIMES),
    "pay": ({"kind": "intervals", "widths": [100, 1000]}, PAYS),
    "code": ({"kind": "mask"}, ["94138", "94139", "94141"]),
}
OPTIONS = {
    "k-optimize": {"descents": 4},
    "hill-climbing": {"rounds": 2},
    "genetic": {"children": 10, "population": 3},
    "annealing": {"coolings": 1, "steps": 5},
}


def built(name: str) -> Hierarchy:
    spec, texts = KINDS[name]
    return build_hierarchy(name, spec, texts, [1] * len(texts))


def drawn(rng: np.random.Generator, objective: str) -> Problem:
    """One exact column of numbers or dates at least, and others beside it that may be recoded."""
    names = [str(name) for name in rng.permutation(list(KINDS))[: rng.integers(1, 3)]]
    hierarchies = tuple(built(name) for name in names)
    rows = int(rng.integers(8, 30))
    codes = np.column_stack([rng.integers(0, h.size, rows) for h in hierarchies])
    exact = [j == 0 or rng.random() < 0.3 for j in range(len(names))]
    highest = tuple(0 if own else h.height for own, h in zip(exact, hierarchies, strict=True))
    limit = int(rng.choice([0, rows // 3, rows]))
    target = rng.integers(0, 2, rows).astype(np.int32)
    return problem_of(
        codes, target, 2, objective, limit, hierarchies, max_levels=highest, seed=int(rng.integers(100))
    )


def choices(hierarchy: Hierarchy, exact: bool) -> list[np.ndarray]:
    """All ways to part a column: every value by itself, else between the cells of a grid, else by labels of a mask."""
    if exact:
        return [np.arange(hierarchy.size)]
    if hierarchy.grid is None:
        return [level.of_ground for level in hierarchy.levels] + [np.array([0, 0, 1]), np.array([0, 1, 2])]
    cells = hierarchy.grid.cell_of
    return [np.concatenate([[0], np.cumsum(cut)])[cells] for cut in product((0, 1), repeat=int(cells.max()))]


def least(problem: Problem) -> float | None:
    """The least score of any such choice within the limit of suppression, tried one by one."""
    parts = [
        choices(h, high == 0 < h.height) for h, high in zip(problem.hierarchies, problem.highest, strict=True)
    ]
    scores = []
    for blocks in product(*parts):
        chosen = tuple(np.unique(own, return_inverse=True)[1].astype(np.int32) for own in blocks)
        outcome = decide_cuts(problem, chosen).apply(problem).outcome(problem)
        if outcome.suppressed <= problem.max_suppressed:
            scores.append(problem.objective.score(outcome))
    return min(scores, default=None)


@pytest.mark.parametrize("objective", metrics_that_add(METRIC_CODES))
@pytest.mark.parametrize("respect_hierarchy", [False, True])
def test_the_best_set_is_found_and_proved(objective: str, respect_hierarchy: bool) -> None:
    rng, proved = np.random.default_rng(5), 0
    for _ in range(12):
        problem = drawn(rng, objective)
        best = least(problem)
        search = algorithm("k-optimize")(descents=4, respect_hierarchy=respect_hierarchy)
        try:
            solution = search.solve(problem, Silent())
        except InfeasibleError:
            assert best is None or respect_hierarchy
            continue
        assert best is not None
        assert solution.optimal
        assert solution.score == pytest.approx(best) or (respect_hierarchy and solution.score > best)
        proved += 1
    assert proved > 3


CUTTING = [name for name in ALGORITHMS if hasattr(algorithm(name), "respect_hierarchy")]


@pytest.mark.parametrize("name", CUTTING)
def test_what_was_searched_is_what_is_released(name: str) -> None:
    rng, found = np.random.default_rng(6), 0
    for _ in range(12):
        problem = drawn(rng, "discernibility")
        try:
            solution = algorithm(name)(**OPTIONS[name]).solve(problem, Silent())
        except InfeasibleError:
            continue
        found += 1
        outcome = solution.decision.apply(problem).outcome(problem)
        assert outcome.suppressed <= problem.max_suppressed
        assert solution.curve[-1][1] == pytest.approx(solution.score)  # the last best of the search
    assert found > 3


def test_values_of_one_cell_are_told_apart_where_they_are_told() -> None:
    born = built("born")
    codes = np.array([[0], [1], [1], [2], [2]], np.int32)  # the first two stand in one month
    problem = problem_of(codes, np.zeros(5, np.int32), 2, "discernibility", 5, (born,))
    assert len(space_of(problem, {}, False, "k-optimize").problem.base) == 2
    exact = replace(problem, max_levels=(0,))
    assert len(space_of(exact, {}, False, "k-optimize").problem.base) == 3
