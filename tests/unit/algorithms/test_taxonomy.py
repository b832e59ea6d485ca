"""generalize × suppress: the seven models, the three pairs that make no sense, the algorithm of each."""

from __future__ import annotations

import subprocess
import sys
from itertools import product

import pytest

from kohort.algorithms import ALGORITHMS
from kohort.algorithms.taxonomy import (
    CODES,
    DEFAULTS,
    GENERALIZE,
    IMPOSSIBLE,
    SUPPRESS,
    TINY,
    choose,
    taxonomy_code,
)
from kohort.errors import InputError


def test_every_pair_is_a_model_or_explains_itself():
    assert set(CODES) | set(IMPOSSIBLE) == set(product(GENERALIZE, SUPPRESS))
    assert not set(CODES) & set(IMPOSSIBLE)
    assert set(CODES.values()) == {"AG_TS", "AG_", "AG_CS", "CG_", "_TS", "_AS", "_CS"}


@pytest.mark.parametrize(
    ("generalize", "suppress", "name"),
    [
        ("attribute", "tuple", "optimal"),
        ("attribute", "attribute", "optimal"),
        ("attribute", "none", "optimal"),
        ("attribute", "cell", "levels-and-cells"),
        ("cell", "cell", "mondrian"),
        ("cell", "none", "mondrian"),
        ("none", "tuple", "outliers"),
        ("none", "attribute", "columns"),
        ("none", "cell", "forest"),
    ],
)
def test_the_default_of_each_pair(generalize, suppress, name):
    assert choose(generalize, suppress, n_rows=1000) == name


def test_tiny_tables_are_solved_exactly_when_cells_are_suppressed():
    assert choose("none", "cell", n_rows=TINY) == "cells-exact"
    assert choose("none", "cell", n_rows=TINY + 1) == "forest"
    assert choose("attribute", "tuple", n_rows=2) == "optimal"


@pytest.mark.parametrize(
    ("generalize", "suppress", "reason"),
    [
        ("cell", "tuple", "generalizing all its cells"),
        ("cell", "attribute", "nothing is gained"),
        ("none", "none", "released as it is"),
    ],
)
def test_impossible_pairs_say_why(generalize, suppress, reason):
    with pytest.raises(InputError, match=reason):
        choose(generalize, suppress, n_rows=9)


def test_unknown_words_are_told_the_known_ones():
    with pytest.raises(InputError, match="generalize is 'column'; it must be one of: attribute, cell, none"):
        taxonomy_code("column", "tuple")
    with pytest.raises(
        InputError, match="suppress is 'row'; it must be one of: tuple, attribute, cell, none"
    ):
        taxonomy_code("attribute", "row")


def test_every_default_is_registered():
    assert {*DEFAULTS.values(), "cells-exact"} <= set(ALGORITHMS)


def test_choosing_loads_no_kernel():
    check = "import sys, kohort.algorithms.taxonomy; print('numba' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"
