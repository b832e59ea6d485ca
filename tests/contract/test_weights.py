"""Weights count in proportion: whatever they are all multiplied with, every algorithm finds the same and proves the same."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from tests.contract.test_algorithms import frame_for, plan_for
from tests.reference.cells import flat_problem, random_rows

from kohort.algorithms import ALGORITHMS, Silent, algorithm
from kohort.algorithms.cells.exact import CellsExact
from kohort.engines import DEFAULT, Wanted, opened
from kohort.engines.preparing import prepare
from kohort.errors import InputError
from kohort.models.threshold import rational
from kohort.preparation import chosen_algorithm
from kohort.recode import Problem, Solution
from kohort.table import Table

SCALES = (1e-300, 1e-10, 2.0**70, 1e300)
DRAWING = {"dp-mdav"}  # from the operating system, not from the seed
IN_WEIGHTS = ("cost", "lower_bound", "factor_weight", "information_loss")
BY_CELL = ("factor-2", "factor-3", "forest", "cells-exact", "meyerson-williams", "levels-and-cells")
EDGES = (1.0, 1.0, 3.0, 0.3, 1e-4, 1e-6, 1e-7, 1e-9, 1e-12, 1e-17, 1e-300)


def told(problem: Problem, solution: Solution) -> list[Any]:
    recoded = solution.decision.apply(problem)
    rows = recoded.rows()
    return [[column.labels[c] for c in recoded.codes(j, rows)] for j, column in enumerate(recoded.columns)]


def alike(problem: Problem, solve: Any, scales: tuple[float, ...]) -> None:
    """Solve with all weights multiplied, and compare labels, score and figures."""
    weights = np.array(problem.weights)
    first = solve(problem)
    for scale in scales:
        scaled = replace(problem, weights=tuple(float(w) for w in weights * scale))
        found = solve(scaled)
        assert told(scaled, found) == told(problem, first)
        assert (found.score, found.optimal) == (first.score, first.optimal)
        assert found.facts.get("proved") == first.facts.get("proved")
        for figure in IN_WEIGHTS:
            if figure in first.facts:
                assert found.facts[figure] == pytest.approx(first.facts[figure] * scale, rel=1e-9)


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name not in DRAWING])
def test_every_algorithm_finds_the_same_whatever_all_weights_are_multiplied_with(name: str) -> None:
    plan = plan_for(name)
    problem = prepare(opened(DEFAULT, Table.from_arrow(frame_for(name)), Wanted.by(plan)), plan)
    problem = replace(problem, weights=(3.0, 1.0, 2.0)[: len(problem.names)])
    alike(problem, lambda asked: chosen_algorithm(plan, asked).solve(asked, Silent()), SCALES)


@pytest.mark.parametrize("name", ["k-member", "bottom-up", "top-down", "mdav", *BY_CELL])
def test_rows_of_little_worth_are_exchanged_as_others_are(name: str) -> None:
    rng = np.random.default_rng(4)
    for _ in range(6):
        rows = random_rows(rng, 10, [3, 3, 3])
        problem = flat_problem(rows, [3, 3, 3], 3 if name == "factor-3" else 2, seed=1, weights=(1.0,) * 3)
        alike(problem, lambda asked: algorithm(name)().solve(asked, Silent()), (1e-10, 1e-300))


def least_of(rows: list[tuple[str, ...]], weights: list[Fraction], k: int) -> Fraction:
    """Return the least cost over all subsets of rows, the lowest row left going first: groups of 2k rows need not be."""

    @cache
    def price(block: tuple[int, ...]) -> Fraction:
        columns = zip(*(rows[i] for i in block), strict=True)
        varying = (w for w, column in zip(weights, columns, strict=True) if len(set(column)) > 1)
        return len(block) * sum(varying, Fraction(0))

    @cache
    def least(left: tuple[int, ...]) -> Fraction | None:
        if not left:
            return Fraction(0)
        found = []
        for size in range(k, 2 * k):
            for others in combinations(left[1:], size - 1):
                rest = least(tuple(i for i in left[1:] if i not in others))
                if rest is not None:
                    found.append(price((left[0], *others)) + rest)
        return min(found, default=None)

    answer = least(tuple(range(len(rows))))
    assert answer is not None
    return answer


def judge_bounds(names: tuple[str, ...], rows: list[tuple[str, ...]], weights: list[float], k: int) -> int:
    """No bound lies above the least cost, reckoned in fractions, and what is proved keeps its factor; how many are proved."""
    two_valued = all(len(set(column)) <= 2 for column in zip(*rows, strict=True))
    problem = flat_problem(rows, [3] * len(weights), k, weights=tuple(weights))
    written = [rational(w) for w in weights]
    least, proved = least_of(rows, written, k), 0
    for name in names:
        solution = algorithm(name)().solve(problem, Silent())
        assert rational(float(solution.facts.get("lower_bound", 0.0))) <= least, (name, weights, rows)
        stars = (np.array(told(problem, solution)) == "*").sum(axis=1)
        cost = sum((int(n) * w for n, w in zip(stars, written, strict=True)), Fraction(0))
        assert cost >= least
        assert solution.facts["cost"] == pytest.approx(float(cost), rel=1e-9, abs=0.0)
        if solution.facts.get("proved"):
            factor = 1 if name == "cells-exact" else Fraction(1 + k, 2) if two_valued else k
            assert cost <= factor * least * (1 + Fraction(1, 10**12)), (name, weights, rows)
            proved += 1
    return proved


def judge_drawn(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    proved = 0
    for number in range(count):
        k = 2 + number % 2
        rows = random_rows(rng, int(rng.integers(2 * k, 8)), [2, 2, 2] if number % 4 > 1 else [3, 3, 2])
        scale = float(rng.choice([1.0, 1e-10, 1e300, 2.0**-60])) if number % 3 else 1.0
        edges = EDGES[:5] if scale != 1 or number % 5 == 0 else EDGES
        weights = [float(w) * scale for w in rng.choice(edges, 3)]
        proved += judge_bounds((f"factor-{k}", "forest", "cells-exact"), rows, weights, k)
    assert proved > count


def test_bounds_and_proofs_hold_over_weights_of_all_sizes() -> None:
    judge_drawn(0, 60)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 5))
def test_bounds_and_proofs_hold_over_more_weights(seed: int) -> None:
    judge_drawn(seed, 400)


@pytest.mark.parametrize("weights", [(1e-6, 1e-9, 1e-9), (1e-4, 1e-12, 2e-12), (1.0, 1e-300, 1e-7)])
def test_bounds_and_proofs_of_integer_programs_hold_where_weights_are_far_apart(
    weights: tuple[float, ...],
) -> None:
    rows = random_rows(np.random.default_rng(2), 11, [2, 3, 3])
    judge_bounds(("factor-2", "cells-exact", "forest"), rows, list(weights), 2)
    judge_bounds(("factor-3", "forest"), rows[:9], list(weights), 3)
    if min(weights) < 1e-10 * max(weights):
        solution = CellsExact().solve(flat_problem(rows, [3, 3, 3], 2, weights=weights), Silent())
        assert not solution.facts["proved"]
        assert not solution.optimal


@pytest.mark.parametrize("name", ["factor-2", "k-member"])
def test_costs_that_no_number_holds_are_refused(name: str) -> None:
    rows = random_rows(np.random.default_rng(3), 12, [2, 2])
    with pytest.raises(InputError) as refused:
        algorithm(name)().solve(flat_problem(rows, [2, 2], 2, weights=(1.7e308, 1.0)), Silent())
    assert refused.value.code == "metric.overflow"
