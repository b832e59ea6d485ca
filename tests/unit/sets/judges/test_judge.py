"""The judge of sets: what it passes, and every way to break a release that it must find."""

from __future__ import annotations

import pyarrow as pa
import pytest
from tests.reference.set_worlds import baskets_of, hierarchy_of

from kohort.sets.held_items import HeldItems
from kohort.sets.judges import COLUMNS, MEANING, SPELLING, TRUTH, OriginalSets, judge_sets
from kohort.sets.k_m import KM
from kohort.table import Table

TREE = ("*", [("A", ["a1", "a2"]), ("B", ["b1", "b2"])])
HELD = [{"a1", "b1", "b2"}, {"a2", "b1"}, {"a2", "b1", "b2"}, {"a1", "a2", "b2"}, set()]
TRUE = ["A;b1;b2", "A;b1", "A;b1;b2", "A;b2", "{}"]
MODEL = KM(2, 2)


def original() -> OriginalSets:
    hierarchy = hierarchy_of(TREE)
    items = tuple(str(item) for item in hierarchy.ground)
    return OriginalSets(HeldItems(items, baskets_of(hierarchy, HELD)), hierarchy)


def verdicts(cells, known=True, model=MODEL, **more):
    table = Table.from_arrow(pa.table({"basket": cells} | more))
    return {v.promise: v for v in judge_sets(table, "basket", ";", [model], original() if known else None)}


def test_a_true_release_passes_in_any_order():
    for cells in (TRUE, TRUE[::-1]):
        judged = verdicts(cells)
        assert [v.holds for v in judged.values()] == [True] * 5
        assert judged[MODEL.label].achieved == 2
        notes = {promise: v.note for promise, v in judged.items() if v.note}
        assert notes == {TRUTH: "all sets of 5 people"}


def test_without_the_original_truth_is_not_judged():
    judged = verdicts(TRUE, known=False)
    assert {promise: v.holds for promise, v in judged.items()} == {
        MODEL.label: True, COLUMNS: True, SPELLING: True, MEANING: None, TRUTH: None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("cells", "broken"),
    [
        (["a1;b1;b2", "A;b1", "A;b1;b2", "A;b2", "{}"], {MODEL.label, MEANING}),  # a1 with A above it
        (["a1;b1;b2", "a2;b1", "a2;b1;b2", "a1;a2;b2", "{}"], {MODEL.label}),  # as it was: true, and rare
        (["A;b1;b2", "A;b1", "A;b1;b2", "A;b1", "{}"], {TRUTH}),  # somebody else's set
        (TRUE[:4], {TRUTH}),  # somebody is gone
        ([*TRUE, "{}"], {TRUTH}),  # somebody was added
        (["A;B", "A;B", "A;B", "A;B", "{}"], set()),
        (["A;C", "A;C", "A;C", "A;C", "{}"], {MEANING}),  # C is no label
        (["b1;A;b2", "A;b1", "A;b1;b2", "A;b2", "{}"], {SPELLING}),  # another order of labels
        (["A;b1;b1", "A;b1", "A;b1;b2", "A;b2", "{}"], {SPELLING}),
        (["A; b1", "A;b1", "A;b1;b2", "A;b2", "{}"], {SPELLING}),
        (["", "A;b1", "A;b1;b2", "A;b2", "{}"], {SPELLING}),
        ([None, "A;b1", "A;b1;b2", "A;b2", "{}"], {SPELLING}),
    ],
)
def test_whatever_is_wrong_is_found(cells, broken):
    judged = verdicts(pa.array(cells, pa.string()))
    assert {promise for promise, v in judged.items() if v.holds is False} == broken
    assert all(v.note or promise == MODEL.label for promise, v in judged.items() if v.holds is False)


def test_a_column_beside_the_sets_is_found():
    judged = verdicts(TRUE, who=list("abcde"))
    assert list(judged) == [COLUMNS]
    assert (judged[COLUMNS].holds, judged[COLUMNS].note) == (False, "other columns")


def test_how_many_rows_are_misspelled_is_said():
    assert verdicts(["b1;A", "A;b1", "b1;A", "A;b2", "{}"])[SPELLING].note == "2 rows are not"
    assert (
        verdicts(["A;b1;b2", "A;b1", "A;b1;b2", "A;b1", "{}"])[TRUTH].note == "some sets are those of nobody"
    )


def test_the_promise_is_judged_at_its_bounds():
    assert verdicts(TRUE, model=KM(3, 1))[KM(3, 1).label].holds is True
    assert verdicts(TRUE, model=KM(4, 1))[KM(4, 1).label].holds is False
    assert verdicts(TRUE, model=KM(2, 3))[KM(2, 3).label].holds is True
    assert verdicts(TRUE, model=KM(3, 3))[KM(3, 3).label].achieved == 2


def test_nobody_holding_anything_breaks_nothing():
    table = Table.from_arrow(pa.table({"basket": ["{}", "{}"]}))
    promise = judge_sets(table, "basket", ";", [KM(5, 2)])[0]
    assert promise.holds is True
    assert promise.achieved is None
