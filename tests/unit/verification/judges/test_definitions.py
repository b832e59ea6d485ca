"""The definitions by hand: counts of what is counted, and what is said of it in public."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from kohort.errors import VerificationError
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.cover import Cover
from kohort.models import (
    AlphaK,
    Attribute,
    ExtendedPSensitive,
    KAnonymity,
    PSensitive,
    Reference,
    TCloseness,
)
from kohort.table import Table
from kohort.verification.judges import judge_promises
from kohort.verification.judges.contents import contents_of
from kohort.verification.judges.definitions import (
    Counted,
    Finding,
    Population,
    Whole,
    counted_lines,
    counted_rows,
    definition_of,
)
from kohort.verification.judges.definitions.k_map import fitting
from kohort.verification.judges.definitions.order import ranks
from kohort.verification.judges.definitions.tally import numbered, tally
from kohort.verification.judges.shown_to_all import shown_in


def test_rows_that_are_alike_have_one_number_however_wide_their_columns_are() -> None:
    rng = np.random.default_rng(5)
    columns = [rng.integers(0, 2, 50) * (2**31 - 1) for _ in range(5)]  # 155 bits side by side
    number, n = numbered(columns)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    first = list(dict.fromkeys(rows))
    assert n == len(first)
    assert number.tolist() == [first.index(row) for row in rows]


def test_entries_are_counted_by_class_and_value() -> None:
    found = tally(np.array([1, 0, 1, 1]), np.array([2, 0, 2, 0]))
    assert (found.owner.tolist(), found.value.tolist(), found.count.tolist()) == (
        [0, 1, 1],
        [0, 0, 2],
        [1, 1, 2],
    )
    assert found.sums.tolist() == [1, 3]
    assert found.per_class().tolist() == [1, 2]
    assert found.greatest(found.count).tolist() == [1, 2]
    assert found.descending().count.tolist() == [1, 2, 1]
    assert [matrix.tolist() for _, matrix in found.matrices(3)] == [[[1, 0, 0], [1, 0, 2]]]
    assert found.places().tolist() == [0, 0, 1]
    assert tally(np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 0])).places().tolist() == [0, 1, 0, 1, 0]
    wide = list(found.matrices(2**21))
    assert [place for place, _ in wide] == [slice(0, 1), slice(1, 2)]
    assert [(matrix.shape, matrix[:, :3].tolist()) for _, matrix in wide] == [
        ((1, 2**21), [[1, 0, 0]]),
        ((1, 2**21), [[1, 0, 2]]),
    ]
    weighed = tally(np.array([0, 0]), np.array([1, 1]), np.array([2**60, 2**60]))
    assert weighed.count.tolist() == [2**61]
    nothing = tally(np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert (nothing.sums.tolist(), nothing.greatest(nothing.count).tolist()) == ([], [])


def test_people_are_counted_once_in_each_class() -> None:
    told = counted_rows([np.array([0, 0, 0, 1])], {"v": np.array([0, 1, 1, 1])}, np.array([7, 7, 8, 7]))
    assert (told.records.tolist(), told.people.tolist()) == ([3, 1], [2, 1])
    assert told.holding("v").count.tolist() == [1, 2, 1]
    assert told.values["v"].count.tolist() == [1, 2, 1]
    assert told.held["v"].spread(2).count.tolist() == [1, 3, 2]
    assert told.members is not None
    assert told.members.count.tolist() == [2, 1, 1]
    each = counted_rows([np.array([0, 0])], {}, np.array([3, 5]))
    assert (each.people.tolist(), each.members) == ([2], None)
    assert len(each) == 1


def test_rows_are_counted_as_loops_count_them() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        n = int(rng.integers(1, 12))
        labels, value, person = rng.integers(0, 3, (2, n)), rng.integers(0, 3, n), rng.integers(0, n, n)
        told = counted_rows(list(labels), {"v": value}, person)
        rows = list(zip(map(tuple, labels.T.tolist()), value.tolist(), person.tolist(), strict=True))
        tuples = list(dict.fromkeys(row[0] for row in rows))
        assert told.tuples is not None
        assert [tuple(line) for line in told.tuples.tolist()] == tuples
        several = len(set(person.tolist())) < n
        for i, labelled in enumerate(tuples):
            own = [row for row in rows if row[0] == labelled]
            assert told.records[i] == len(own)
            assert told.people[i] == len({who for _, _, who in own})
            for code in range(3):
                holding = told.holding("v")
                found = holding.count[(holding.owner == i) & (holding.value == code)].sum()
                assert found == len({who for _, v, who in own if v == code})
        assert (told.members is not None) is several


def test_a_mass_that_cannot_be_spread_evenly_goes_to_the_first_values() -> None:
    told = counted_rows([np.zeros(4, np.int64)], {"v": np.array([0, 1, 2, 0])}, np.array([1, 1, 1, 2]))
    assert told.held["v"].spread(5).count.tolist() == [2 + 5, 2, 1]


def test_empty_lines_of_a_group_are_nobody() -> None:
    told = counted_lines("v", np.array([5, 5, 9]), np.array([0, 1, 1]), np.array([2, 0, 1]))
    assert told.records.tolist() == [2, 1]
    assert told.values["v"].value.tolist() == [0, 1]


def test_crowds_at_their_bounds_are_crowds_enough() -> None:
    hierarchy = Hierarchy.from_rows("v", [("0", "a", "*"), ("1", "b", "*")])
    told = counted_lines("v", np.array([0, 0]), np.array([0, 1]), np.array([1, 2]))
    known = replace(told, wholes={"v": Whole(("0", "1"), np.array([1, 2]), None, hierarchy, np.arange(2))})
    for k, kept in ((3, True), (4, False)):
        for model in (PSensitive(2, "v", k=k), ExtendedPSensitive(2, "v", level=1, k=k), AlphaK(0.7, k, "v")):
            definition = definition_of(model.card.name)
            assert definition is not None
            assert definition(model, known).holds is kept


def test_values_that_nobody_protects_are_nodes_of_their_own() -> None:
    tree = Hierarchy.from_rows("v", [("0", "b", "*"), ("1", "b", "*"), ("2", "a", "*"), ("3", "a", "*")])
    model = ExtendedPSensitive(2, "v", protected=("a",))
    definition = definition_of(model.card.name)
    assert definition is not None
    for values, nodes in (([0, 1], 2), ([1, 2], 2), ([2, 3], 1), ([0, 2], 2), ([0, 1, 2, 3], 3)):
        told = counted_lines("v", np.zeros(len(values), int), np.array(values), np.ones(len(values), int))
        whole = Whole(tuple("0123"), np.ones(4, np.int64), None, tree, np.arange(4))
        assert definition(model, replace(told, wholes={"v": whole})).achieved == nodes, values


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_both_judges_mean_the_same_level_and_the_top_by_one_above_it(level: int) -> None:
    """A missing value may add a level, and a plan names it whether or not somebody's is missing."""
    tree = Hierarchy.from_rows("ill", [("0", "b", "*"), ("1", "b", "*"), ("2", "a", "*")])
    known = Attribute("ill", tuple("012"), np.array([1, 1, 2]), tree, np.arange(3))
    released = Table.from_arrow(pa.table({"age": ["2*"] * 2 + ["3*"] * 2, "ill": list("0212")}))
    model = ExtendedPSensitive(2, "ill", level=level)
    [verdict] = judge_promises(released, ["age"], [model], Reference(4, {"ill": known}))
    assert (verdict.achieved, verdict.note) == ([2, 2, 1, 1][level], "")


def test_people_of_a_population_are_found_under_any_labels() -> None:
    """Against loops: labels that lie beside each other, one within another, and of one value by two names."""
    rng = np.random.default_rng(9)
    ways = set()
    for _ in range(80):
        covers = tuple(rng.random((int(rng.integers(1, 4)), 4)) < 0.3 for _ in range(2))
        people = Population(rng.integers(0, 4, (6, 2)), rng.integers(1, 5, 6), tuple(map(Cover.of, covers)))
        tuples = np.column_stack([rng.integers(0, len(cover), 5) for cover in covers])
        expected = [
            sum(
                int(many)
                for ground, many in zip(people.tuples, people.people, strict=True)
                if all(covers[j][line[j], ground[j]] for j in range(2))
            )
            for line in tuples
        ]
        assert fitting(tuples, people).tolist() == expected
        ways.add(all((cover.sum(axis=0) <= 1).all() for cover in covers))
    assert ways == {True, False}
    twice = Population(
        np.array([[0], [1]]), np.array([3, 4]), (Cover.of(np.array([[True, False], [True, False]])),)
    )
    assert fitting(np.array([[0], [1]]), twice).tolist() == [3, 3]


def test_both_judges_spread_a_mass_over_many_values_alike() -> None:
    """Somebody with eighteen values, which a mass of 720,720 units is not spread over evenly."""
    many = [str(i) for i in range(18)]
    released = Table.from_arrow(
        pa.table({"age": ["2*"] * 18 + ["2*", "3*", "3*"], "ill": [*many, "0", "0", "17"]})
    )
    people = np.array([0] * 18 + [1, 2, 3])
    for distance in ("equal", "ordered"):
        [verdict] = judge_promises(released, ["age"], [TCloseness(0.9, "ill", distance)], respondents=people)
        assert "disagree" not in verdict.note
        assert verdict.in_itself is not None


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("10", "9", None, "2e1"), [1, 0, 3, 2]),
        (("10", "9", None, "x"), [0, 1, 3, 2]),
        (("10", "nan"), [0, 1]),
        (("b", None, "a"), [1, 2, 0]),
    ],
)
def test_values_are_ordered_by_number_or_by_text_and_missing_ones_stand_last(
    labels: tuple[str | None, ...], expected: list[int]
) -> None:
    assert ranks(Whole(labels, np.ones(len(labels), np.int64))).tolist() == expected
    declared = Whole(labels, np.ones(len(labels), np.int64), ground=np.arange(len(labels))[::-1])
    assert ranks(declared).tolist() == list(range(len(labels)))[::-1]


def test_findings_agree_up_to_rounding() -> None:
    one = Finding(True, 0.1 + 0.2)
    assert one.agrees(Finding(True, 0.3))
    assert not one.agrees(Finding(False, 0.3))
    assert not one.agrees(Finding(True, 0.3001))
    assert Finding(True, float("inf")).agrees(Finding(True, float("inf")))
    assert not Finding(True, float("inf")).agrees(Finding(True, 7.0))


# --- the public side -----------------------------------------------------------------------------------------


def test_what_is_told_in_public_is_judged_twice_too(monkeypatch: pytest.MonkeyPatch) -> None:
    released = Table.from_arrow(
        pa.table({"age": ["2*", "2*", "3*", "3*"], "ill": ["flu", "cold", "flu", "flu"]})
    )
    told = contents_of(released, ["age"], ["ill"])
    ill = Attribute("ill", told.labels["ill"], told.counts("ill"))
    own = Reference(4, {"ill": ill})
    assert shown_in(told.classes, KAnonymity(2), own).achieved == 2
    assert shown_in(told.classes, TCloseness(0.5, "ill"), own).in_itself == 0.25
    monkeypatch.setattr(TCloseness, "achieved", lambda _, __: 0.1)
    with pytest.raises(VerificationError, match=r"0.5-closeness of ill .* the two judges"):
        shown_in(told.classes, TCloseness(0.5, "ill"), own)


def test_a_counted_release_knows_how_many_classes_it_has() -> None:
    assert len(Counted(np.array([2, 3]), np.array([2, 3]), {})) == 2
