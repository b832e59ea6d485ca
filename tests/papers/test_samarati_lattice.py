"""Samarati 2001: generalizations, k-minimal vectors, suppression, Find_vector, preferences, Datafly."""

import numpy as np
import pytest
from tests.reference.lattice import problem_of

from kohort.algorithms import Silent
from kohort.algorithms.lattice.datafly import Datafly
from kohort.algorithms.lattice.distance import distance_vectors
from kohort.algorithms.lattice.lattice import Lattice
from kohort.algorithms.lattice.mingen import MinGen
from kohort.algorithms.lattice.minimal import all_minimal
from kohort.algorithms.lattice.node_outcome import judge
from kohort.algorithms.lattice.probe import Probe
from kohort.algorithms.lattice.samarati import Samarati
from kohort.hierarchy import Hierarchy
from kohort.metrics import METRICS, MinAbsoluteDistance
from kohort.models import KAnonymity

RACE = Hierarchy.from_rows("race", [[race, "person"] for race in ("asian", "black", "white")])
ZIP = Hierarchy.from_rows("zip", [[z, z[:4] + "*", "941**"] for z in ("94138", "94139", "94141", "94142")])

FIG_4 = [(race, z) for race in ("asian", "black", "white") for z in ("94138", "94139", "94141", "94142")]
FIG_8 = [
    ("asian", "94138"), ("asian", "94138"), ("asian", "94142"), ("asian", "94142"),
    ("black", "94138"), ("black", "94141"), ("black", "94142"), ("white", "94138"),
]  # fmt: skip
NODES = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]

FIG_6 = [
    ("asian", "09/27/64", "female", "94139", "divorced"),
    ("asian", "09/30/64", "female", "94139", "divorced"),
    ("asian", "04/18/64", "male", "94139", "married"),
    ("asian", "04/15/64", "male", "94139", "married"),
    ("black", "03/13/63", "male", "94138", "married"),
    ("black", "03/18/63", "male", "94138", "married"),
    ("black", "09/13/64", "female", "94141", "married"),
    ("black", "09/07/64", "female", "94141", "married"),
    ("white", "05/14/61", "male", "94138", "single"),
    ("white", "05/08/61", "male", "94138", "single"),
    ("white", "09/15/61", "female", "94142", "widow"),
]
BIRTHS = Hierarchy.from_rows(
    "birth", [[d, d[:3] + d[6:], d[6:], "60-64", "60-69"] for d in sorted({row[1] for row in FIG_6})]
)
SEX = Hierarchy.from_rows("sex", [["female", "not released"], ["male", "not released"]])
MARITAL = Hierarchy.from_rows(
    "marital",
    [[m, "been married", "not released"] for m in ("married", "divorced", "widow")]
    + [["single", "never married", "not released"]],
)
FIVE = (RACE, BIRTHS, SEX, ZIP, MARITAL)


def two(rows, k, max_suppressed=0, objective=None):
    return problem_of(rows, (RACE, ZIP), [KAnonymity(k)], objective, max_suppressed=max_suppressed)


def minimal(problem):
    probe = Probe(problem)
    return set(all_minimal(probe.lattice, probe.holds))


def test_fig_4_largest_k_at_every_node():
    problem = two(FIG_4, 2)
    smallest = [int(judge(problem, levels).classes.sizes.min()) for levels in NODES]
    assert smallest == [1, 2, 4, 3, 6, 12]


def test_fig_3_has_three_strategies():
    assert Lattice((0, 0), (1, 2)).strategies() == 3


@pytest.mark.parametrize(("k", "expected"), [(2, {(1, 0), (0, 1)}), (3, {(1, 0), (0, 2)})])
def test_example_3_5_minimal_generalizations(k, expected):
    assert minimal(two(FIG_4, k)) == expected


def test_fig_9_minimal_required_suppression():
    problem = two(FIG_8, 2)
    assert [judge(problem, levels).suppressed for levels in NODES] == [4, 2, 1, 1, 0, 0]


@pytest.mark.parametrize(
    ("max_suppressed", "expected"),
    [
        (0, {(1, 1)}),
        (1, {(1, 0), (0, 2)}),
        (2, {(1, 0), (0, 1)}),
        (3, {(1, 0), (0, 1)}),
        (4, {(0, 0)}),
        (7, {(0, 0)}),
    ],
)
def test_example_4_2_minimal_generalizations_with_suppression(max_suppressed, expected):
    assert minimal(two(FIG_8, 2, max_suppressed)) == expected


@pytest.mark.parametrize(
    ("max_suppressed", "policy", "preferred"),
    [
        (1, "min-absolute-distance", {(1, 0)}),
        (1, "min-relative-distance", {(1, 0), (0, 2)}),
        (1, "max-distribution", {(1, 0), (0, 2)}),
        (1, "min-suppression", {(1, 0), (0, 2)}),
        (2, "min-absolute-distance", {(1, 0), (0, 1)}),
        (2, "min-suppression", {(1, 0)}),
        (2, "min-relative-distance", {(0, 1)}),
        (2, "max-distribution", {(0, 1)}),
    ],
)
def test_example_6_1_preferences(max_suppressed, policy, preferred):
    problem = two(FIG_8, 2, max_suppressed, METRICS[policy]())
    scores = {levels: judge(problem, levels).score for levels in minimal(problem)}
    assert {levels for levels, score in scores.items() if score == min(scores.values())} == preferred
    assert Samarati(all_minimal=True).solve(problem, Silent()).decision.levels in preferred


@pytest.mark.parametrize("matrix", [False, True])
def test_fig_6_find_vector_visits_heights_5_8_7_6(matrix):
    problem = problem_of(FIG_6, FIVE, [KAnonymity(2)], MinAbsoluteDistance())
    assert minimal(problem) == {(0, 2, 1, 2, 2), (1, 3, 0, 1, 1)}
    found = Samarati(matrix=matrix).solve(problem, Silent())
    assert found.facts["visited"] == [5, 8, 7, 6]
    assert found.decision.levels == (1, 3, 0, 1, 1)
    assert found.optimal
    assert MinGen().solve(problem, Silent()).decision.levels == (1, 3, 0, 1, 1)


def test_fig_7_without_the_last_tuple_one_step_on_birth_suffices():
    problem = problem_of(FIG_6[:10], FIVE, [KAnonymity(2)])
    assert minimal(problem) == {(0, 1, 0, 0, 0)}
    with_it = problem_of(FIG_6, FIVE, [KAnonymity(2)], max_suppressed=1)
    assert minimal(with_it) == {(0, 1, 0, 0, 0)}


def test_fig_11_distance_vectors():
    problem = problem_of(FIG_6, FIVE, [KAnonymity(2)])
    vectors = distance_vectors(problem, problem.class_of, problem.class_of)
    t = {f"t{i + 1}": i for i in range(11)}
    told = {
        ("t1", "t2"): [0, 1, 0, 0, 0],
        ("t1", "t3"): [0, 2, 1, 0, 1],
        ("t1", "t5"): [1, 3, 1, 1, 1],
        ("t1", "t7"): [1, 1, 0, 2, 1],
        ("t1", "t9"): [1, 3, 1, 1, 2],
        ("t1", "t11"): [1, 3, 0, 2, 1],
        ("t3", "t5"): [1, 3, 0, 1, 0],
        ("t3", "t7"): [1, 2, 1, 2, 0],
        ("t3", "t9"): [1, 3, 0, 1, 2],
        ("t3", "t11"): [1, 3, 1, 2, 1],
        ("t5", "t7"): [0, 3, 1, 2, 0],
        ("t5", "t9"): [1, 3, 0, 0, 2],
        ("t5", "t11"): [1, 3, 1, 2, 1],
        ("t7", "t9"): [1, 3, 1, 2, 2],
        ("t7", "t11"): [1, 3, 0, 1, 1],
        ("t9", "t10"): [0, 1, 0, 0, 0],
        ("t9", "t11"): [0, 2, 1, 2, 2],
    }
    for (x, y), vector in told.items():
        assert vectors[t[x], t[y]].tolist() == vector
        assert vectors[t[y], t[x]].tolist() == vector


def test_example_5_1_bounds_from_the_matrix():
    """The least upper bound is [1,3,1,2,2], level 9: the printed [1,3,2,2,2], level 10, is an error."""
    problem = problem_of(FIG_6, FIVE, [KAnonymity(2)])
    vectors = distance_vectors(problem, problem.class_of, problem.class_of)
    assert vectors.reshape(-1, 5).max(axis=0).tolist() == [1, 3, 1, 2, 2]
    last = np.delete(vectors[10], 10, axis=0)
    assert min(last.sum(axis=1)) == 6


def test_section_7_datafly_on_fig_4_is_not_minimal():
    found = Datafly().solve(two(FIG_4, 3), Silent())
    assert found.facts["path"] == [[0, 0], [0, 1], [1, 1]]
    assert found.decision.levels not in minimal(two(FIG_4, 3))
