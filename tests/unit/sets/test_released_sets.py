"""What is released of sets: labels in order, each once, rows in an order that nobody can draw again."""

from __future__ import annotations

from collections import Counter

import numpy as np
from tests.reference.set_worlds import problem_of

from kohort.sets.k_m import KM
from kohort.sets.released_sets import released_sets

TREE = ("*", [("A", ["a1", "a2"]), ("B", ["b1", "b2"])])


def cells(held, raised=()):
    problem = problem_of(TREE, held, KM(2, 2))
    node_of_item = problem.tree.leaf_node.copy()
    for label in raised:
        node = problem.tree.labels.index(label)
        first = problem.tree.first[node]
        node_of_item[first : first + problem.tree.leaves[node]] = node
    return released_sets(problem.baskets, problem.tree, node_of_item, ";").to_arrow()["basket"].to_pylist()


def test_labels_are_sorted_and_united():
    held = [{"b2", "a1", "a2"}, {"b1", "a2"}, set()]
    assert Counter(cells(held)) == Counter(["a1;a2;b2", "a2;b1", "{}"])
    assert Counter(cells(held, ["A"])) == Counter(["A;b2", "A;b1", "{}"])
    assert Counter(cells(held, ["*"])) == Counter(["*", "*", "{}"])


def test_the_order_of_rows_is_drawn_anew_each_time():
    held = [{"a1"}, {"a2"}, {"b1"}, {"b2"}] * 10
    assert len({tuple(cells(held)) for _ in range(5)}) > 1
    assert Counter(cells(held)) == Counter({"a1": 10, "a2": 10, "b1": 10, "b2": 10})


def test_the_order_of_distinct_values_is_that_of_the_shuffled_rows():
    problem = problem_of(TREE, [{"a1"}, {"a2"}, {"b1"}, {"b2"}], KM(2, 2))
    orders = set()
    for _ in range(60):
        column = released_sets(problem.baskets, problem.tree, problem.tree.leaf_node, ";")["basket"]
        assert column.codes.tolist() == [0, 1, 2, 3]
        orders.add(column.texts)
    assert len(orders) > 5


def test_nobody_at_all():
    assert cells([]) == []
    assert np.array_equal(cells([set()]), ["{}"])
