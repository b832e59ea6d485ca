"""Which spellings follow from what labels mean, judged from distinct labels and a hierarchy alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.contract.test_label_forms import AGES, CITIES, DAYS, FINE, PAY, WRONG

from kohort.hierarchy import Hierarchy, Label, build_hierarchy
from kohort.hierarchy.file_labels import declared_bounds
from kohort.verification.judges.label_forms import LabelForms, label_forms
from kohort.verification.judges.loose import UNASKED

Column = tuple[Label, ...]


def built(kind: dict[str, Any], *values: Label) -> Hierarchy:
    distinct = tuple(dict.fromkeys(values))
    return build_hierarchy("q", kind, distinct, [1] * len(distinct))


def by_tens(ages: Sequence[int], *others: tuple[str, str, str]) -> Hierarchy:
    """A level file, in which all values are declared."""
    tens = ((str(age), f"[{age // 10 * 10}, {age // 10 * 10 + 10})", "*") for age in ages)
    return Hierarchy.from_rows("q", [*tens, *others], declared_bounds)


WIDE = {"kind": "intervals", "widths": [10, 20]}
OPEN = {"kind": "intervals", "widths": [10, 20], "low": 18, "high": 70}
SEEN = ("10", "18", "25", "39", "50")
PARTS = ("10.5", "18", "25.25", "39", "50")
BORN = ("1962-01-17", "1962-02-17", "1963-05-17", "1975-03-17")
HIERARCHIES = {
    "declared": built(AGES, "20", "30"),
    "declared and missing": built(AGES, "20", "30", None),
    "seen": built(WIDE, *SEEN),
    "seen and missing": built(WIDE, *SEEN, None),
    "below zero": built(WIDE, "-15", "-5", "5"),
    "open": built(OPEN, *SEEN, "24", "69", "75"),
    "beyond": built(OPEN, "75", "80"),
    "decimals": built(WIDE, *PARTS),
    "pay": built(PAY, "1000", "3000", "3000.5"),
    "ones": built({"kind": "intervals", "widths": [1, 10]}, "20.5", "21.5", "30"),
    "days": built(DAYS, *BORN),
    "words": built(CITIES, "oslo"),
    "codes": built({"kind": "suppress"}, "7", "8", "unknown", None),
    "few": by_tens((20, 25, 30, 35, 40, 45)),
    "fewer": Hierarchy.from_rows(
        "q",
        [
            (str(a), *(f"[{a // w * w}, {a // w * w + w})" for w in (10, 40)), "*")
            for a in (20, 25, 30, 35, 40, 45, 95)
        ],
        declared_bounds,
    ),
    "cut off": by_tens(range(20, 95)),
    "far apart": Hierarchy.from_rows("q", [("20", "a", "*"), ("25", "a", "*"), ("90", "b", "*")]),
    "named": Hierarchy.from_rows("q", [(str(a), "young" if a < 30 else "old", "*") for a in range(20, 40)]),
    "two names": by_tens((30, 31), ("20", "20", "*"), ("21", "20", "*")),
}
ONE_WAY: list[tuple[str, Column]] = [
    # as Kohort spells them, beside labels in other words
    ("declared", ("20-29", "[30, 49]")),
    ("declared and missing", ("20-29", "[30, 49] or missing")),
    ("seen", ("10-19", "[20, 39]")),
    ("seen and missing", ("10-19", "[20, 39] or missing")),
    ("named", ("[20, 24]", "old")),
    ("days", ("1963-05", "[1962-01-01, 1962-02-28]")),
    ("days", ("1975-03", "[1960-01-01, 1963-05-31]")),
    # in another form, one for the column
    ("declared", ("[0, 20)", "[20, 40)")),
    ("declared", ("[20, 26)", "[30, 36)")),
    ("declared", ("20", "[30, 40)")),
    ("declared", ("[0, 99]",)),
    ("declared", ("<20", "[20, 40)")),
    ("declared and missing", (None, "[30, 30]", "[31, 31]")),
    ("seen", ("(9, 29]", "(29, 59]")),
    ("seen", ("[10, 30)", "[30, 60)")),
    ("seen", ("[10.0, 30.0)", "[30.0, 60.0)")),
    ("seen", ("<30", "[30, 60)")),
    ("seen", ("[10, 29]", ">=30")),
    ("seen and missing", ("[10, 30)", "[30, 60) or missing")),
    ("below zero", ("[-20, -10)", "[-10, 0)")),
    ("pay", ("(1500, 3000]",)),
    ("days", ("(1961-12-31, 1962-01-31]", "(1962-01-31, 1962-02-28]")),
    # what nobody has is not known: a block of values need not bear its label
    ("seen", ("10-19", "[20, 29]")),
    ("seen", ("10-19", "[20, 29]", "*")),
    ("seen", ("50", "[50, 59]")),
    ("seen", ("20-29", "{25}")),
    ("seen", ("{10, 18}", "{25, 39}")),
    ("seen", ("50", "{10, 18}")),
    ("declared", ("20-29", "{30}")),
    ("open", (">=70", "{25}", "{39}")),
    # a value whose own label also stands for others
    ("two names", ("{20}", "31")),
    ("two names", ("{20}", "[30, 40)")),
    # the words for whole numbers, where each label stands for some
    ("decimals", ("10-19", "30-39")),
    ("words", ("{oslo, rome}", "south")),
    ("fewer", ("[20, 50)", "95")),
    ("fewer", ("[0, 80)", "95")),
    # means
    ("seen", ("12.5", "20.25")),
    ("seen", ("12.0", "20.5")),
    ("seen", ("12.50", "20.25")),
    ("seen", ("-12.5", "0")),
    ("codes", ("7.5", "unknown")),
    ("beyond", ("70",)),
]
SEVERAL_WAYS: list[tuple[str, Column]] = [
    ("declared", ("20-29", "[30, 50)")),
    ("declared", ("20-29", "(29, 49]")),
    ("declared", ("20", "[30, 30]")),
    ("declared", ("20", "[30, 31)")),
    ("declared", ("20", "{30}")),
    ("declared and missing", ("20", "{30}")),
    ("seen", ("20-29", "[20, 29]")),
    ("seen", ("10-19", "[20, 29]", "30-39", "50-59")),
    ("seen", ("10-19", "[20, 30)")),
    ("seen", ("[20, 30]",)),  # where nothing ends
    ("seen", ("(10, 29]", "(29, 59]")),
    ("seen", ("[10, 29)", "[30, 59)")),
    ("seen", ("[10.5, 29.5]",)),
    ("seen", ("10-19", "[70, 79]")),
    ("seen", ("50-59", "[0, 29]")),
    ("far apart", ("[20, 25]",)),
    ("seen and missing", ("10-19", "[70, 79] or missing")),
    ("seen", ("[10, 29] or missing", "[30, 59]")),
    ("below zero", ("[-20, -10)", "[-10, -0)")),
    ("pay", ("[1000, 1500)", "(1500, 3000]")),
    ("named", ("[20, 25)", "old")),
    ("named", ("[20, 29]", "old")),
    ("days", ("1963-05", "[1962-01-17, 1962-02-28]")),
    ("days", ("1963-05", "[1962-01-01, 1962-02-17]")),
    ("days", ("1963-05", "(1961-12-31, 1962-02-28]")),
    ("days", ("[1962-01-01T00, 1962-02-28]",)),
    ("open", ("20-29", "{>=70}")),
    ("open", ("20-29", "{<18}")),
    ("few", ("[20, 25]", "[20, 30)")),
    ("few", ("[20, 35]", "[20, 40)")),
    ("fewer", ("[20, 50)", "[0, 80)")),  # as Kohort spells them, at two levels
    # one declared value, and two places to begin or to end there
    ("few", ("[20, 35]", "[25, 39]")),
    ("few", ("[20, 35]", "[30, 39]")),
    ("cut off", ("[70, 95)", "[80, 100)")),
    ("cut off", ("<30", "[20, 40)")),
    ("two names", ("{21}", "31")),
    ("decimals", ("20-29", "30-39")),
    ("decimals", ("[10, 20)", "30-39")),
    ("ones", ("[20, 21)", "21")),
    # neither labels nor means
    ("seen", ("Maria Rossi",)),
    ("seen", ("21", "21.0")),
    ("seen", ("12.50", "20.5")),
    ("seen", ("-0", "12")),
    ("seen", ("-0.0", "12.5")),
    ("words", ("12.5",)),
    ("words", ("Maria Rossi",)),
]


def is_fine(hierarchy: Hierarchy, labels: Column) -> bool:
    found = label_forms({"q": tuple(dict.fromkeys(labels))}, [hierarchy])
    assert found in (UNASKED, LabelForms(wrong=("q",)))
    return found == UNASKED


@pytest.mark.parametrize(("of", "labels"), ONE_WAY)
def test_one_form_for_a_column_tells_nothing(of: str, labels: Column) -> None:
    assert is_fine(HIERARCHIES[of], labels)


@pytest.mark.parametrize(("of", "labels"), SEVERAL_WAYS)
def test_words_of_its_own_tell_a_class(of: str, labels: Column) -> None:
    assert not is_fine(HIERARCHIES[of], labels)


@pytest.mark.parametrize(("hands", "fine"), [(FINE, True), (WRONG, False)])
def test_labels_alone_show_what_files_do(hands: Any, fine: bool) -> None:
    for kind, held, tables in hands.values():
        hierarchy = built(kind, *(value for values in held.values() for value in values))
        assert [told for told in tables if is_fine(hierarchy, told) is not fine] == []


def test_without_the_original_it_is_not_known_what_intervals_and_sets_mean() -> None:
    told = {"a": ("20-29", None), "b": ("20-29", "[30, 39]"), "c": ("{x, y} or missing", None), "d": ("*",)}
    assert label_forms(told, None) == LabelForms(unknown=("b", "c"))


def test_labels_of_several_meanings_may_be_those_of_values_that_are_told_exactly() -> None:
    """`t` is a value, and what `r`, `s` and `t` are called; so is `r`; `x` is what these three are called, and nothing else."""
    rows = [("p", "p", "y", "y"), ("r", "x", "t", "r"), ("s", "x", "t", "r"), ("t", "x", "t", "r")]
    odd = Hierarchy.from_rows("q", [(*row, "*") for row in rows])
    town = Hierarchy.from_rows("q", [("a", "b", "*"), ("b", "c", "*")])
    for hierarchy, told, holds, perturbed in (
        (odd, ("r", "t"), True, True),  # of level 0
        (odd, ("t", "x"), False, True),  # a perturbed value may be `t`, and a group `x`
        (odd, ("p", "y"), False, False),
        (town, ("a", "b"), True, True),
    ):
        for truthful, fine in ((True, holds), (False, perturbed)):
            assert bool(label_forms({"q": told}, [hierarchy], truthful).wrong) is not fine, (told, truthful)


def test_numbers_have_a_place_where_nothing_is_but_what_is_missing() -> None:
    """Noise is drawn where values are missing, too; whether any is due is asked elsewhere."""
    for kind in ({"kind": "suppress"}, WIDE):
        nothing = built(kind, None)
        assert label_forms({"q": ("60.0", "0.0")}, [nothing], truthful=False).wrong == ()
        assert label_forms({"q": ("60.0", "60")}, [nothing], truthful=False).wrong == ("q",)
        assert label_forms({"q": ("60.0", "word")}, [nothing], truthful=False).wrong == ("q",)
