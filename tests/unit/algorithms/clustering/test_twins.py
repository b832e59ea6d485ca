"""The clusterings form the very clusters of their naive twins."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference import clustering as naive
from tests.reference.clustering_tables import clusters_of, naive_of, random_problem

from kohort.algorithms.algorithm import Silent
from kohort.algorithms.clustering.enhanced_pk import EnhancedPK
from kohort.algorithms.clustering.greedy_pk import GreedyPK
from kohort.algorithms.clustering.k_member import KMember
from kohort.models import KAnonymity
from kohort.models.p_sensitive import PSensitive

SEEDS = range(12)


def formed(clusters: list[naive.Cluster]) -> list[list[naive.Row]]:
    return sorted(sorted(cluster) for cluster in clusters)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("k", [2, 3, 5])
def test_k_member_forms_the_clusters_of_its_naive_twin(seed, k):
    weights = (1.0, 2.0, 1.0) if seed % 2 else ()
    problem = random_problem(seed, 34, (KAnonymity(k),), seed=seed, weights=weights)
    solution = KMember(tight=True, passes=0).solve(problem, Silent())
    twin, demands = naive_of(problem)
    start = int(np.random.default_rng(seed).integers(34))
    expected = naive.greedy(twin, k, start)
    assert clusters_of(problem, solution.decision.group_of, demands) == formed(expected)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("k", "p"), [(3, 2), (4, 3), (3, 4)])
def test_greedy_pk_forms_the_clusters_of_its_naive_twin(seed, k, p):
    problem = random_problem(seed, 36, (KAnonymity(k), PSensitive(p, columns=("s0", "s1"))), seed=seed)
    solution = GreedyPK(tight=True, passes=0).solve(problem, Silent())
    twin, demands = naive_of(problem)
    start = int(np.random.default_rng(seed).integers(36))
    expected = naive.greedy(twin, demands.size, start)
    assert clusters_of(problem, solution.decision.group_of, demands) == formed(expected)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("k", "p"), [(3, 2), (4, 3), (3, 4)])
def test_enhanced_pk_forms_the_clusters_of_its_naive_twin(seed, k, p):
    models = KAnonymity(k), PSensitive(p, columns=("s0", "s1"))
    problem = random_problem(seed, 30, models, seed=seed)
    solution = EnhancedPK(tight=True, passes=0, combine=False).solve(problem, Silent())
    twin, demands = naive_of(problem)
    expected = naive.enhanced(twin, demands.size, demands.most_clusters(30))
    assert clusters_of(problem, solution.decision.group_of, demands) == formed(expected)
    assert solution.facts["formed_by"] == "spread"


@pytest.mark.parametrize("seed", range(4))
def test_attributes_may_ask_for_their_own_p(seed):
    models = KAnonymity(3), PSensitive(3, column="s0"), PSensitive(2, column="s1"), PSensitive(2, column="s0")
    problem = random_problem(seed, 30, models, seed=seed)
    solution = EnhancedPK(tight=True, passes=0, combine=False).solve(problem, Silent())
    twin, demands = naive_of(problem)
    assert sorted((need.column, need.p) for need in demands.needs) == [("s0", 3), ("s1", 2)]
    expected = naive.enhanced(twin, demands.size, demands.most_clusters(30))
    assert clusters_of(problem, solution.decision.group_of, demands) == formed(expected)
