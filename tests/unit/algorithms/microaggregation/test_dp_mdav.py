"""The differentially private release: what of the plan and the table reaches it, and what does not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from kohort.algorithms import Silent, guarantee_of
from kohort.algorithms.microaggregation import dp_mdav
from kohort.algorithms.microaggregation.dp_mdav import DpMdav
from kohort.classes import classes_of_rows
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import build_hierarchy
from kohort.models import AverageRisk, KAnonymity
from kohort.recode import Problem

BOUNDS = {"age": (0, 100), "pay": (0, 1000)}


def problem(k: int = 2, **columns: list[Any]) -> Problem:
    """Return the problem of columns of cells, as the pipeline makes it of a plan without hierarchies."""
    hierarchies, codes = [], []
    for name, cells in columns.items():
        texts = [None if cell is None else str(cell) for cell in cells]
        distinct = tuple(dict.fromkeys(texts))
        hierarchies.append(build_hierarchy(name, {"kind": "suppress"}, distinct, [1] * len(distinct)))
        codes.append(hierarchies[-1].encode(texts))
    base, class_of = classes_of_rows(np.column_stack(codes).astype(np.int32))
    return Problem(tuple(columns), tuple(hierarchies), base, class_of, (KAnonymity(k),))


def told(chosen: DpMdav, asked: Problem, j: int = 0) -> list[str]:
    column = chosen.solve(asked, Silent()).decision.apply(asked).columns[j]
    return [str(column.labels[c]) for c in column.codes]


@pytest.fixture
def without_noise(monkeypatch: pytest.MonkeyPatch) -> list[Fraction]:
    """Take the noise off, and return the scales that were asked for."""
    asked: list[Fraction] = []
    monkeypatch.setattr(dp_mdav, "discrete_laplace", lambda scale: asked.append(scale) or 0)
    return asked


def test_means_of_blocks_are_exact_but_for_the_noise(without_noise):
    ages = [40, 41, 10, 12, 90, 99, 98]
    assert told(DpMdav(bounds={"age": (0, 100)}, decimals=1, group=2), problem(age=ages)) == [
        "40.5", "40.5", "11.0", "11.0", "95.7", "95.7", "95.7",
    ]  # fmt: skip


def test_scales_follow_from_declared_constants(without_noise):
    told(DpMdav(epsilon=0.1, bounds={"age": (0, 100)}, decimals=1, group=2), problem(age=[1, 2, 3, 4]))
    assert set(without_noise) == {Fraction(1000 * 10)}
    without_noise.clear()
    both = problem(age=[1, 2, 3, 4, 5], pay=[5, 6, 7, 8, 9])
    told(DpMdav(epsilon="0.5", bounds=BOUNDS, decimals={"age": 0, "pay": 2}, group=2), both)
    assert without_noise == [2 * 2 * 100 * Fraction(2)] * 2 + [2 * 2 * 100_000 * Fraction(2)] * 2


def test_what_cells_hold_decides_about_numbers_only(without_noise):
    """However a number is written, how far it lies outside, whether it is there: only its place counts."""
    grid = DpMdav(bounds={"age": (0, 80)}, decimals=0, missing={"age": 10}, group=2)
    plain = told(grid, problem(age=[10, 10, 80, 80, 7, 7]))
    assert told(grid, problem(age=[None, "x", "1e400", 80.0001, "07.0", "7.4"])) == plain
    assert told(grid, problem(age=["*", "–", "9" * 400, "81", "+7", "7e0"])) == plain
    middle = DpMdav(bounds={"age": (0, 80)}, decimals=0, group=2)
    assert told(middle, problem(age=[None, None, 90, 95])) == ["40", "40", "80", "80"]


def test_every_value_stays_on_the_grid_and_in_its_block_whatever_the_noise():
    generator = np.random.default_rng(2)
    ages, pays = generator.integers(0, 101, 120).tolist(), (10 * generator.integers(0, 101, 120)).tolist()
    asked = problem(k=5, age=ages, pay=pays)
    for epsilon in (1e-9, 1, 1e9):
        solution = DpMdav(epsilon=epsilon, bounds=BOUNDS, decimals=1).solve(asked, Silent())
        recoded = solution.decision.apply(asked)
        assert recoded.outcome(asked).classes.sizes.min() >= 11  # the square root of 120, rounded up
        for column, (low, high) in zip(recoded.columns, BOUNDS.values(), strict=True):
            assert all(low <= float(str(label)) <= high for label in column.labels)
            assert {len(str(label).partition(".")[2]) for label in column.labels} == {1}
        assert all(
            DpMdav(bounds=BOUNDS, decimals=1).solve(asked, Silent()).score == solution.score for _ in "12"
        )


def test_a_domain_of_any_size_is_noised():
    """int64 ends at 9.2e18; exact means at ε = 0.1 were released beyond."""
    top = 10**18
    asked = problem(age=[top, top, top - 1, top - 1])
    chosen = DpMdav(epsilon=0.1, bounds={"age": (-top, top)}, decimals=6, group=2)
    drawn = {told(chosen, asked)[0] for _ in range(80)}
    assert {-top, top} <= {int(text.partition(".")[0]) for text in drawn}  # noise is ten times as wide
    assert len(drawn) > 2


def test_facts_are_constants_of_the_plan_and_the_number_of_records():
    chosen = DpMdav(epsilon="0.25", bounds=BOUNDS, decimals=0, group=4)
    asked = (problem(age=[1] * 9, pay=[5] * 9), problem(age=[*range(8), None], pay=["x", *range(8)]))
    one, other = (chosen.solve(p, Silent()).decision.facts(p) for p in asked)
    assert one == other
    assert one == {
        "groups": 2,
        "epsilon": "0.25",
        "covers": ["age", "pay"],
        "noise": {"age": 400.0, "pay": 4000.0},
    }
    assert chosen.solve(asked[1], Silent()).facts == {
        "displaced": {"age": {"unread": 1, "outside": 0}, "pay": {"unread": 1, "outside": 0}}
    }  # for the holder
    said = guarantee_of("dp-mdav", {"epsilon": "0.25", "bounds": BOUNDS, "decimals": 0})
    assert said.startswith("ε = 0.25 per record (substitution")
    assert "private directory is not covered" in said
    assert guarantee_of("optimal", {}) == "optimal where the search ends by itself"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "no bounds for 'age'"),
        ({"bounds": {"age": [0, 9]}}, "no decimals for 'age'"),
        ({"bounds": {"age": [0, 9]}, "decimals": {}}, "no decimals for 'age'"),
        ({"bounds": {"age": [9, 9]}, "decimals": 0}, "least first"),
        ({"bounds": {"age": [0, 9]}, "decimals": -1}, "decimals of 'age'"),
        ({"bounds": {"age": [0, 9]}, "decimals": True}, "decimals of 'age'"),
        ({"bounds": {"age": [0, 9]}, "decimals": "two"}, "decimals must name columns"),
        ({"bounds": {"age": [0, 9], "pay": [0, 9]}, "decimals": 0}, "bounds names 'pay'"),
        ({"bounds": [0, 9], "decimals": 0}, "bounds must name columns"),
        ({"bounds": {"age": [0, 9]}, "decimals": 0, "missing": 3}, "missing must name columns"),
        ({"bounds": {"age": [0, 9]}, "decimals": 0, "missing": {"age": 10}}, "within its bounds"),
        ({"bounds": {"age": [0, 9]}, "decimals": 0, "group": 1}, "between k = 2"),
        ({"bounds": {"age": [0, 9]}, "decimals": 0, "group": 5}, "between k = 2"),
        ({"group": 2.5}, "group must be a whole number"),
        ({"group": True}, "group must be a whole number"),
        *(({"epsilon": e}, "epsilon must be") for e in (0, -1, "x", float("nan"), float("inf"), True, None, [1], "1e-31", 10**40)),
    ],
)  # fmt: skip
def test_what_would_void_the_guarantee_is_refused(options, said):
    with pytest.raises(InputError, match=said):
        DpMdav(**options).solve(problem(age=[1, 2, 3, 4]), Silent())


def test_blocks_are_not_rearranged_for_other_promises():
    asked = problem(age=[1, 2, 8, 9])
    strict = Problem(
        asked.names, asked.hierarchies, asked.base, asked.class_of, (KAnonymity(2), AverageRisk(0.3))
    )
    chosen = DpMdav(bounds={"age": (0, 100)}, decimals=0, group=2)
    with pytest.raises(InfeasibleError, match="groups of similar records do not keep"):
        chosen.solve(strict, Silent())
