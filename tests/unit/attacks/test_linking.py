"""Linking against brute force, on truthful releases of any spelling, and where it must fail."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference import attacks as naive
from tests.thinned import many

from kohort.attacks import Outside, Target
from kohort.attacks.linking import Linking
from kohort.attacks.matching import match_people
from kohort.hierarchy import Hierarchy, meaning

AGE = Hierarchy.from_rows(
    "age", [(str(a), f"[{a // 10 * 10}, {a // 10 * 10 + 9}]", "*") for a in range(20, 60)]
)
SEX = Hierarchy.from_rows("sex", [("F", "*"), ("M", "*"), (None, "*")])
HIERARCHIES = {"age": AGE, "sex": SEX}


def covers(name: str, label: str | None, value: str | None) -> bool:
    if label == "*":
        return True
    if name not in HIERARCHIES:
        return label == value
    hierarchy = HIERARCHIES[name]
    mask = meaning(hierarchy, label)
    return value in hierarchy.ground and mask is not None and bool(mask[hierarchy.ground.index(value)])


def released_label(rng: np.random.Generator, age: int, overlapping: bool) -> str:
    ten = f"[{age // 10 * 10}, {age // 10 * 10 + 9}]"
    if not overlapping:
        return ten
    low, high = age - int(rng.integers(0, 3)), age + int(rng.integers(0, 3))
    return str(rng.choice([str(age), ten, f"[{max(low, 20)}, {min(high, 59)}]", "*"]))


@many(seed=range(40))
def test_match_sets_and_candidates_equal_brute_force(seed):
    rng = np.random.default_rng(seed)
    overlapping = seed % 2 == 0
    released, people = [], []
    for _ in range(int(rng.integers(1, 30))):
        age = int(rng.integers(20, 60))
        sex = rng.choice(["F", "M", "*", None])
        released.append({"age": released_label(rng, age, overlapping), "sex": sex, "town": str(rng.choice(["a", "b"])),
                         "ill": str(rng.integers(0, 90))})  # fmt: skip
    for _ in range(int(rng.integers(1, 30))):
        people.append({"age": str(rng.integers(18, 60)), "sex": rng.choice(["F", "M", None]),
                       "town": str(rng.choice(["a", "b", "c"]))})  # fmt: skip
    on = ("age", "sex", "town") if seed % 3 else ("age",)
    target = Target(naive.table_of(released), ("age", "sex"), ("ill",), HIERARCHIES)
    match = match_people(target, naive.table_of(people), on, "ill")
    for i, person in enumerate(people):
        fits = naive.match_set(person, released, on, covers)
        assert match.sizes[i] == len(fits)
        assert match.n_candidates()[i] == len({released[r]["ill"] for r in fits})


def ten_people() -> list[naive.Row]:
    return [{"name": f"p{i}", "age": str(20 + i), "sex": "F"} for i in range(10)]


def test_a_release_of_k_resists_and_no_match_set_falls_below_k():
    people = ten_people()
    released = naive.table_of([{"age": "[20, 29]", "sex": "F"} for _ in people])
    target = Target(
        released, ("age", "sex"), (), HIERARCHIES, Outside(naive.table_of(people), ("age", "sex"), "name")
    )
    finding = Linking().run(target)[0]
    assert finding.success == pytest.approx(0.1)
    assert finding.details["smallest_match_set"] == 10
    assert finding.details["unique"] == 0


def test_the_exact_table_is_broken_and_knowledge_of_somebody_else_is_right_as_often_as_a_blind_pick():
    people = ten_people()
    strangers = [{"name": f"s{i}", "age": str(40 + i), "sex": "F"} for i in range(5)]
    table = naive.table_of(people)
    outside = Outside(naive.table_of(people + strangers), ("age", "sex"), "name")
    finding = Linking().run(Target(table, ("age", "sex"), (), HIERARCHIES, outside, original=table))[0]
    assert finding.details["unique"] == 10
    assert finding.success == pytest.approx(10 / 15)
    assert finding.control == pytest.approx(10 / 15 * 1 / 10), "nothing fits those who are not in it"
    assert finding.details["not_in_the_table"] == 5
    assert finding.details["success_on_original"] == pytest.approx(10 / 15)
    low, high = finding.interval
    assert low < 10 / 15 < high


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("outside", [False, True])
def test_a_table_that_is_released_as_it_is_is_linked_as_the_original_is(seed, outside):
    rng = np.random.default_rng(seed)
    n = 20
    rows = [{"age": str(rng.integers(20, 26)), "sex": str(rng.choice(["F", "M"]))} for _ in range(n)]
    table, whose, order = naive.table_of(rows), rng.integers(0, 8, n), rng.permutation(n)
    voters = Outside(table, ("age", "sex")) if outside else None
    released = naive.table_of([rows[i] for i in order])
    for owners in (None, whose):
        shown = None if owners is None else owners[order]
        target = Target(released, ("age", "sex"), (), HIERARCHIES, voters, original=table, rows=order, owners=shown,
                        original_owners=owners)  # fmt: skip
        finding = Linking().run(target)[0]
        alike = [[j for j in range(n) if rows[j] == rows[i]] for i in range(n)]
        who = np.arange(n) if owners is None else owners
        own = [
            np.bincount(who[fits]).max() if outside else np.sum(who[fits] == who[i])
            for i, fits in enumerate(alike)
        ]
        right = np.mean([mine / len(fits) for mine, fits in zip(own, alike, strict=True)])
        assert finding.success == pytest.approx(right)
        assert finding.details["success_on_original"] == pytest.approx(right, abs=1e-6)
        assert ("original table at most" in finding.sentence) is outside


def test_where_nobody_knows_whose_the_rows_of_the_original_are_nothing_is_told_of_it():
    table = naive.table_of([{"age": "20"}, {"age": "20"}])
    target = Target(
        table, ("age",), (), HIERARCHIES, original=table, rows=np.arange(2), owners=np.array([0, 1])
    )
    finding = Linking().run(target)[0]
    assert "success_on_original" not in finding.details
    assert "original table" not in finding.sentence


def test_without_anybody_to_look_up_it_says_so():
    target = Target(naive.table_of([{"age": "*"}]), ("age",), (), HIERARCHIES)
    assert "outside table" in Linking().lacks(target)


def test_a_value_that_the_hierarchy_does_not_know_fits_only_what_is_suppressed():
    released = naive.table_of([{"age": "[20, 29]"}, {"age": "*"}])
    target = Target(released, ("age",), (), HIERARCHIES)
    assert match_people(target, naive.table_of([{"age": "93"}]), ("age",)).sizes.tolist() == [1]


def test_nobody_fits():
    target = Target(naive.table_of([{"age": "20"}]), ("age",), (), HIERARCHIES)
    outside = Outside(naive.table_of([{"age": "55"}]), ("age",))
    finding = Linking().run(Target(target.released, ("age",), (), HIERARCHIES, outside))[0]
    assert finding.success == 0
    assert finding.details["smallest_match_set"] is None
    assert "None of the people" in finding.sentence
