"""Every privacy model against its naive twin, and its monotone flags against random merges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest
from tests.reference import models as naive
from tests.reference.worlds import ORDER, PATHS, Value, World, random_merge, world

from kohort.classes import Classes, Histogram, classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.cover import Cover
from kohort.models import (
    MODELS,
    AlphaK,
    Attribute,
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    ExtendedPSensitive,
    KAnonymity,
    KMap,
    LDiversity,
    Monotone,
    Personalized,
    PrivacyModel,
    PSensitive,
    Reference,
    TCloseness,
    failing_for_good,
    sizes_decide,
)
from kohort.models.k_map import people_matching

Twin = Callable[[list[Value], list[Value]], bool]
WORLDS = 1100
TABLEWIDE = {
    "k-map",
    "average-risk",
    "personalized",
}  # they look beyond one class and one column: their twins stand below


@dataclass(frozen=True)
class Case:
    """A model with the twin of its promise for one column: (class, whole table) -> holds."""

    model: PrivacyModel
    holds: Twin
    achieved: Callable[[list[Value], list[Value]], float] | None = None
    best: Callable[..., float] = min
    least: int = 1  # respondents


def occurring(column: str, table: list[Value]) -> list[Value]:
    return [value for value in ORDER[column] if value in table]


def paths_of(column: str, table: list[Value]) -> dict[Value, tuple[Value, ...]]:
    return {value: PATHS[column][value] for value in set(table)}


def strong(value: Value, level: int) -> Value:
    return PATHS["disease"][value][level]


def guarded(value: Value) -> Value:
    return "severe" if strong(value, 2) == "severe" else ("lung" if strong(value, 1) == "lung" else value)


CASES: dict[str, Case] = {
    "k-anonymity": Case(KAnonymity(3), lambda v, _: len(v) >= 3, lambda v, _: len(v)),
    "distinct": Case(LDiversity(3, "disease"), lambda v, _: len(set(v)) >= 3, lambda v, _: len(set(v))),
    "entropy-2": Case(
        LDiversity(2, "disease", "entropy"),
        lambda v, _: naive.entropy_holds(v, 2),
        lambda v, _: math.exp(naive.entropy(v)),
    ),
    "entropy-3": Case(LDiversity(3, "disease", "entropy"), lambda v, _: naive.entropy_holds(v, 3)),
    "entropy-1.7": Case(LDiversity(1.7, "income", "entropy"), lambda v, _: naive.entropy_holds(v, 1.7)),
    "recursive-2": Case(
        LDiversity(2, "disease", "recursive", c=1.0),
        lambda v, _: naive.recursive_holds(v, 1.0, 2),
        lambda v, _: naive.recursive_l(v, 1.0),
    ),
    "recursive-3": Case(
        LDiversity(3, "disease", "recursive", c=2.5),
        lambda v, _: naive.recursive_holds(v, 2.5, 3),
        lambda v, _: naive.recursive_l(v, 2.5),
    ),
    "recursive-tenth": Case(
        LDiversity(2, "income", "recursive", c=0.7), lambda v, _: naive.recursive_holds(v, 0.7, 2)
    ),
    "closeness-equal": Case(
        TCloseness(0.3, "disease", "equal"),
        lambda v, t: naive.equal_distance(v, t) <= naive.written(0.3),
        lambda v, t: float(naive.equal_distance(v, t)),
        max,
    ),
    "closeness-ordered": Case(
        TCloseness(0.25, "income", "ordered"),
        lambda v, t: naive.ordered_distance(v, t, occurring("income", t)) <= naive.written(0.25),
        lambda v, t: float(naive.ordered_distance(v, t, occurring("income", t))),
        max,
    ),
    "closeness-hierarchical": Case(
        TCloseness(0.2, "disease", "hierarchical"),
        lambda v, t: naive.hierarchical_distance(v, t, paths_of("disease", t)) <= naive.written(0.2),
        lambda v, t: float(naive.hierarchical_distance(v, t, paths_of("disease", t))),
        max,
    ),
    "p-sensitive": Case(
        PSensitive(2, "disease", k=3), lambda v, _: len(v) >= 3 and len(set(v)) >= 2, lambda v, _: len(set(v))
    ),
    "extended-level": Case(
        ExtendedPSensitive(2, "disease", level=1),
        lambda v, _: len({strong(x, 1) for x in v}) >= 2,
        lambda v, _: len({strong(x, 1) for x in v}),
    ),
    "extended-protected": Case(
        ExtendedPSensitive(2, "disease", protected=("severe", "lung", "grave")),
        lambda v, _: len({guarded(x) for x in v}) >= 2,
        lambda v, _: len({guarded(x) for x in v}),
    ),
    "alpha-k": Case(
        AlphaK(0.5, 3, "disease"),
        lambda v, _: len(v) >= 3 and max(naive.share(v, x) for x in v) <= naive.written(0.5),
        lambda v, _: float(max(naive.share(v, x) for x in v)),
        max,
    ),
    "alpha-k-value": Case(
        AlphaK(0.4, 1, "disease", value="flu"),
        lambda v, _: naive.share(v, "flu") <= naive.written(0.4),
        lambda v, _: float(naive.share(v, "flu")),
        max,
    ),
    "beta-basic": Case(
        BetaLikeness(0.5, "disease"),
        lambda v, t: naive.max_gain(v, t) <= naive.written(0.5),
        lambda v, t: float(naive.max_gain(v, t)),
        max,
    ),
    "beta-enhanced": Case(
        BetaLikeness(1.5, "disease", "enhanced"), lambda v, t: naive.enhanced_holds(v, t, 1.5)
    ),
    "delta": Case(
        DeltaDisclosure(1.1, "income"),
        lambda v, t: naive.disclosure(v, t, absent=True) < 1.1,
        lambda v, t: naive.disclosure(v, t, absent=True),
        max,
    ),
    "delta-present": Case(
        DeltaDisclosure(0.7, "disease", absent="ignore"),
        lambda v, t: naive.disclosure(v, t, absent=False) < 0.7,
        lambda v, t: naive.disclosure(v, t, absent=False),
        max,
    ),
}


@lru_cache
def worlds(seed: int, count: int) -> list[World]:
    rng = np.random.default_rng(seed)
    return [world(rng) for _ in range(count)]


def column_of(model: PrivacyModel) -> str:
    return next(iter(model.reads), "disease")


def usable(case: Case, found: World) -> bool:
    """A watched value must occur in the table."""
    value = getattr(case.model, "value", None)
    return value is None or value in found.values[column_of(case.model)]


def test_every_model_has_a_case():
    assert {case.model.card.name for case in CASES.values()} | TABLEWIDE == set(MODELS)


@pytest.mark.parametrize("name", CASES)
def test_equals_its_naive_twin(name):
    case = CASES[name]
    judged = [0, 0]
    for found in worlds(100, WORLDS):  # the same for all: drawing them takes as long as judging them
        if not usable(case, found):
            continue
        column = column_of(case.model)
        table, members = found.values[column], found.members(column)
        model = case.model.bind(found.reference)
        # A class of one person tells all about them, whatever a promise about shares allows.
        expected = [
            not case.holds(values, table) or (len(values) < 2 and bool(model.reads)) for values in members
        ]
        assert model.failing(found.classes).tolist() == expected, (members, table)
        assert model.holds(found.classes) is not any(expected)
        if case.achieved is not None:
            assert model.achieved(found.classes) == pytest.approx(
                case.best(case.achieved(values, table) for values in members), rel=1e-12, abs=1e-12
            )
        for broken in expected:
            judged[broken] += 1
    assert min(judged) > 100, "the random worlds must show both verdicts"


@pytest.mark.parametrize("name", CASES)
def test_monotone_flags_are_truthful(name):
    case, rng = CASES[name], np.random.default_rng(7)
    for found in worlds(1000, WORLDS):
        if not usable(case, found):
            continue
        model = case.model.bind(found.reference)
        coarse = found.merged(random_merge(rng, len(found.classes)))
        fine_fails, coarse_fails = model.failing(found.classes), model.failing(coarse.classes)
        if Monotone.GENERALIZATION in model.monotone and not fine_fails.any():
            assert not coarse_fails.any()
        if Monotone.SUPPRESSION in model.monotone:
            lost = found.classes.rows[fine_fails].sum()
            assert coarse.classes.rows[coarse_fails].sum() <= lost


@pytest.mark.parametrize("name", CASES)
def test_a_class_that_keeps_the_promise_has_what_it_demands(name):
    case, kept = CASES[name], 0
    for found in worlds(4000, 250):
        if not usable(case, found):
            continue
        model = case.model.bind(found.reference)
        demand, failing = model.demand, model.failing(found.classes)
        keeping = found.classes.kept(~failing)
        kept += len(keeping)
        assert (keeping.sizes >= demand.least_size).all()
        for gain in demand.gains:
            histogram = keeping.sensitive[gain.column]
            counting = histogram.values if gain.of is None else gain.of[histogram.values]
            for start, end in zip(histogram.starts[:-1], histogram.starts[1:], strict=True):
                assert len(set(counting[start:end].tolist())) >= gain.least
        if sizes_decide([model]):
            assert (failing == (found.classes.sizes < demand.crowd)).all()
            assert demand.least_size == demand.crowd
    assert kept > 30


def test_the_cards_of_models_say_what_they_count():
    assert {kind.card.counts for kind in MODELS.values()} <= {"people", "values", "population"}
    assert [name for name, kind in MODELS.items() if kind.card.counts == "people" and kind.card.classwise]
    for case in CASES.values():
        model = case.model
        assert bool(model.reads) == (model.card.counts == "values")
        assert model.card.classwise


@pytest.mark.parametrize("name", CASES)
def test_what_fails_for_good_fails_however_a_class_is_split(name):
    case, rng, bound = CASES[name], np.random.default_rng(9), 0
    for found in worlds(5000, 200):
        if not usable(case, found):
            continue
        model = case.model.bind(found.reference)
        merged = random_merge(rng, len(found.classes))
        coarse = found.merged(merged)
        failing, floor = failing_for_good(model, coarse.classes)
        assert (failing == model.failing(coarse.classes)).all()
        if floor is None:
            continue
        bound += int((floor >= 1).sum())
        lost = found.classes.rows * model.failing(found.classes)
        assert (np.bincount(merged, lost, minlength=len(floor)) >= floor - 1e-6).all()
    assert bound > 10 or "closeness" not in name


def denied(flag: Monotone) -> list[str]:
    return [name for name, case in CASES.items() if flag not in case.model.monotone]


@pytest.mark.parametrize("name", denied(Monotone.SUPPRESSION))
def test_suppression_is_denied_only_where_merging_can_raise_it(name):
    """A flag that is left out without need would cost a search its pruning."""
    assert any(after > before for before, after in suppressed_before_and_after_merging(name))


@pytest.mark.parametrize("name", denied(Monotone.GENERALIZATION))
def test_generalization_is_denied_only_where_merging_can_break_the_promise(name):
    assert any(after > before == 0 for before, after in suppressed_before_and_after_merging(name))


def suppressed_before_and_after_merging(name: str) -> Iterator[tuple[int, int]]:
    case, rng = CASES[name], np.random.default_rng(11)
    for found in worlds(2000, 4000):
        if usable(case, found):
            model = case.model.bind(found.reference)
            coarse = found.merged(random_merge(rng, len(found.classes)))
            before = found.classes.rows[model.failing(found.classes)].sum()
            yield int(before), int(coarse.classes.rows[model.failing(coarse.classes)].sum())


@pytest.mark.parametrize("name", CASES)
def test_no_classes_keep_every_promise(name):
    case = CASES[name]
    found = next(w for w in worlds(5, 400) if usable(case, w))
    model = case.model.bind(found.reference)
    nothing = found.classes.kept(np.zeros(len(found.classes), np.bool_))
    assert model.failing(nothing).tolist() == []
    assert model.holds(nothing)
    assert math.isinf(model.achieved(nothing))


@pytest.mark.parametrize("name", CASES)
def test_the_order_of_classes_is_irrelevant(name):
    case, rng = CASES[name], np.random.default_rng(3)
    for found in worlds(31, 60):
        if not usable(case, found):
            continue
        model = case.model.bind(found.reference)
        order = rng.permutation(len(found.classes))
        assert (
            model.failing(found.classes.kept(order)).tolist() == model.failing(found.classes)[order].tolist()
        )


@pytest.mark.parametrize("name", CASES)
def test_the_order_of_rows_is_irrelevant(name):
    case, rng = CASES[name], np.random.default_rng(3)
    for found in worlds(32, 40):
        if not usable(case, found):
            continue
        order = rng.permutation(len(found.class_of))
        groups = np.array(found.class_of, np.int32)[order][:, None]
        coded = {}
        for column, attribute in found.reference.attributes.items():
            codes = np.array([attribute.labels.index(v) for v in found.values[column]], np.int32)
            coded[column] = (codes[order], len(attribute.labels))
        model = case.model.bind(found.reference)
        shuffled = classes_of_rows(groups, coded)[0]
        assert model.failing(shuffled).tolist() == model.failing(found.classes).tolist()
        assert model.achieved(shuffled) == model.achieved(found.classes)


@pytest.mark.parametrize("name", CASES)
def test_label_and_card_say_what_is_promised(name):
    model = CASES[name].model
    assert MODELS[model.card.name] is type(model)
    assert model.label
    assert model.card.guarantee
    assert model.card.paper
    assert all(column in model.label for column in model.reads)


@pytest.mark.parametrize(
    "make",
    [
        lambda columns: LDiversity(2, columns=columns),
        lambda columns: LDiversity(2, columns=columns, variant="entropy"),
        lambda columns: TCloseness(0.3, columns=columns),
        lambda columns: PSensitive(2, columns=columns),
        lambda columns: AlphaK(0.5, 1, columns=columns),
    ],
)
def test_several_columns_fail_where_any_fails(make):
    for found in worlds(77, 200):
        both = make(["disease", "income"]).bind(found.reference)
        one, other = make(["disease"]).bind(found.reference), make(["income"]).bind(found.reference)
        expected = one.failing(found.classes) | other.failing(found.classes)
        assert both.failing(found.classes).tolist() == expected.tolist()
        assert both.reads == {"disease", "income"}


@pytest.mark.parametrize("risk", [0.2, 0.25, 1 / 3, 0.5, 0.9])
def test_average_risk_drops_the_smallest_classes_like_its_twin(risk):
    model, verdicts = AverageRisk(risk), set()
    for found in worlds(91, WORLDS):
        expected = naive.average_risk_failing(found.classes.sizes.tolist(), risk)
        assert model.failing(found.classes).tolist() == expected
        assert model.holds(found.classes) is not any(expected)
        kept = found.classes.kept(~np.array(expected))
        assert model.holds(kept), "what is left keeps the promise"
        verdicts.add(any(expected))
        if not any(expected):
            coarse = found.merged(random_merge(np.random.default_rng(1), len(found.classes)))
            assert model.holds(coarse.classes)
    assert verdicts == {True, False}


def test_average_risk_may_need_more_suppression_after_a_merge():
    """Sizes 1, 1, 2, 4 at risk 1/3: two records go; merging the ones costs four."""
    sizes = np.array([1, 1, 2, 4])
    fine = Classes(np.arange(4)[:, None], (0,), sizes, sizes)
    coarse = fine.merged(np.arange(3)[:, None], np.array([0, 0, 1, 2]))
    model = AverageRisk(0.3333333333333334)
    assert fine.rows[model.failing(fine)].sum() == 2
    assert coarse.rows[model.failing(coarse)].sum() == 4
    assert Monotone.SUPPRESSION not in model.monotone


def test_k_map_counts_people_of_the_population_like_its_twin():
    rng, verdicts = np.random.default_rng(17), set()
    tree = Hierarchy.from_rows(
        "a", [("0", "low", "*"), ("1", "low", "*"), ("2", "high", "*"), ("3", "high", "*")]
    )
    flat = Hierarchy.from_rows("b", [("x", "*"), ("y", "*"), (None, "*")])
    for _ in range(300):
        people = np.column_stack([rng.integers(0, 4, 30), rng.integers(0, 3, 30)]).astype(np.int32)
        sample = np.concatenate([people[rng.random(30) < 0.4], [[3, 2]]]).astype(np.int32)
        population, base = classes_of_rows(people)[0], classes_of_rows(sample)[0]
        model = KMap(4).bind(Reference(len(sample), population=population, hierarchies=(tree, flat)))
        suppressed = []
        for levels in ((0, 0), (1, 0), (1, 1), (2, 1)):
            node = base.rollup((tree, flat), levels)

            def up(row, levels=levels):
                return tree.levels[levels[0]].of_ground[row[0]], flat.levels[levels[1]].of_ground[row[1]]

            expected = [sum(up(p) == tuple(c) for p in people) for c in node.codes.tolist()]
            assert model.people(node).tolist() == expected
            assert model.failing(node).tolist() == [count < 4 for count in expected]
            assert model.achieved(node) == min(expected)
            suppressed.append(int(node.rows[model.failing(node)].sum()))
            verdicts.add(min(expected) < 4)
            covers = tuple(
                Cover.of(np.array([h.levels[lv].of_ground == c for c in range(len(h.levels[lv].labels))]))
                for h, lv in zip((tree, flat), levels, strict=True)
            )
            assert people_matching(population, covers, node).tolist() == expected
        assert suppressed == sorted(suppressed, reverse=True), "suppression is monotone"
    assert verdicts == {True, False}


def test_personalized_counts_breaches_like_its_twin():
    """Guards are drawn from all levels of the hierarchy; a missing one asks for nothing."""
    rng = np.random.default_rng(23)
    nodes: list[Value] = [
        None,
        *sorted({label for path in PATHS["disease"].values() for label in path if label}),
    ]
    verdicts, broken_by_merging = set(), False
    for found in worlds(55, WORLDS):
        guards = rng.integers(0, len(nodes), len(found.class_of))
        held, codes = np.unique(guards, return_inverse=True)
        owners = np.array(found.class_of)
        histogram = Histogram.of(owners, codes.astype(np.int32), len(found.classes), len(held))
        classes = replace(found.classes, sensitive={**found.classes.sensitive, "guard": histogram})
        guard = Attribute("guard", tuple(nodes[g] for g in held), np.bincount(codes))
        reference = replace(found.reference, guards={"guard": guard})
        model = Personalized(0.5, "disease", "guard").bind(reference)
        breaches = [Fraction(0)] * len(classes)
        for values, number, g in zip(
            found.members("disease"), range(len(classes)), classes_guards(owners, guards), strict=True
        ):
            for node in {nodes[code] for code in g} - {None}:
                below = [v for v in values if node in PATHS["disease"][v]]
                breaches[number] = max(breaches[number], Fraction(len(below), len(values)))
        alone = classes.sizes < 2
        assert model.failing(classes).tolist() == [
            b > Fraction(1, 2) or one for b, one in zip(breaches, alone.tolist(), strict=True)
        ]
        assert model.achieved(classes) == pytest.approx(float(max(breaches)))
        verdicts |= {b > Fraction(1, 2) for b in breaches}
        if model.holds(classes):
            onto = random_merge(rng, len(classes))
            broken_by_merging |= not model.holds(classes.merged(np.arange(onto.max() + 1)[:, None], onto))
    assert verdicts == {True, False}
    assert broken_by_merging, "it is rightly not called monotone"


def classes_guards(owners: np.ndarray, guards: np.ndarray) -> list[list[int]]:
    return [guards[owners == number].tolist() for number in range(int(owners.max()) + 1)]
