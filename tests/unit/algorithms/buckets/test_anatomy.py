"""Anatomy: its groups, its two tables and their judge."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from kohort.algorithms import Silent
from kohort.algorithms.buckets.anatomy import Anatomy, dealt, united
from kohort.classes import classes_of_rows
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import Hierarchy
from kohort.models import KAnonymity, LDiversity, PrivacyModel
from kohort.recode import Problem
from kohort.recode.buckets import Buckets
from kohort.table import Table
from kohort.verification.anatomy import judge_anatomy

AGE = Hierarchy.from_rows("age", [[str(a), "*"] for a in range(20, 60)])
LABELS = np.array(["flu", "ulcer", None, "hiv", "cough", "asthma", "gout"], object)


def problem(
    disease: np.ndarray,
    models: tuple[PrivacyModel, ...],
    seed: int | None = 7,
    people: np.ndarray | None = None,
) -> Problem:
    ages = np.random.default_rng(1).integers(0, AGE.size, (len(disease), 1)).astype(np.int32)
    disease = disease.astype(np.int32)
    base, class_of = classes_of_rows(ages, {"disease": (disease, int(disease.max()) + 1)}, people)
    return Problem(
        ("age",),
        (AGE,),
        base,
        class_of,
        models,
        sensitive={"disease": disease},
        respondents=people,
        seed=seed,
    )


def eligible(generator: np.random.Generator, n: int, l: int) -> np.ndarray:  # noqa: E741
    """Random values none of which is held by more than n / l records, often exactly so many."""
    most = n // l
    room = np.full(-(-n // most) + int(generator.integers(0, 4)), most)
    values = np.empty(n, np.int64)
    for i in range(n):
        values[i] = generator.choice(np.flatnonzero(room > 0))
        room[values[i]] -= 1
    return values


@pytest.mark.parametrize("l", [2, 3, 5])
def test_every_group_holds_different_values_and_l_to_2l_minus_1_records(l):  # noqa: E741
    generator = np.random.default_rng(l)
    for n in range(l, 60):
        values = eligible(generator, n, l)
        groups = dealt(values, l, generator)
        for g in range(int(groups.max()) + 1):
            held = values[groups == g].tolist()
            assert l <= len(held) <= 2 * l - 1
            assert len(set(held)) == len(held)


def test_uniting_keeps_shares_and_reaches_the_size():
    generator = np.random.default_rng(0)
    for n in range(12, 50):
        values = eligible(generator, n, 3)
        groups = united(dealt(values, 3, generator), 8)
        for g in range(int(groups.max()) + 1):
            held = Counter(values[groups == g].tolist())
            assert sum(held.values()) >= 8
            assert max(held.values()) * 3 <= sum(held.values())


def test_ineligible_tables_are_refused_with_the_figure():
    values = np.array([0] * 6 + [1, 2, 3, 4])
    with pytest.raises(InfeasibleError, match=r"60\.0% of the records, and l = 2 allows 50\.0%") as caught:
        Anatomy().solve(problem(values, (LDiversity(2, "disease"),)), Silent())
    assert caught.value.nearest == {"l": 1, "share": 0.6}


def columns(disease: np.ndarray) -> dict[str, pa.Array]:
    ages = np.random.default_rng(1).integers(0, AGE.size, len(disease)) + 20
    names = LABELS[disease]
    return {
        "age": pa.array(ages),
        "ward": pa.array(["w"] * len(disease)),
        "disease": pa.array(names.tolist()),
    }


def test_two_tables_are_released_and_judged_from_what_they_say():
    disease = eligible(np.random.default_rng(3), 50, 3)
    asked = problem(disease, (KAnonymity(4), LDiversity(3, "disease")))
    solution = Anatomy().solve(asked, Silent())
    assert solution.score == asked.objective.score(solution.decision.apply(asked).outcome(asked))
    assert solution.decision.facts(asked)["l"] == 3
    original = columns(disease)
    tables = solution.decision.tables(original)
    quasi, sensitive = tables["quasi"], tables["sensitive"]
    assert quasi.column_names == ["age", "ward", "group"]
    assert sensitive.column_names == ["group", "disease", "count"]
    assert sorted(quasi["age"].to_pylist()) == sorted(original["age"].to_pylist())
    groups = solution.decision.group_of.tolist()
    expected = Counter(zip(groups, original["disease"].to_pylist(), strict=True))
    told = zip(sensitive["group"].to_pylist(), sensitive["disease"].to_pylist(), strict=True)
    assert dict(zip(told, sensitive["count"].to_pylist(), strict=True)) == expected
    pairs = Counter(zip(quasi["group"].to_pylist(), quasi["age"].to_pylist(), strict=True))
    assert pairs == Counter(zip(groups, original["age"].to_pylist(), strict=True))
    verdicts = judge_anatomy(Table.from_arrow(quasi), Table.from_arrow(sensitive), "disease", 3, 4)
    assert all(verdict.holds for verdict in verdicts)
    assert verdicts[2].achieved >= 3
    assert verdicts[3].achieved >= 4


def tampered(**changes: list) -> list[bool]:
    quasi = {"age": [1, 2, 3, 4], "group": [1, 1, 2, 2]}
    sensitive = {"group": [1, 1, 2, 2], "disease": ["a", "b", "a", None], "count": [1, 1, 1, 1]}
    for name, values in changes.items():
        table, column = name.split("__")
        (quasi if table == "quasi" else sensitive)[column] = values
    tables = (Table.from_arrow(pa.table(quasi)), Table.from_arrow(pa.table(sensitive)))
    return [verdict.holds for verdict in judge_anatomy(*tables, "disease", 2, 2)]


def test_the_judge_finds_what_is_wrong():
    assert tampered() == [True, True, True, True]
    assert tampered(quasi__group=[1, 1, 1, 2]) == [True, False, True, False]
    assert tampered(quasi__group=[1, 1, 2, 3]) == [True, False, True, False]
    assert tampered(sensitive__count=[2, 1, 1, 1]) == [True, False, False, True]
    assert tampered(sensitive__count=[2, 0, 1, 1]) == [True, False, False, True]
    assert tampered(sensitive__disease=["a", "a", "a", None])[1] is False
    assert tampered(quasi__disease=["a", "b", "a", "c"])[0] is False
    with pytest.raises(InputError, match="whole numbers"):
        tampered(sensitive__count=["1", "1", "one", "1"])


def test_group_numbers_and_members_come_from_the_seed_or_the_system():
    disease = eligible(np.random.default_rng(3), 60, 2)
    models = (LDiversity(2, "disease"),)

    def groups(seed: int | None) -> list[int]:
        decision = Anatomy().solve(problem(disease, models, seed), Silent()).decision
        assert sorted(set(decision.group_of.tolist())) == list(range(1, decision.facts(None)["groups"] + 1))
        return decision.group_of.tolist()

    assert groups(4) == groups(4)
    assert groups(None) != groups(None)


def test_what_is_asked_must_fit():
    disease = eligible(np.random.default_rng(3), 20, 2)
    with pytest.raises(InputError, match="one sensitive column"):
        Anatomy().solve(problem(disease, (KAnonymity(2),)), Silent())
    with pytest.raises(InputError, match="no sensitive column"):
        Anatomy(l=2, column="age").solve(problem(disease, (KAnonymity(2),)), Silent())
    with pytest.raises(InputError, match="there is no l"):
        Anatomy(column="disease").solve(problem(disease, (KAnonymity(2),)), Silent())
    with pytest.raises(InputError, match="at least 2"):
        Anatomy(l=1)
    assert Anatomy(l=2, column="disease").solve(problem(disease, ()), Silent()).facts["l"] == 2
    people = np.zeros(20, np.int64)
    with pytest.raises(InfeasibleError, match="groups do not keep"):
        Anatomy(l=2, column="disease").solve(problem(disease, (KAnonymity(2),), people=people), Silent())


def test_columns_that_the_tables_need_are_refused():
    decision = Buckets(np.array([1, 1]), "disease", 2)
    with pytest.raises(InputError, match="'group'"):
        decision.tables({"group": pa.array([1, 2]), "disease": pa.array(["a", "b"])})
    chunked = decision.tables({"age": pa.array([1, 2]), "disease": pa.chunked_array([["a"], ["b"]])})
    assert chunked["sensitive"]["count"].to_pylist() == [1, 1]
