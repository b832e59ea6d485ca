"""Mondrian against its plain twin on random tables, and what it promises of any table."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from tests.reference.mondrian import Asked, mondrian

from kohort.algorithms import Silent, algorithm
from kohort.algorithms.partition import regions
from kohort.algorithms.partition.mondrian import Mondrian
from kohort.algorithms.partition.relaxed import MondrianRelaxed
from kohort.classes import Pairs, classes_of_rows
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import Hierarchy, build_hierarchy, meaning
from kohort.metrics.discernibility import Discernibility
from kohort.models import AverageRisk, KAnonymity, KMap, LDiversity, PrivacyModel, Reference, TCloseness
from kohort.models.model import Attribute
from kohort.recode import Problem

AGE = Hierarchy.from_rows(
    "age", [[str(a), f"{a // 6 * 6}+", f"{a // 12 * 12}++", "*"] for a in (1, 2, 3, 5, 8, 9, 12, 14, 15, 20)]
)
PLACE = Hierarchy.from_rows(
    "place",
    [["bergamo", "north", "*"], ["milano", "north", "*"], ["roma", "centre", "*"], ["napoli", "south", "*"],
     ["bari", "south", "*"], ["lecce", "south", "*"], [None, None, "*"]],
)  # fmt: skip
SEX = Hierarchy.from_rows("sex", [["f", "*"], ["m", "*"]])
DOSE = Hierarchy.from_rows(
    "dose", [["0.5", "low", "*"], ["1", "low", "*"], ["4", "high", "*"], [None, None, "*"]]
)
HIERARCHIES = (AGE, PLACE, SEX, DOSE)
NAMES = ("age", "place", "sex", "dose")


def problem(
    seed: int, n: int, models: tuple[PrivacyModel, ...], people: float | None = None, **settings: object
) -> Problem:
    generator = np.random.default_rng(seed)
    columns = [
        np.minimum(generator.integers(0, h.size, n), generator.integers(0, h.size, n)) for h in HIERARCHIES
    ]
    codes = np.column_stack(columns).astype(np.int32)
    disease = generator.integers(0, 4, n).astype(np.int32)
    persons = None if people is None else generator.integers(0, int(people * n), n)
    base, class_of = classes_of_rows(codes, {"disease": (disease, 4)}, persons)
    labels = ("a", "b", "c", "d")
    pairs = None if persons is None else Pairs.of(persons, disease, 4)[0]
    totals = np.bincount(disease, minlength=4)
    reference = Reference(
        n,
        {"disease": Attribute("disease", labels, totals, pairs=pairs)},
        people=None if persons is None else len(np.unique(persons)),
    )
    bound = tuple(model.bind(reference) for model in models)
    return Problem(
        NAMES, HIERARCHIES, base, class_of, bound, sensitive={"disease": disease}, respondents=persons,
        reference=reference, **settings,
    )  # fmt: skip


def keeper(asked: Problem):
    """Whether a list of rows keeps every promise, judged by classes made of these rows alone."""

    def keeps(rows: list[int]) -> bool:
        people = None if asked.respondents is None else asked.respondents[rows]
        sensitive = {"disease": (asked.sensitive["disease"][rows], 4)}
        classes, _ = classes_of_rows(np.zeros((len(rows), 1), np.int32), sensitive, people)
        return all(model.holds(classes) for model in asked.models)

    return keeps


MODELS = {
    "k": (KAnonymity(3),),
    "two k": (KAnonymity(2), KAnonymity(4)),
    "k and l": (KAnonymity(3), LDiversity(2, "disease")),
    "l alone": (LDiversity(3, "disease"),),
    "k and t": (KAnonymity(2), TCloseness(0.4, "disease")),
    "average": (KAnonymity(2), AverageRisk(0.25)),
}


@pytest.mark.parametrize("models", MODELS.values(), ids=MODELS.keys())
@pytest.mark.parametrize(
    ("chosen", "by_tree"),
    [(Mondrian(), False), (Mondrian(split="hierarchy"), True), (MondrianRelaxed(), False)],
    ids=["strict", "hierarchy", "relaxed"],
)
@pytest.mark.parametrize("people", [None, 0.9], ids=["rows", "people"])
def test_groups_and_boxes_equal_those_of_the_twin(models, chosen, by_tree, people):
    for seed in range(8):
        n = (20, 60, 150)[seed % 3]
        asked = problem(seed, n, models, people)
        relaxed = isinstance(chosen, MondrianRelaxed)
        k = max((m.k for m in models if isinstance(m, KAnonymity)), default=1)
        order = np.lexsort((asked.sensitive["disease"], asked.class_of))
        if not any(m.reads for m in models):
            order = np.argsort(asked.class_of, kind="stable")
        twin = mondrian(
            Asked(asked.codes.tolist(), HIERARCHIES, k, keeper(asked), relaxed, by_tree), order.tolist()
        )
        decision = chosen.solve(asked, Silent()).decision
        assert boxes_of(asked, decision.groups(asked), decision.low, decision.high) == Counter(
            (frozenset(Counter(asked.class_of[list(box.rows)].tolist()).items()), box.low, box.high)
            for box in twin
        )
        if any(m.reads for m in models) or people:  # not only how many of each tuple, but which records
            rows = {frozenset(np.flatnonzero(decision.groups(asked) == g).tolist()) for g in range(len(twin))}
            assert rows == {frozenset(box.rows) for box in twin}


def boxes_of(asked: Problem, group_of: np.ndarray, low: np.ndarray, high: np.ndarray) -> Counter:
    """The records of each tuple in every group, with its box."""
    return Counter(
        (
            frozenset(Counter(asked.class_of[group_of == g].tolist()).items()),
            tuple(low[g].tolist()),
            tuple(high[g].tolist()),
        )
        for g in range(len(low))
    )


@pytest.mark.parametrize("chosen", [Mondrian(), Mondrian(split="hierarchy")], ids=["order", "hierarchy"])
def test_strict_boxes_do_not_overlap(chosen):
    for seed in range(10):
        decision = chosen.solve(problem(seed, 120, (KAnonymity(4),)), Silent()).decision
        for one, other in itertools.combinations(range(len(decision.low)), 2):
            apart = (decision.high[one] < decision.low[other]) | (decision.high[other] < decision.low[one])
            assert apart.any()


OPTIONS = [
    Mondrian(), Mondrian(tight=True), Mondrian(release="ancestor"), Mondrian(split="hierarchy"),
    Mondrian(split="hierarchy", release="ancestor"), MondrianRelaxed(), MondrianRelaxed(tight=True),
    MondrianRelaxed(release="ancestor"),
]  # fmt: skip


@pytest.mark.parametrize("chosen", OPTIONS, ids=str)
@pytest.mark.parametrize("people", [None, 0.9], ids=["rows", "people"])
def test_releases_keep_their_promises_tell_the_truth_and_are_scored_as_released(chosen, people):
    for seed, models in enumerate(MODELS.values()):
        for metric in (None, Discernibility()):
            settings = {} if metric is None else {"objective": metric}
            asked = problem(seed, 90, models, people, **settings)
            solution = chosen.solve(asked, Silent())
            recoded = solution.decision.apply(asked)
            outcome = recoded.outcome(asked)
            assert recoded.kept.all()
            recoded = recoded.by_row()
            assert not asked.failing(outcome.classes).any()
            assert solution.score == pytest.approx(asked.objective.score(outcome), abs=1e-12)
            for j, hierarchy in enumerate(HIERARCHIES):
                column = recoded.columns[j]
                understood = [meaning(hierarchy, label) for label in column.labels]
                assert all(mask is not None for mask in understood)
                assert [int(mask.sum()) for mask in understood] == column.leaves.tolist()
                assert all(understood[c][g] for c, g in zip(column.codes, asked.codes[:, j], strict=True))
            assert solution.facts["groups"] == solution.decision.facts(asked)["groups"]


@pytest.mark.parametrize("chosen", OPTIONS, ids=str)
def test_no_label_is_finer_than_the_least_level_allowed(chosen):
    lowest = (1, 1, 0, 2)
    for seed in range(4):
        asked = problem(seed, 120, (KAnonymity(3),), min_levels=lowest)
        recoded = chosen.solve(asked, Silent()).decision.apply(asked)
        for j, hierarchy in enumerate(HIERARCHIES):
            column, level = recoded.columns[j], hierarchy.levels[lowest[j]]
            for label in {column.labels[c] for c in column.codes}:
                mask = meaning(hierarchy, label)
                assert mask is not None
                whole = np.isin(level.of_ground, level.of_ground[mask])
                assert (whole == mask).all()


def test_a_bound_from_above_starts_from_its_node_and_suppresses_within_the_limit():
    asked = problem(3, 150, (KAnonymity(3),), max_levels=(2, 2, 0, 2), max_suppressed=150)
    recoded = Mondrian().solve(asked, Silent()).decision.apply(asked)
    assert set(recoded.columns[2].labels) == {"f", "m"}
    tight = problem(3, 40, (KAnonymity(10),), max_levels=(0, 0, 0, 0))
    with pytest.raises(
        InfeasibleError, match="at most 0 of 40 records: before the first cut 40 are"
    ) as caught:
        Mondrian().solve(tight, Silent())
    assert caught.value.nearest["suppressed"] == 40


def test_relaxed_groups_hold_k_to_2k_minus_1_records_unless_all_alike():
    for seed in range(10):
        for k in (2, 3, 7):
            asked = problem(seed, 200, (KAnonymity(k),))
            decision = MondrianRelaxed().solve(asked, Silent()).decision
            sizes = np.bincount(decision.groups(asked))
            assert sizes.min() >= k
            for g in np.flatnonzero(sizes >= 2 * k):
                assert len(np.unique(asked.class_of[decision.groups(asked) == g])) == 1


def test_threads_give_the_same_answer(monkeypatch):
    for chosen in (Mondrian(), MondrianRelaxed()):
        asked = problem(11, 600, (KAnonymity(2),))
        alone = chosen.solve(asked, Silent()).decision
        monkeypatch.setattr(regions, "_MANY", 10)
        monkeypatch.setattr(regions.os, "cpu_count", lambda: 3)
        together = chosen.solve(asked, Silent()).decision
        monkeypatch.undo()
        assert (alone.groups(asked) == together.groups(asked)).all()
        assert (alone.low == together.low).all()
        assert (alone.high == together.high).all()


def test_row_order_does_not_matter():
    asked = problem(5, 200, (KAnonymity(3), LDiversity(2, "disease")))
    shuffled = np.random.default_rng(1).permutation(200)
    disease = asked.sensitive["disease"][shuffled]
    base, class_of = classes_of_rows(asked.codes[shuffled], {"disease": (disease, 4)})
    again = Problem(NAMES, HIERARCHIES, base, class_of, asked.models, sensitive={"disease": disease})
    for chosen in OPTIONS:
        assert chosen.solve(asked, Silent()).score == chosen.solve(again, Silent()).score


def test_interval_ends_do_not_follow_the_extreme_record_of_a_group():
    ages = [1, 2, 3, 5, 12, 14, 15, 20]

    def release(chosen, oldest_young: int) -> set[str | None]:
        held = AGE.encode([str(a) for a in [1, 2, 3, oldest_young, 12, 14, 15, 20]])
        base, class_of = classes_of_rows(held[:, None].astype(np.int32))
        asked = Problem(("age",), (AGE,), base, class_of, (KAnonymity(4),))
        recoded = chosen.solve(asked, Silent()).decision.apply(asked)
        return {recoded.columns[0].labels[c] for c in recoded.columns[0].codes}

    assert len(ages) == 8
    assert release(Mondrian(tight=True), 5) == {"[1, 5]", "[12, 20]"}
    assert release(Mondrian(tight=True), 3) == {"[1, 3]", "[12, 20]"}
    assert release(Mondrian(), 5) == release(Mondrian(), 3) == {"[1, 5]", "[12, 20]"}


def test_dates_are_cut_by_time_and_told_as_intervals():
    days = [f"2020-{month:02}-{day:02}" for month in (1, 2, 3) for day in (1, 9, 20)]
    born = build_hierarchy("born", {"kind": "dates", "levels": ["month", "year"]}, days, [1] * len(days))
    held = born.encode([days[i] for i in (0, 1, 2, 3, 4, 6, 7, 8)])
    base, class_of = classes_of_rows(held[:, None].astype(np.int32))
    asked = Problem(("born",), (born,), base, class_of, (KAnonymity(3),))
    recoded = Mondrian().solve(asked, Silent()).decision.apply(asked)
    told = {recoded.columns[0].labels[c] for c in recoded.columns[0].codes}
    assert told == {"[2020-01-01, 2020-02-29]", "[2020-03-01, 2020-03-31]"}


def test_time_that_is_up_still_leaves_a_release():
    asked = problem(2, 150, (KAnonymity(3), LDiversity(2, "disease")), time_limit=0.0)
    assert len(Mondrian().solve(asked, Silent()).decision.low) == 1


def test_interrupting_keeps_what_was_reached():
    class Impatient(Silent):
        rounds = 0

        def update(self, _note: str, done: float | None = None, _total: float | None = None, _=None) -> None:
            self.rounds += done is not None
            if self.rounds == 3 and done is not None:
                raise KeyboardInterrupt

    asked = problem(2, 150, (KAnonymity(3), LDiversity(2, "disease")))
    whole = len(Mondrian().solve(asked, Silent()).decision.low)
    decision = Mondrian().solve(asked, Impatient()).decision
    assert 1 < len(decision.low) < whole
    assert len(decision.groups(asked)) == 150
    assert not asked.failing(decision.apply(asked).outcome(asked).classes).any()


def test_options_and_models_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="order or hierarchy"):
        Mondrian(split="median")  # type: ignore[arg-type]
    for chosen in (Mondrian, MondrianRelaxed):
        with pytest.raises(InputError, match="span or ancestor"):
            chosen(release="mean")
    mapped = replace(problem(1, 20, (KAnonymity(2),)), models=(KMap(2),))
    with pytest.raises(InputError, match="k-map"):
        Mondrian().solve(mapped, Silent())


def test_both_are_registered():
    assert algorithm("mondrian") is Mondrian
    assert algorithm("mondrian-relaxed") is MondrianRelaxed
