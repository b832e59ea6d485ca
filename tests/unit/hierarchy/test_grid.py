"""The grid: every end is declared, whatever the numbers; labels mean the cells they were spelled from."""

from __future__ import annotations

import itertools
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.hierarchy import BUILDERS, Hierarchy, meaning, span_label
from kohort.hierarchy.bounds import Bounds
from kohort.hierarchy.file import File
from kohort.hierarchy.file_labels import read_label
from kohort.hierarchy.intervals import Intervals

NUMBERS = st.one_of(
    st.integers(-300, 300).map(str),
    st.decimals(-300, 300, places=2).map(str),
    st.sampled_from(["0.0", "-0.0", "0", "07", "7", "7.0", "1e2", "100", "+5", "-1.50", "1.5"]),
)


@st.composite
def intervals(draw: st.DrawFn) -> tuple[Intervals, list[str]]:
    width = draw(st.sampled_from([5, 10, 0.75, 12.5]))
    low, high = (draw(st.sampled_from([None, end])) for end in (-40, 60))
    domain = draw(st.sampled_from([None, [-300, 300]]))
    texts = draw(st.lists(NUMBERS, min_size=1, max_size=12, unique=True))
    return Intervals([width, 4 * width], 0, low, high, domain), texts


@given(intervals(), st.booleans(), st.data())
def test_ends_are_declared_and_mean_their_cells(
    drawn: tuple[Intervals, list[str]], missing: bool, data: st.DataObject
) -> None:
    plan, texts = drawn
    hierarchy = plan.build("x", [*texts, None] if missing else texts, [1] * (len(texts) + missing))
    grid, told = hierarchy.grid, hierarchy.size - missing
    assert grid is not None
    low = data.draw(st.integers(0, told - 1))
    high = data.draw(st.integers(low, told - 1))
    label = span_label(hierarchy, np.arange(low, high + 1))
    covered = np.flatnonzero(meaning(hierarchy, label))
    assert covered[0] == grid.first[low] or label == "*"
    assert covered[-1] == grid.last[high] or label == "*"
    if not hierarchy.declared:  # then no ground value may be an end, unless it lies on the grid
        allowed = {-40, 60, -300, 300}
        for own in grid.bounds:
            for end in (own.low, own.high):
                value = Decimal(end or 0)
                on_width = (value % Decimal(str(plan.widths[0]))) == 0
                last_whole = ((value + 1) % Decimal(str(plan.widths[0]))) == 0 or value + 1 in allowed
                assert on_width or last_whole or value in allowed


@given(
    st.lists(
        st.integers(0, 10**6).map(lambda cents: f"{cents / 100:.2f}"), min_size=4, max_size=30, unique=True
    )
)
def test_a_sparse_list_of_numbers_is_no_grid_whoever_wrote_it_down(values: list[str]) -> None:
    numbers = sorted(map(Decimal, values))
    step = min(b - a for a, b in itertools.pairwise(numbers))
    sparse = (numbers[-1] - numbers[0]) / step + 1 > 2 * len(numbers)
    hierarchy = Hierarchy.from_rows("x", [(value, "*") for value in values])
    assert (hierarchy.grid is None) == sparse


@pytest.mark.parametrize("odd", ["037", "+37", "3.7e1", "37.0", "37.", "0037.00", "37"])
@pytest.mark.parametrize("kind", ["intervals", "tree"])
@pytest.mark.parametrize("at", ["low", "high", "both"])
def test_no_end_is_spelled_as_somebody_spells_it(odd: str, kind: str, at: str) -> None:
    """An interval from or to 37 does not tell how the one who is 37 is written down: only somebody's cell is spelled so."""
    texts = ["35", "36", odd, "38", "39", "40"]
    if kind == "intervals":
        hierarchy = Intervals([10], 0, None, None, [30, 49]).build("age", texts, [1] * 6)
    else:
        hierarchy = BUILDERS[kind]({"thirties": texts[:5], "forties": texts[5:]}).build("age", texts, [1] * 6)
    code = list(hierarchy.ground).index(odd)
    first, last = {"low": (code, code + 2), "high": (code - 2, code), "both": (code, code + 1)}[at]
    told = span_label(hierarchy, np.arange(first, last + 1))
    assert told == {"low": "[37, 39]", "high": "[35, 37]", "both": "[37, 38]"}[at]


@pytest.mark.parametrize(
    ("label", "bounds"),
    [
        ("20-39", Bounds("20", "39")),
        ("-9 to -5", Bounds("-9", "-5")),
        ("-9--5", Bounds("-9", "-5")),
        ("[20, 40)", Bounds("20", "40", high_in=False)),
        ("(1.5, 2]", Bounds("1.5", "2", low_in=False)),
        ("≥90", Bounds("90", None)),
        ("> 90", Bounds("90", None, low_in=False)),
        ("90+", Bounds("90", None)),
        ("<18", Bounds(None, "18", high_in=False)),
        ("young", None),
        ("a-b", None),
        ("*", None),
        (None, None),
    ],
)
def test_labels_of_level_files_tell_bounds(label: str | None, bounds: Bounds | None) -> None:
    assert read_label(label) == bounds


def test_a_label_that_is_not_true_of_its_numbers_declares_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("1;1-5;*\n5;1-5;*\n8;1-5;*\n90;10+;*\n", encoding="utf-8")
    hierarchy = File(str(tmp_path / "x.csv")).build("x", ["1"], [1])
    assert hierarchy.levels[1].bounds == (None, Bounds("10", None))
    assert hierarchy.grid is None


def test_hierarchies_name_their_levels() -> None:
    named = {
        "intervals": ({"widths": [5, 10]}, ["1", "22"], ["exact", "5 wide", "10 wide", "any value"]),
        "dates": ({"levels": ["month", "5-years"]}, ["2020-01-01", "1999-01-01"], ["exact", "month", "5 years", "any value"]),
        "mask": ({"steps": [2]}, ["12345", "12399"], ["exact", "2 hidden", "any value"]),
        "bands": ({"ends": [[1, 5, 9], [5]]}, ["1", "22"], ["exact", "4 bands", "2 bands", "any value"]),
        "prefix": ({"standard": "us-zip"}, ["12345"], ["exact", "ZIP3", "first digit", "any value"]),
        "icd10": ({"levels": ["block"]}, ["I25.1"], ["exact", "block", "any value"]),
        "ip": ({}, ["192.0.2.1"], ["exact", "/24 or /64", "/16 or /48", "/8 or /32", "any value"]),
        "order": ({"values": ["a", "b"], "keep": [1]}, ["a", "b"], ["exact", "first 1", "any value"]),
        "suppress": ({}, ["a", "b"], ["exact", "any value"]),
        "tree": ({"tree": {"x": ["a"], "y": ["b"]}}, ["a"], ["exact", "level 1", "any value"]),
    }  # fmt: skip
    for kind, (options, texts, names) in named.items():
        assert BUILDERS[kind](**options).build("x", texts, [1] * len(texts)).level_names() == names


@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_a_thousand_labels_are_asked_of_the_declared_domain_whatever_decimals_values_have(
    decimals: int,
) -> None:
    values = [f"{value:.{decimals}f}" for value in (3, 40_000, 99_000)]
    fine, wide = (
        Intervals(widths, domain=[0, 100_000]).build("pay", values, [1] * 3)
        for widths in ([5, 1000], [100, 1000])
    )
    assert [None if h.grid is None else h.grid.level for h in (fine, wide)] == [2, 1]
