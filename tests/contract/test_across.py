"""Promises about values are kept class by class: what all classes of a person tell together is counted and told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.contract.test_people_released import ASKED

import kohort
from kohort.attacks import Association, Homogeneity, Outside, Target
from kohort.classes import classes_of_rows
from kohort.models import MODELS
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


@pytest.mark.parametrize("seed", range(40))
def test_counts_equal_those_of_whoever_intersects_the_classes_of_everybody(seed: int) -> None:
    rows, least = random_rows(seed), 2 + seed % 2
    who, where, ill = (np.array(column, np.int32) for column in zip(*rows, strict=True))
    classes, _ = classes_of_rows(where[:, None], {"ill": (ill, 5)}, who)
    held = {c: {v for _, at, v in rows if at == c} for c in set(where.tolist())}
    places = {p: {at for q, at, _ in rows if q == p} for p in set(who.tolist())}
    several = [stands for stands in places.values() if len(stands) > 1]
    left = [len(set.intersection(*(held[c] for c in stands))) for stands in several]
    alone = [min(len(held[c]) for c in stands) for stands in several]
    told = across(classes, "ill", least)
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


@pytest.mark.parametrize(
    "name", [name for name in ASKED if MODELS[ASKED[name][0]["model"]].card.counts == "values"]
)
def test_every_promise_about_values_says_that_it_is_kept_class_by_class(name: str) -> None:
    loose = {"alpha": 0.9, "t": 1.0, "beta": 9, "delta": 9}
    asked = {key: loose.get(key, value) for key, value in ASKED[name][0].items()}
    facts = kohort.anonymize(pa.table(STAYS), plan(require=[asked])).facts
    assert "in each class by itself; who knows several classes of a person" in facts.promises[0].guarantee
    told = facts.across.get("ill")
    assert (told is not None) == bool(facts.levels and not facts.levels["zip"])
    assert any("class by class" in warning for warning in facts.warnings) == (told is not None)


def test_who_stands_in_two_classes_that_share_one_value_is_told_everywhere() -> None:
    release = kohort.anonymize(
        pa.table(STAYS), plan(require=[{"model": "l-diversity", "column": "ill", "l": 2}])
    )
    (warning,) = release.facts.warnings
    said = (
        "1 of 1 people with rows in several classes the classes share fewer values than the 2 promised, for 1"
    )
    assert said in warning
    assert html(release.facts).count(said) == 2  # the notice, and WP216
    table = Table.from_arrow(pa.table(STAYS))
    known = Outside(table, ("zip",), "who")
    by_row, by_person = Association().run(Target(table, ("zip",), ("ill",), outside=known))
    assert (by_row.success, by_row.details["smallest_cover"]) == (0, 2)
    assert "rows of people whom it fits; the fewest values left for any row are 2" in by_row.sentence
    assert (by_person.success, by_person.n, by_person.details["smallest_cover"]) == (1 / 7, 7, 1)
    assert "The fewest values left for any person are 1" in by_person.sentence


def test_where_the_classes_of_people_share_enough_values_that_is_said() -> None:
    shared = STAYS | {"ill": ["gout" if ill == "acne" else ill for ill in STAYS["ill"]]}
    promised = [{"model": "l-diversity", "column": "ill", "l": 2}]
    for asked, few in (
        ({"require": promised}, "fewer values than the 2 promised"),
        ({}, "a single value that none of them gives away alone"),
    ):
        facts = kohort.anonymize(pa.table(shared), plan(**asked)).facts
        assert not facts.warnings
        said = f"the classes of 1 people who stand in several, laid over each other, leave nobody with {few} if the value"
        assert html(facts).count(said) == 1
