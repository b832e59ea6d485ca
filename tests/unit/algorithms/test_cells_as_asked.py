"""Algorithms that suppress cells or generalize them do what the plan says of cells."""

from __future__ import annotations

import pyarrow as pa
import pytest

import kohort
from kohort.algorithms import ALGORITHMS, algorithm

BOTH = [
    name
    for name in ALGORITHMS
    if {"_CS", "CG_"} <= set(algorithm(name).card.taxonomy.replace(",", " ").split())
]
TREE = {"north": ["a", "b"], "south": ["c", "d"]}


def towns(name: str) -> pa.Table:
    """Two of a kind each are generalized; factor-2 deals in pairs, the others here in threes."""
    return pa.table({"town": list("abcd" if name == "factor-2" else "abbcdd")})


def asked(name: str, **recode: object) -> kohort.Plan:
    columns = {"town": {"role": "quasi", "hierarchy": {"kind": "tree", "tree": TREE}}}
    k = 2 if name == "factor-2" else 3
    require = [{"model": "k-anonymity", "k": k}]
    return kohort.Plan.from_dict(
        {"columns": columns, "require": require, "recode": {"algorithm": name, **recode}}
    )


@pytest.mark.parametrize("name", BOTH)
def test_cells_are_generalized_or_suppressed_as_the_plan_says(name: str) -> None:
    fine = kohort.anonymize(towns(name), asked(name, generalize="cell", suppress="none"))
    told = set(fine.table["town"].to_pylist())
    assert {"north", "south"} & told
    assert "*" not in told
    coarse = kohort.anonymize(towns(name), asked(name, generalize="none", suppress="cell"))
    told = set(coarse.table["town"].to_pylist())
    assert "*" in told
    assert not {"north", "south"} & told


@pytest.mark.parametrize("name", BOTH)
def test_an_option_that_says_otherwise_is_refused(name: str) -> None:
    plan = asked(name, generalize="cell", suppress="none", options={"generalize": False})
    with pytest.raises(kohort.InputError, match="ask for cells that are generalized"):
        kohort.anonymize(towns(name), plan)
