"""A ward of six patients: small enough for the examples in docstrings, and for trying an item of one's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.classes import Classes, Histogram
from kohort.metrics import Outcome
from kohort.models import Attribute, Reference
from kohort.table import Table

WARD = pa.table(
    {
        "age": [31, 34, 38, 52, 55, 57],
        "zip": ["94138", "94138", "94139", "94141", "94142", "94142"],
        "ill": ["flu", "gout", "cold", "cold", "flu", "gout"],
    }
)
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10, 20], "domain": [20, 79]}},
    "zip": {"role": "quasi", "hierarchy": {"kind": "mask", "length": 5}},
    "ill": "sensitive",
}


def ward_plan(
    algorithm: str, names: Sequence[str] = ("age", "zip", "ill"), k: int = 2, **recode: Any
) -> dict[str, Any]:
    """Return a plan for the ward, or some columns of it, as its TOML spells it: no patient in a smaller crowd than k."""
    return {
        "columns": {name: COLUMNS[name] for name in names},
        "require": [{"model": "k-anonymity", "k": k}],
        "recode": {"algorithm": algorithm, **recode},
    }


def counted(released: pa.Table, names: Sequence[str] = ("age", "zip")) -> dict[tuple[Any, ...], int]:
    """Return the distinct tuples of some columns of a table in order, and how often each stands there."""
    rows = zip(*(released[name].to_pylist() for name in names), strict=True)
    return dict(sorted(Counter(rows).items(), key=str))


def shared(*classes: Sequence[str]) -> Table:
    """Return a released table: an age for every class, told as `30-39`, `40-49`, …, and the illnesses of its patients.

    >>> counted(shared(["flu", "flu"], ["gout"]).to_arrow(), ["age", "ill"])
    {('30-39', 'flu'): 2, ('40-49', 'gout'): 1}
    """
    ages = [
        f"{age}-{age + 9}" for age, members in zip(range(30, 100, 10), classes, strict=False) for _ in members
    ]
    return Table.from_arrow(pa.table({"age": ages, "ill": [ill for members in classes for ill in members]}))


def crowds(*classes: Sequence[str]) -> tuple[Classes, Reference]:
    """Return classes of patients, each told by their illnesses, and the whole table that they make.

    >>> classes, table = crowds(["flu", "flu"], ["cold", "flu", "gout"])
    >>> classes.sizes, table.attributes["ill"].labels
    (array([2, 3]), ('cold', 'flu', 'gout'))
    """
    labels, codes = np.unique([ill for members in classes for ill in members], return_inverse=True)
    sizes = np.array([len(members) for members in classes])
    matrix = np.zeros((len(classes), len(labels)), np.int64)
    np.add.at(matrix, (np.repeat(np.arange(len(classes)), sizes), codes.reshape(-1)), 1)
    starts = np.concatenate([[0], np.cumsum((matrix > 0).sum(axis=1))])
    held = Histogram(starts, np.nonzero(matrix)[1].astype(np.int32), matrix[matrix > 0], len(labels))
    ill = Attribute("ill", tuple(map(str, labels)), matrix.sum(axis=0))
    found = Classes(np.arange(len(classes), dtype=np.int32)[:, None], (0,), sizes, sizes, {"ill": held})
    return found, Reference(int(sizes.sum()), {"ill": ill})


def outcome() -> Outcome:
    """Return what a recoding made of six ages, 30 to 33 being possible: 30, 30, 31 | 32, 32 | 33.

    The first three are told as `30-31`, one of two levels up; the next two as they are; the last is suppressed.
    The patients of the first class have flu, flu and a cold, those of the second colds.
    """
    classes, _ = crowds(["flu", "flu", "cold"], ["cold", "cold"])
    cells = np.array([[0, 0, 2], [1, 0, 1], [2, 1, 2]])  # ground code, released code, records
    return Outcome(
        classes=classes,
        leaves=np.array([[2.0], [1.0]]),
        depth=np.array([[0.5], [0.0]]),
        domain=np.array([4]),
        suppressed=1,
        n_rows=6,
        weights=np.ones(1),
        joint=lambda _: cells,
        totals=(np.array([2, 1, 2, 1]),),
        heights=np.array([2]),
        extent=lambda _: np.array([1 / 3, 0.0]),
    )
