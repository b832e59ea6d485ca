"""Ciriani et al., k-Anonymity, section 4.2: the index assignment of Fig. 12."""

from __future__ import annotations

from tests.papers.test_bayardo import problem_of, released

RACE = ("asian", "black", "white")
ZIP = ("94138", "94139", "94141", "94142")


def test_figure_12_set_6():
    assert released(problem_of(RACE, ZIP), 6) == [("*",), ("[94138, 94139]", "[94141, 94142]")]


def test_figure_12_empty_set():
    assert released(problem_of(RACE, ZIP)) == [("*",), ("*",)]
