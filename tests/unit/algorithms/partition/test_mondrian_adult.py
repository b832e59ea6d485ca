"""Mondrian on Adult: no worse than any tool of PEERS.md at the same k."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from tests.adult import adult_directory, level_rows

from kohort.algorithms import Silent
from kohort.algorithms.partition.mondrian import Mondrian
from kohort.algorithms.partition.relaxed import MondrianRelaxed
from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.metrics.discernibility import Discernibility
from kohort.models import KAnonymity
from kohort.recode import Problem

QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass")


@pytest.fixture(scope="module")
def adult():
    with (adult_directory() / "adult.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    hierarchies = tuple(Hierarchy.from_rows(name, level_rows(name)) for name in QUASI)
    codes = np.column_stack([h.encode([row[h.name] for row in rows]) for h in hierarchies]).astype(np.int32)
    base, class_of = classes_of_rows(codes)
    return lambda k: Problem(QUASI, hierarchies, base, class_of, (KAnonymity(k),), objective=Discernibility())


@pytest.mark.parametrize(
    ("chosen", "k", "classes", "peer"),
    [
        (Mondrian(), 5, 3000, 0.90e6),
        (Mondrian(), 10, 1700, 0.85e6),  # the best peer: 1.06 million in 1,545 classes
        (Mondrian(split="hierarchy"), 10, 1500, 1.42e6),
        (MondrianRelaxed(), 10, 2600, 0.50e6),
        (MondrianRelaxed(tight=True), 10, 2600, 0.50e6),
    ],
    ids=str,
)
def test_discernibility_is_below_that_of_the_peers(adult, chosen, k, classes, peer):
    problem = adult(k)
    solution = chosen.solve(problem, Silent())
    outcome = solution.decision.apply(problem).outcome(problem)
    assert outcome.classes.sizes.min() >= k
    assert len(outcome.classes) >= classes
    assert solution.score <= peer
