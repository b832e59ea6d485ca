"""Where people have several rows, every promise about sensitive values is one about people."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pytest
from tests.contract.test_models import CASES as OF_RECORDS
from tests.contract.test_models import guarded, occurring, paths_of, strong
from tests.reference import models as naive
from tests.reference import people as twin
from tests.reference.people import Rows
from tests.reference.worlds import World, random_merge, world

from kohort.classes import Classes, Pairs, classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.models import (
    MODELS,
    AlphaK,
    Attribute,
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    ExtendedPSensitive,
    LDiversity,
    Monotone,
    PrivacyModel,
    PSensitive,
    Reference,
    TCloseness,
)
from kohort.models.of_people import least_diverse

WORLDS = 250
BEYOND = {"k-map", "average-risk", "personalized"}  # not about one class and one column


@dataclass(frozen=True)
class Case:
    """The twin of a promise over the (person, value) rows of a class and of the table."""

    holds: Callable[[Rows, Rows], bool]
    achieved: Callable[[Rows, Rows], float] | None = None


def nodes(rows: Rows, up: Callable) -> Rows:
    return [(person, up(value)) for person, value in rows]


def order_of(table: Rows) -> list:
    return occurring("income", [value for _, value in table])


def paths(table: Rows) -> dict:
    return paths_of("disease", [value for _, value in table])


def diverse(least: int, people: int = 1, up: Callable = lambda value: value) -> Case:
    return Case(
        lambda r, _: len(set(twin.reading(nodes(r, up)))) >= least and len(twin.held(r)) >= people,
        lambda r, _: len(set(twin.reading(nodes(r, up)))),
    )


TWINS: dict[str, Case] = {
    "k-anonymity": Case(lambda r, _: len(twin.held(r)) >= 3, lambda r, _: len(twin.held(r))),
    "distinct": diverse(3),
    "entropy-2": Case(
        lambda r, _: naive.entropy_holds(twin.reading(r), 2),
        lambda r, _: math.exp(naive.entropy(twin.reading(r))),
    ),
    "entropy-3": Case(lambda r, _: naive.entropy_holds(twin.reading(r), 3)),
    "entropy-1.7": Case(lambda r, _: naive.entropy_holds(twin.reading(r), 1.7)),
    "recursive-2": Case(
        lambda r, _: naive.recursive_holds(twin.reading(r), 1.0, 2),
        lambda r, _: naive.recursive_l(twin.reading(r), 1.0),
    ),
    "recursive-3": Case(
        lambda r, _: naive.recursive_holds(twin.reading(r), 2.5, 3),
        lambda r, _: naive.recursive_l(twin.reading(r), 2.5),
    ),
    "recursive-tenth": Case(lambda r, _: naive.recursive_holds(twin.reading(r), 0.7, 2)),
    "closeness-equal": Case(
        lambda r, t: twin.equal(r, t) <= naive.written(0.3), lambda r, t: float(twin.equal(r, t))
    ),
    "closeness-ordered": Case(
        lambda r, t: twin.ordered(r, t, order_of(t)) <= naive.written(0.25),
        lambda r, t: float(twin.ordered(r, t, order_of(t))),
    ),
    "closeness-hierarchical": Case(
        lambda r, t: twin.hierarchical(r, t, paths(t)) <= naive.written(0.2),
        lambda r, t: float(twin.hierarchical(r, t, paths(t))),
    ),
    "p-sensitive": diverse(2, 3),
    "extended-level": diverse(2, up=lambda value: strong(value, 1)),
    "extended-protected": diverse(2, up=guarded),
    "alpha-k": Case(
        lambda r, _: len(twin.held(r)) >= 3 and twin.greatest_share(r) <= naive.written(0.5),
        lambda r, _: float(twin.greatest_share(r)),
    ),
    "alpha-k-value": Case(
        lambda r, _: twin.share(r, "flu") <= naive.written(0.4), lambda r, _: float(twin.share(r, "flu"))
    ),
    "beta-basic": Case(
        lambda r, t: twin.gain(r, t) <= naive.written(0.5), lambda r, t: float(twin.gain(r, t))
    ),
    "beta-enhanced": Case(lambda r, t: twin.enhanced(r, t, 1.5)),
    "delta": Case(
        lambda r, t: twin.disclosure(r, t, absent=True) < 1.1,
        lambda r, t: twin.disclosure(r, t, absent=True),
    ),
    "delta-present": Case(
        lambda r, t: twin.disclosure(r, t, absent=False) < 0.7,
        lambda r, t: twin.disclosure(r, t, absent=False),
    ),
}


@lru_cache
def worlds(seed: int, count: int = WORLDS) -> list[World]:
    rng = np.random.default_rng(seed)
    return [world(rng, several=True) for _ in range(count)]


def usable(model: PrivacyModel, found: World) -> bool:
    value = getattr(model, "value", None)
    return value is None or value in found.values[column_of(model)]


def column_of(model: PrivacyModel) -> str:
    return next(iter(model.reads), "disease")


def test_every_model_of_one_class_has_a_twin_of_people():
    assert set(TWINS) == set(OF_RECORDS)
    assert {case.model.card.name for case in OF_RECORDS.values()} | BEYOND == set(MODELS)


@pytest.mark.parametrize("name", TWINS)
def test_a_promise_about_people_equals_its_naive_twin(name):
    asked, case = OF_RECORDS[name], TWINS[name]
    judged = [0, 0]
    for found in worlds(1000):
        if not usable(asked.model, found):
            continue
        column = column_of(asked.model)
        table, members = found.table(column), found.rows(column)
        model = asked.model.bind(found.reference)
        expected = [
            not case.holds(rows, table) or (len(twin.held(rows)) < 2 and bool(model.reads))
            for rows in members
        ]
        assert model.failing(found.classes).tolist() == expected, (members, table)
        if case.achieved is not None:
            assert model.achieved(found.classes) == pytest.approx(
                asked.best(case.achieved(rows, table) for rows in members), rel=1e-9, abs=1e-9
            )
        for broken in expected:
            judged[broken] += 1
    assert min(judged) > 20, "the random worlds must show both verdicts"


@pytest.mark.parametrize("name", TWINS)
def test_monotone_flags_are_truthful_where_people_have_several_rows(name):
    rng, asked = np.random.default_rng(7), OF_RECORDS[name]
    for found in worlds(2000, 400):
        if not usable(asked.model, found):
            continue
        model = asked.model.bind(found.reference)
        coarse = found.merged(random_merge(rng, len(found.classes)))
        fine_fails, coarse_fails = model.failing(found.classes), model.failing(coarse.classes)
        if not fine_fails.any() and coarse_fails.any():
            assert Monotone.GENERALIZATION not in model.monotone
        if Monotone.SUPPRESSION in model.monotone:
            assert coarse.classes.rows[coarse_fails].sum() <= found.classes.rows[fine_fails].sum()


def two_stays(with_hiv: int) -> tuple[Classes, Reference]:
    """Five people in class 0 and again in class 1, another of them with hiv each time; 95 others in class 2."""
    people = np.concatenate([np.arange(5), np.arange(5), np.arange(5, 100)])
    hiv = np.concatenate([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], np.arange(95) < with_hiv]).astype(np.int32)
    groups = np.repeat(np.arange(3, dtype=np.int32), [5, 5, 95])[:, None]
    flat = Hierarchy.from_rows("d", [("flu", "*"), ("hiv", "*")])
    pairs = Pairs.of(people, hiv, 2)[0]
    attribute = Attribute("d", ("flu", "hiv"), np.bincount(hiv), flat, np.arange(2), pairs)
    classes = classes_of_rows(groups, {"d": (hiv, 2)}, people)[0]
    return classes, Reference(len(people), {"d": attribute}, people=100)


@pytest.mark.parametrize(
    ("model", "with_hiv"),
    [
        (AlphaK(0.3, 5, "d", value="hiv"), 1),
        (BetaLikeness(8.0, "d"), 1),
        (DeltaDisclosure(2.2, "d"), 1),
        (DeltaDisclosure(2.2, "d", absent="ignore"), 1),
        (TCloseness(0.2, "d"), 1),
        (TCloseness(0.2, "d", "ordered"), 1),
        (TCloseness(0.2, "d", "hierarchical"), 1),
        (LDiversity(2, "d"), 47),
        (LDiversity(1.5, "d", "entropy"), 47),
        (LDiversity(2, "d", "recursive", c=5.0), 47),
        (PSensitive(2, "d"), 47),
        (ExtendedPSensitive(2, "d", level=0), 47),
    ],
    ids=lambda found: getattr(found, "label", None),
)
def test_merging_classes_of_the_same_people_breaks_what_both_keep(model, with_hiv):
    """Why no model of sensitive values is called monotone where people have several rows."""
    fine, reference = two_stays(with_hiv)
    bound = model.bind(reference)
    assert bound.holds(fine)
    assert not bound.holds(fine.merged(np.arange(2, dtype=np.int32)[:, None], np.array([0, 0, 1])))
    assert bound.monotone is Monotone.NOTHING


@pytest.mark.parametrize("name", TWINS)
def test_one_row_per_person_is_what_the_papers_say_of_records(name):
    """Naming people who have one row each changes no answer and no flag."""
    asked = OF_RECORDS[name]
    rng = np.random.default_rng(5)
    for found in (world(rng) for _ in range(60)):
        if not usable(asked.model, found):
            continue
        coded = {
            column: (np.array([a.labels.index(v) for v in found.values[column]], np.int32), len(a.labels))
            for column, a in found.reference.attributes.items()
        }
        people = rng.permutation(len(found.class_of))
        named = classes_of_rows(np.array(found.class_of, np.int32)[:, None], coded, people)[0]
        model = asked.model.bind(found.reference)
        assert model.failing(named).tolist() == model.failing(found.classes).tolist()
        assert model.achieved(named) == model.achieved(found.classes)
        assert not named.holders
        assert model.monotone == asked.model.monotone


def test_merged_holders_are_those_of_the_rows():
    rng = np.random.default_rng(3)
    for found in worlds(31, 150):
        onto = random_merge(rng, len(found.classes))
        coarse = found.merged(onto)
        for column, holders in coarse.classes.holders.items():
            labels = found.reference.attributes[column].labels
            for number, rows in enumerate(coarse.rows(column)):
                kept = holders.kept(np.array([number]))
                expected = {v: len({p for p, w in rows if w == v}) for _, v in rows}
                told = dict(zip(kept.people.values.tolist(), kept.people.counts.tolist(), strict=True))
                assert {labels[v]: n for v, n in told.items()} == expected


def test_no_choice_of_one_value_per_person_is_less_diverse_than_the_reading():
    """The promise behind l-diversity: whichever of their values is taken for each person, the class is as diverse."""
    for found in worlds(77, 200):
        counted = least_diverse(found.classes.people_holding("disease"), found.classes.sizes)
        for number, rows in enumerate(found.rows("disease")):
            if math.prod(len(values) for values in twin.held(rows).values()) > 300:
                continue
            own = sorted(counted.counts[counted.starts[number] : counted.starts[number + 1]].tolist())[::-1]
            assert sum(own) == len(twin.held(rows))
            for chosen in twin.choices(rows):
                counts = sorted((chosen.count(v) for v in set(chosen)), reverse=True)
                assert len(counts) >= len(own)
                assert naive.entropy(chosen) >= naive.entropy(twin.reading(rows)) - 1e-12
                assert all(sum(counts[:j]) <= sum(own[:j]) for j in range(1, len(counts) + 1))


@pytest.mark.parametrize("risk", [0.2, 1 / 3, 0.5, 0.9])
def test_average_risk_takes_each_person_at_their_smallest_class(risk):
    model, verdicts = AverageRisk(risk), set()
    for found in worlds(91, 500):
        classes = [set(dict(rows)) for rows in found.rows("disease")]
        assert model.achieved(found.classes) == pytest.approx(float(twin.average_risk(classes)))
        failing = model.failing(found.classes)
        kept = [c for c, broken in zip(classes, failing, strict=True) if not broken]
        assert not kept or twin.average_risk(kept) <= naive.written(risk)
        assert failing.any() == (twin.average_risk(classes) > naive.written(risk))
        verdicts.add(bool(failing.any()))
        if not failing.any():
            coarse = found.merged(random_merge(np.random.default_rng(1), len(found.classes)))
            assert model.holds(coarse.classes)
    assert verdicts == {True, False}


def test_four_of_five_people_with_hiv_are_not_a_fifth_of_the_rows():
    """Five people, each with four rows; four of them have hiv in one row each: 4 of 20 rows, 80 % of the people."""
    people = np.repeat(np.arange(5), 4)
    values = np.tile([1, 2, 3, 4], 5)
    values[[0, 4, 8, 12]] = 0
    values[16] = 5
    classes = classes_of_rows(np.zeros((20, 1), np.int32), {"disease": (values, 6)}, people)[0]
    model = AlphaK(0.2, 5, "disease")
    assert model.achieved(classes) == 1.0  # three other values are everybody's
    assert not model.holds(classes)
    held = classes.people_holding("disease")
    assert held.counts[held.values == 0].tolist() == [4]


def test_one_persons_three_values_are_no_diversity():
    classes = classes_of_rows(
        np.zeros((4, 1), np.int32), {"d": (np.array([0, 1, 2, 0]), 3)}, np.array([0, 0, 0, 1])
    )[0]
    assert LDiversity(2, "d").achieved(classes) == 1.0


def test_what_people_hold_together_comes_back_from_its_profiles():
    for found in worlds(13, 60):
        for attribute in found.reference.attributes.values():
            again = Pairs.of_profiles(attribute.pairs.profiles(), len(attribute.labels))
            assert again.holding.tolist() == attribute.pairs.holding.tolist()
            assert again.n_people == attribute.pairs.n_people
            assert again.profiles() == attribute.pairs.profiles()
