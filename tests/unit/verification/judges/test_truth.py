"""Truth row by row, by both ways of seeing which label stands beside which value; shape and verdicts."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from msgspec import to_builtins

from kohort.hierarchy import Hierarchy
from kohort.table import Table
from kohort.verification.judges import Verdict, judge_shape, judge_truth, match_rows, truth

DIGITS = Hierarchy.from_rows("digit", [(str(d), "low" if d < 2 else "high", "*") for d in range(4)])
ORIGINAL = [("0", "a"), ("1", "b"), ("2", "a"), ("3", None)]


def table(rows: list[tuple[str | None, str | None]]) -> Table:
    columns = {
        name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(("digit", "mark"))
    }
    return Table.from_arrow(pa.table(columns))


CASES = {
    "every row": ([("low", "a"), ("1", "b"), ("*", "a"), ("{2, 3}", None)], [0, 1, 2, 3], True),
    "another order": ([("high", None), ("low", "a")], [3, 0], True),
    "one row": ([("1", "b")], [1], True),
    "none": ([], [], True),
    "too high": ([("high", "a")], [0], False),
    "too low, after a true one": ([("low", "a"), ("low", "a")], [0, 2], False),
    "another mark": ([("low", "b")], [0], False),
    "a mark that nobody has": ([("low", "c")], [0], False),
    "a mark that nobody has, of another row": ([("low", "c")], [1], False),
    "a mark instead of none": ([("high", "a")], [3], False),
    "no mark instead of one": ([("low", None)], [0], False),
    "a label without meaning": ([("middle", "a")], [0], False),
    "one row twice": ([("low", "a"), ("low", "a")], [0, 0], False),
}


@pytest.mark.parametrize("dense", [1 << 27, 0], ids=["marked", "sorted"])
@pytest.mark.parametrize("case", CASES)
def test_a_release_is_true_of_its_rows_or_not(case: str, dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    released, rows, true = CASES[case]
    monkeypatch.setattr(truth, "DENSE", dense)
    verdict = judge_truth(table(released), table(ORIGINAL), [DIGITS], np.array(rows, np.int64))
    assert verdict.holds is true
    assert verdict.promise == "truthful"
    assert "'a'" not in verdict.note


@pytest.mark.parametrize("dense", [1 << 27, 0], ids=["marked", "sorted"])
def test_one_value_may_stand_under_more_labels_than_there_are_values(
    dense: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(truth, "DENSE", dense)
    original = table([("0", "a"), ("0", "a"), ("0", "a")])
    for last, true in (("*", True), ("high", False)):
        released = table([("0", "a"), ("low", "a"), (last, "a")])
        assert judge_truth(released, original, [DIGITS], np.arange(3)).holds is true


def test_the_note_says_which_column_or_how_many_rows() -> None:
    def note(released: list[tuple[str | None, str | None]], rows: list[int]) -> str:
        return judge_truth(table(released), table(ORIGINAL), [DIGITS], np.array(rows)).note

    assert note([("low", "a"), ("1", "b")], [0, 1]) == "every cell of 2 rows covers the original value"
    assert "column 'digit'" in note([("high", "a")], [0])
    assert "column 'mark'" in note([("low", "b")], [0])
    assert "more than once" in note([("low", "a"), ("low", "a")], [0, 0])


def test_a_release_without_rows_is_matched_with_none() -> None:
    found = match_rows(table([]), table(ORIGINAL), [DIGITS])
    assert found is not None
    assert found.tolist() == []


def test_labels_or_marks_that_mean_nothing_match_nothing() -> None:
    assert match_rows(table([("middle", "a")]), table(ORIGINAL), [DIGITS]) is None
    assert match_rows(table([("low", "c")]), table(ORIGINAL), [DIGITS]) is None


def test_shape() -> None:
    released = table([("low", "a"), ("1", "b")])
    assert judge_shape(released, ["mark", "digit"]).holds
    assert judge_shape(released, ["digit", "mark"], 2).holds
    assert judge_shape(released, ["digit", "mark"]).note == ""
    more, less = judge_shape(released, ["digit"]), judge_shape(released, ["digit", "mark", "pay", "tax"])
    assert (more.holds, more.note) == (False, "not declared: 'mark'")
    assert (less.holds, less.note) == (False, "declared but absent: 'pay', 'tax'")
    both = judge_shape(released, ["digit", "pay"])
    assert both.note == "not declared: 'mark'; declared but absent: 'pay'"
    rows = judge_shape(released, ["digit", "mark"], 3)
    assert (rows.holds, rows.note) == (False, "2 rows were written instead of 3")
    assert {v.promise for v in (more, less, rows)} == {"nothing but the declared columns"}


def test_a_verdict_in_plain_facts() -> None:
    assert to_builtins(Verdict("p", True, 3.0).facts()) == {"promise": "p", "achieved": 3, "holds": True}
    assert type(Verdict("p", True, 3.0).facts().achieved) is int
    assert to_builtins(Verdict("p", False, 0.25, "why").facts()) == {
        "promise": "p",
        "achieved": 0.25,
        "holds": False,
        "note": "why",
    }
    for endless in (None, float("inf"), float("-inf"), float("nan")):
        assert Verdict("p", None, endless).facts().achieved is None
