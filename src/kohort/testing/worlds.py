"""Small random tables: as classes for models and metrics, as rows for whole releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes, Pairs, classes_of_rows
from kohort.engines import DEFAULT, Wanted, opened
from kohort.engines.preparing import prepare
from kohort.hierarchy import Hierarchy
from kohort.models import Attribute, Reference
from kohort.plan import Plan
from kohort.recode import Problem
from kohort.table import Table
from kohort.verification.judges.definitions import Counted, counted_rows
from kohort.verification.judges.second_opinion import whole_of

# Made-up words: where one turns up in a message, a cell was quoted.
VALUES = ("qaxle", "qborn", "qcyst", "qdule", "qehru", None)
GROUPS = ("qgrol", "qhewn")
PATHS = [(value, None if value is None else GROUPS[i // 3], "*") for i, value in enumerate(VALUES)]
TREE = {GROUPS[0]: list(VALUES[:3]), GROUPS[1]: list(VALUES[3:5])}
AGES, ZIPS = (20, 60), ("94138", "94139", "94141", "01234")
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 10, 20], "domain": [0, 99]}},
    "zip": {"role": "quasi", "hierarchy": {"kind": "mask", "length": 5}},
}
SENSITIVE: dict[str, Any] = {"role": "sensitive", "hierarchy": {"kind": "tree", "tree": TREE}}


@dataclass(frozen=True, eq=False)
class World:
    """A table of sensitive values in up to six classes, as models and as the verifier's definitions count them."""

    classes: Classes
    reference: Reference
    class_of: IntArray  # per row
    codes: Mapping[str, IntArray]  # per row, of each sensitive column
    people: IntArray | None  # per row, where some have several

    def counted(self, keep: BoolArray | None = None) -> Counted:
        """Return the classes, or those of some rows, as the verifier counts them."""
        rows = np.ones(len(self.class_of), np.bool_) if keep is None else keep
        told = {name: codes[rows] for name, codes in self.codes.items()}
        people = None if self.people is None else self.people[rows]
        wholes = {name: whole_of(attribute) for name, attribute in self.reference.attributes.items()}
        return replace(counted_rows([self.class_of[rows]], told, people), wholes=wholes)


def world(rng: np.random.Generator, columns: Sequence[str], several: bool = False) -> World:
    """Return a random world; where people have `several` rows, these lie in any classes and hold any values."""
    n = int(rng.integers(2, 25))
    people = rng.integers(0, rng.integers(1, n), n) if several else None
    coded, attributes = {}, {}
    for name in columns:
        codes = rng.integers(0, rng.integers(1, len(VALUES) + 1), n)
        if rng.random() < 0.3:
            codes = np.minimum(codes, rng.integers(0, len(VALUES), n))
        used, codes = np.unique(codes, return_inverse=True)
        texts = tuple(VALUES[code] for code in used)
        coded[name] = (codes.astype(np.int32), len(texts))
        pairs = None if people is None else Pairs.of(people, codes, len(texts))[0]
        tree = Hierarchy.from_rows(name, PATHS)
        attributes[name] = Attribute(name, texts, np.bincount(codes), tree, tree.encode(texts), pairs)
    groups = rng.integers(0, rng.integers(1, 7), n).astype(np.int32)
    classes, _ = classes_of_rows(groups[:, None], coded, people)
    number = None if people is None else len(np.unique(people))
    codes_of = {name: codes for name, (codes, _) in coded.items()}
    return World(classes, Reference(n, attributes, people=number), groups, codes_of, people)


def merged(rng: np.random.Generator, classes: Classes) -> Classes:
    """Return the classes with some of them merged at random."""
    drawn = rng.integers(0, rng.integers(1, len(classes) + 1), len(classes))
    onto: IntArray = np.unique(drawn, return_inverse=True)[1]
    return classes.merged(np.arange(int(onto.max()) + 1, dtype=np.int32)[:, None], onto)


def people(rng: np.random.Generator, rows: int, sensitive: Sequence[str], of_each: int = 1) -> pa.Table:
    """Return a table of people: `who` names them, each with `of_each` rows."""
    held = [value for value in VALUES if value is not None]
    return pa.table(
        {
            "age": rng.integers(*AGES, rows),
            "zip": rng.choice(ZIPS, rows, p=[0.4, 0.3, 0.2, 0.1]).tolist(),
            **{name: rng.choice(held, rows).tolist() for name in sensitive},
            "who": [f"p{i // of_each}" for i in range(rows)],
        }
    )


def problem_of(table: pa.Table, plan: Plan) -> Problem:
    """Return the problem that a plan makes of a table."""
    return prepare(opened(DEFAULT, Table.from_arrow(table), Wanted.by(plan)), plan)


def untold(message: str) -> bool:
    """Tell whether a message quotes no cell of these tables."""
    return not any(value in message for value in (*VALUES, *ZIPS) if value is not None)
