"""Searches that count nodes by masks find what those that roll classes up do, and look at the same nodes."""

from dataclasses import replace

import numpy as np
import pytest
from tests.reference import lattice as naive

from kohort.algorithms import Silent
from kohort.algorithms.lattice import masked_nodes
from kohort.algorithms.lattice.columns import Columns
from kohort.algorithms.lattice.counting import Counting
from kohort.algorithms.lattice.masked_nodes import MaskedNodes
from kohort.algorithms.lattice.node_examiner import NodeExaminer
from kohort.algorithms.lattice.optimal import Optimal, examiner_of
from kohort.algorithms.lattice.packing import pack
from kohort.algorithms.lattice.samarati import Samarati
from kohort.errors import InfeasibleError
from kohort.metrics import METRICS
from kohort.models import KAnonymity, LDiversity

OBJECTIVES = ("loss", "precision", "information-loss", "min-absolute-distance", "min-suppression")


def told(algorithm, problem):
    try:
        solution = algorithm.solve(problem, Silent())
    except InfeasibleError as miss:
        return "none", miss.nearest, str(miss)
    return (
        solution.decision.levels,
        solution.decision.kept.tolist(),
        solution.facts["suppressed"],
        solution.facts.get("checked"),
        pytest.approx(solution.score, abs=1e-12, rel=1e-12),
    )


def nested(rng, name):
    """Return a hierarchy whose values that are one at a level are one above, as masks need them."""
    while True:
        hierarchy = naive.random_hierarchy(rng, name)
        steps = [level.of_ground for level in hierarchy.levels]
        if masked_nodes.Path.of(steps) is not None:
            return hierarchy


def drawn_problem(rng, objective, k=2):
    hierarchies = [nested(rng, f"a{j}") for j in range(int(rng.integers(1, 6)))]
    n = int(rng.integers(2, 60))
    rows = [[h.ground[int(rng.integers(h.size))] for h in hierarchies] for _ in range(n)]
    problem = naive.problem_of(rows, hierarchies, [KAnonymity(k)], sensitive=["xy"[i % 2] for i in range(n)])
    problem = replace(
        problem, objective=METRICS[objective](), max_suppressed=int(rng.integers(0, n // 2 + 1))
    )
    if rng.random() < 0.3:
        low = tuple(int(rng.integers(0, h.height + 1)) for h in hierarchies)
        problem = replace(problem, min_levels=low)
    if rng.random() < 0.3:
        problem = replace(problem, suppression_costs=tuple(rng.uniform(0, 2, len(hierarchies)).tolist()))
    return problem


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_same_nodes_are_looked_at_and_the_same_one_is_found(monkeypatch, objective):
    rng, masked = np.random.default_rng(7), 0
    for _ in range(60):
        problem = drawn_problem(rng, objective, int(rng.integers(2, 5)))
        for algorithm in (Optimal(), Columns(), Samarati()):
            monkeypatch.setattr(masked_nodes, "MANY", 1 << 18)
            expected = told(algorithm, problem)
            monkeypatch.setattr(masked_nodes, "MANY", 1)
            monkeypatch.setattr(masked_nodes, "OFTEN", int(rng.integers(1, 4)))
            monkeypatch.setattr(masked_nodes, "SMALLER", int(rng.integers(1, 5)))
            assert told(algorithm, problem) == expected
        examiner = examiner_of(pack(problem), 1 << 20)
        masked += isinstance(examiner, NodeExaminer) and isinstance(examiner.source, MaskedNodes)
    assert masked > 50


def test_every_node_is_counted_as_it_is_rolled_up(monkeypatch):
    monkeypatch.setattr(masked_nodes, "MANY", 1)
    monkeypatch.setattr(masked_nodes, "SMALLER", 1)
    rng = np.random.default_rng(3)
    for memory in (0, 200, 1 << 20):
        problem = replace(drawn_problem(rng, "loss"), max_suppressed=10**6)
        packing = pack(problem)
        examiner = examiner_of(packing, memory)
        assert isinstance(examiner.source, MaskedNodes)
        for node in [*range(len(packing.lattice))] * 2:
            found, levels = examiner.source.classes(node), packing.vector(node)
            expected = problem.at(levels)
            if int(expected.rows[expected.rows >= 2].sum()) == 0:
                assert found is None
                continue
            order = np.lexsort(found.codes.T[::-1])
            assert found.levels == levels
            assert found.codes[order].tolist() == expected.codes.tolist()
            assert found.rows[order].tolist() == expected.rows.tolist()


def test_what_masks_cannot_tell_is_rolled_up(monkeypatch):
    rng = np.random.default_rng(5)
    problem = replace(drawn_problem(rng, "loss"), min_levels=())
    assert isinstance(examiner_of(pack(problem), 1 << 20), Counting)  # few tuples
    monkeypatch.setattr(masked_nodes, "MANY", 1)
    assert isinstance(examiner_of(pack(problem), 1 << 20), NodeExaminer)
    squares = replace(problem, objective=METRICS["discernibility"]())
    assert isinstance(examiner_of(pack(squares), 1 << 20), Counting)  # prefixes prove something
    diverse = naive.problem_of(
        [["a"], ["b"]], [naive_hierarchy()], [LDiversity(2, "s")], sensitive=["x", "y"]
    )
    assert not isinstance(examiner_of(pack(diverse), 1 << 20).source, MaskedNodes)
    monkeypatch.setattr(masked_nodes, "KEY_BITS", 0)
    assert isinstance(examiner_of(pack(problem), 1 << 20), Counting)  # no room in a key


def naive_hierarchy():
    return naive.Hierarchy.from_rows("a", [["a", "*"], ["b", "*"]])
