from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.hierarchy import Hierarchy, lowest_common_ancestor, meaning, span_label
from kohort.hierarchy.dates import Dates
from kohort.hierarchy.file import File
from kohort.hierarchy.intervals import Intervals

WORDS = st.text(st.sampled_from('ab ,{}"\\[]\n*é日'), max_size=4).filter(str.strip)
TIMES = ["2019-12-31 23:59:00", "2020-01-01 00:00:00", "2020-02-29 12:00:00", "2020-03-01 08:00:00", None]


def suppressible(ground: list[str | None]) -> Hierarchy:
    return Hierarchy.from_rows("x", [(value, "*") for value in ground])


def told(hierarchy: Hierarchy, label: str | None) -> list[str | None] | None:
    mask = meaning(hierarchy, label)
    return None if mask is None else [g for g, held in zip(hierarchy.ground, mask, strict=True) if held]


@given(st.lists(st.one_of(WORDS, st.none()), min_size=1, max_size=6, unique=True), st.data())
def test_a_set_of_words_is_read_back_as_it_was_spelled(ground: list[str | None], data: st.DataObject) -> None:
    hierarchy = suppressible(ground)
    codes = data.draw(st.sets(st.integers(0, len(ground) - 1), min_size=1))
    label = span_label(hierarchy, np.array(sorted(codes)))
    if (
        label not in hierarchy.levels[0].code_of or len(codes) == 1
    ):  # a ground value may be spelled like a set
        assert np.flatnonzero(meaning(hierarchy, label)).tolist() == sorted(codes)


@given(
    st.integers(-50, 50), st.integers(1, 8), st.sampled_from(["1", "0.1", "2.5"]), st.booleans(), st.data()
)
def test_neighbouring_numbers_are_read_back(
    start: int, size: int, step: str, missing: bool, data: st.DataObject
) -> None:
    numbers = [str((start + i) * Decimal(step)) for i in range(size)]
    hierarchy = suppressible([*numbers, None] if missing else numbers)
    low = data.draw(st.integers(0, size - 1))
    high = data.draw(st.integers(low, size - 1))
    codes = [*range(low, high + 1), *([size] if missing and data.draw(st.booleans()) else [])]
    label = span_label(hierarchy, np.array(codes))
    assert np.flatnonzero(meaning(hierarchy, label)).tolist() == codes


@given(st.sets(st.integers(0, 4), min_size=2))
def test_values_that_are_not_on_a_grid_are_told_by_their_node(codes: set[int]) -> None:
    for sparse in (TIMES, ["1017.22", "1983.50", "4410.07", "90000.99", None]):
        assert span_label(suppressible(sparse), np.array(sorted(codes))) == "*"


def test_dates_listed_day_by_day_are_read_as_an_interval_and_told_as_none() -> None:
    hierarchy = suppressible([f"2020-01-0{day}" for day in range(1, 8)])
    assert span_label(hierarchy, np.array([1, 2, 3])) == "*"
    assert told(hierarchy, "[2020-01-02, 2020-01-04)") == ["2020-01-02", "2020-01-03"]
    assert told(hierarchy, "[2020-01, 2020-02]") is None


def test_top_and_bottom_coded_values_come_back_as_they_are(tmp_path: Path) -> None:
    rows = [f"{a};{'<18' if a < 18 else '90+' if a >= 90 else a // 9 * 9};*" for a in range(16, 99)]
    (tmp_path / "age.csv").write_text("\n".join(rows), encoding="utf-8")
    hierarchy = File(str(tmp_path / "age.csv")).build("age", ["20"], [1])
    code = {text: c for c, text in enumerate(hierarchy.ground)}
    assert span_label(hierarchy, np.array([code["91"], code["97"]])) == "90+"
    assert span_label(hierarchy, np.array([code["16"], code["17"]])) == "<18"
    assert span_label(hierarchy, np.arange(code["85"], code["92"])) == ">=85"
    assert span_label(hierarchy, np.arange(code["16"], code["21"])) == "<=20"
    for label, first, last in (
        ("90+", "90", "98"),
        (">=85", "85", "98"),
        ("<=20", "16", "20"),
        ("<18", "16", "17"),
    ):
        assert (told(hierarchy, label) or [])[:: len(told(hierarchy, label) or []) - 1] == [first, last]


def test_intervals_of_numbers_read_from_the_table_end_on_the_grid() -> None:
    pay = Intervals([500, 1000]).build("pay", ["-12.34", "0.0", "-0.0", "88.10", "700.5", "1e3"], [1] * 6)
    assert pay.numbers is not None
    assert pay.ground == ("-12.34", "-0.0", "0.0", "88.10", "700.5", "1e3")
    assert span_label(pay, np.array([0])) == "[-500, 0)"
    assert span_label(pay, np.array([1, 2, 3])) == "[0, 500)"
    assert span_label(pay, np.array([1, 4])) == "[0, 1000)"
    assert told(pay, "[0, 1000)") == ["-0.0", "0.0", "88.10", "700.5"]


def test_intervals_of_dates_end_where_periods_do() -> None:
    born = Dates(format="%d.%m.%Y").build("born", ["17.05.1984", "02.07.1984", "31.12.1990", None], [1] * 4)
    assert span_label(born, np.array([0, 1])) == "[1984-05-01, 1984-07-31]"
    assert span_label(born, np.array([1, 3])) == "[1984-07-01, 1984-07-31] or missing"
    assert told(born, "[1984-07-01, 1984-07-31] or missing") == ["02.07.1984", None]


def test_an_interval_of_numbers_may_leave_out_its_ends() -> None:
    hierarchy = suppressible(["1", "2", "3", "4", None])
    assert told(hierarchy, "[1, 3)") == ["1", "2"]
    assert told(hierarchy, "(1, 3]") == ["2", "3"]
    assert told(hierarchy, "<3") == ["1", "2"]
    assert told(hierarchy, ">2") == ["3", "4"]
    assert told(hierarchy, "(-inf, 3)") is None
    assert told(hierarchy, "[4, 9] or missing") == ["4", None]
    assert told(hierarchy, "[a, 9]") is None


def test_a_label_at_two_levels_means_all_that_it_covers_at_either() -> None:
    hierarchy = Hierarchy.from_rows(
        "x", [("other", "other", "*"), ("odd", "other", "*"), ("fine", "fine", "*")]
    )
    assert told(hierarchy, "other") == ["other", "odd"]
    assert told(hierarchy, "fine") == ["fine"]
    alone = np.array([hierarchy.ground.index("other")])
    assert span_label(hierarchy, alone) == "{other}"
    assert told(hierarchy, "{other}") == ["other"]
    assert span_label(hierarchy, np.array([hierarchy.ground.index("fine")])) == "fine"


@pytest.mark.parametrize(
    "label", ["c", "{a, c}", "{a", '{"a}', '{"a"b}', "[1, 2]", "[", "", "a or missing", "{}", None]
)
def test_a_spelling_that_means_nothing_is_none(label: str | None) -> None:
    assert meaning(suppressible(["a", "b"]), label) is None


def test_star_is_any_value() -> None:
    assert told(suppressible(["a", None]), "*") == ["a", None]


def test_the_lowest_common_ancestor_is_the_first_level_at_which_all_agree() -> None:
    hierarchy = Hierarchy.from_rows("x", [("a", "A", "*"), ("b", "A", "*"), ("c", "C", "*")])
    assert lowest_common_ancestor(hierarchy, np.array([0, 1])) == (1, 0)
    assert lowest_common_ancestor(hierarchy, np.array([1, 2])) == (2, 0)
    assert lowest_common_ancestor(hierarchy, np.array([2])) == (0, 2)


@given(
    st.lists(st.dates(dt.date(1979, 1, 1), dt.date(1991, 12, 31)), min_size=4, max_size=9, unique=True),
    st.sets(st.sampled_from([None, "1901-05-05", "1985-02-28", "1999-12-31", "2024-01-01"]), min_size=1),
    st.sampled_from([["month", "year"], ["month", "year", "decade"], ["year", "decade", "century"]]),
    st.booleans(),
    st.data(),
)
def test_nobody_who_was_left_out_moves_an_end_of_the_outermost_dates(
    days: list[dt.date], left_out: set[str | None], levels: list[str], missing: bool, data: st.DataObject
) -> None:
    released: list[str | None] = [*map(str, sorted(days)), *([None] if missing else [])]
    others = sorted(left_out - set(released), key=str)
    low, high = sorted(data.draw(st.sets(st.integers(0, len(days) - 1), min_size=2, max_size=2)))
    if high - low + 1 == len(days):
        return  # all that is released: `*` where nobody was left out
    found = set()
    for texts in (released, [*released, *others]):
        hierarchy = Dates(levels).build("day", texts, [1] * len(texts))
        codes = hierarchy.encode(released)
        found.add(span_label(hierarchy, codes[low : high + 1], 1, codes))
    assert len(found) == 1
