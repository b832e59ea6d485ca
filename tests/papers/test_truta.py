"""Truta, Campan, Meyer: Generating microdata with p-sensitive k-anonymity property. Clusterings of its tables."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.clustering import most_clusters_of_rows
from tests.reference.clustering_tables import problem_of
from tests.thinned import many

from kohort.algorithms.algorithm import Silent
from kohort.algorithms.clustering.demands import demands_of
from kohort.algorithms.clustering.enhanced_pk import EnhancedPK
from kohort.algorithms.clustering.greedy_pk import GreedyPK
from kohort.algorithms.clustering.k_member import KMember
from kohort.errors import InfeasibleError
from kohort.hierarchy import Hierarchy
from kohort.models import KAnonymity
from kohort.models.p_sensitive import PSensitive

AGE = Hierarchy.from_rows("age", [["20", "*"], ["30", "*"]])
ZIP = Hierarchy.from_rows("zip", [["41099", "*"]])
DIAGNOSIS = np.array([0, 0, 0, 1, 1, 2, 2])  # AIDS, diabetes, tuberculosis
INCOME = np.array([2, 2, 0, 1, 0, 1, 0])  # 40,000; 50,000; 60,000
WAYS = [KMember(tight=True), GreedyPK(tight=True), EnhancedPK(tight=True), EnhancedPK(combine=False)]


def table_1(*models):
    codes = np.column_stack([np.array([0, 0, 0, 1, 1, 1, 1]), np.zeros(7, int)])
    return problem_of(codes, {"diagnosis": DIAGNOSIS, "income": INCOME}, models, (AGE, ZIP), seed=1)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_table_1_is_3_anonymous_and_only_1_sensitive_as_it_stands(way):
    problem = table_1(KAnonymity(3))
    solution = way.solve(problem, Silent())
    released = solution.decision.apply(problem).outcome(problem).classes
    assert sorted(released.sizes) == [3, 4]
    assert KAnonymity(3).achieved(released) == 3
    assert PSensitive(2, columns=("diagnosis", "income")).achieved(released) == 1
    assert PSensitive(2, column="income").achieved(released) == 2
    assert solution.facts["information_loss"] == 0


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_table_1_made_2_sensitive(way):
    problem = table_1(KAnonymity(3), PSensitive(2, columns=("diagnosis", "income")))
    solution = way.solve(problem, Silent())
    released = solution.decision.apply(problem).outcome(problem).classes
    assert KAnonymity(3).holds(released)
    assert PSensitive(2, columns=("diagnosis", "income")).achieved(released) >= 2
    assert solution.facts["max_clusters"] == 2


def figure_1(*models):
    sensitive = {"A": np.array([0, 0, 1, 1]), "B": np.array([0, 1, 0, 1]), "C": np.array([0, 1, 1, 0])}
    return problem_of(np.array([[0], [0], [1], [1]]), sensitive, models, (AGE,), seed=1)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_figure_1_condition_2_says_two_clusters_and_only_one_exists(way):
    problem = figure_1(KAnonymity(2), PSensitive(2, columns=("A", "B", "C")))
    rows = list(zip(*(problem.sensitive[name].tolist() for name in "ABC"), strict=True))
    assert demands_of(problem, "test").most_clusters(4) == 2
    assert most_clusters_of_rows(rows, 2) == 1
    solution = way.solve(problem, Silent())
    assert solution.facts["condition_2"] == {"A": 2, "B": 2, "C": 2}
    assert solution.facts["max_clusters"] == 2
    assert solution.facts["clusters"] == 1
    assert solution.facts["average_cluster_size"] == 2.0


def test_figure_1_without_one_attribute_has_the_two_clusters():
    problem = figure_1(KAnonymity(2), PSensitive(2, columns=("A", "B")))
    assert EnhancedPK(combine=False).solve(problem, Silent()).facts["clusters"] == 2


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_condition_1_is_checked_before_the_search(way):
    with pytest.raises(InfeasibleError, match="Condition 1") as caught:
        way.solve(figure_1(KAnonymity(2), PSensitive(3, columns=("A", "B", "C"))), Silent())
    assert caught.value.nearest["distinct"] == 2


@many(seed=range(60))
def test_property_2_holds_by_the_cap_where_the_printed_classes_starve(seed):
    """For one attribute all clusters of Condition 2 are formed, also where f_(p − iValue) < maxClusters."""
    rng = np.random.default_rng(seed)
    frequencies = np.sort(rng.integers(1, 10, 7))[::-1] if seed else np.array([9, 7, 4, 4, 3, 3, 1])
    n = int(frequencies.sum())
    values = rng.permutation(np.repeat(np.arange(7), frequencies))
    problem = problem_of(
        rng.integers(0, 2, (n, 1)), {"s": values}, (KAnonymity(2), PSensitive(5, column="s")), (AGE,)
    )
    solution = EnhancedPK(combine=False).solve(problem, Silent())
    assert solution.facts["clusters"] == solution.facts["max_clusters"]
    classes = solution.decision.apply(problem).outcome(problem).classes
    assert PSensitive(5, column="s").holds(classes)
