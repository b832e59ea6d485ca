"""The judge of a release in two tables: groups by what they tell, rows as an attacker sees them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort.errors import InputError
from kohort.models import AlphaK, Attribute, GroupPromise, KAnonymity, LDiversity, Reference, TCloseness
from kohort.table import Table
from kohort.verification.judges.counts import judge_counts
from kohort.verification.judges.group_contents import GroupContents
from kohort.verification.judges.told_apart import Crowds
from kohort.verification.judges.two_tables import TwoTables, judge_groups, judge_two_tables

QUASI = {"age": [1, 2, 3, 4], "group": [1, 1, 2, 2]}
SENSITIVE = {"group": [1, 1, 2, 2], "disease": ["a", "b", "a", None], "count": [1, 1, 1, 1]}
TORN = GroupPromise("disease", 2, 2)


def tables(**changes: list) -> tuple[Table, Table]:
    quasi, sensitive = dict(QUASI), dict(SENSITIVE)
    for name, values in changes.items():
        table, column = name.split("__")
        (quasi if table == "quasi" else sensitive)[column] = values
    return Table.from_arrow(pa.table(quasi)), Table.from_arrow(pa.table(sensitive))


def tampered(**changes: list) -> list[bool | None]:
    return [verdict.holds for verdict in judge_groups(GroupContents.of(*tables(**changes), "disease"), TORN)]


def test_the_judge_finds_what_is_wrong():
    assert tampered() == [True, True, True, True]
    assert tampered(quasi__group=[1, 1, 1, 2]) == [True, False, True, False]
    assert tampered(quasi__group=[1, 1, 2, 3]) == [True, False, True, False]
    assert tampered(sensitive__count=[2, 1, 1, 1]) == [True, False, False, True]
    assert tampered(sensitive__count=[2, 0, 1, 1]) == [True, False, False, True]
    assert tampered(sensitive__count=[3, -1, 1, 1])[1] is False
    assert tampered(sensitive__count=[2**62, 2**62, 1, 1])[1] is False
    assert tampered(sensitive__disease=["a", "a", "a", None])[1] is False
    assert tampered(quasi__disease=["a", "b", "a", "c"])[0] is False
    assert tampered(sensitive__age=[1, 2, 3, 4])[0] is False


@pytest.mark.parametrize("cell", ["one", "1.5", None, str(2**70)])
@pytest.mark.parametrize("place", ["sensitive__count", "sensitive__group", "quasi__group"])
def test_numbers_that_are_none_are_answered(cell: str | None, place: str):
    with pytest.raises(InputError, match="whole numbers"):
        tampered(**{place: ["1", "1", "2", cell]})


def test_columns_that_are_missing_are_answered():
    rows, values = tables()
    with pytest.raises(InputError, match="misses the column 'illness'"):
        GroupContents.of(rows, values, "illness")


def judged(models: list[Any], reference: Reference | None = None, **more: Any) -> dict[str, bool | None]:
    rows, values = tables()
    verdicts = judge_two_tables(rows, values, TORN, ["age"], models, reference, **more)
    return {verdict.promise: verdict.holds for verdict in verdicts}


def test_promises_of_values_hold_in_groups_and_those_of_tuples_are_judged_on_the_rows():
    found = judged([LDiversity(2, "disease"), KAnonymity(2), AlphaK(0.5, 2, "disease")])
    assert found["distinct 2-diversity of disease in every group"] is True
    assert found["2-anonymity"] is False, "every age is alone, whatever the groups"
    assert found["(0.5, 2)-anonymity of disease"] is None
    assert judged([LDiversity(3, "disease")])["distinct 3-diversity of disease in every group"] is False
    closeness, promise = (
        TCloseness(0.1, "disease"),
        "0.1-closeness of disease (equal distance) in every group",
    )
    assert judged([closeness])[promise] is None, "it compares with the original, which is not at hand"
    known = Reference(4, {"disease": Attribute("disease", ("a", "b", None), np.array([2, 1, 1]))})
    assert judged([closeness], known)[promise] is False


def test_a_person_with_two_rows_is_told():
    assert judged([], respondents=np.arange(4))["nobody has more than one row"] is True
    assert judged([], respondents=np.array([0, 1, 2, 0]))["nobody has more than one row"] is False


ORIGINAL = Table.from_arrow(pa.table({"age": [4, 3, 2, 1], "disease": [None, "a", "b", "a"]}))
ORIGIN = np.array([3, 2, 1, 0])


def counts(original: Table = ORIGINAL, origin: np.ndarray | None = ORIGIN, **changes: list) -> bool | None:
    rows, values = tables(**changes)
    return judge_counts(rows, values, "disease", original, origin).holds


SWAPPED = ["a", None, "a", "b"]  # b has gone to the second group, and the missing one to the first


@pytest.mark.parametrize("origin", [ORIGIN, None], ids=["rows known", "rows unknown"])
def test_counts_are_the_originals(origin: np.ndarray | None):
    assert counts(origin=origin) is True
    assert counts(origin=origin, sensitive__disease=SWAPPED) is False
    assert counts(origin=origin, sensitive__disease=["a", "b", "a", "x"]) is False
    assert counts(origin=origin, sensitive__count=[1, 1, 2, 0]) is False


def test_where_rows_look_alike_only_what_must_be_is_demanded():
    """Ages 2 and 4 look alike: the swap can be true. Ages 1 and 3 do not: their value must be in their groups."""
    original = Table.from_arrow(pa.table({"age": [0, 3, 0, 1], "disease": [None, "a", "b", "a"]}))
    ages = [1, 0, 3, 0]
    assert counts(original, None, quasi__age=ages) is True
    assert counts(original, None, quasi__age=ages, sensitive__disease=SWAPPED) is True
    swapped = ["a", "a", "b", None]
    assert counts(original, None, quasi__age=ages, sensitive__disease=swapped) is False


def test_what_groups_tell_is_read_from_the_cells():
    rows, values = tables(quasi__group=[1, 1, 2, 7], sensitive__count=[1, 99, 0, 1])
    told = GroupContents.of(rows, values, "disease")
    assert told.counts.tolist() == [1, 5, 0, 1], "more than all four rows is one more than these"
    assert told.sizes.tolist() == [2, 1, 1]
    assert told.counted.tolist() == [6, 1, 0]
    assert told.most.tolist() == [5, 1, 0]
    groups = told.classes(Attribute("disease", (None, "b", "a"), np.zeros(3, np.int64)))
    assert groups.levels == (0,)
    assert groups.sizes.tolist() == [6, 1], "a group without values is no class"
    assert groups.sensitive["disease"].dense().tolist() == [[0, 5, 1], [1, 0, 0]]


@pytest.mark.parametrize("origin", [ORIGIN, None], ids=["rows known", "rows unknown"])
def test_a_line_that_counts_nobody_is_no_lie(origin: np.ndarray | None):
    more = {"group": [1, 1, 2, 2, 1], "disease": ["a", "b", "a", None, "x"], "count": [1, 1, 1, 1, 0]}
    assert counts(origin=origin, **{f"sensitive__{name}": cells for name, cells in more.items()}) is True


def test_a_value_that_the_original_lacks_is_told_of_its_own_group_and_of_no_other():
    """The second group should have told b; that the first tells x instead is nothing like it."""
    original = Table.from_arrow(pa.table({"age": [1, 2, 3], "disease": ["a", "a", "b"]}))
    rows = {"age": [1, 2, 3], "group": [1, 2, 2]}
    for group in (0, 1, 2, 3):
        lines = {"group": [group, 1, 2], "disease": ["x", "a", "a"], "count": [1, 1, 1]}
        told = (Table.from_arrow(pa.table(cells)) for cells in (rows, lines))
        assert judge_counts(*told, "disease", original, np.arange(3)).holds is False, group


def test_a_value_that_no_row_of_a_group_has_is_none_of_its_values():
    rows, values = tables(sensitive__count=[2, 0, 1, 1])
    known = Attribute("disease", ("a", "b", None), np.zeros(3, np.int64))
    told = GroupContents.of(rows, values, "disease")
    assert told.classes(known).sensitive["disease"].distinct().tolist() == [1, 2]
    assert told.counted_by(known).values["disease"].per_class().tolist() == [1, 2]


def test_columns_that_the_original_lacks_tell_nothing_of_rows():
    assert counts(origin=None, quasi__batch=[7, 7, 8, 8]) is True
    renamed = Table.from_arrow(pa.table({**ORIGINAL.to_arrow().to_pydict(), "group": [9, 9, 9, 9]}))
    assert counts(renamed, None) is True, "a group is no value of a row, whatever the original calls so"


def test_groups_are_as_large_as_asked_and_no_larger_is_needed():
    rows, values = tables(
        quasi__group=[1, 1, 1, 1], sensitive__group=[1] * 4, sensitive__disease=list("abcd")
    )
    told = GroupContents.of(rows, values, "disease")

    def verdicts(l: int, least: int) -> list[tuple[bool | None, float | None]]:  # noqa: E741
        return [
            (verdict.holds, verdict.achieved)
            for verdict in judge_groups(told, GroupPromise("disease", l, least))
        ]

    assert verdicts(4, 1) == [(True, None), (True, None), (True, None)]
    assert verdicts(5, 4) == [(True, None), (True, None), (False, None), (True, 4)]
    assert verdicts(4, 5)[3] == (False, 4)


def told_groups(
    rows: list[int], values: list[tuple[int, str, int]]
) -> list[tuple[str, bool | None, float | None, str]]:
    """Return what is judged of rows in groups, and of (group, value, count)."""
    group, disease, count = ([line[i] for line in values] for i in range(3))
    first = pa.table({"age": pa.array([1] * len(rows), pa.int64()), "group": pa.array(rows, pa.int64())})
    second = pa.table(
        {
            "group": pa.array(group, pa.int64()),
            "disease": pa.array(disease, pa.string()),
            "count": pa.array(count, pa.int64()),
        }
    )
    told = GroupContents.of(Table.from_arrow(first), Table.from_arrow(second), "disease")
    return [(v.promise, v.holds, v.achieved, v.note) for v in judge_groups(told, TORN)][1:]


def test_how_far_groups_come_is_told_by_those_that_hold_something():
    fits, share, least = "both tables tell the same groups and sizes", "no value has more than 1/2 of a group", "groups of at least 2 records"  # fmt: skip
    assert told_groups([1] * 6, [(1, "a", 2), (1, "b", 2), (1, "c", 2)]) == [
        (fits, True, None, ""), (share, True, None, "found: 1/3 or less"), (least, True, 6, "")
    ]  # fmt: skip
    assert told_groups([1, 1, 2], [(1, "a", 1), (1, "b", 1)]) == [
        (fits, False, None, "1 of 2 groups differ"), (share, True, None, "found: 1/2 or less"), (least, False, 0, "")
    ]  # fmt: skip
    assert told_groups([1, 1, 2], [(1, "a", 1), (1, "b", 1), (2, "a", 1)]) == [
        (fits, True, None, ""), (share, False, None, "found: 1/1 or less"), (least, False, 1, "")
    ]  # fmt: skip
    assert told_groups([], []) == [(fits, True, None, ""), (share, True, None, ""), (least, False, 0, "")]


def crowds_of(**changes: list) -> Crowds:
    rows, values = tables(**changes)
    return TwoTables(TORN).crowds({"table": rows, "sensitive": values})


def test_crowds_are_the_groups_as_both_tables_tell_them():
    found = crowds_of(quasi__group=[7, 7, 3, 3], sensitive__group=["07", "7", "3", "3"])
    assert (found.number, found.links) == (2, frozenset({"group"}))
    assert found.class_of.tolist() == [1, 1, 0, 0]
    lines = found.told["disease"]
    assert lines.owners.tolist() == [1, 1, 0, 0], "07 is the group 7"
    assert lines.values.to_arrow().to_pylist() == ["a", "b", "a", None]
    assert lines.counts.tolist() == [1, 1, 1, 1]


def test_crowds_that_no_row_belongs_to_are_refused():
    with pytest.raises(InputError, match="do not speak of the same groups"):
        crowds_of(sensitive__group=[1, 1, 2, 3])
    assert crowds_of(quasi__group=[1, 1, 2, 3]).number == 3, (
        "a group of which nothing is told is one all the same"
    )


@pytest.mark.parametrize("cell", ["one", "1.5", None, str(2**70)])
@pytest.mark.parametrize("place", ["sensitive__count", "sensitive__group", "quasi__group"])
def test_crowds_of_numbers_that_are_none_are_answered(cell: str | None, place: str):
    with pytest.raises(InputError, match="whole numbers"):
        crowds_of(**{place: ["1", "1", "2", cell]})
