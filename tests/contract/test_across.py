"""Promises about values are kept class by class: what all classes of a person tell together is counted and told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.contract.test_people_released import ASKED
from tests.thinned import many

import kohort
from kohort.attacks import Association, Homogeneity, Outside, Target
from kohort.classes import Pairs, classes_of_rows
from kohort.models import (
    MODELS,
    AlphaK,
    Attribute,
    BetaLikeness,
    DeltaDisclosure,
    LDiversity,
    PrivacyModel,
    TCloseness,
)
from kohort.report import html
from kohort.risk.audit import audit_facts
from kohort.risk.several_classes import across
from kohort.table import Table

# a stands among {flu, gout} and among {acne, flu}: in each are two values, in both only flu
STAYS = {
    "who": [*"aabcdefg"],
    "zip": ["11", "22", "11", "11", "22", "22", "11", "22"],
    "ill": ["flu", "flu", "gout", "flu", "flu", "acne", "gout", "acne"],
}


# two that need more than a column: what people want protected, and a hierarchy of the values
ACROSS: dict[str, dict[str, Any]] = {
    **{name: asked for name, (asked, _) in ASKED.items() if MODELS[asked["model"]].card.counts == "values"},
    "personalized": {"model": "personalized", "column": "ill", "guard": "club", "breach": 0.9},
    "extended-p": {"model": "extended-p-sensitive", "column": "ill", "p": 2, "level": 0},
}
LOOSE = {"alpha": 0.9, "t": 1.0, "beta": 9, "delta": 9}


def random_rows(seed: int) -> list[tuple[int, int, int]]:
    """Person, class and value of some rows."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 30))
    return [tuple(map(int, row)) for row in np.column_stack([rng.integers(0, m, n) for m in (6, 4, 5)])]


def plan(**more: Any) -> kohort.Plan:
    return kohort.Plan.from_dict(
        {
            "input": {"respondent": "who"},
            "columns": {"zip": {"role": "quasi", "hierarchy": {"kind": "mask"}}, "ill": "sensitive"},
            "output": {"ledger": ""},
            "require": [{"model": "k-anonymity", "k": 3}],
        }
        | more
    )


def attribute_of(rows: list[tuple[int, int, int]]) -> Attribute:
    """What the whole table tells of the values, by people."""
    pairs = sorted({(p, v) for p, _, v in rows})
    people = {p: number for number, p in enumerate(sorted({p for p, _ in pairs}))}
    totals = np.bincount([v for _, _, v in rows], minlength=5)
    owners, values = (
        np.array(part, np.int64) for part in zip(*((people[p], v) for p, v in pairs), strict=True)
    )
    return Attribute("ill", tuple(map(str, range(5))), totals, pairs=Pairs(owners, values, len(people), 5))


@many(seed=range(40))
def test_counts_equal_those_of_whoever_intersects_the_classes_of_everybody(seed: int) -> None:
    rows, least = random_rows(seed), 2 + seed % 2
    who, where, ill = (np.array(column, np.int32) for column in zip(*rows, strict=True))
    classes, _ = classes_of_rows(where[:, None], {"ill": (ill, 5)}, who)
    held = {c: {v for _, at, v in rows if at == c} for c in set(where.tolist())}
    places = {p: {at for q, at, _ in rows if q == p} for p in set(who.tolist())}
    several = [stands for stands in places.values() if len(stands) > 1]
    left = [len(set.intersection(*(held[c] for c in stands))) for stands in several]
    alone = [min(len(held[c]) for c in stands) for stands in several]
    told = across(classes, "ill", least, [], attribute_of(rows))
    assert (told is None) == (not several)
    if told is not None:
        assert (told.people, told.below) == (len(several), sum(0 < number < least for number in left))
        assert told.single == sum(n == 1 < before for n, before in zip(left, alone, strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_a_class_is_single_valued_where_its_rows_are_whoever_holds_what(seed: int) -> None:
    rows = random_rows(seed)
    texts = [[f"{cell}" for cell in column] for column in zip(*rows, strict=True)]
    table = Table.from_arrow(pa.table(dict(zip(("who", "zip", "ill"), texts, strict=True))))
    (found,) = Homogeneity().run(Target(table, ("zip",), ("ill",)))
    told = audit_facts(table, ["zip"], ["ill"], respondent="who")["sensitive"]["ill"]["homogeneous"]
    single = [c for c in range(4) if len({v for _, at, v in rows if at == c}) == 1]
    assert told == len({p for p, at, _ in rows if at in single})
    assert (told > 0) == (found.success > 0)


# A promise about likelihoods, and whether a belief about the values left keeps it beside the table's shares of people.
BELIEFS: dict[str, tuple[PrivacyModel, Callable[[np.ndarray, np.ndarray], bool]]] = {
    "alpha-k": (AlphaK(0.4, 2, "ill"), lambda q, _: q.max() <= 0.4 + SLACK),
    "entropy": (
        LDiversity(2.5, "ill", "entropy"),
        lambda q, _: -(q[q > 0] * np.log(q[q > 0])).sum() >= np.log(2.5) - SLACK,
    ),
    "t-closeness": (TCloseness(0.4, "ill"), lambda q, p: np.maximum(q - p, 0).sum() <= 0.4 + SLACK),
    "beta-likeness": (BetaLikeness(0.5, "ill"), lambda q, p: (q / p).max() - 1 <= 0.5 + SLACK),
    "delta-disclosure": (DeltaDisclosure(0.4, "ill"), lambda q, p: np.log((q / p).max()) <= 0.4 + SLACK),
}
SLACK = 1e-6


@pytest.mark.parametrize("name", BELIEFS)
def test_whom_no_belief_about_what_is_left_can_keep_a_promise_of_is_counted(name: str) -> None:
    """Beliefs are drawn; those spread evenly, or as the table is, are the ones that keep a promise if any does."""
    model, keeps = BELIEFS[name]
    counted = 0
    for seed in range(40):
        rows, rng = random_rows(seed), np.random.default_rng(seed)
        who, where, ill = (np.array(column, np.int32) for column in zip(*rows, strict=True))
        classes, _ = classes_of_rows(where[:, None], {"ill": (ill, 5)}, who)
        shares = np.array([len({p for p, _, v in rows if v == value}) for value in range(5)]) / len(
            {*who.tolist()}
        )
        expected = several = 0
        for p in {*who.tolist()}:
            stands = {at for q, at, _ in rows if q == p}
            several += len(stands) > 1
            left = sorted(set.intersection(*({v for _, c, v in rows if c == at} for at in stands)))
            if len(stands) > 1 and left:
                base = shares[left]
                beliefs = [np.full(len(left), 1 / len(left)), base / base.sum(), *rng.dirichlet(base, 30)]
                expected += not any(keeps(belief, base) for belief in beliefs)
        assert model.demand.room is not None
        told = across(classes, "ill", 2, [model.demand.room], attribute_of(rows))
        assert (0 if told is None else told.beyond) == expected
        counted += expected
    assert counted > 3


def test_every_promise_about_likelihoods_says_what_must_be_left() -> None:
    for name, asked in ACROSS.items():
        told = {key: value for key, value in asked.items() if key != "model"}
        demand = MODELS[asked["model"]](**told).demand
        only_numbers = name in ("distinct", "p-sensitive", "extended-p")
        assert (demand.room is None) == only_numbers == (bool(demand.gains) and demand.room is None)


@pytest.mark.parametrize("name", ACROSS)
def test_every_promise_about_values_says_that_it_is_kept_class_by_class(name: str) -> None:
    asked = {key: LOOSE.get(key, value) for key, value in ACROSS[name].items()}
    columns = {
        "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
        "ill": {"role": "sensitive", "hierarchy": {"kind": "suppress"}} if name not in ASKED else "sensitive",
    }
    columns |= {"club": "guard"} if name == "personalized" else {}
    stays = pa.table(STAYS | ({"club": STAYS["ill"]} if name == "personalized" else {}))
    facts = kohort.anonymize(stays, plan(require=[asked], columns=columns)).facts
    assert "in each class by itself; who knows several classes of a person" in facts.promises[0].guarantee
    told = facts.across.get("ill")
    assert (told is not None) == bool(facts.levels and not facts.levels["zip"])
    assert any("class by class" in warning for warning in facts.warnings) == (told is not None)
    if told is not None:
        likely = (
            MODELS[asked["model"]](**{k: v for k, v in asked.items() if k != "model"}).demand.room is not None
        )
        assert (told.beyond is not None) == likely
        assert any("how likely each value is" in warning for warning in facts.warnings) == likely


def test_who_stands_in_two_classes_that_share_one_value_is_told_everywhere() -> None:
    release = kohort.anonymize(
        pa.table(STAYS), plan(require=[{"model": "l-diversity", "column": "ill", "l": 2}])
    )
    (warning,) = release.facts.warnings
    assert warning.startswith(
        "1 person has rows in several classes; laid over each other, these leave 1 with fewer values of ill than the 2 promised, 1 "
        "of them with a single one. "
    )
    wp216 = "with rows in several classes the classes share fewer values than the 2 promised, for 1 of them a single one"
    page = html(release.facts)
    assert page.count("fewer values of ill than the 2 promised") == page.count(wp216) == 1
    table = Table.from_arrow(pa.table(STAYS))
    known = Outside(table, ("zip",), "who")
    by_row, by_person = Association().run(Target(table, ("zip",), ("ill",), outside=known))
    assert (by_row.success, by_row.details["smallest_cover"]) == (0, 2)
    assert "rows of people whom it fits; the fewest values left for any row are 2" in by_row.sentence
    assert (by_person.success, by_person.n, by_person.details["smallest_cover"]) == (1 / 7, 7, 1)
    assert "The fewest values left for any person are 1" in by_person.sentence


def test_what_several_columns_leave_is_warned_of_once() -> None:
    columns = {
        "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
        "ill": "sensitive",
        "pay": "sensitive",
    }
    stays = pa.table(STAYS | {"pay": STAYS["ill"]})
    promised = [{"model": "l-diversity", "columns": ["ill", "pay"], "l": 2}]
    (warning,) = kohort.anonymize(stays, plan(require=promised, columns=columns)).facts.warnings
    assert "fewer values of ill than" in warning
    assert "fewer values of pay than" in warning
    assert warning.count("class by class") == warning.count("one row per person") == 1


def test_where_the_classes_of_people_share_enough_values_that_is_said() -> None:
    shared = STAYS | {"ill": ["gout" if ill == "acne" else ill for ill in STAYS["ill"]]}
    promised = [{"model": "l-diversity", "column": "ill", "l": 2}]
    for asked, few in (
        ({"require": promised}, "fewer values than the 2 promised"),
        ({}, "a single value that none of them gives away alone"),
    ):
        facts = kohort.anonymize(pa.table(shared), plan(**asked)).facts
        assert not facts.warnings
        said = f"the classes of 1 person who stands in several, laid over each other, leave nobody with {few} if the value"
        assert html(facts).count(said) == 1
