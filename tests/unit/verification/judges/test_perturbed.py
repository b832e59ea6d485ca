"""Averages and noise beside the original: what no rounding writes, and what no group of its rows has, is found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort.hierarchy import Hierarchy, Label, build_hierarchy
from kohort.table import Column, Table
from kohort.verification.judges.as_they_are import (
    judge_as_they_are,
    judge_as_they_are_on_disk,
)
from kohort.verification.judges.averages import (
    BEYOND,
    MISSING,
    NO_LABEL,
    OTHER_LABEL,
    OTHER_MEAN,
    SUM,
    UNROUNDED,
    UNSHARED,
    Averages,
)
from kohort.verification.judges.mean_forms import form_of
from kohort.verification.judges.noise import OUTSIDE, Noise
from kohort.verification.judges.perturbed import (
    NO_NUMBER,
    TWO_RULES,
    RowsTold,
    Told,
    Unknown,
    distinct_tuples,
    ground_counts,
    judge_perturbed,
    judge_perturbed_rows,
    perturbation,
)

Texts = Sequence[Label]


def column(name: str, texts: Texts) -> Column:
    return Table.from_arrow(pa.table({name: pa.array(texts, pa.string())}))[name]


def hierarchy_of(name: str, texts: Texts, **spec: Any) -> Hierarchy:
    known = list(dict.fromkeys(texts))
    return build_hierarchy(name, spec or {"kind": "suppress"}, known, [1] * len(known))


def beside(
    own: Hierarchy, released: Texts, original: Texts, one_row_each: bool = True, crowd: int = 2
) -> Told:
    table = Table.of([column(own.name, released)], len(released))
    tuples, rows = distinct_tuples(table, [own.name])
    counts = {own.name: ground_counts(column(own.name, original), own)}
    return Told(
        (own.name,), {own.name: table[own.name].texts}, tuples, rows, (own,), counts, one_row_each, crowd
    )


def rows_of(
    own: Hierarchy, released: Texts, original: Texts, one_row_each: bool = True, crowd: int = 2
) -> RowsTold:
    ground = np.asarray(own.encode(list(original)))
    return RowsTold((column(own.name, released),), (own,), (ground,), one_row_each, crowd)


AGES: Texts = ["20", "22", "30", "34"]
TOWNS: Texts = ["oslo", "oslo", "rome", "bari"]
TREE = {"kind": "tree", "tree": {"north": ["oslo"], "south": ["rome", "bari"]}}


@pytest.mark.parametrize(
    ("released", "original", "one_row_each", "fault"),
    [
        (["21", "21", "32", "32"], AGES, True, ""),
        (["21.0", "21.0", "32.0", "32.0"], AGES, True, ""),
        (["21", "21", "34", "34"], AGES, True, SUM),
        (["21", "21", "33", "33"], AGES, False, ""),
        (["21", "21", "32", "35"], AGES, False, BEYOND),
        (["21.5", "21.5", "32", "32"], AGES, True, NO_NUMBER),
        (["21", "21", "32.0", "32.0"], AGES, True, TWO_RULES),
        (["old", "old", "32", "32"], AGES, True, NO_NUMBER),
        ([None, None, "32", "32"], AGES, True, MISSING),
        ([None, None, "32", "32"], ["20", None, "30", "34"], True, ""),
        (["21", "21", "30", "30"], ["20", "22", "30", None], True, ""),
        (["34", "34", "34", "34"], ["20", "20", "34", None], True, SUM),
        ([None, None, "32", "32"], AGES, False, MISSING),
        ([None, None, None, "30"], ["20", None, "30", "34"], False, ""),
        ([None, None], [None, None], True, ""),
        (["21", "21"], [None, None], True, BEYOND),
    ],
)
def test_means_beside_the_original(released: Texts, original: Texts, one_row_each: bool, fault: str) -> None:
    own = hierarchy_of("age", [*AGES, None])
    told = beside(own, released, original, one_row_each)
    assert Averages(0).fault(told) == fault.format("age")


def test_means_are_rounded_as_declared_or_not_at_all() -> None:
    own = hierarchy_of("age", AGES)
    assert Averages().fault(beside(own, ["21"] * 4, AGES)) == UNROUNDED.format("age")
    assert Averages().fault_of_rows(rows_of(own, ["21"] * 4, AGES)) == UNROUNDED.format("age")


def test_each_form_tells_which_means_it_stands_for() -> None:
    wide = {"kind": "intervals", "widths": [10], "low": 15, "high": 42}
    pitched = form_of(hierarchy_of("age", AGES, **wide), None)
    listed = form_of(hierarchy_of("age", AGES, kind="intervals", widths=[5], domain=[20, 40]), None)
    assert pitched is not None
    assert listed is not None
    assert pitched(Fraction(20)) == (15, 25)
    assert pitched(Fraction(15)) == (-math.inf, 20)
    assert pitched(Fraction(42)) == (37, math.inf)
    assert [pitched(Fraction(n)) for n in (21, 10, 50)] == [None, None, None]
    assert listed(Fraction(20)) == (-math.inf, Fraction(41, 2))
    assert listed(Fraction(30)) == (Fraction(59, 2), Fraction(61, 2))
    assert listed(Fraction(40)) == (Fraction(79, 2), math.inf)
    assert [listed(Fraction(n)) for n in (41, Fraction(61, 2))] == [None, None]


def test_ends_of_labels_are_told_as_they_are_written() -> None:
    rows = [
        ["10.0", "[10.0, 20)", "*"],
        ["15", "[10.0, 20)", "*"],
        ["20", "[20, 30)", "*"],
        ["25", "[20, 30)", "*"],
    ]
    own = Hierarchy.from_rows("age", rows)
    texts = [row[0] for row in rows]
    assert Averages().fault(beside(own, ["10.0", "20", "20", "20"], texts)) == ""
    assert Averages().fault(beside(own, ["10.00", "20", "20", "20"], texts)) == TWO_RULES.format("age")
    assert Averages(0).fault(beside(own, ["10.0", "20", "20", "20"], texts)) == TWO_RULES.format("age")


@pytest.mark.parametrize(
    ("released", "fault"),
    [
        (["oslo", "oslo", "south", "south"], ""),
        (["north", "north", "*", "*"], ""),
        (["paris", "paris", "*", "*"], NO_LABEL),
        (["{oslo, rome}"] * 4, NO_LABEL),
        (["rome", "rome", "*", "*"], UNSHARED),
    ],
)
def test_labels_beside_the_original(released: Texts, fault: str) -> None:
    own = hierarchy_of("town", TOWNS, **TREE)
    assert Averages().fault(beside(own, released, TOWNS)) == fault.format("town")


def test_what_covers_nothing_is_no_label() -> None:
    own = hierarchy_of("born", ["2001-01-01", "2001-02-03"], kind="dates", levels=["month", "year"])
    told = beside(own, ["[1990-01-01, 1991-01-01]"] * 2, ["2001-01-01", "2001-02-03"])
    assert Averages().fault(told) == NO_LABEL.format("born")


@pytest.mark.parametrize(
    ("released", "original", "one_row_each", "fault"),
    [
        (["21", "21", "32", "32"], AGES, True, ""),
        (["21", "21", "33", "33"], AGES, True, OTHER_MEAN),
        (["22", "22", "34", "34"], AGES, False, ""),
        (["23", "23", "34", "34"], AGES, False, OTHER_MEAN),
        (["old", "old", "32", "32"], AGES, True, NO_NUMBER),
        ([None, None, "32", "32"], ["20", None, "30", "34"], True, ""),
        ([None, None, "32", "32"], AGES, True, OTHER_MEAN),
        ([None, None, "32", "32"], AGES, False, OTHER_MEAN),
        (["20", "20", "32", "32"], ["20", None, "30", "34"], True, ""),
        (["21", "21", "32", "32"], [None, None, "30", "34"], True, OTHER_MEAN),
    ],
)
def test_means_of_known_rows(released: Texts, original: Texts, one_row_each: bool, fault: str) -> None:
    own = hierarchy_of("age", [*AGES, None])
    assert Averages(0).fault_of_rows(rows_of(own, released, original, one_row_each)) == fault.format("age")


@pytest.mark.parametrize(
    ("released", "fault"),
    [
        (["oslo", "oslo", "south", "south"], ""),
        (["south", "south", "south", "south"], ""),
        (["oslo", "north", "south", "south"], OTHER_LABEL),
        (["paris", "paris", "south", "south"], NO_LABEL),
    ],
)
def test_labels_of_known_rows(released: Texts, fault: str) -> None:
    own = hierarchy_of("town", TOWNS, **TREE)
    assert Averages().fault_of_rows(rows_of(own, released, TOWNS)) == fault.format("town")


def test_columns_are_told_by_what_an_algorithm_is_asked() -> None:
    told = Averages.of(SimpleNamespace(decimals=0, ordinal=("age",)))
    assert not told.is_mean(hierarchy_of("age", AGES))
    assert told.is_mean(hierarchy_of("pay", AGES))
    assert not told.is_mean(hierarchy_of("town", TOWNS, **TREE))


@pytest.mark.parametrize(
    ("released", "decimals", "fault"),
    [
        (["20.5", "21.0"], 1, ""),
        (["20.5", "21.0"], {"age": 1}, ""),
        (["20.55"], 1, NO_NUMBER),
        ([None, "20.5"], 1, NO_NUMBER),
        (["20.50", "21.0", "22"], 1, TWO_RULES),
        (["99.5"], 1, OUTSIDE),
    ],
)
def test_noise_is_on_its_grid(released: Texts, decimals: Any, fault: str) -> None:
    own = hierarchy_of("age", AGES)
    noise = Noise.of(SimpleNamespace(bounds={"age": [0, 99]}, decimals=decimals))
    assert noise.fault(beside(own, released, AGES)) == fault.format("age")
    assert noise.fault_of_rows(rows_of(own, released, AGES)) == fault.format("age")


def test_what_is_known_to_an_algorithm_alone_is_not_judged() -> None:
    own = hierarchy_of("age", AGES)
    way = perturbation("").of(None)
    verdict = judge_perturbed(way, beside(own, ["x"], AGES))
    assert (verdict.holds, verdict.note) == (None, Unknown.unshown)
    assert judge_perturbed(way, None).holds is None
    assert judge_perturbed_rows(way, rows_of(own, AGES, AGES)).holds is True
    assert judge_perturbed(Averages(0), beside(own, ["x"], AGES)).holds is False


def test_columns_as_they_are_hold_whole_rows() -> None:
    original = Table.from_arrow(pa.table({"ill": ["flu", "flu", "hiv"], "note": ["a", "b", "a"]}))
    swapped = Table.from_arrow(pa.table({"ill": ["flu", "hiv"], "note": ["a", "b"]}))
    names = ["ill", "note"]
    assert judge_as_they_are(swapped, original, [], None) == []
    assert [v.holds for v in judge_as_they_are(swapped, None, names, None)] == [None]
    assert [v.holds for v in judge_as_they_are(swapped, original, ["ill"], None)] == [True]
    assert [v.holds for v in judge_as_they_are(swapped, original, names, None)] == [False]
    assert [v.holds for v in judge_as_they_are(original, original, names, np.array([0, 1, 2]))] == [True]
    assert [v.holds for v in judge_as_they_are(original, original, names, np.array([0, 2, 1]))] == [False]


def test_without_columns_or_an_original_nothing_is_asked_of_rows_on_disk() -> None:
    nothing: Any = None
    assert judge_as_they_are_on_disk(nothing, True, [], 3, 0) == []
    assert [v.holds for v in judge_as_they_are_on_disk(nothing, False, ["ill"], 3, 0)] == [None]
