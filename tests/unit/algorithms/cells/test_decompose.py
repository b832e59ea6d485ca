"""Trees cut into parts of bounded size that weigh no more than the tree."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from kohort.algorithms.cells.decompose import decompose, largest_part


def neighbours(graph):
    return {v: set(graph[v]) for v in graph}


def random_tree(rng, n):
    shape = rng.integers(3)
    parents = [0 if shape == 0 else max(0, v - 1 - int(rng.integers(1 + 2 * shape))) for v in range(1, n)]
    return nx.Graph(list(zip(range(1, n), parents, strict=True)))


@pytest.mark.parametrize("k", range(1, 9))
def test_parts_hold_k_to_the_largest(k):
    rng = np.random.default_rng(k)
    for n in [*range(max(k, 2), 6 * k + 4), 60]:
        for _ in range(4):
            tree = random_tree(rng, n)
            parts = decompose(neighbours(tree), range(n), k)
            assert sorted(v for part in parts for v in part) == list(range(n))
            assert all(k <= len(part) <= largest_part(k) for part in parts)


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_no_edge_serves_two_parts(k):
    rng = np.random.default_rng(k)
    for _ in range(60):
        tree = random_tree(rng, int(rng.integers(2 * k, 30)))
        parts = decompose(neighbours(tree), range(len(tree)), k)
        spans = [steiner(tree, part) for part in parts]
        assert all(not a & b for a, b in combinations(spans, 2))


def steiner(tree, part):
    """Return the edges that connect a part within the tree."""
    return {frozenset(edge) for v in part for edge in nx.utils.pairwise(nx.shortest_path(tree, part[0], v))}


def test_branches_of_3_3_3_and_2_around_a_vertex():
    # cut in two first, {3 + centre} and the rest, the rest could not be cut any further within 7
    tree = nx.Graph(
        [(0, 1), (1, 2), (2, 3), (0, 4), (4, 5), (5, 6), (0, 7), (7, 8), (8, 9), (0, 10), (10, 11)]
    )
    sizes = sorted(len(part) for part in decompose(neighbours(tree), range(12), 4))
    assert sizes == [6, 6]
