"""Words about chance: an attack that does no better says so, and shuffled rows raise no alarm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.reference import attacks as naive
from tests.words.attacked_worlds import NULLS, PLANTED

from kohort.attacks import Outside, Target, run_attacks
from kohort.attacks.linking import Linking
from kohort.attacks.row_order import ONE_IN, RowOrder
from kohort.models import LDiversity
from kohort.report.attacks import controlled
from kohort.report.words import percent

NO_MORE = {"skewness": "no more skewed than chance makes them", "downcoding": "no more than chance gives"}


@pytest.mark.parametrize("name", NO_MORE)
def test_no_more_than_chance_is_said_where_the_control_is_not_passed(name: str) -> None:
    findings = [
        finding
        for world in (PLANTED[name], NULLS[name])
        for seed in range(4)
        for finding in run_attacks(world(seed), [name]).found
    ]
    for found in findings:
        assert found.control is not None
        assert found.margin is not None
        passed = found.success > found.control + found.margin + 1e-9
        weaker = "weaker than guessing without" in found.sentence
        assert passed or weaker or NO_MORE[name] in found.sentence
        assert not passed or NO_MORE[name] not in found.sentence
    assert any(NO_MORE[name] in found.sentence for found in findings)


@pytest.mark.parametrize("world", [PLANTED, NULLS], ids=["planted", "null"])
def test_the_figures_and_the_words_of_skewness_agree_on_chance(world: dict[str, Any]) -> None:
    for seed in range(3):
        for found in run_attacks(world["skewness"](seed), ["skewness"]).found:
            assert found.control is not None
            assert found.margin is not None
            furthest = found.control + found.margin
            assert f"up to {furthest:.1%} by chance" in found.sentence
            assert controlled(found.facts()).endswith(f", by chance up to {percent(furthest)}")
            assert (found.success > furthest + 1e-9) is ("no more skewed" not in found.sentence)


def test_skewness_of_people_with_several_rows_speaks_of_rows() -> None:
    target = PLANTED["skewness"](0)
    alone = run_attacks(target, ["skewness"]).found[0].sentence
    several = Target(
        target.released,
        target.quasi,
        target.sensitive,
        target.hierarchies,
        owners=np.arange(target.n_records) // 2,
    )
    said = run_attacks(several, ["skewness"]).found[0].sentence
    assert "one person may have several" in said
    assert "one person may have several" not in alone


def test_people_of_an_outside_table_are_not_said_to_be_in_the_release() -> None:
    """Two of a town of which one row is released: only one of them can be in it."""
    release = naive.table_of([{"town": town} for town in ("a", "b", "b", "b")])
    voters = naive.table_of([{"town": town} for town in ("a", "a", "b", "b", "b", "b")])
    found = Linking().run(Target(release, ("town",), outside=Outside(voters, ("town",))))[0]
    said = found.sentence
    assert "2 (33.3%) have exactly one record that fits, 1 different record in all" in said
    assert (found.details["unique"], found.details["unique_records"]) == (2, 1)
    assert "not all of these people need be in the release" in said
    assert "singled out" not in said


@pytest.mark.parametrize("seed", range(5))
def test_different_records_that_alone_fit_somebody_are_counted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    towns = [str(town) for town in rng.integers(0, 30, 40)]
    known = [str(town) for town in rng.integers(0, 30, 60)]
    target = Target(
        naive.table_of([{"town": town} for town in towns]),
        ("town",),
        outside=Outside(naive.table_of([{"town": town} for town in known]), ("town",)),
    )
    found = Linking().run(target)[0].details
    alone = [town for town in known if towns.count(town) == 1]
    assert (found["unique"], found["unique_records"]) == (len(alone), len(set(alone)))


def shuffled_rows(seed: int) -> Target:
    rng = np.random.default_rng(seed)
    rows = [{"zip": str(rng.integers(0, 9)), "ill": str(rng.integers(0, 4))} for _ in range(40)]
    order = rng.permutation(40)
    released = naive.table_of([rows[i] for i in order])
    return Target(released, ("zip",), ("ill",), original=naive.table_of(rows), rows=order)


def test_shuffled_rows_raise_no_alarm_and_the_chance_is_said() -> None:
    for seed in range(25):
        for finding in RowOrder().run(shuffled_rows(seed)):
            assert not finding.details["told"]
            assert not finding.gained
    ordered = [finding.sentence for finding in RowOrder().run(PLANTED["row-order"](0)) if finding.gained]
    assert ordered
    assert all(f"fewer than 1 in {ONE_IN:,} shuffled tables" in said for said in ordered)


@pytest.mark.parametrize(("n", "seed"), [(8, 0), (30, 1), (60, 2), (80, 3), (300, 4)])
def test_no_more_shuffled_tables_pass_the_limit_told_than_is_said(n: int, seed: int) -> None:
    """Other shuffles than those it was drawn from: of 20,000 no more pass it than chance makes of ten."""
    rng = np.random.default_rng(seed)
    rows = [
        {"zip": str(rng.integers(0, 9)), "ill": str(rng.integers(0, 4)), "rare": str(i < 2)} for i in range(n)
    ]
    target = Target(naive.table_of(rows), ("zip",), ("ill",))
    found = RowOrder().run(target)[0]
    assert found.control is not None
    assert found.margin is not None
    limit, passed = found.control + found.margin, 0
    columns = [
        naive.ranks([float(len(row[name]) if name == "rare" else row[name]) for row in rows])
        for name in ("zip", "ill", "rare")
    ]
    centred = np.array([np.array(ranks, float) - np.mean(ranks) for ranks in columns])
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    place = np.arange(n) - (n - 1) / 2
    for _ in range(10):
        orders = rng.permuted(np.tile(place / np.linalg.norm(place), (2_000, 1)), axis=1)
        passed += int((np.abs(orders @ centred.T).max(axis=1) > limit).sum())
    assert passed <= 20, "by chance once in 600 times, if one in 2,000 pass"


def test_recursive_diversity_says_that_a_value_may_be_most_of_a_class() -> None:
    said = LDiversity(2, "ill", "recursive", c=3).guarantee
    assert "dominates" not in said
    assert "where c is above 1, one may be more than half of the class" in said
