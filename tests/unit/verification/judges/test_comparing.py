"""Promises that compare a release with something: a population, the original's values, guards that only their holder knows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from kohort.classes import classes_of_rows
from kohort.errors import VerificationError
from kohort.hierarchy import Hierarchy
from kohort.models import Attribute, KMap, LDiversity, Personalized, Reference, TCloseness
from kohort.table import Table
from kohort.verification.judges import judge_promises
from kohort.verification.judges.promises import (
    POPULATION_UNKNOWN,
    UNKNOWN,
    judge_classes,
    own_reference,
    released_classes,
    released_counts,
    with_guards,
)
from kohort.verification.judges.twice import Twice

TOWNS = Hierarchy.from_rows("town", [("Ayr", "north", "*"), ("Bude", "south", "*"), ("Cray", "south", "*")])


def table(**columns: list[str | None]) -> Table:
    return Table.from_arrow(pa.table(columns))


def population(*towns: str) -> Reference:
    codes = TOWNS.encode(towns).astype(np.int32)[:, None]
    return Reference(2, population=classes_of_rows(codes, {})[0], hierarchies=(TOWNS,))


@pytest.mark.parametrize(
    ("labels", "people"),
    [
        (["north"], 1),
        (["south"], 3),
        (["north", "south"], 1),
        (["Bude", "south"], 2),
        (["*"], 4),
        (["{Ayr, Cray}"], 2),
    ],
)
def test_people_of_the_population_are_counted_by_what_labels_mean(
    labels: list[str | None], people: int
) -> None:
    released = table(town=labels)
    reference = population("Ayr", "Bude", "Bude", "Cray")
    for k in (people, people + 1):
        if k > 1:
            [verdict] = judge_promises(released, ["town"], [KMap(k)], reference)
            assert (verdict.holds, verdict.achieved) == (k == people, people)
            twice = Twice(
                released_classes(released, ["town"], reference),
                released_counts(released, ["town"], [KMap(k)], reference),
            )
            assert judge_classes(twice, released, [KMap(k)], reference) == [verdict]


def test_a_label_that_means_nothing_cannot_be_counted() -> None:
    with pytest.raises(VerificationError, match="column 'town' holds released values that its hierarchy"):
        judge_promises(table(town=["west"]), ["town"], [KMap(2)], population("Ayr"))


def test_without_a_population_nothing_is_said_of_it() -> None:
    [verdict] = judge_promises(table(town=["north"]), ["town"], [KMap(2)])
    assert verdict.holds is None
    [verdict] = judge_promises(table(town=["north"]), ["town"], [KMap(2)], Reference(1))
    assert (verdict.holds, verdict.note) == (None, POPULATION_UNKNOWN)


def test_values_that_the_original_does_not_have_are_no_release_of_it() -> None:
    reference = Reference(2, {"ill": Attribute("ill", ("flu", "cold"), np.array([1, 1]))})
    released = table(town=["north", "north"], ill=["flu", "gout"])
    with pytest.raises(VerificationError, match="values of 'ill' that the original does not have"):
        judge_promises(released, ["town"], [LDiversity(2, "ill")], reference)


def test_distance_is_from_the_original_where_that_is_known() -> None:
    released = table(town=["north", "north"], ill=["flu", "cold"])
    reference = Reference(4, {"ill": Attribute("ill", ("cold", "flu"), np.array([3, 1]))})
    [verdict] = judge_promises(released, ["town"], [TCloseness(0.25, "ill")], reference)
    assert (verdict.holds, verdict.achieved) == (True, 0.25)
    [verdict] = judge_promises(released, ["town"], [TCloseness(0.24, "ill")], reference)
    assert verdict.holds is False


def test_guards_are_judged_by_whoever_has_them_and_how_near_they_came_is_not_told() -> None:
    illness = Hierarchy.from_rows("ill", [("flu", "lung", "*"), ("gout", "joint", "*")])
    original = table(town=["Ayr", "Ayr", "Bude"], ill=["flu", "gout", "flu"], wish=[None, "joint", "lung"])
    ill, wish = original["ill"], original["wish"]
    reference = Reference(
        3,
        {"ill": Attribute("ill", ill.texts, ill.counts(), illness, illness.encode(ill.texts))},
        guards={"wish": Attribute("wish", wish.texts, wish.counts())},
    )
    released = table(town=["north", "north"], ill=["gout", "flu"])
    for breach, kept in ((0.5, True), (0.49, False)):
        model = Personalized(breach, "ill", "wish")
        [unknown] = judge_promises(released, ["town"], [model], reference)
        assert unknown.holds is None
        assert "not judged" in unknown.note
        known = with_guards(released, original, ["wish"], np.array([1, 0]))
        assert known.names == ("town", "ill", "wish")
        [verdict] = judge_promises(known, ["town"], [model], reference)
        assert (verdict.holds, verdict.achieved) == (kept, None)
    for told in (released, known):
        assert list(own_reference(told, [model]).attributes) == ["ill"]


def test_a_release_by_itself_knows_its_people_where_some_have_several_rows() -> None:
    released = table(town=["north"] * 4, ill=["flu", "gout", "flu", "flu"])
    models = [LDiversity(2, "ill"), TCloseness(0.5, "ill")]
    for people in (None, np.array([5, 6, 7, 8])):
        found = own_reference(released, models, people)
        assert (found.n_rows, found.people) == (4, None)
        assert found.attributes["ill"].pairs is None
        assert found.attributes["ill"].totals.tolist() == [3, 1]
    found = own_reference(released, models, np.array([5, 5, 7, 8]))
    assert (found.n_rows, found.people) == (4, 3)
    assert found.attributes["ill"].holding.tolist() == [3, 1]
    assert found.attributes["ill"].people == 3
    assert own_reference(released, [LDiversity(2, "pay")]).attributes == {}


def test_people_are_counted_without_the_original_too() -> None:
    """Of two people one holds flu and gout, the other flu: both may be flu."""
    released = table(town=["north"] * 3, ill=["flu", "gout", "flu"])
    [rows] = judge_promises(released, ["town"], [LDiversity(2, "ill")])
    [people] = judge_promises(released, ["town"], [LDiversity(2, "ill")], respondents=np.array([1, 1, 2]))
    [each] = judge_promises(released, ["town"], [LDiversity(2, "ill")], respondents=np.array([1, 2, 3]))
    assert [(v.holds, v.achieved) for v in (rows, people, each)] == [(True, 2), (False, 1), (True, 2)]


def test_without_the_original_the_distance_from_the_release_is_told_and_nothing_claimed() -> None:
    released = table(town=["north", "north", "south", "south"], ill=["flu", "flu", "flu", "gout"])
    [verdict] = judge_promises(released, ["town"], [TCloseness(0.5, "ill")])
    assert (verdict.holds, verdict.achieved, verdict.in_itself, verdict.note) == (None, None, 0.25, UNKNOWN)
