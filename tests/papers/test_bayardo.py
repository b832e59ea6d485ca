"""Worked examples of Bayardo & Agrawal, Data privacy through optimal k-anonymization (2005)."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cuts.space import space_of
from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.metrics import Discernibility
from kohort.models import KAnonymity
from kohort.recode import Problem

AGE = ("10-29", "30-39", "40-49")
GENDER = ("M", "F")
MARITAL = ("Married", "Widowed", "Divorced", "Never Married")


def cut_set(problem: Problem, *indexes: int) -> np.ndarray:
    """Return the set named by the paper's indexes: all values are numbered from 1, least values are implicit."""
    numbered = []
    index = 0
    for hierarchy in problem.hierarchies:
        numbered += [index + place for place in range(2, hierarchy.size + 1)]
        index += hierarchy.size
    return np.array([number in indexes for number in numbered], np.uint8)


def problem_of(*domains: tuple[str, ...]) -> Problem:
    """Return a problem in which every value of every domain occurs."""
    hierarchies = tuple(
        Hierarchy.from_rows(f"attribute {j}", [(value, "*") for value in domain])
        for j, domain in enumerate(domains)
    )
    rows = max(len(domain) for domain in domains)
    codes = np.array([[i % h.size for h in hierarchies] for i in range(rows)], np.int32)
    base, class_of = classes_of_rows(codes)
    return Problem(
        tuple(h.name for h in hierarchies),
        hierarchies,
        base,
        class_of,
        (KAnonymity(2),),
        Discernibility(),
        rows,
    )


def released(problem: Problem, *indexes: int) -> list[tuple[str | None, ...]]:
    """Return the released values of every attribute."""
    space = space_of(problem, {}, False, "k-optimize")
    recoded = space.decide(cut_set(problem, *indexes)).apply(problem)
    return [column.labels for column in recoded.columns]


def test_figure_1_alphabet():
    problem = problem_of(AGE, GENDER, MARITAL)
    space = space_of(problem, {}, False, "k-optimize")
    assert space.n_cuts == 9 - 3
    assert space.first.tolist() == [0, 2, 3, 6]


def test_figure_1_set_2_7_9():
    assert released(problem_of(AGE, GENDER, MARITAL), 2, 7, 9) == [
        ("10-29", "{30-39, 40-49}"),
        ("*",),
        ("Married", "{Widowed, Divorced}", "Never Married"),
    ]


def test_section_4_empty_set_is_most_general():
    assert released(problem_of(AGE, GENDER, MARITAL)) == [("*",), ("*",), ("*",)]


def test_section_4_whole_alphabet_leaves_the_table_as_it_is():
    assert released(problem_of(AGE, GENDER, MARITAL), 2, 3, 5, 7, 8, 9) == [AGE, GENDER, MARITAL]
