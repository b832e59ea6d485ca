"""Minimum-weight factors against all subsets of edges, and with pricing against all edges at once."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from tests.reference.cells import flat_problem, random_rows, set_partitions, suppressed_cells

from kohort.algorithms.cells import factor as module
from kohort.algorithms.cells.cost import cell_cost
from kohort.algorithms.cells.factor import components, minimum_factor
from kohort.algorithms.cells.segments import cheapest_segments
from kohort.algorithms.watch import unwatched
from kohort.errors import InputError


def lightest(distances, low, high):
    n = len(distances)
    edges = list(combinations(range(n), 2))
    best = float("inf")
    for chosen in range(2 ** len(edges)):
        used = [edge for i, edge in enumerate(edges) if chosen >> i & 1]
        degree = np.bincount(np.array(used, int).reshape(-1), minlength=n)
        if low <= degree.min() and degree.max() <= high:
            best = min(best, sum(distances[u, v] for u, v in used))
    return best


@pytest.mark.parametrize(("low", "high"), [(1, 2), (2, 2)])
def test_least_weight_of_all_subsets_of_edges(low, high):
    rng = np.random.default_rng(low)
    for _ in range(12):
        distances = np.triu(rng.integers(0, 6, (5, 5)), 1).astype(float)
        distances += distances.T
        found = minimum_factor(distances, low, high, "factor", unwatched())
        assert found.weight == pytest.approx(lightest(distances, low, high))
        assert found.weight == pytest.approx(sum(distances[u, v] for u, v in found.edges))
        degree = np.bincount(found.edges.reshape(-1), minlength=5)
        assert low <= degree.min() <= degree.max() <= high


@pytest.mark.parametrize(("low", "high"), [(1, 2), (2, 2)])
@pytest.mark.parametrize("whole", [True, False])
def test_pricing_finds_what_all_edges_give(monkeypatch, low, high, whole):
    rng = np.random.default_rng(7)
    points = rng.random((60, 2)) * 10
    distances = np.abs(points[:, None] - points[None]).sum(axis=2)
    if whole:
        distances = np.rint(distances)
    monkeypatch.setattr(module, "_NEAREST", 2)
    step = 1.0 if whole else 0.0
    priced = minimum_factor(distances, low, high, "factor", unwatched(), step)
    monkeypatch.setattr(module, "_ALL", 100)
    at_once = minimum_factor(distances, low, high, "factor", unwatched(), step)
    assert priced.weight == pytest.approx(at_once.weight)
    assert priced.proved or not whole
    assert priced.bound == priced.weight if whole else 0.9999 * priced.weight < priced.bound <= priced.weight


@pytest.mark.parametrize(("low", "high"), [(1, 2), (2, 2)])
@pytest.mark.parametrize("tiny", [1e-12, 1e-13, 1e-14, 1e-15, 1e-17, 1e-300])
def test_what_is_proved_is_least_exactly_however_small_the_difference(low, high, tiny):
    """Rows that differ in a column of tiny weight too: sums of fractions against all subsets of edges."""
    rng = np.random.default_rng(11)
    for _ in range(10):
        rows = rng.integers(0, 2, (5, 3))
        exact = [Fraction(1), Fraction(tiny), Fraction(1)]
        told = [
            [sum((own for a, b, own in zip(r, s, exact, strict=True) if a != b), Fraction()) for s in rows]
            for r in rows
        ]
        found = minimum_factor(np.array(told, np.float64), low, high, "factor", unwatched())
        least = lightest(np.array(told, object), low, high)
        assert found.bound <= least
        assert not found.proved or sum((told[u][v] for u, v in found.edges), Fraction()) == least


def test_components_walk_along_paths_and_cycles():
    edges = np.array([[0, 3], [3, 1], [2, 4], [4, 5], [5, 2]])
    assert components(edges, 6) == [[0, 3, 1], [2, 4, 5]]


def test_segments_are_the_cheapest_runs_of_consecutive_rows():
    rng = np.random.default_rng(3)
    for _ in range(8):
        rows = random_rows(rng, 8, [3, 3, 2])
        cost = cell_cost(flat_problem(rows, [3, 3, 2], 2), generalize=False)
        walk = rng.permutation(8).tolist()
        place = {row: i for i, row in enumerate(walk)}
        for cyclic in (False, True):
            groups = cheapest_segments(cost, walk, cyclic, 2)
            least = min(
                sum(suppressed_cells(rows, block) for block in blocks)
                for blocks in set_partitions(walk, 2)
                if all(consecutive({place[row] for row in block}, 8, cyclic) for block in blocks)
            )
            assert sum(suppressed_cells(rows, group) for group in groups) == least


def consecutive(places, n, cyclic):
    starts = range(n) if cyclic else range(n - len(places) + 1)
    return any(places == {(start + i) % n for i in range(len(places))} for start in starts)


def test_without_the_solver_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(
        InputError, match=r"factor-2 needs the package highspy.*pip install 'kohort\[solve\]'"
    ):
        minimum_factor(np.ones((4, 4)), 1, 2, "factor-2", unwatched())
