from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reference.cuts import optima, optimum
from tests.unit.algorithms.cuts.random_problems import problem_of, random_rows

from kohort.algorithms import Silent, algorithm
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.k_optimize import KOptimize
from kohort.algorithms.cuts.search import Search
from kohort.algorithms.cuts.space import space_of
from kohort.algorithms.cuts.spine import spine_of
from kohort.algorithms.watch import unwatched
from kohort.errors import InfeasibleError, InputError
from kohort.models import LDiversity


def proved_cost(problem):
    """Return the cost branch and bound proves without any seed; inf where no set is allowed."""
    space = space_of(problem, {}, False, "k-optimize")
    incumbent = Incumbent(space, unwatched())
    search = Search(spine_of(space, None), incumbent, threads=1)
    search.run()
    assert not search.open
    return space.score(incumbent.cost) if incumbent.included is not None else float("inf")


def test_equals_exhaustive_search_on_300_random_tables():
    judge_random_tables(np.random.default_rng(100), 300)


@pytest.mark.long
@pytest.mark.parametrize("part", range(1, 9))
def test_equals_exhaustive_search_on_10000_random_tables(part):
    judge_random_tables(np.random.default_rng(100 + part), 1_250)


def judge_random_tables(generator, count):
    for _ in range(count):
        codes, target = random_rows(generator)
        n, k = len(codes), int(generator.integers(2, 6))
        limits = (0, int(generator.integers(1, n)), n)
        expected = optima(codes.tolist(), target.tolist(), codes.max(axis=0) + 1, k, limits)
        for (metric, limit), cost in expected.items():
            assert proved_cost(problem_of(codes, target, k, metric, limit)) == cost


def test_seeded_search_with_threads_equals_exhaustive_search():
    generator = np.random.default_rng(7)
    for _ in range(40):
        codes, target = random_rows(generator, max_cuts=8, rows=(20, 60))
        k = int(generator.integers(2, 8))
        for metric in ("discernibility", "classification", "average-class-size"):
            problem = problem_of(codes, target, k, metric, int(generator.integers(0, 20)), seed=1)
            expected = optimum(
                codes.tolist(), target.tolist(), codes.max(axis=0) + 1, k, metric, problem.max_suppressed
            )
            solution = algorithm("k-optimize")(descents=8).solve(problem, Silent())
            assert solution.optimal
            assert solution.score == pytest.approx(expected, abs=1e-12)
            assert solution.facts["gap"] == 0


def test_average_class_size_counts_the_suppressed_as_a_class():
    generator = np.random.default_rng(3)
    for _ in range(300):
        codes, target = random_rows(generator)
        k, limit = int(generator.integers(2, 6)), int(generator.integers(0, len(codes)))
        problem = problem_of(codes, target, k, "average-class-size", limit)
        expected = optimum(
            codes.tolist(), target.tolist(), codes.max(axis=0) + 1, k, "average-class-size", limit
        )
        assert proved_cost(problem) == pytest.approx(float("inf") if expected is None else expected)


def test_a_large_class_may_gain_by_shaving():
    # SEEDS.md, errata 2: of 100 records, splitting 98 + 2 lowers discernibility from 10,000 to 9,804
    codes = np.array([[0]] * 98 + [[1]] * 2, np.int32)
    target = np.zeros(100, np.int32)
    solution = KOptimize().solve(problem_of(codes, target, 5, "discernibility", 100), Silent())
    assert solution.score == 98**2 + 2 * 100
    assert KOptimize().solve(problem_of(codes, target, 5, "discernibility", 1), Silent()).score == 10_000


def test_time_limit_returns_best_with_proven_bound():
    generator = np.random.default_rng(5)
    codes = generator.integers(0, 24, (600, 3)).astype(np.int32)
    problem = problem_of(codes, np.zeros(600, np.int32), 5, "discernibility", 600, time_limit=0.3, seed=2)
    solution = KOptimize(descents=1).solve(problem, Silent())
    assert not solution.optimal
    assert 600 * 5 <= solution.facts["bound"] <= solution.score
    assert solution.facts["gap"] == pytest.approx(1 - solution.facts["bound"] / solution.score)
    assert solution.facts["open"] > 0


def test_interrupt_returns_the_best_so_far():
    class Impatient(Silent):
        def update(self, note, *_):
            if "nodes" in note and not self.stop.pulled:
                raise KeyboardInterrupt

    generator = np.random.default_rng(5)
    codes = generator.integers(0, 24, (600, 3)).astype(np.int32)
    problem = problem_of(codes, np.zeros(600, np.int32), 5, "discernibility", 0, seed=2)
    solution = KOptimize(descents=1).solve(problem, Impatient())
    assert not solution.optimal
    assert solution.facts["visited"] > 0
    assert solution.score >= solution.facts["bound"]


def test_infeasible_names_the_nearest_miss():
    codes = np.array([[0], [0], [1]], np.int32)
    problem = problem_of(codes, np.zeros(3, np.int32), 5, "discernibility", 2)
    with pytest.raises(InfeasibleError, match="the nearest suppresses 3") as caught:
        KOptimize().solve(problem, Silent())
    assert caught.value.nearest == {"suppressed": 3}


def test_refuses_what_it_cannot_keep():
    codes = np.array([[0], [0], [1]], np.int32)
    target = np.zeros(3, np.int32)
    problem = problem_of(codes, target, 2, "discernibility", 0)
    other = replace(problem, models=(LDiversity(2, "y"),))
    with pytest.raises(InputError, match="keeps k-anonymity only"):
        KOptimize().solve(other, Silent())
    with pytest.raises(InputError, match="minimises discernibility"):
        KOptimize().solve(problem_of(codes, target, 2, "precision", 0), Silent())
