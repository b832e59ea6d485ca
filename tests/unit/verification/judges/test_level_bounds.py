"""The bounds of levels, judged from cells: by hand."""

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, build_hierarchy
from kohort.table import Table
from kohort.verification.judges import judge_level_bounds, left_blank

AGE = Hierarchy.from_rows(
    "age",
    [(str(a), f"{a // 5 * 5}-{a // 5 * 5 + 4}", "young" if a < 20 else "old", "*") for a in range(10, 30)],
)
SEX = Hierarchy.from_rows("sex", [("f", "*"), ("m", "*")])


def judged(ages, low, high, sexes=None, hierarchies=(AGE, SEX), blank=False):
    table = Table.from_arrow(pa.table({"age": ages, "sex": sexes or ["f"] * len(ages)}))
    tuples = np.column_stack([table[name].codes for name in ("age", "sex")])
    return judge_level_bounds(table, ("age", "sex"), tuples, {"age": (low, high)}, hierarchies, blank)


@pytest.mark.parametrize(
    ("label", "low", "high", "holds"),
    [
        ("12", 0, None, True),
        ("12", 1, None, False),
        ("10-14", 1, 1, True),
        ("10-14", 2, None, False),
        ("[10, 19]", 1, 2, True),
        ("[10, 19]", 1, 1, False),
        ("[10, 20]", 0, 2, False),
        ("[11, 19]", 1, 2, False),
        ("[15, 24]", 1, None, True),
        ("young", 2, 2, True),
        ("young", 0, 1, False),
        ("*", 0, 2, False),
        ("*", 2, 3, True),
        ("1*", 0, None, False),
        ("[12, 12]", 0, 0, True),
        ("[12, 12]", 1, None, False),
        ("a mean of 12", 0, 3, True),  # a max_level at the root bounds nothing
        ("a mean of 12", 0, 9, True),
        ("a mean of 12", 1, 3, False),
        ("a mean of 12", 0, 2, False),
        ("12", 1, 3, False),
    ],
)
def test_values_finer_or_coarser_are_found(label, low, high, holds):
    (verdict,) = judged([label, label], low, high)
    assert verdict.holds is holds
    assert label not in verdict.note, "a note quotes no cell"


def test_one_value_among_many_is_enough():
    (verdict,) = judged(["10-14", "15-19", "16"], 1, 2)
    assert verdict.holds is False
    assert verdict.promise == "age at levels 1 to 2"
    assert verdict.note == "1 of 3 released values are finer or coarser"


def test_a_label_of_an_allowed_level_may_be_that_of_a_finer_one_too():
    """Ely is a town and the county of that town alone."""
    town = Hierarchy.from_rows("age", [("Ely", "Ely", "*"), ("Ayr", "Kyle", "*"), ("Oban", "Lorn", "*")])
    for label, low, high, holds in (
        ("Ely", 1, 1, True), ("Ely", 2, 2, False), ("Kyle", 1, 1, True), ("Ayr", 1, 1, False)
    ):  # fmt: skip
        (verdict,) = judged([label, label], low, high, hierarchies=(town, SEX))
        assert verdict.holds is holds, (label, low)


def test_a_star_is_the_root_also_where_the_table_has_a_value_spelled_so():
    odd = Hierarchy.from_rows("age", [("*", "rare", "all"), ("12", "teen", "all")])
    assert judged(["*", "*"], 1, None, hierarchies=(odd, SEX))[0].holds is True
    assert judged(["*", "*"], 1, 1, hierarchies=(odd, SEX))[0].holds is False
    assert judged(["*", "*"], 0, 1, hierarchies=(odd, SEX))[0].holds is True, "one cannot tell"


def test_a_star_is_coarser_than_the_one_label_that_all_values_lie_under():
    teens = Hierarchy.from_rows("age", [(str(a), "10-19", "young", "*") for a in range(12, 16)])
    assert judged(["*", "*"], 0, 1, hierarchies=(teens, SEX))[0].holds is False
    assert judged(["*", "*"], 1, 2, hierarchies=(teens, SEX))[0].holds is False
    assert judged(["*", "*"], 1, 3, hierarchies=(teens, SEX))[0].holds is True
    twice = Hierarchy.from_rows("age", [(str(a), "*", "*") for a in range(12, 16)])
    assert judged(["*", "*"], 1, 1, hierarchies=(twice, SEX))[0].holds is True, "a label of level 1"
    assert judged(["*", "*"], 0, 0, hierarchies=(twice, SEX))[0].holds is False


def test_a_star_is_coarser_than_a_root_that_is_a_label_because_no_other_value_occurs():
    tens = build_hierarchy("age", {"kind": "intervals", "widths": [10]}, ["12", "15"], [1, 1])
    assert tens.levels[-1].labels == ("10-19",)
    for low, high, holds in ((0, 1, False), (1, 1, False), (0, 2, True), (1, None, True)):
        assert judged(["*", "*"], low, high, hierarchies=(tens, SEX))[0].holds is holds, (low, high)
    assert judged(["10-19", "*"], 0, 1, ["f", "*"], (tens, SEX), blank=True)[0].holds is True


def test_an_end_that_is_not_there_is_the_same_in_every_level():
    bands = {"kind": "bands", "ends": [[0, 10, 100, 1000], [0, 100]]}
    pay = build_hierarchy("age", bands, ["-3.25", "0.5", "12.5", "1e3"], [1] * 4)
    for label, holds in ((">=10", True), (">=100", True), (">10", False), (">=20", False)):
        (verdict,) = judged(["[0, 10)", label], 1, None, hierarchies=(pay, SEX))  # spelled by fractions, both
        assert verdict.holds is holds, label


def test_suppressed_rows_are_excepted_and_suppressed_cells_are_not():
    assert judged(["10-14", "*"], 0, 1, ["f", "*"], blank=True)[0].holds is True
    assert judged(["10-14", "*"], 0, 1, ["f", "m"], blank=True)[0].holds is False
    assert judged(["10-14", "*"], 0, 1, ["f", "*"])[0].holds is False, "where they are dropped there are none"


@pytest.mark.parametrize(
    ("high", "blank"), [(0, [False, True, False]), (2, [False, True, False]), (3, [False] * 3)]
)
def test_rows_that_tell_nothing_are_left_out_where_a_bound_does_not_allow_it(high, blank):
    table = Table.from_arrow(pa.table({"age": ["12", "*", "*"], "sex": ["f", "*", "m"]}))
    tuples = np.column_stack([table[name].codes for name in ("age", "sex")])
    for hierarchies, expected in (((AGE, SEX), blank), (None, [False] * 3)):
        found = left_blank(table, ("age", "sex"), tuples, {"age": (0, high)}, hierarchies)
        assert found.tolist() == expected


def test_without_the_original_nothing_is_claimed():
    (verdict,) = judged(["10-14"], 1, None, hierarchies=None)
    assert verdict.holds is None
    assert verdict.promise == "age at level 1 or above"


def plan(**bounds):
    age = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 10], "domain": [0, 99]}} | bounds
    return kohort.Plan(
        columns={"age": age, "ill": "sensitive"},
        require=[kohort.KAnonymity(2)],
        recode={"max_suppression": 0},
    )


def test_verify_judges_what_others_wrote():
    frame = pa.table({"age": [21, 22, 23, 24], "ill": list("abcd")})
    told = pa.table({"age": ["20-24"] * 4, "ill": list("abcd")})
    by_promise = {v.promise: v.holds for v in kohort.verify(told, plan(min_level=2), frame)}
    assert by_promise["age at level 2 or above"] is False
    assert by_promise["2-anonymity"] is True
    assert {v.promise: v.holds for v in kohort.verify(told, plan(max_level=1), frame)}[
        "age at level 1 or below"
    ]


def test_a_bound_at_the_end_of_the_hierarchy_is_none_where_the_plan_tells_the_end():
    frame = pa.table({"age": [21, 22, 23, 24], "ill": list("abcd")})
    free = plan(min_level=0, max_level=3)
    recode = {"algorithm": "k-member"}
    with pytest.raises(
        kohort.InputError, match="does not keep a max_level"
    ):  # the end is that of who is there
        kohort.anonymize(frame, kohort.Plan(columns=free.columns, require=free.require, recode=recode))
    tree = {"kind": "tree", "tree": {"20-24": ["21", "22"], "23-24": ["23", "24"]}}
    age = {"role": "quasi", "hierarchy": tree, "max_level": 2}
    asked = kohort.Plan(columns={**free.columns, "age": age}, require=free.require, recode=recode)
    assert kohort.anonymize(frame, asked).verdicts


@pytest.mark.parametrize(
    ("name", "bounds", "told"),
    [
        (
            "mdav",
            {"min_level": 1},
            r"\[columns\] age: min_level is 1, and mdav does not keep a min_level.*optimal",
        ),
        ("forest", {"max_level": 2}, "max_level is 2, and forest does not keep a max_level"),
        ("k-member", {"max_level": 1}, "k-member does not keep a max_level"),
    ],
)
def test_bounds_that_are_not_kept_are_refused_by_name(name, bounds, told):
    frame = pa.table({"age": [21, 22, 23, 24], "ill": list("abcd")})
    asked = plan(**bounds)
    with pytest.raises(InputError, match=told):
        kohort.anonymize(frame, kohort.Plan(asked.columns, asked.require, recode={"algorithm": name}))


@pytest.mark.parametrize(
    ("kind", "label", "low", "holds"),
    [
        ("seen", "[10, 39]", 1, True),
        ("seen", "[10, 39]", 2, False),  # labels of level 2 begin at 0, whoever is the youngest
        ("seen", "[0, 39]", 2, True),
        ("seen", "[0, 59]", 3, False),  # the root has no ends
        ("seen", "[10, 40)", 1, True),  # however it is written
        ("seen", "(9, 39]", 1, True),
        ("seen", "[10.0, 40.0)", 1, True),
        ("seen", "[10, 39.5)", 1, False),
        ("seen", "[9.5, 39]", 1, False),
        ("parts", "[10, 40)", 1, True),
        ("parts", "[10.0, 40.0)", 1, True),
        ("parts", "(10, 40]", 1, False),
        ("ended", "[20, 40)", 1, True),
        ("ended", "<20", 1, True),
        ("ended", "<=19", 1, False),
        ("ended", "<=20", 1, False),
        ("ones", "[20, 22)", 1, True),  # finer than any grid is, and yet labels end there
        ("ones", "[20, 21.5]", 1, False),
        ("words", "{oslo, bergen}", 1, True),
        ("words", "{oslo, rome}", 1, False),
        ("codes", "{94138, 94139}", 1, False),  # nobody has named all of them
    ],
)
def test_labels_end_where_the_plan_says_and_not_where_values_do(kind, label, low, holds):
    told, values = {
        "seen": ({"kind": "intervals", "widths": [10, 20]}, ["10", "18", "25", "39", "50"]),
        "parts": ({"kind": "intervals", "widths": [10, 20]}, ["10.5", "18", "25.25", "39.5", "40"]),
        "ended": ({"kind": "intervals", "widths": [10, 20], "low": 20}, ["10", "18", "25", "39", "50"]),
        "ones": ({"kind": "intervals", "widths": [1, 10]}, ["20.5", "21.5", "30"]),
        "words": ({"kind": "tree", "tree": {"north": ["oslo", "bergen"], "south": ["rome"]}}, ["oslo"]),
        "codes": ({"kind": "mask"}, ["94138", "94139", "94220"]),
    }[kind]
    hierarchy = build_hierarchy("age", told, values, [1] * len(values))
    (verdict,) = judged([label], low, None, hierarchies=(hierarchy, SEX))
    assert verdict.holds is holds


def test_a_suppressed_row_counts_where_the_plan_leaves_none_blank():
    assert [verdict.holds for verdict in judged(["*"], 0, 1, ["*"])] == [False]
    assert [verdict.holds for verdict in judged(["*"], 0, 1, ["*"], blank=True)] == [True]
    table = Table.from_arrow(pa.table({"age": ["*"], "sex": ["*"]}))
    tuples = np.zeros((1, 2), np.int32)
    (verdict,) = judge_level_bounds(table, ("age", "sex"), tuples, {"age": (0, 1)}, (AGE, SEX))
    assert not verdict.holds


def test_a_label_that_looks_like_an_interval_and_ends_nowhere_is_none():
    pay = Hierarchy.from_rows("age", [("p", "x", ">= a lot", "*"), ("q", "y", "[b, c]", "*")])
    for label in (">= a lot", "[b, c]"):
        assert [v.holds for v in judged([label], 1, 1, hierarchies=(pay, SEX))] == [False]
        assert [v.holds for v in judged([label], 1, 2, hierarchies=(pay, SEX))] == [True]
