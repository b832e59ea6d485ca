"""What a reader sees as one value is one, over all algorithms: classes are counted by what is released, blank rows among them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.contract.test_level_bounds import ROWS, SPECIAL, K
from tests.thinned import thinned

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.card import ONE_TABLE
from kohort.errors import InfeasibleError, InputError

TOLD = [name for name in ALGORITHMS if algorithm(name).card.layout == ONE_TABLE and name != "dp-mdav"]
TREE = {"x": ["a", "b"], "y": ["c"], "z": "z"}
HIERARCHIES: dict[str, list[dict[str, Any]]] = {
    "age": [
        {"kind": "intervals", "widths": [5, 10]},
        {"kind": "intervals", "widths": [5, 20], "domain": [0, 99]},
    ],
    "job": [{"kind": "tree", "tree": TREE}, {"kind": "suppress"}],
}
BOUNDS: list[dict[str, int]] = [{}, {"min_level": 1}, {"max_level": 1}]
CASES = list(product(TOLD, ("blank", "drop"), range(12)))


def people(rng: np.random.Generator, rows: int) -> pa.Table:
    """Few values that lie far apart, so that somebody is often alone in a cell and nothing else is left of a column."""
    columns = {
        "who": [f"p{i}" for i in range(rows)],
        "age": rng.choice([20, 50, 52, 90], rows, p=[0.1, 0.5, 0.3, 0.1]).tolist(),
        "job": rng.choice(["a", "b", "c", "z"], rows, p=[0.4, 0.4, 0.1, 0.1]).tolist(),
        "ill": rng.choice(["flu", "hiv", "ok"], rows).tolist(),
    }
    return pa.table(columns)


def plan_of(name: str, rng: np.random.Generator, suppressed_rows: str) -> dict[str, Any]:
    quasi = ["age"] if rng.random() < 0.5 else ["age", "job"]
    columns: dict[str, Any] = {"ill": {"role": "sensitive", "allow_unique": True}}
    for column in quasi:
        hierarchy = HIERARCHIES[column][rng.integers(2)]
        columns[column] = {
            "role": "quasi",
            "hierarchy": hierarchy,
            **BOUNDS[rng.choice(3, p=[0.6, 0.2, 0.2])],
        }
    require = [{"model": "k-anonymity", "k": K.get(name, 2)}]
    if rng.random() < 0.5:
        require.append({"model": "l-diversity", "column": "ill", "l": 2})
    recode = {"algorithm": name, "max_suppression": 1.0, "suppressed_rows": suppressed_rows}
    return {
        "input": {"respondent": "who"} if rng.random() < 0.5 else {},
        "columns": columns,
        "require": require,
        "recode": recode | SPECIAL.get(name, {}),
        "output": {"ledger": ""},
    }


@pytest.mark.parametrize(
    ("name", "suppressed_rows", "seed"), thinned(CASES, lambda _, case: case[1] == "blank" and case[2] < 2)
)
def test_classes_are_those_that_a_reader_counts(name: str, suppressed_rows: str, seed: int) -> None:
    rng = np.random.default_rng([seed, TOLD.index(name)])
    for _ in range(4):
        rows = min(int(rng.integers(4, 14)), ROWS.get(name, 14))
        try:
            release = kohort.anonymize(people(rng, rows), plan_of(name, rng, suppressed_rows))
        except (InfeasibleError, InputError):  # a release that is not what it was counted as is another error
            continue
        told = release.table.select([c for c in release.table.column_names if c in ("age", "job")])
        distinct = set(zip(*(column.to_pylist() for column in told.columns), strict=True))
        assert release.facts.classes == len(distinct)
