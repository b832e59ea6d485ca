"""The judge of a release in two tables: groups by what they tell, rows as an attacker sees them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort.errors import InputError
from kohort.models import AlphaK, Attribute, KAnonymity, LDiversity, Reference, TCloseness, Torn
from kohort.table import Table
from kohort.verification.counts import judge_counts
from kohort.verification.groups import ToldGroups
from kohort.verification.two_tables import judge_groups, judge_two_tables

QUASI = {"age": [1, 2, 3, 4], "group": [1, 1, 2, 2]}
SENSITIVE = {"group": [1, 1, 2, 2], "disease": ["a", "b", "a", None], "count": [1, 1, 1, 1]}
TORN = Torn("disease", 2, 2)


def tables(**changes: list) -> tuple[Table, Table]:
    quasi, sensitive = dict(QUASI), dict(SENSITIVE)
    for name, values in changes.items():
        table, column = name.split("__")
        (quasi if table == "quasi" else sensitive)[column] = values
    return Table.from_arrow(pa.table(quasi)), Table.from_arrow(pa.table(sensitive))


def tampered(**changes: list) -> list[bool | None]:
    return [verdict.holds for verdict in judge_groups(ToldGroups.of(*tables(**changes), "disease"), TORN)]


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
        ToldGroups.of(rows, values, "illness")


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
