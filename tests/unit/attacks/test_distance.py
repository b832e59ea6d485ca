"""Linking to perturbed records by nearness, against all distances by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference import attacks as naive

from kohort.attacks import Outside, Target
from kohort.attacks.association import Association
from kohort.attacks.composition import Composition
from kohort.attacks.distance import Distance
from kohort.attacks.linking import Linking
from kohort.hierarchy import Hierarchy

AGE = Hierarchy.from_rows("age", [(str(a), "*") for a in range(20, 80)])


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_records_equal_all_distances_by_hand(seed):
    rng = np.random.default_rng(seed)
    released = [{"age": f"{rng.integers(20, 80)}.5", "sex": str(rng.choice(["F", "M"]))} for _ in range(12)]
    people = [{"age": str(rng.integers(20, 80)), "sex": str(rng.choice(["F", "M"]))} for _ in range(9)]
    outside = Outside(naive.table_of(people), ("age", "sex"))
    finding = Distance().run(Target(naive.table_of(released), ("age", "sex"), (), {"age": AGE}, outside))[0]
    spread = np.std([float(r["age"]) for r in released])
    chances = []
    for person in people:
        far = [
            ((float(person["age"]) - float(r["age"])) / spread) ** 2 + (person["sex"] != r["sex"])
            for r in released
        ]
        chances.append(1 / sum(abs(d - min(far)) < 1e-9 for d in far))
    assert finding.success == pytest.approx(np.mean(chances))


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
