"""Truth values of quasi-identifiers: spelled in one way for the whole column they are the original's; in several they are not."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

import kohort
from kohort.hierarchy import Hierarchy, covered
from kohort.verification.judges.loose import SPELLED
from kohort.verification.judges.truth import PROMISE as TRUTH
from kohort.verification.judges.told_words import in_words_told

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
