"""Every approximation against the proved optimum, on random tables."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.cells import flat_problem, least_cost, random_rows, smallest_class

from kohort.algorithms import Silent
from kohort.algorithms.cells.cost import cell_cost
from kohort.algorithms.cells.exact import CellsExact
from kohort.algorithms.cells.factor_2 import Factor2
from kohort.algorithms.cells.factor_3 import Factor3
from kohort.algorithms.cells.forest import Forest, forest_groups
from kohort.algorithms.cells.meyerson_williams import MeyersonWilliams
from kohort.algorithms.watch import unwatched


def tables(seed, count, largest=8):
    rng = np.random.default_rng(seed)
    for number in range(count):
        k = 2 + number % 3
        values = [2] * 4 if number % 2 else list(rng.integers(2, 5, rng.integers(2, 5)))
        n = int(rng.integers(max(k, 4), largest + 1))
        yield k, values, random_rows(rng, n, values)


def solve(algorithm, problem):
    solution = algorithm.solve(problem, Silent())
    recoded = solution.decision.apply(problem)
    assert recoded.kept.all()
    return solution, recoded


def limits(algorithm, k, two_valued):
    if isinstance(algorithm, Forest):
        return max(2 * k - 1, 3 * k - 5)
    if isinstance(algorithm, MeyersonWilliams):
        return (2 * k - 1) * (2 * k - 2) * 2 * sum(1 / i for i in range(1, 2 * k)) / k
    if isinstance(algorithm, Factor2):
        return 1.5 if two_valued else 2
    return 2 if two_valued else 3


def test_approximations_stay_within_their_factors():
    judge_factors(0, 180)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 9))
def test_approximations_stay_within_their_factors_on_more_tables(seed):
    judge_factors(seed, 500)


def judge_factors(seed, count):
    for k, values, rows in tables(seed, count):
        problem = flat_problem(rows, values, k)
        least = CellsExact().solve(problem, Silent()).facts["suppressed_cells"]
        kinds = [Forest, MeyersonWilliams, *({2: [Factor2], 3: [Factor3]}.get(k, []))]
        for algorithm in [kind(polish=False) for kind in kinds] + [Forest()]:
            solution, recoded = solve(algorithm, problem)
            assert smallest_class(recoded) >= k
            cells = solution.facts["suppressed_cells"]
            assert least <= cells <= limits(algorithm, k, set(values) == {2}) * least
            assert solution.facts.get("lower_bound", 0) <= least + 1e-9


def test_the_exact_optimum_is_that_of_all_set_partitions():
    for k, values, rows in tables(13, 60, largest=7):
        problem = flat_problem(rows, values, k)
        solution, recoded = solve(CellsExact(), problem)
        assert solution.facts["suppressed_cells"] == least_cost(rows, k)
        assert smallest_class(recoded) >= k


def test_the_program_finds_what_the_subsets_find(monkeypatch):
    monkeypatch.setattr("kohort.algorithms.cells.exact.TINY", 0)
    for k, values, rows in tables(14, 60, largest=9):
        problem = flat_problem(rows, values, k)
        by_program = CellsExact().solve(problem, Silent())
        monkeypatch.setattr("kohort.algorithms.cells.exact.TINY", 10)
        by_subsets = CellsExact().solve(problem, Silent())
        monkeypatch.setattr("kohort.algorithms.cells.exact.TINY", 0)
        assert by_program.facts["cost"] == by_subsets.facts["cost"]
        assert by_program.facts["proved"]


def test_the_program_stands_large_groups_of_equal_rows():
    # forest, polished, may leave more than 2k − 1 equal rows together, which is no candidate
    rows = [("v0", "v0")] * 9 + [("v1", "v0"), ("v1", "v1"), ("v0", "v1")]
    problem = flat_problem(rows, [2, 2], 2)
    solution = CellsExact().solve(problem, Silent())
    assert solution.facts["proved"]
    assert (
        solution.facts["suppressed_cells"] == 4
    )  # two of the last three together, the third with one of the nine


def test_forest_parts_hold_k_to_the_largest_part():
    rng = np.random.default_rng(5)
    for k in range(1, 9):
        for _ in range(8):
            rows = random_rows(rng, int(rng.integers(k, 60)), [3, 2, 4])
            cost = cell_cost(flat_problem(rows, [3, 2, 4], max(k, 2)), generalize=False)
            group_of, _ = forest_groups(cost, np.arange(len(rows)), k, unwatched())
            sizes = np.bincount(group_of)
            assert k <= sizes.min()
            assert sizes.max() <= max(2 * k - 1, 3 * k - 5)
