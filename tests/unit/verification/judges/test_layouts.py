"""One table and two: what their columns are, what everybody sees of a promise, and what is left of it without people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from kohort.errors import VerificationError
from kohort.facts.figures import Sizes
from kohort.hierarchy import Hierarchy
from kohort.models import (
    AlphaK,
    Attribute,
    ExtendedPSensitive,
    GroupPromise,
    KAnonymity,
    KMap,
    LDiversity,
    PrivacyModel,
    Reference,
    TCloseness,
)
from kohort.table import Table
from kohort.verification.judges import Verdict, shown_to_all
from kohort.verification.judges.definitions import Finding
from kohort.verification.judges.layout import LAYOUTS, Asked, layout
from kohort.verification.judges.one_table import OneTable
from kohort.verification.judges.people_unknown import PEOPLE_UNKNOWN
from kohort.verification.judges.promises import own_reference
from kohort.verification.judges.shown_to_all import BY_HOLDER, BY_PEOPLE, BY_POPULATION
from kohort.verification.judges.two_tables import ONE_ROW, TwoTables

ROWS = Table.from_arrow(pa.table({"age": ["x", "x", "y", "y"], "ill": ["a", "b", "a", "a"]}))
TORN = GroupPromise("ill", 2, 2)
GROUPS = {
    "table": Table.from_arrow(pa.table({"age": ["x", "x", "y", "y"], "group": [1, 1, 2, 2]})),
    "sensitive": Table.from_arrow(
        pa.table({"group": [1, 1, 2, 2], "ill": ["a", "b", "a", "b"], "count": [1] * 4})
    ),
}
FEW = "2-anonymity"


def own(*models: PrivacyModel) -> Reference:
    return own_reference(ROWS, models)


def test_layouts_are_what_cards_name() -> None:
    assert {name: layout(name) for name in LAYOUTS} == {"one-table": OneTable, "groups": TwoTables}


def test_columns_and_rows_of_each_layout() -> None:
    one, two = OneTable(), TwoTables(TORN)
    assert [(kind.apart, kind.one_row_each) for kind in (one, two)] == [(False, False), (True, True)]
    assert [kind.stems for kind in (one, two)] == [("table",), ("table", "sensitive")]
    assert one.declared(["age", "ill"]) == ("age", "ill")
    assert two.declared(["age", "ill"]) == ("age", "group")
    assert one.records({"table": ROWS}) is ROWS
    assert two.records(GROUPS).to_arrow().to_pydict() == {"age": ["x", "x", "y", "y"]}
    assert one.crowds({"table": ROWS}) is None
    assert two.crowds(GROUPS).number == 2


def test_words_speak_of_classes_or_of_groups() -> None:
    one, two, said = OneTable(), TwoTables(TORN), "who finds a class among classes"
    assert (one.named(FEW), one.said(said)) == (FEW, said)
    assert two.said(said) == "who finds a group among groups"
    assert two.named("2-diversity") == "2-diversity in every group"


def test_one_table_shows_its_classes() -> None:
    told = OneTable().contents({"table": ROWS}, ["age"], ["ill"])
    models: list[PrivacyModel] = [
        KAnonymity(2),
        KAnonymity(3),
        LDiversity(2, "ill"),
        KMap(2),
        TCloseness(0.1, "ill"),
    ]
    shown = OneTable().shown(told, models, own(*models), by_people=False)
    assert [(v.holds, v.achieved) for v in shown] == [
        (True, 2),
        (False, 2),
        (False, 1),
        (True, None),
        (True, None),
    ]
    assert shown[3].note == BY_POPULATION
    assert shown[4].in_itself == pytest.approx(0.25)
    kept_from = OneTable().shown(
        told, [TCloseness(0.1, "ill", "hierarchical")], own(models[4]), by_people=False
    )
    assert [(v.holds, v.note) for v in kept_from] == [(True, BY_HOLDER)]
    people = OneTable().shown(told, models, own(*models), by_people=True)
    assert [(v.holds, v.achieved, v.note) for v in people] == [(True, None, BY_PEOPLE)] * 5


def test_what_the_holder_checked_is_said_with_what_everybody_sees() -> None:
    told = OneTable().contents({"table": ROWS}, ["age"], ["ill"])

    def shown(model: PrivacyModel) -> Verdict:
        [verdict] = OneTable().shown(told, [model], own(model), by_people=False)
        return verdict

    promised = "promised is the figure against the original, which the holder checked"
    assert shown(TCloseness(0.1, "ill")).note == promised
    ordered = shown(TCloseness(0.1, "ill", "ordered"))
    assert ordered.note == f"ill in the order of its texts, missing values last; {promised}"
    watched = shown(AlphaK(0.1, 2, "ill", values=("a",)))
    assert (watched.holds, watched.achieved, watched.note) == (False, 1, "")
    tree = Hierarchy.from_rows("ill", [("a", "x", "*"), ("b", "y", "*")])
    for declared, expected in ((True, (False, 1, "")), (False, (True, None, BY_HOLDER))):
        known = Attribute("ill", ("a", "b"), np.array([3, 1]), replace(tree, declared=declared), np.arange(2))
        model = ExtendedPSensitive(2, "ill", level=1)
        [verdict] = OneTable().shown(told, [model], Reference(4, {"ill": known}), by_people=False)
        assert (verdict.holds, verdict.achieved, verdict.note) == expected
    assert shown(AlphaK(0.1, 2, "ill")).note == ""


def test_nothing_is_shown_on_which_the_two_judges_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    told = OneTable().contents({"table": ROWS}, ["age"], ["ill"])
    monkeypatch.setattr(shown_to_all, "second_opinion", lambda *_: Finding(False, 2.0))
    with pytest.raises(VerificationError, match="2-anonymity: what is told of it in public is not what"):
        OneTable().shown(told, [KAnonymity(2)], own(), by_people=False)
    monkeypatch.setattr(shown_to_all, "second_opinion", lambda *_: None)
    assert OneTable().shown(told, [KAnonymity(2)], own(), by_people=False)[0].holds is True


def test_two_tables_show_their_groups() -> None:
    models: list[PrivacyModel] = [LDiversity(2, "ill"), LDiversity(3, "ill")]
    for l, kept in ((2, True), (3, False)):  # noqa: E741
        torn = TwoTables(GroupPromise("ill", l))
        told = torn.contents(GROUPS, ["age"], ["ill"])
        shown = torn.shown(told, models, own(*models), by_people=False)
        assert [(v.promise, v.holds) for v in shown] == [
            ("distinct 2-diversity of ill in every group", True),
            ("distinct 3-diversity of ill in every group", False),
            (f"no value has more than 1/{l} of a group", kept),
        ]
        last = torn.shown(told, models, own(*models), by_people=True)[-1]
        assert (last.promise, last.holds, last.note) == (ONE_ROW, True, BY_PEOPLE)


def test_facts_of_groups() -> None:
    torn = TwoTables(TORN)
    told = torn.contents(GROUPS, ["age"], ["ill"])
    found = torn.facts(told, lambda classes: (Sizes(1, 9, len(classes), 0),))
    assert (found.column, found.l, found.least, found.groups) == ("ill", 2, 2, 2)
    assert found.sizes == (Sizes(1, 9, 2, 0),)
    assert OneTable().facts(told, lambda _: ()) is None


@pytest.mark.parametrize("kind", [OneTable(), TwoTables(TORN)], ids=["one", "two"])
def test_without_people_a_number_is_broken_or_unknown_and_a_share_unknown(kind: OneTable | TwoTables) -> None:
    models: list[PrivacyModel] = [KAnonymity(2), LDiversity(2, "ill")]
    verdicts = [
        Verdict(FEW, True, 2.0),
        Verdict(FEW, False, 1.0),
        Verdict(FEW, False, 1.0, "why"),
        Verdict(FEW, None, note="why"),
        Verdict(models[1].label, True, 2.0),
        Verdict(models[1].label, False, 1.0),
        Verdict("another promise", True),
    ]
    told = kind.without_people(verdicts, models)
    assert [(v.holds, v.achieved, v.note) for v in told[:7]] == [
        (None, 2.0, PEOPLE_UNKNOWN),
        (False, 1.0, PEOPLE_UNKNOWN),
        (False, 1.0, "why"),
        (None, None, "why"),
        (None, None, PEOPLE_UNKNOWN),
        (None, None, PEOPLE_UNKNOWN),
        (True, None, ""),
    ]
    assert [v.promise for v in told[7:]] == ([] if isinstance(kind, OneTable) else [ONE_ROW])


def test_sizes_of_groups_are_numbers_of_people_too() -> None:
    verdicts = [Verdict("groups of at least 2 records", holds) for holds in (True, False)]
    *told, one_row = TwoTables(TORN).without_people(verdicts, [])
    assert [v.holds for v in told] == [None, False]
    assert (one_row.promise, one_row.holds, one_row.note) == (ONE_ROW, None, PEOPLE_UNKNOWN)


def test_promises_are_judged_in_their_tables() -> None:
    asked = Asked(["age"], [KAnonymity(2), LDiversity(2, "ill")])
    assert [v.holds for v in OneTable().judge({"table": ROWS}, asked)] == [True, False]
    found = {
        v.promise: v.holds
        for v in TwoTables(TORN).judge(GROUPS, asked._replace(people=np.array([0, 0, 1, 2])))
    }
    assert found["distinct 2-diversity of ill in every group"] is True
    assert found[FEW] is False, "both rows of x are one person's"
    assert found[ONE_ROW] is False


def test_values_apart_are_compared_with_those_of_the_rows() -> None:
    original = Table.from_arrow(pa.table({"age": ["x", "x", "y", "y"], "ill": ["a", "b", "b", "a"]}))
    assert OneTable().judge_values({"table": ROWS}, original, None) == []
    torn = TwoTables(TORN)
    assert [v.holds for v in torn.judge_values(GROUPS, original, np.arange(4))] == [True]
    assert [v.holds for v in torn.judge_values(GROUPS, original, np.array([0, 3, 1, 2]))] == [False]
    assert [v.holds for v in torn.judge_values(GROUPS, original, None)] == [True, None]
