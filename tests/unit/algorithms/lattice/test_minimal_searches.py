"""samarati, incognito, datafly, outliers and columns against their definitions."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tests.reference import lattice as naive

from kohort.algorithms import Silent
from kohort.algorithms.lattice.columns import Columns
from kohort.algorithms.lattice.datafly import Datafly
from kohort.algorithms.lattice.incognito import Incognito
from kohort.algorithms.lattice.minimal import all_minimal
from kohort.algorithms.lattice.node_outcome import judge
from kohort.algorithms.lattice.outliers import Outliers
from kohort.algorithms.lattice.probe import Probe
from kohort.algorithms.lattice.samarati import Samarati
from kohort.errors import InfeasibleError, InputError
from kohort.metrics import METRICS
from kohort.models import LDiversity, TCloseness

POLICIES = ("min-absolute-distance", "min-relative-distance", "max-distribution", "min-suppression")


def problems(seed, count, **options):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        problem = naive.random_problem(rng, **options)
        if rng.random() < 0.2:
            low = tuple(int(rng.integers(0, h.height + 1)) for h in problem.hierarchies)
            high = tuple(
                int(rng.integers(a, h.height + 1)) for a, h in zip(low, problem.hierarchies, strict=True)
            )
            problem = replace(problem, min_levels=low, max_levels=high)
        yield problem, naive.k_of(problem)


def solved(algorithm, problem):
    try:
        return algorithm.solve(problem, Silent())
    except InfeasibleError:
        return None


def test_all_minimal_vectors_incognito_and_brute_force_agree():
    for problem, k in problems(1, 400):
        expected = naive.minimal_vectors(problem, k)
        probe = Probe(problem)
        assert set(all_minimal(probe.lattice, probe.holds)) == expected
        found = solved(Incognito(), problem)
        assert {tuple(v) for v in found.facts["minimal"]} == expected if found else not expected
        found = solved(Samarati(all_minimal=True), problem)
        assert {tuple(v) for v in found.facts["minimal"]} == expected if found else not expected


def test_samarati_returns_a_minimal_vector_of_least_height_however_it_counts():
    for problem, k in problems(2, 300):
        expected = naive.minimal_vectors(problem, k)
        counted, compared = solved(Samarati(), problem), solved(Samarati(matrix=True), problem)
        if not expected:
            assert counted is None
            assert compared is None
            continue
        least = min(map(sum, expected))
        assert sum(counted.decision.levels) == least
        assert counted.decision.levels in expected
        assert compared.decision.levels == counted.decision.levels
        assert compared.facts["visited"] == counted.facts["visited"]


@pytest.mark.parametrize("policy", POLICIES)
def test_policies_prefer_the_best_of_all_minimal_vectors(policy):
    for problem, k in problems(3, 60, objective=METRICS[policy]()):
        expected = naive.minimal_vectors(problem, k)
        for algorithm in (Samarati(all_minimal=True), Incognito()):
            found = solved(algorithm, problem)
            if found is None:
                assert not expected
                continue
            scores = {v: naive.scores(problem, v, k)[policy] for v in expected}
            assert found.score == pytest.approx(min(scores.values()))
            assert scores[found.decision.levels] == pytest.approx(found.score)


def test_datafly_follows_its_path():
    for problem, k in problems(4, 300):
        path = naive.datafly_path(problem, k)
        found = solved(Datafly(), problem)
        if naive.holds(problem, path[-1], k):
            assert [tuple(v) for v in found.facts["path"]] == path
        else:
            assert found is None


def test_outliers_generalizes_nothing_and_keeps_to_the_limit():
    for problem, k in problems(5, 200):
        found = solved(Outliers(), problem)
        if naive.holds(problem, problem.lowest, k):
            assert found.decision.levels == problem.lowest
            assert found.facts["suppressed"] == naive.suppressed(problem, problem.lowest, k)
        else:
            assert found is None


def test_columns_chooses_the_best_set_of_columns():
    rng = np.random.default_rng(6)
    for _ in range(200):
        name = ("loss", "precision", "min-absolute-distance", "discernibility")[int(rng.integers(4))]
        problem = naive.random_problem(rng, objective=METRICS[name]())
        k = naive.k_of(problem)
        whole = replace(problem, max_suppressed=0)
        choices = product(*((0, h.height) for h in problem.hierarchies))
        held = {v: judge(whole, v).score for v in choices if naive.holds(whole, v, k)}
        found = solved(Columns(), problem)
        assert (found is None) == (not held)
        if found:
            assert found.score == pytest.approx(min(held.values()), abs=1e-12)
            assert found.facts["suppressed"] == 0
            assert found.optimal


@pytest.mark.parametrize("algorithm", [Samarati(), Incognito()])
def test_promises_that_suppression_can_break_are_refused_unless_nothing_is_suppressed(algorithm):
    rng = np.random.default_rng(7)
    hierarchies = [naive.random_hierarchy(rng, name) for name in ("a", "b")]
    rows = [[h.ground[int(rng.integers(h.size))] for h in hierarchies] for _ in range(12)]
    sensitive = ["x", "y"] * 6
    models = [TCloseness(0.4, "s"), LDiversity(2, "s", "entropy")]
    for model in models:
        problem = naive.problem_of(rows, hierarchies, [model], sensitive=sensitive, max_suppressed=1)
        with pytest.raises(InputError, match="use the algorithm 'optimal'"):
            algorithm.solve(problem, Silent())
        whole = replace(problem, max_suppressed=0)
        found = algorithm.solve(whole, Silent())
        assert judge(whole, found.decision.levels).feasible


def test_the_matrix_is_refused_for_what_it_cannot_decide():
    rng = np.random.default_rng(8)
    problem = naive.random_problem(rng)
    base, class_of = naive.classes_of_rows(problem.codes, respondents=np.arange(problem.n_rows))
    with pytest.raises(InputError, match="leave matrix out"):
        Samarati(matrix=True).solve(replace(problem, base=base, class_of=class_of), Silent())
