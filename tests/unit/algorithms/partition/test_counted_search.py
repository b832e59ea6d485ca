"""Mondrian from counts of regions makes the boxes of Mondrian on all tuples, tuple by tuple."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort import InputError, Plan
from kohort.algorithms import Silent
from kohort.algorithms.partition.coupling import coupled
from kohort.algorithms.partition.mondrian import Mondrian
from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram
from kohort.engines import Wanted, opened
from kohort.engines.preparing import prepare
from kohort.recode import Problem, Recoded
from kohort.recode.counted_boxes import CountedBoxes
from kohort.recode.levels import settled
from kohort.recode.nodes import Assigning, Finish, Lines


@dataclass(eq=False)
class AtHand:
    """Rows that are counted by regions, and cut, as an engine does it; here they are at hand."""

    problem: Problem
    most: int
    asked: int = 0  # how often marginals were

    def __post_init__(self) -> None:
        self.ground = self.problem.base.codes[self.problem.class_of]
        self.sensitive = dict(self.problem.sensitive)

    def marginals(
        self, tree: Assigning, regions: Sequence[int]
    ) -> list[tuple[tuple[IntArray, IntArray], ...]]:
        self.asked += 1
        codes, region = tree.assigned(self.ground)
        return [
            tuple(np.unique(codes[region == number, j], return_counts=True) for j in range(codes.shape[1]))
            for number in regions
        ]

    def values(
        self, tree: Assigning, regions: Sequence[int], name: str
    ) -> tuple[IntArray, IntArray, IntArray]:
        _, region = tree.assigned(self.ground)
        place = np.array([list(regions).index(r) if r in regions else -1 for r in region])
        mine = place >= 0
        return place[mine], self.sensitive[name][mine], np.ones(int(mine.sum()), np.int64)

    def finished(self, tree: Assigning, finish: Finish) -> Boxed:
        _, region = tree.assigned(self.ground)
        box_of, told = np.zeros(len(region), np.int64), []
        for number in np.unique(region).tolist():
            mine = region == number
            values = {name: codes[mine] for name, codes in self.sensitive.items()}
            box, numbers = finish(
                Lines(number, self.ground[mine], values, np.ones(int(mine.sum()), np.int64))
            )
            box_of[mine] = box + sum(map(len, told))
            told.append(numbers)
        return Boxed(self, box_of, np.concatenate(told))


@dataclass(eq=False)
class Boxed:
    rows: AtHand
    box_of: IntArray
    told: IntArray

    def classes(self, codes: IntArray, order: IntArray, levels: tuple[int, ...]) -> Classes:
        self.place = np.argsort(order)
        owner = self.place[self.box_of]
        sizes = np.bincount(owner, minlength=len(order)).astype(np.int64)
        domains = {name: h.size for name, h in self.rows.problem.base.sensitive.items()}
        sensitive = {
            name: Histogram.of(owner, values, len(order), domains[name])
            for name, values in self.rows.sensitive.items()
        }
        return Classes(codes, levels, sizes, sizes, sensitive)

    def joint(self, j: int, codes: IntArray) -> IntArray:
        pairs = np.column_stack([self.rows.ground[:, j], codes[self.place[self.box_of]]])
        distinct, counts = np.unique(pairs, axis=0, return_counts=True)
        return np.column_stack([distinct, counts])


@dataclass(frozen=True, eq=False)
class Nodes:
    """What a search asks of a table that it does not hold, answered from one that is held."""

    problem: Problem
    regions: AtHand
    counted: int = 0

    @cached_property
    def totals(self) -> tuple[IntArray, ...]:
        return self.problem.totals

    def at(self, levels: Sequence[int]) -> Classes:
        return self.problem.base.rollup(self.problem.hierarchies, levels)


def table_of(seed: int, rows: int) -> pa.Table:
    """Return people with ties in every column, missing values and some that stand alone."""
    rng = np.random.default_rng(seed)

    def drawn(values: Sequence[Any], missing: float = 0.06) -> list[Any]:
        picked = rng.integers(0, len(values), rows) ** 2 // len(values)
        return [
            None if gone else values[i] for i, gone in zip(picked, rng.random(rows) < missing, strict=True)
        ]

    return pa.table(
        {
            "age": drawn(range(18, 80)),
            "zip": drawn([f"{z:05}" for z in range(10_000, 10_900, 37)]),
            "sex": drawn(["F", "M"]),
            "born": drawn([f"19{y}-0{m}-1{d}" for y in range(40, 99, 7) for m in (1, 5) for d in (1, 7)]),
            "ill": drawn(["flu", "cold", "gout", "acne", "none"], 0.0),
        }
    )


PROMISES: Mapping[str, list[dict[str, Any]]] = {
    "k": [{"model": "k-anonymity", "k": 4}],
    "l": [{"model": "k-anonymity", "k": 3}, {"model": "l-diversity", "column": "ill", "l": 3}],
    "t": [{"model": "k-anonymity", "k": 3}, {"model": "t-closeness", "column": "ill", "t": 0.45}],
    "average": [{"model": "k-anonymity", "k": 2}, {"model": "average-risk", "risk": 0.2}],
}  # fmt: skip
OPTIONS: Mapping[str, dict[str, Any]] = {
    "order": {},
    "hierarchy": {"split": "hierarchy"},
    "ancestor": {"release": "ancestor"},
}


def problem_of(seed: int, promise: str, bounds: Mapping[str, Any]) -> Problem:
    plan = Plan(
        columns={
            "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 10, 20], "origin": 0}},
            "zip": {"role": "quasi", "hierarchy": {"kind": "mask", "length": 5}, **bounds},
            "sex": "quasi",
            "born": {"role": "quasi", "hierarchy": {"kind": "dates"}},
            "ill": "sensitive",
        },
        require=PROMISES[promise],
        recode={"algorithm": "mondrian"},
        output={"ledger": ""},
    )
    return prepare(opened("memory", table_of(seed, 260), Wanted.by(plan)), plan)


def labels_of(problem: Problem, recoded: Recoded, class_of: IntArray) -> list[tuple[Any, ...]]:
    return [
        tuple(column.labels[column.codes[owner]] for column in recoded.columns) for owner in class_of.tolist()
    ]


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("bounds", [{}, {"min_level": 1}, {"max_level": 3}])
def test_boxes_are_those_of_all_tuples(promise: str, options: str, bounds: dict[str, Any]) -> None:
    for seed, most in ((1, 40), (2, 7)):
        problem, algorithm = problem_of(seed, promise, bounds), Mondrian(**OPTIONS[options])
        whole = algorithm.solve(problem, Silent())
        rows = AtHand(problem, most)
        counted: Any = replace(problem, nodes=Nodes(problem, rows), class_of=np.zeros(0, np.int32))
        found = algorithm.solve(counted, Silent())
        assert isinstance(found.decision, CountedBoxes)
        assert rows.asked > 1
        assert found.score == pytest.approx(whole.score)
        assert found.facts["groups"] == whole.facts["groups"]
        stood = settled(counted, found)
        told = found.decision.apply(stood)
        box_of = found.decision.rows.place[found.decision.rows.box_of]
        expected = whole.decision.apply(problem)
        assert labels_of(stood, told, box_of) == labels_of(problem, expected, problem.class_of)
        for j in range(len(problem.names)):
            ours, theirs = (r.outcome(p).joint(j) for r, p in ((told, stood), (expected, problem)))
            assert named(ours, told, j) == named(theirs, expected, j)


def named(joint: IntArray, recoded: Recoded, j: int) -> set[tuple[int, str | None, int]]:
    return {(int(g), recoded.columns[j].labels[code], int(n)) for g, code, n in joint}


def test_rows_that_would_be_left_out_before_the_first_cut_are_refused() -> None:
    problem = problem_of(1, "l", {"max_level": 0})
    counted: Any = replace(problem, nodes=Nodes(problem, AtHand(problem, 40)))
    with pytest.raises(InputError, match="a group breaks a promise before the first cut"):
        Mondrian().solve(counted, Silent())


def test_coupled_tuples_have_the_counts_of_every_attribute() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        rows = rng.integers(0, 9, (int(rng.integers(1, 40)), 3))
        marginals = [np.unique(column, return_counts=True) for column in rows.T]
        codes, weights = coupled(marginals)
        for j, (values, counts) in enumerate(marginals):
            assert np.bincount(codes[:, j], weights, minlength=9)[values].tolist() == counts.tolist()
        assert weights.sum() == len(rows)
