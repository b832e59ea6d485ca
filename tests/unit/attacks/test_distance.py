"""Linking to perturbed records by nearness, against all distances by hand."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.reference import attacks as naive

from kohort.attacks import Outside, Target
from kohort.attacks.association import Association
from kohort.attacks.composition import Composition
from kohort.attacks.distance import Distance
from kohort.attacks.linking import Linking
from kohort.hierarchy import Hierarchy
from kohort.report.attacks import reached

AGE = Hierarchy.from_rows("age", [(str(a), "*") for a in range(20, 80)])


def by_hand(released, people):
    """All distances: numbers in units of their spread, other values the same or not."""
    spread = np.std([float(r["age"]) for r in released])
    return [
        [
            ((float(person["age"]) - float(r["age"])) / spread) ** 2 + (person["sex"] != r["sex"])
            for r in released
        ]
        for person in people
    ]


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_records_equal_all_distances_by_hand(seed):
    rng = np.random.default_rng(seed)
    sexes = ["F", "M"]
    released = [{"age": f"{rng.integers(20, 40) / 2}.5", "sex": str(rng.choice(sexes))} for _ in range(12)]
    released = [row | {"age": row["age"].replace(".0.5", ".25").replace(".5.5", ".75")} for row in released]
    people = [{"age": str(rng.integers(10, 20)), "sex": str(rng.choice(sexes))} for _ in range(12)]
    outside = Outside(naive.table_of(people), ("age", "sex"))
    quasi = ("age", "sex")
    far = by_hand(released, people)
    crowds = [[i for i, d in enumerate(row) if abs(d - min(row)) < 1e-9] for row in far]
    target = Target(naive.table_of(released), quasi, (), {"age": AGE}, outside)
    assert Distance().run(target)[0].details["smallest_match_set"] == min(map(len, crowds))
    owners = rng.integers(0, 6, 12)
    rows = rng.permutation(12)
    for whose in (np.arange(12), owners):
        told = None if whose is not owners else owners
        known = Target(
            naive.table_of(released), quasi, (), {"age": AGE}, original=outside.table, rows=rows, owners=told
        )
        finding = Distance().run(known)[0]
        right = [np.mean([whose[j] == whose[i] for j in crowds[rows[i]]]) for i in range(12)]
        assert finding.success == pytest.approx(np.mean(right))
        assert finding.baseline == pytest.approx(np.mean([np.mean(whose == one) for one in whose]))
        assert not finding.bound


@pytest.mark.parametrize("seed", range(8))
def test_nobody_who_forms_the_groups_again_is_right_more_often_than_what_is_told(seed):
    """The best intruder is told the group of everybody, and picks one of its records."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(5), rng.integers(2, 5, 5))
    n = len(groups)
    means = rng.choice(90, 5, replace=False)
    released = naive.table_of([{"age": f"{means[g]}.25"} for g in groups])
    original = naive.table_of([{"age": str(rng.integers(20, 80))} for _ in range(n)])
    for owners in (None, rng.integers(0, 6, n)):
        whose = np.arange(n) if owners is None else owners
        own = [np.mean(whose[groups == g] == who) for g, who in zip(groups, whose, strict=True)]
        finding = Distance().run(
            Target(released, ("age",), (), original=original, owners=owners, truthful=False)
        )[0]
        assert finding.bound
        assert finding.success == pytest.approx(np.mean(own))
        average, highest = (
            float(x) / 100 for x in re.findall(r"(?:at most|more than) ([0-9.]+)%", finding.sentence)
        )
        assert average >= np.mean(own) - 1e-9
        assert highest >= max(own) - 1e-9
        voters = Outside(naive.table_of([{"age": "30"}, {"age": "44"}]), ("age",))
        asked = Target(released, ("age",), (), outside=voters, owners=owners, truthful=False)
        assert Distance().run(asked)[0].success == pytest.approx(max(own)), (
            "whose group is whose is not known"
        )
    scattered = Target(released, ("age",), (), original=original, scattered=True, truthful=False)
    finding = Distance().run(scattered)[0]
    assert not finding.bound
    assert "at most" not in finding.sentence
    assert "no bound is told" in finding.sentence
    assert reached(finding.facts()).endswith("if everybody had one row")


def test_means_of_three_hide_everybody_among_three_and_exact_values_do_not():
    ages = [20, 21, 22, 50, 51, 52, 70, 71, 72]
    original = naive.table_of([{"age": str(a)} for a in ages])
    means = naive.table_of(
        [{"age": f"{np.mean(ages[i // 3 * 3 : i // 3 * 3 + 3]) + 0.25}"} for i in range(9)]
    )
    target = Target(means, ("age",), (), {"age": AGE}, original=original)
    assert "perturbed" in Linking().lacks(target)
    finding = Distance().run(target)[0]
    assert finding.success == pytest.approx(1 / 3)
    assert finding.details["smallest_match_set"] == 3
    noisy = naive.table_of([{"age": f"{a}.01"} for a in ages])
    assert Distance().run(Target(noisy, ("age",), (), {"age": AGE}, original=original))[0].success == 1


def test_labels_beside_means_are_near_to_those_whom_they_stand_for():
    towns = Hierarchy.from_rows(
        "town", [("a1", "a", "*"), ("a2", "a", "*"), ("b1", "b", "*"), ("b2", "b", "*")]
    )
    released = naive.table_of([{"town": "a"}, {"town": "a"}, {"town": "b"}])
    people = naive.table_of([{"town": "a1"}, {"town": "b2"}, {"town": "a2"}])
    target = Target(
        released, ("town",), (), {"town": towns}, original=people, rows=np.array([0, 2, 1]), truthful=False
    )
    assert Distance().run(target)[0].success == pytest.approx((1 / 2 + 1 / 2 + 1) / 3)


def test_a_generalized_release_is_not_linked_by_distance():
    table = naive.table_of([{"age": "*"}])
    assert "generalizes" in Distance().lacks(
        Target(table, ("age",), (), {"age": AGE}, original=naive.table_of([{"age": "20"}]))
    )


def test_a_release_that_is_told_to_be_perturbed_is_not_read_by_meaning():
    rows = [{"age": str(a), "ill": i} for a, i in ((20, "flu"), (30, "cold"))]
    table = naive.table_of(rows)
    target = Target(table, ("age",), ("ill",), {"age": AGE}, original=table, truthful=False)
    composed = Target(table, ("age",), ("ill",), {"age": AGE}, original=table, others=(target,))
    assert Distance().lacks(target) == ""
    assert "perturbed" in Linking().lacks(target)
    assert "perturbed" in Association().lacks(target)
    assert "perturbed" in Composition().lacks(composed)
