"""Anatomy: its groups, what it refuses, and its two tables."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort.algorithms import Silent
from kohort.algorithms.buckets.anatomy import Anatomy
from kohort.algorithms.buckets.dealing import dealt, numbered, united
from kohort.classes import classes_of_rows
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import Hierarchy
from kohort.models import (
    AlphaK,
    AverageRisk,
    BetaLikeness,
    KAnonymity,
    KMap,
    LDiversity,
    PrivacyModel,
    PSensitive,
    TCloseness,
)
from kohort.recode import Problem
from kohort.recode.buckets import two_tables
from kohort.table import Table

AGE = Hierarchy.from_rows("age", [[str(a), "*"] for a in range(20, 60)])
LABELS = np.array(["flu", "ulcer", None, "hiv", "cough", "asthma", "gout"], object)


def problem(
    disease: np.ndarray, models: tuple[PrivacyModel, ...], people: np.ndarray | None = None, **more: Any
) -> Problem:
    ages = np.random.default_rng(1).integers(0, AGE.size, (len(disease), 1)).astype(np.int32)
    disease = disease.astype(np.int32)
    base, class_of = classes_of_rows(ages, {"disease": (disease, int(disease.max()) + 1)}, people)
    sensitive = {"disease": disease} | more.pop("sensitive", {})
    return Problem(
        ("age",), (AGE,), base, class_of, models, sensitive=sensitive, respondents=people, seed=7, **more
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
        groups = dealt(values, l)
        for g in range(int(groups.max()) + 1):
            held = values[groups == g].tolist()
            assert l <= len(held) <= 2 * l - 1
            assert len(set(held)) == len(held)


def test_uniting_keeps_shares_and_reaches_the_size():
    generator = np.random.default_rng(0)
    for n in range(12, 50):
        values = eligible(generator, n, 3)
        groups = united(dealt(values, 3), 8)
        for g in range(int(groups.max()) + 1):
            held = Counter(values[groups == g].tolist())
            assert sum(held.values()) >= 8
            assert max(held.values()) * 3 <= sum(held.values())


def test_every_pairing_within_a_group_is_equally_likely():
    """Four records, two values: each record of a value meets each of the other equally often, in either group."""
    values = np.array([0, 0, 1, 1])
    seen = Counter(tuple(numbered(dealt(values, 2)).tolist()) for _ in range(4000))
    assert set(seen) == {(1, 2, 1, 2), (1, 2, 2, 1), (2, 1, 1, 2), (2, 1, 2, 1)}
    assert all(abs(count - 1000) < 6 * np.sqrt(750) for count in seen.values())


@pytest.mark.parametrize("counts", [[3, 3, 2], [2, 2, 2, 1], [4, 3, 3, 1]], ids=str)
def test_no_rule_pairs_records_with_values_better_than_chance(counts: list[int]) -> None:
    """Whoever holds both tables, and every group's number, guesses by a rule: right as often as blindly.

    Values are held by anybody with equal likelihood. The rules: members by row number against values by name, either
    way round, and the last member against the last value, who may be the one that was left over.
    """
    generator = np.random.default_rng(4)
    hits, expected, variance = np.zeros(3), 0.0, 0.0
    for _ in range(1500):
        values = generator.permutation(np.repeat(np.arange(len(counts)), counts))
        groups = numbered(dealt(values, 2))
        members = np.flatnonzero(groups == int(generator.integers(groups.max())) + 1)
        told = np.sort(values[members])
        hits += [
            values[members[0]] == told[0],
            values[members[0]] == told[-1],
            values[members[-1]] == told[-1],
        ]
        expected += 1 / len(members)
        variance += 1 / len(members) * (1 - 1 / len(members))
    assert (np.abs(hits - expected) < 6 * np.sqrt(variance)).all()


def test_equally_frequent_values_come_in_any_order():
    """Of four values with two records each, the first group takes two; which two is drawn."""
    values = np.repeat(np.arange(4), 2)
    pairs = Counter()
    for _ in range(300):
        groups = dealt(values, 2)
        pairs[frozenset(values[groups == 0].tolist())] += 1
    assert len(pairs) == 6


def test_ineligible_tables_are_refused_with_the_figure():
    values = np.array([0] * 6 + [1, 2, 3, 4])
    with pytest.raises(InfeasibleError, match=r"60\.0% of the records, and l = 2 allows 50\.0%") as caught:
        Anatomy().solve(problem(values, (LDiversity(2, "disease"),)), Silent())
    assert caught.value.nearest == {"l": 1, "share": 0.6}


def test_two_tables_tell_rows_and_counts_and_nothing_that_links_them():
    disease = eligible(np.random.default_rng(3), 50, 3)
    asked = problem(disease, (LDiversity(3, "disease"),))
    solution = Anatomy(least=4).solve(asked, Silent())
    assert solution.score == asked.objective.score(solution.decision.apply(asked).outcome(asked))
    facts = solution.decision.facts(asked)
    assert {"column": "disease", "l": 3, "least": 4}.items() <= facts.items()
    original = {
        "age": (np.random.default_rng(1).integers(0, 40, 50) + 20).tolist(),
        "disease": LABELS[disease].tolist(),
        "ward": ["w"] * 50,
    }
    groups = solution.decision.group_of
    tables = two_tables(Table.from_arrow(pa.table(original)), "disease", groups)
    quasi, sensitive = tables["table"].to_arrow(), tables["sensitive"].to_arrow()
    assert quasi.column_names == ["age", "ward", "group"]
    assert sensitive.column_names == ["group", "disease", "count"]
    assert quasi["age"].to_pylist() == original["age"]
    assert quasi["group"].to_pylist() == groups.tolist()
    expected = Counter(zip(groups.tolist(), original["disease"], strict=True))
    lines = [tuple(line.values()) for line in sensitive.to_pylist()]
    assert {(group, value): count for group, value, count in lines} == expected
    assert lines == sorted(lines, key=lambda line: (line[0], line[1] is None, line[1] or ""))


def test_the_second_table_is_the_same_in_whatever_order_the_rows_stand():
    table = pa.table({"age": list(range(12)), "disease": ["b", None, "a", "c"] * 3})
    groups = np.array([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
    told = two_tables(Table.from_arrow(table), "disease", groups)["sensitive"].to_arrow()
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(12)
        again = two_tables(Table.from_arrow(table.take(order)), "disease", groups[order])
        assert again["sensitive"].to_arrow().equals(told)


def test_groups_come_from_the_system_whatever_the_seed():
    disease = eligible(np.random.default_rng(3), 60, 2)

    def groups() -> list[int]:
        asked = problem(disease, (LDiversity(2, "disease"),))
        decision = Anatomy().solve(asked, Silent()).decision
        assert sorted(set(decision.group_of.tolist())) == list(range(1, decision.facts(asked)["groups"] + 1))
        return decision.group_of.tolist()

    assert groups() != groups()


@pytest.mark.parametrize(
    "model",
    [
        KAnonymity(2),
        KMap(2),
        AverageRisk(0.5),
        AlphaK(0.9, 2, "disease"),
        PSensitive(2, "disease", k=2),
    ],
    ids=lambda model: model.card.name,
)
def test_promises_about_tuples_are_refused_by_name(model):
    disease = eligible(np.random.default_rng(3), 20, 2)
    with pytest.raises(InputError, match=rf"\[\[require\]\] {model.card.name}: anatomy leaves .* least"):
        Anatomy().solve(problem(disease, (LDiversity(2, "disease"), model)), Silent())


@pytest.mark.parametrize(
    "model",
    [
        LDiversity(2, "disease", variant="entropy"),
        LDiversity(2, "disease", variant="recursive", c=3),
        AlphaK(0.5, 1, "disease"),
        PSensitive(2, "disease"),
    ],
    ids=lambda model: f"{model.card.name}-{getattr(model, 'variant', '')}",
)
def test_promises_about_values_in_groups_are_kept(model):
    disease = eligible(np.random.default_rng(3), 40, 2)
    asked = problem(disease, (model,))
    groups = Anatomy(l=2, column="disease").solve(asked, Silent()).decision.group_of
    sizes = {"disease": (disease.astype(np.int32), int(disease.max()) + 1)}
    assert model.holds(classes_of_rows(groups[:, None].astype(np.int32), sizes)[0])


def test_promises_that_groups_of_l_values_do_not_keep_are_refused_with_what_helps():
    disease = np.tile(np.arange(8), 10)
    asked = problem(disease, (LDiversity(2, "disease"), BetaLikeness(0.5, "disease")))
    models = tuple(model.bind(reference_to(disease)) for model in asked.models)
    with pytest.raises(
        InfeasibleError, match=r"groups do not keep .*larger groups by \[recode.options\] least"
    ):
        Anatomy().solve(problem(disease, models), Silent())
    near = (LDiversity(2, "disease"), TCloseness(0.9, "disease").bind(reference_to(disease)))
    assert Anatomy().solve(problem(disease, near), Silent()).decision.promise.l == 2


def reference_to(disease):
    from kohort.models import Attribute, Reference

    totals = np.bincount(disease)
    labels = tuple(map(str, range(len(totals))))
    return Reference(len(disease), {"disease": Attribute("disease", labels, totals)})


def test_a_second_sensitive_column_is_refused_by_name():
    disease = eligible(np.random.default_rng(3), 20, 2)
    asked = problem(disease, (LDiversity(2, "disease"),), sensitive={"wage": disease.astype(np.int32)})
    with pytest.raises(InputError, match=r"\[columns\] wage: anatomy tears off 'disease' alone"):
        Anatomy().solve(asked, Silent())
    both = (LDiversity(2, columns=("disease", "wage")),)
    with pytest.raises(InputError, match="reads 'disease', 'wage'"):
        Anatomy(column="disease").promised(both, ("disease", "wage"))


def test_people_with_several_rows_are_refused():
    disease = eligible(np.random.default_rng(3), 20, 2)
    people = np.arange(20)
    models = (LDiversity(2, "disease"),)
    assert Anatomy().solve(problem(disease, models, people), Silent()).decision.promise.column == "disease"
    people[3] = 2
    with pytest.raises(InputError, match="1 respondent has more than one row"):
        Anatomy().solve(problem(disease, models, people), Silent())


def test_what_is_asked_must_fit():
    disease = eligible(np.random.default_rng(3), 20, 2)
    values = (BetaLikeness(99, "disease").bind(reference_to(disease)),)
    with pytest.raises(InputError, match="one sensitive column"):
        Anatomy().solve(problem(disease, values), Silent())
    with pytest.raises(InputError, match="no sensitive column"):
        Anatomy(l=2, column="age").solve(problem(disease, values), Silent())
    with pytest.raises(InputError, match="there is no l"):
        Anatomy(column="disease").solve(problem(disease, values), Silent())
    for options in ({"l": 1}, {"l": True}, {"least": 0}, {"least": 2.5}):
        with pytest.raises(InputError, match="whole number of at least"):
            Anatomy(**options)
    with pytest.raises(
        InfeasibleError, match="groups of at least 21 records are asked for, and the table has 20"
    ):
        Anatomy(least=21).solve(problem(disease, (LDiversity(2, "disease"),)), Silent())
    torn = Anatomy(l=2).promised((LDiversity(4, "disease"),), ("disease",))
    assert torn.l == 4, "an option does not lower what is required"
    assert Anatomy(l=3).promised((LDiversity(2, "disease"),), ("disease",)).l == 3


def test_columns_that_the_tables_need_are_refused():
    released = Table.from_arrow(pa.table({"group": [1, 2], "disease": ["a", "b"]}))
    with pytest.raises(InputError, match="'group'"):
        two_tables(released, "disease", np.array([1, 1]))
