"""Homogeneity, background knowledge, skewness and similarity against brute force, and where they must fail."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import to_builtins
from tests.reference import attacks as naive
from tests.thinned import many

from kohort.attacks import ATTACKS, Target
from kohort.attacks.background import Background, posteriors
from kohort.attacks.homogeneity import Homogeneity, expected_share
from kohort.attacks.similarity import Similarity
from kohort.attacks.skewness import Skewness
from kohort.hierarchy import Hierarchy
from kohort.verification.judges.two_tables import group_crowds

TREE = Hierarchy.from_rows(
    "ill",
    [
        ("flu", "lung", "*"),
        ("cold", "lung", "*"),
        ("ulcer", "belly", "*"),
        ("gastritis", "belly", "*"),
        (None, None, "*"),
    ],
)


def random_rows(seed: int) -> list[naive.Row]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 14))
    ills = ["flu", "cold", "ulcer", "gastritis", None][: int(rng.integers(1, 6))]
    return [
        {
            "zip": str(rng.choice(["1", "2", "3"])),
            "sex": rng.choice(["F", "M", None]),
            "ill": ills[int(rng.integers(len(ills)))],
            "pay": str(rng.integers(0, 60)),
        }
        for _ in range(n)
    ]


@many(seed=range(40))
def test_homogeneity_and_background_knowledge_equal_brute_force(seed):
    rows = random_rows(seed)
    found = naive.classes(rows, ["zip", "sex"], "ill")
    target = naive.target_of(rows, ["zip", "sex"], ["ill"])
    assert Homogeneity().run(target)[0].success == pytest.approx(naive.homogeneous_share(found))
    for m, finding in zip((1, 2, 3), Background().run(target), strict=True):
        assert finding.success == pytest.approx(naive.certain_share(found, m))
        average = [naive.best_posterior(members, v, m) for members in found for v in members]
        assert finding.details["average_posterior"] == pytest.approx(np.mean(average), abs=1e-6)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("m", [0, 1, 2])
def test_posteriors_equal_the_trial_of_all_sets_of_values(seed, m):
    rows = random_rows(seed + 100)
    groups = naive.target_of(rows, ["zip", "sex"], ["ill"]).groups("ill")
    got = posteriors(groups.histogram, m)
    for chance, owner, value in zip(got, groups.histogram.owners, groups.histogram.values, strict=True):
        members = [groups.labels[v] for v in groups.values[groups.owners == owner]]
        assert chance == pytest.approx(naive.best_posterior(members, groups.labels[value], m))


@many(seed=range(40))
def test_skewness_equals_brute_force(seed):
    rows = random_rows(seed)
    rise, ratio = naive.worst_rise(naive.classes(rows, ["zip", "sex"], "ill"))
    finding = Skewness().run(naive.target_of(rows, ["zip", "sex"], ["ill"]))[0]
    assert finding.success - finding.baseline == pytest.approx(rise)
    assert finding.details["greatest_ratio"] == pytest.approx(ratio, abs=1e-6)


@many(seed=range(40))
def test_similarity_equals_homogeneity_of_the_headings(seed):
    rows = random_rows(seed)
    target = naive.target_of(rows, ["zip", "sex"], ["ill"], hierarchies={"ill": TREE})
    head = {"flu": "lung", "cold": "lung", "ulcer": "belly", "gastritis": "belly", None: None}
    found = [[head[v] for v in c] for c in naive.classes(rows, ["zip", "sex"], "ill")]
    if len({v for c in found for v in c}) < 2:
        assert Similarity().lacks(target) != ""
        return
    assert Similarity().run(target)[0].success == pytest.approx(naive.homogeneous_share(found))


@pytest.mark.parametrize("seed", range(20))
def test_similarity_of_numbers_equals_the_range_of_each_class(seed):
    rows = random_rows(seed + 7)
    target = naive.target_of(rows, ["zip"], ["pay"])
    numbers = np.array([float(row["pay"]) for row in rows])
    if len(set(numbers)) < 5:
        assert Similarity().lacks(target) != ""
        return
    low, high = np.percentile(numbers, [5, 95])
    found = [[float(v) for v in c] for c in naive.classes(rows, ["zip"], "pay")]
    hits = sum(len(c) for c in found if max(c) - min(c) <= 0.25 * (high - low))
    assert Similarity(narrow=0.25).run(target)[0].success == pytest.approx(hits / len(rows))


def test_a_class_with_a_missing_number_is_not_narrow():
    rows = [{"zip": "1", "pay": p} for p in ("5", "5", None)]
    rows += [{"zip": "2", "pay": p} for p in ("1", "9", "20", "40")]
    assert Similarity().run(naive.target_of(rows, ["zip"], ["pay"]))[0].success == 0


@pytest.mark.parametrize("seed", range(8))
def test_the_control_of_homogeneity_is_the_mean_over_all_deals(seed):
    rows = random_rows(seed)[:6]
    found = naive.classes(rows, ["zip"], "ill")
    groups = naive.target_of(rows, ["zip"], ["ill"]).groups("ill")
    assert expected_share(groups.sizes, groups.priors) == pytest.approx(naive.exact_deal_share(found))


def diverse_rows() -> list[naive.Row]:
    ills = ["flu", "cold", "ulcer", "gastritis"]
    return [{"zip": z, "ill": ill} for z in ("1", "2", "3") for ill in ills]


def test_a_release_with_four_equally_frequent_values_in_every_class_resists():
    target = naive.target_of(diverse_rows(), ["zip"], ["ill"], hierarchies={"ill": TREE})
    assert Homogeneity().run(target)[0].success == 0
    assert [f.success for f in Background().run(target)] == [0, 0, 1]
    skewness = Skewness().run(target)[0]
    assert skewness.success == skewness.baseline == 0.25
    assert Similarity().run(target)[0].success == 0


def test_a_release_with_one_value_per_class_is_broken():
    rows = [
        {"zip": z, "ill": ill} for z, ill in (("1", "flu"), ("2", "cold"), ("3", "ulcer")) for _ in range(4)
    ]
    target = naive.target_of(rows, ["zip"], ["ill"], hierarchies={"ill": TREE})
    for name in ("homogeneity", "skewness", "similarity"):
        finding = ATTACKS[name]().run(target)[0]
        assert finding.success == 1
        assert finding.control is not None
        assert finding.control < 1


def test_without_a_sensitive_column_the_attacks_say_what_they_lack():
    target = naive.target_of([{"zip": "1"}], ["zip"], [])
    for name in ("homogeneity", "background-knowledge", "skewness", "similarity"):
        assert "sensitive" in ATTACKS[name]().lacks(target)


def test_findings_tell_no_cell_value_and_are_plain_json():
    rows = [{"zip": "94138", "ill": "gastritis"}, {"zip": "94139", "ill": "ulcer"}] * 3
    target = naive.target_of(rows, ["zip"], ["ill"], hierarchies={"ill": TREE})
    for kind in (Homogeneity, Background, Skewness, Similarity):
        for finding in kind().run(target):
            told = str(finding.facts())
            assert not [cell for cell in ("94138", "gastritis", "ulcer", "belly") if cell in told]
            assert set(to_builtins(finding.facts())) == {
                "advice", "promised", "attack", "success", "baseline", "control", "interval", "n", "sentence", "details", "measure", "bound",
                "certain",
                "margin", "smallest_effect", "gained", "lessened",
            }  # fmt: skip


def test_the_groups_of_anatomy_are_read_from_its_second_table():
    quasi = naive.table_of([{"zip": str(i), "group": "1" if i < 3 else "2"} for i in range(6)])
    torn = naive.table_of(
        [
            {"group": "1", "ill": "flu", "count": "3"},
            {"group": "2", "ill": "flu", "count": "1"},
            {"group": "2", "ill": "cold", "count": "2"},
        ]
    )
    target = Target(quasi, ("zip",), ("ill",), apart=group_crowds(quasi, torn))
    assert Homogeneity().run(target)[0].success == 0.5
    assert "in the group" in Homogeneity().run(target)[0].sentence
    assert Skewness().run(target)[0].details["best_guess"] == pytest.approx(5 / 6, abs=1e-6)
