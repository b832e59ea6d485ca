from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, build_hierarchy, meaning


def intervals(texts: list[str | None], **options: object) -> Hierarchy:
    return build_hierarchy("age", {"kind": "intervals", **options}, texts, [2] * len(texts))


def paths(hierarchy: Hierarchy) -> dict[str | None, tuple[str | None, ...]]:
    columns = [[level.labels[code] for code in level.of_ground] for level in hierarchy.levels]
    return {path[0]: path[1:] for path in zip(*columns, strict=True)}


def test_whole_numbers_get_intervals_with_both_ends_included() -> None:
    found = paths(intervals(["37", "40", "0"], widths=[5, 10, 20]))
    assert found == {
        "0": ("0-4", "0-9", "0-19", "*"),
        "37": ("35-39", "30-39", "20-39", "*"),
        "40": ("40-44", "40-49", "40-59", "*"),
    }


def test_the_origin_moves_the_grid() -> None:
    assert paths(intervals(["17", "18", "22", "23"], widths=[5], origin=18)) == {
        "17": ("13-17", "*"),
        "18": ("18-22", "*"),
        "22": ("18-22", "*"),
        "23": ("23-27", "*"),
    }


def test_open_ends_are_one_label_and_cut_the_intervals_next_to_them() -> None:
    found = paths(
        intervals(["3", "17", "18", "19", "25", "89", "90", "107"], widths=[10, 20], low=18, high=90)
    )
    assert found == {
        "<18": ("<18", "<18", "*"),
        "18": ("18-19", "18-19", "*"),
        "19": ("18-19", "18-19", "*"),
        "25": ("20-29", "20-39", "*"),
        "89": ("80-89", "80-89", "*"),
        ">=90": (">=90", ">=90", "*"),
    }


@pytest.mark.parametrize("domain", [None, [0, 120]])
def test_what_lies_beyond_an_open_end_is_one_ground_value(domain: list[int] | None) -> None:
    hierarchy = intervals(["3", "50", "90", "107", None], widths=[10], low=18, high=90, domain=domain)
    codes = hierarchy.encode(["3", "90", "107", "50", None])
    assert [hierarchy.ground[code] for code in codes] == ["<18", ">=90", ">=90", "50", None]
    assert hierarchy.codes_of(["89.5", "97"]).tolist() == [-1, -1 if domain is None else codes[1]]
    assert hierarchy.numerals()[codes[0]] == "18"
    assert hierarchy.numerals()[codes[2]] == "90"
    masks = {
        label: meaning(hierarchy, label) for label in (">=90", "[90, 107]", ">90", ">=50", "[50, 90]", "107")
    }
    covered = {label: mask is not None and bool(mask[codes[1]]) for label, mask in masks.items()}
    assert covered == {
        ">=90": True,
        "[90, 107]": False,
        ">90": False,
        ">=50": True,
        "[50, 90]": False,
        "107": False,
    }


def test_a_declared_domain_holds_values_absent_from_the_table_and_ends_the_intervals() -> None:
    hierarchy = intervals(["3", "11"], widths=[5, 10], domain=[0, 12])
    assert hierarchy.ground == tuple(map(str, range(13)))
    assert hierarchy.levels[1].labels == ("0-4", "5-9", "10-12")
    assert hierarchy.levels[1].leaves.tolist() == [5, 5, 3]


def test_an_interval_of_one_number_is_that_number() -> None:
    assert paths(intervals(["12"], widths=[4, 12], domain=[0, 12]))["12"] == ("12", "12", "*")


def test_decimals_get_half_open_intervals_with_exact_ends() -> None:
    found = paths(intervals(["0.3", "0.29", "1", "2.50"], widths=[0.1, 0.5]))
    assert found == {
        "0.29": ("[0.2, 0.3)", "[0, 0.5)", "*"),
        "0.3": ("[0.3, 0.4)", "[0, 0.5)", "*"),
        "1": ("[1, 1.1)", "[1, 1.5)", "*"),
        "2.50": ("[2.5, 2.6)", "[2.5, 3)", "*"),
    }


def test_a_declared_end_of_decimals_is_included() -> None:
    assert paths(intervals(["1.5", "4.5", "5"], widths=[2], domain=[0, 5]))["5"] == ("[4, 5]", "*")
    assert paths(intervals(["1.5", "4"], widths=[2], domain=[0, 4]))["4"] == ("4", "*")


def test_numbers_below_zero_are_told_apart_from_the_dash() -> None:
    assert paths(intervals(["-7", "-10", "3"], widths=[5])) == {
        "-10": ("-10 to -6", "*"),
        "-7": ("-10 to -6", "*"),
        "3": ("0-4", "*"),
    }


def test_a_missing_value_keeps_its_own_label_up_to_the_root() -> None:
    hierarchy = intervals(["1", None, "7"], widths=[5])
    assert paths(hierarchy)[None] == (None, "*")
    assert hierarchy.ground == ("1", "7", None)


def test_one_label_left_is_the_root_unless_a_missing_value_must_join_it() -> None:
    assert paths(intervals(["1", "3"], widths=[5, 50])) == {"1": ("0-4", "0-49"), "3": ("0-4", "0-49")}
    assert paths(intervals(["1", None], widths=[5, 50]))[None] == (None, None, "*")


def test_numbers_too_large_for_64_bits_are_exact() -> None:
    big = "123456789012345678901234567890"
    assert (
        paths(intervals([big, "5"], widths=[1000]))[big][0]
        == "123456789012345678901234567000-123456789012345678901234567999"
    )


def test_numbers_may_have_an_exponent() -> None:
    found = paths(intervals(["1e-05", "2.5E+3", "0.1"], widths=[0.5]))
    assert found == {"1e-05": ("[0, 0.5)", "*"), "0.1": ("[0, 0.5)", "*"), "2.5E+3": ("[2500, 2500.5)", "*")}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"widths": [5, 12]}, "12 is not a multiple of 5"),
        ({"widths": [10, 5]}, "5 is not a multiple of 10"),
        ({"widths": []}, "above 0"),
        ({"widths": [0]}, "above 0"),
        ({"widths": ["5"]}, "widths[0]: expected"),
        ({"widths": [5], "low": 9, "high": 9}, "low must be less than high"),
        ({"widths": [5], "domain": [3]}, "least and the greatest"),
        (
            {"widths": [5], "width": 3},
            "no option 'width'; its options are: decimals, domain, high, low, origin, widths",
        ),
        ({"widths": [5], "domain": [0, 10_000_000]}, "holds 10,000,001 whole numbers"),
        ({"widths": [float("inf")]}, "finite"),
        ({"widths": [5], "origin": float("nan")}, "finite"),
        ({}, "missing required field `widths`"),
    ],
)
def test_wrong_options_are_told_with_the_column(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match="column 'age'") as error:
        intervals(["1", "2"], **options)
    assert words in str(error.value)


@pytest.mark.parametrize("options", [{}, {"domain": [0, 120]}])
def test_values_that_cannot_stand_in_an_interval_are_counted_and_not_told(options: dict[str, object]) -> None:
    odd = "999" if options else "secret"
    with pytest.raises(InputError) as error:
        intervals(["1", odd, None], widths=[5], **options)
    assert "1 of its 2 distinct values, in 2 rows" in str(error.value)
    assert odd not in str(error.value)


@given(
    st.lists(st.decimals(-500, 500, places=2), min_size=1, max_size=30, unique=True),
    st.lists(st.integers(2, 4), min_size=1, max_size=3),
    st.integers(-30, 30),
)
def test_every_number_lies_in_its_intervals_and_they_nest(
    values: list, factors: list[int], origin: int
) -> None:
    widths = [0.25 * float(np.prod(factors[: i + 1])) for i in range(len(factors))]
    hierarchy = intervals(["500.5", *(f"{v:f}" for v in values)], widths=widths, origin=origin)
    for ground, labels in paths(hierarchy).items():
        for label, width in zip(labels, widths, strict=False):
            low, high = map(float, label[1:-1].split(","))
            assert low <= float(ground) < high
            assert high - low == pytest.approx(width)


def test_decimal_commas_are_named_and_other_texts_are_not_taken_for_them() -> None:
    with pytest.raises(InputError, match="each of them is a number with a decimal comma"):
        intervals(["1,72", "1.234,5", "2"], widths=[5])
    with pytest.raises(InputError, match="each of them is not a number"):
        intervals(["1,72", "tall"], widths=[5])


def test_numbers_too_long_to_be_told_apart_are_told_by_labels_only() -> None:
    hierarchy = intervals([str(10**18 + i) for i in range(4)], widths=[2])
    assert hierarchy.numbers is None
    assert hierarchy.grid is None
    assert len(hierarchy.levels[1].labels) == 2


@pytest.mark.parametrize("domain", [None, [-20, 130]], ids=["read", "declared"])
@pytest.mark.parametrize(("low", "high"), [(18, None), (None, 90), (18, 90)])
@pytest.mark.parametrize("inside", [["20", "33", "89"], ["20", "33.5"]], ids=["whole", "fractions"])
def test_decimals_beyond_an_open_end_change_nothing(
    domain: list[int | float] | None, low: int | None, high: int | None, inside: list[str]
) -> None:
    """Such a number is never told, so neither is how finely it is written."""

    def built(below: str, above: str) -> Hierarchy:
        texts: list[str | None] = [
            *inside,
            *([below] if low is not None else []),
            *([above] if high is not None else []),
        ]
        options = {"low": low, "high": high, "domain": domain}
        return intervals(texts, widths=[5, 10], **{k: v for k, v in options.items() if v is not None})

    def told(hierarchy: Hierarchy) -> list[object]:
        assert hierarchy.numbers is not None
        spelled = [spelling.hierarchy for spelling in hierarchy.spellings]
        return [
            hierarchy.ground,
            [level.labels for level in hierarchy.levels],
            [level.of_ground.tolist() for level in hierarchy.levels],
            hierarchy.numbers.tolist(),
            hierarchy.declared,
            hierarchy.pitch,
            hierarchy.grid and hierarchy.grid.bounds,
            [told(other) for other in spelled],
        ]

    usual = told(built("17", "95"))
    for below, above in (("1.25", "97.25"), ("-7.125", "90.001"), ("0.5", "129.999"), ("17.999", "90")):
        assert told(built(below, above)) == usual
