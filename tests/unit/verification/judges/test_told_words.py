"""Truth values and numbers of quasi-identifiers: in one way for the whole column they are the original's; in several not."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

import kohort
from kohort.hierarchy import Hierarchy, build_hierarchy, covered
from kohort.verification.judges.label_forms import label_forms
from kohort.verification.judges.loose import SPELLED
from kohort.verification.judges.told_words import in_words_told
from kohort.verification.judges.truth import PROMISE as TRUTH

Style = Callable[[str], str]
STYLES: tuple[Style, ...] = (str.lower, str.title, str.upper)
OTHERS = (str.capitalize, str.swapcase, lambda word: f"{word} ", lambda word: word[:1])
TRUTHS = ["true", "true", "false", "false"]


def judged(
    folder: Path, engine: str, told: list[str], true: list[str], least: int = 0
) -> dict[str, bool | None]:
    """Return the verdicts on a table of another program, laid beside its original."""
    yes, no = true[0], true[-1]
    tree = {"kind": "tree", "tree": {"*": {"yes": [yes], "no": [no, "asked"]}}}
    plan = {
        "columns": {
            "smoker": {"role": "quasi", "hierarchy": tree, "min_level": least},
            "ill": {"role": "sensitive"},
        },
        "require": [{"model": "k-anonymity", "k": 2}],
    }
    for name, cells in (("told", told), ("true", true)):
        rows = [f"{cell},{ill}\n" for cell, ill in zip(cells, "xyxy", strict=True)]
        (folder / f"{name}.csv").write_text("smoker,ill\n" + "".join(rows))
    verdicts = kohort.verify(folder / "told.csv", plan, folder / "true.csv", engine=engine)
    return {verdict.promise: verdict.holds for verdict in verdicts}


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(("style", "own"), [*product(STYLES, STYLES)])
def test_one_way_for_the_column_is_true_whatever_the_original_has(
    tmp_path: Path, style: Style, own: Style, engine: str
) -> None:
    true = [*map(own, TRUTHS)]
    held = judged(tmp_path, engine, [*map(style, TRUTHS)], true)
    assert set(held.values()) == {True}, held
    assert (
        judged(tmp_path, engine, [*map(style, reversed(TRUTHS))], true)[TRUTH] is True
    )  # rows in another order
    assert judged(tmp_path, engine, [style("true")] * 4, true)[TRUTH] is False
    finer = judged(tmp_path, engine, [*map(style, TRUTHS)], true, least=1)
    assert False in {holds for promise, holds in finer.items() if "smoker" in promise}


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(
    ("one", "other"), [pair for pair in product(STYLES, STYLES) if pair[0] is not pair[1]]
)
def test_two_ways_in_a_column_are_never_passed_over(
    tmp_path: Path, one: Style, other: Style, engine: str
) -> None:
    for told in (["true", "true"], ["false", "false"]), (["true", "false"], ["true", "false"]):
        cells = [*map(one, told[0]), *map(other, told[1])]
        true = sorted((cell.lower() for cell in cells), reverse=True)
        held = judged(tmp_path, engine, cells, true)
        assert {held[TRUTH], held.get(SPELLED)} != {True}, cells


def test_the_labels_that_a_hierarchy_has_are_its_own() -> None:
    rows = [[word, "*"] for word in ("true", "True", "false")]
    both = Hierarchy.from_rows("smoker", rows)
    for label in ("TRUE", "False", *(other("true") for other in OTHERS)):
        assert in_words_told(both, [label, "true"]).ground == both.ground
        assert covered(both, label) is None or label in both.ground


# ---- numbers ----

COLUMNS = [  # of the original, and as programs write them
    (["1000", "2.5", "3.25", "7"], ["1000.0", "2.5", "3.25", "7.0"], ["1000.00", "2.50", "3.25", "7.00"]),
    (["1.50", "2.50", "3.00"], ["1.5", "2.5", "3.0"], ["1.5", "2.5", "3"]),
    (["10", "20", "-5"], ["10.0", "20.0", "-5.0"], ["10.000", "20.000", "-5.000"]),
    (["10.0", "20.0"], ["10", "20"], ["10.00", "20.00"]),
]
KINDS = ({"kind": "suppress"}, {"kind": "intervals", "widths": [5, 10]})


def numbered(folder: Path, engine: str, kind: object, told: list[str], true: list[str]) -> set[bool | None]:
    plan = {
        "columns": {"q": {"role": "quasi", "hierarchy": kind}, "ill": "sensitive"},
        "require": [{"model": "k-anonymity", "k": 2}],
    }
    for name, cells in (("told", told), ("true", true)):
        order = [*range(len(cells))] * 2
        rows = [f"{cells[i]},{'xy'[i % 2]}\n" for i in (order if name == "true" else order[::-1])]
        (folder / f"{name}.csv").write_text("q,ill\n" + "".join(rows))
    verdicts = kohort.verify(folder / "told.csv", plan, folder / "true.csv", engine=engine)
    return {v.holds for v in verdicts if "rows do not stand" not in v.promise}


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("true", "one", "other"), COLUMNS)
def test_numbers_may_have_other_zeros_by_one_rule(
    tmp_path: Path, true: list[str], one: list[str], other: list[str], kind: object, engine: str
) -> None:
    assert numbered(tmp_path, engine, kind, true, true) == {True}
    for told in (one, other):
        assert numbered(tmp_path, engine, kind, told, true) == {True}
        mixed = [told[0], *(f"{text}0" if "." in text else f"{text}.0" for text in told[1:])]
        assert False in numbered(tmp_path, engine, kind, mixed, true), mixed
        assert False in numbered(tmp_path, engine, kind, [told[1], *told[1:]], true), "not how often it is"


def test_two_numbers_that_become_one_text_are_not_taken_for_each_other() -> None:
    both = Hierarchy.from_rows("pay", [["7", "*"], ["7.0", "*"], ["2.50", "*"]])
    assert covered(in_words_told(both, ["7.0", "2.5"]), "2.5") is None
    assert in_words_told(both, ["7.0", "2.50"]) is both
    codes = Hierarchy.from_rows("zip", [["007", "0", "*"], ["7.00", "7", "*"]])
    assert in_words_told(codes, ["7.0", "007.0"]) is codes  # of two levels


def test_other_words_of_a_hierarchy_are_told_likewise() -> None:
    """Intervals have words for whole numbers, too, which serve where nobody with decimals is told."""
    ages = build_hierarchy("age", {"kind": "intervals", "widths": [10]}, ["20", "30", "40.50"], [1] * 3)
    told = in_words_told(ages, ["20.0", "30.0", "40.5"])
    assert [covered(told, text).tolist() for text in ("20.0", "40.5", "20-29")] == [[0], [2], [0]]  # type: ignore[union-attr]
    assert told.encode(["20", "40.50"]).tolist() == [0, 2]
    assert label_forms({"age": ("20-29", "30-39")}, [told]).wrong == ()
    assert label_forms({"age": ("20.0", "30.0", "40.5")}, [told]).wrong == ()
    assert label_forms({"age": ("[40, 50)", "30-39")}, [told]).wrong == ("age",)
