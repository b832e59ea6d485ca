import numpy as np
import pytest
from tests.reference import lattice as naive

from kohort.algorithms import Silent
from kohort.algorithms.lattice.mingen import MinGen
from kohort.errors import InfeasibleError
from kohort.metrics import METRICS

BY_HAND = (
    "loss", "discernibility", "average-class-size", "precision",
    "min-absolute-distance", "min-relative-distance", "max-distribution", "min-suppression",
)  # fmt: skip


@pytest.mark.parametrize("name", BY_HAND)
def test_mingen_finds_the_least_score_of_all_vectors(name):
    rng = np.random.default_rng(BY_HAND.index(name))
    solved = 0
    for _ in range(60):
        problem = naive.random_problem(rng, objective=METRICS[name]())
        k = naive.k_of(problem)
        held = {
            v: naive.scores(problem, v, k)[name] for v in naive.vectors(problem) if naive.holds(problem, v, k)
        }
        if not held:
            with pytest.raises(InfeasibleError) as found:
                MinGen().solve(problem, Silent())
            least = min(naive.suppressed(problem, v, k) for v in naive.vectors(problem))
            assert found.value.nearest["suppressed"] == least
            continue
        solved += 1
        solution = MinGen().solve(problem, Silent())
        assert solution.score == pytest.approx(min(held.values()), abs=1e-12)
        assert held[solution.decision.levels] == pytest.approx(solution.score, abs=1e-12)
        assert solution.facts["suppressed"] == naive.suppressed(problem, solution.decision.levels, k)
        released = solution.decision.apply(problem)
        assert solution.score == pytest.approx(problem.objective.score(released.outcome(problem)), abs=1e-12)
    assert solved > 20


def test_ties_go_to_fewer_suppressed_then_lower_then_lexicographically_first():
    pair = [naive.Hierarchy.from_rows(name, [["x", "*"], ["y", "*"]]) for name in ("a", "b")]
    rows = [["x", "x"], ["x", "y"], ["y", "x"], ["y", "y"]] * 2
    problem = naive.problem_of(rows, pair, [naive.KAnonymity(4)], METRICS["precision"]())
    assert MinGen().solve(problem, Silent()).decision.levels == (0, 1)
