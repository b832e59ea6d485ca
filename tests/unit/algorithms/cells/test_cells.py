"""Cells released each at its own level."""

from __future__ import annotations

import numpy as np
from tests.reference.cells import flat_hierarchy, problem_of, released_tuples

from kohort.hierarchy import Hierarchy, meaning
from kohort.recode.cells import STAR, Cells, cell_column

ZIP = Hierarchy.from_rows("zip", [(z, z[:2] + "*", "***") for z in ("123", "124", "131")])


def spelled(column):
    return [column.labels[code] for code in column.codes]


def test_every_cell_is_spelled_at_its_level():
    column = cell_column(ZIP, np.array([0, 1, 2, 0, 1]), np.array([0, 1, 2, STAR, 0]))
    assert spelled(column) == ["123", "12*", "***", "*", "124"]
    assert column.leaves[column.codes].tolist() == [1, 2, 3, 3, 1]
    assert column.depth[column.codes].tolist() == [0, 0.5, 1, 1, 0]
    assert not column.ground


def test_a_column_that_gives_up_nothing_keeps_its_type():
    assert cell_column(ZIP, np.array([0, 2]), np.array([0, 0])).ground


def test_the_root_and_a_suppressed_cell_are_one_value_where_both_are_a_star():
    flat = flat_hierarchy("sex", ["F", "M"])
    column = cell_column(flat, np.array([0, 1, 1]), np.array([1, STAR, 0]))
    assert spelled(column) == ["*", "*", "M"]
    assert len(set(column.labels)) == len(column.labels)


def test_a_label_that_stands_for_two_sets_is_told_apart():
    # 'a' is a value and also the name of {a, b}: released in one column, each must read as what it is
    hierarchy = Hierarchy.from_rows("x", [("a", "a", "*"), ("b", "a", "*"), ("c", "c", "*")])
    column = cell_column(hierarchy, np.array([0, 1, 2, 0]), np.array([1, 1, 1, 0]))
    told = [np.flatnonzero(meaning(hierarchy, label)).tolist() for label in spelled(column)]
    assert told == [[0, 1], [0, 1], [2], [0]]
    assert column.leaves[column.codes].tolist() == [2, 2, 1, 1]


def test_missing_is_a_value_that_can_be_suppressed():
    hierarchy = Hierarchy.from_rows("x", [("a", "*"), (None, "*")])
    column = cell_column(hierarchy, np.array([1, 1, 0]), np.array([0, STAR, 0]))
    assert spelled(column) == [None, "*", "a"]


def test_a_star_is_a_value_of_its_own():
    rows = [("a", "x"), ("a", "x"), ("a", "y"), ("a", "y")]
    problem = problem_of(rows, [flat_hierarchy("p", ["a", "b"]), flat_hierarchy("q", ["x", "y"])], 2)
    decision = Cells(np.array([[0, 0], [0, 0], [STAR, 0], [STAR, 0]]), np.ones(4, bool))
    recoded = decision.apply(problem)
    assert released_tuples(recoded) == [("a", "x"), ("a", "x"), ("*", "y"), ("*", "y")]
    assert recoded.outcome(problem).classes.sizes.tolist() == [2, 2]
    assert decision.facts(problem) == {
        "cells": {"p": {"suppressed": 2, "generalized": 0}, "q": {"suppressed": 0, "generalized": 0}}
    }


def test_rows_that_are_not_kept_are_not_released():
    problem = problem_of([("a",), ("b",), ("a",)], [flat_hierarchy("p", ["a", "b"])], 2)
    recoded = Cells(np.zeros((3, 1), int), np.array([True, False, True])).apply(problem)
    assert released_tuples(recoded) == [("a",), ("a",)]
    assert recoded.outcome(problem).suppressed == 1
