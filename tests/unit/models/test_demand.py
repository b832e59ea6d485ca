"""What every model asks of a class before any is looked at, and its figures: by hand."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest

from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy
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
    Personalized,
    PrivacyModel,
    PSensitive,
    Reference,
    TCloseness,
)
from kohort.models.model import (
    crowd_of,
    failing_for_good,
    figures_of,
    least_size_of,
    sizes_decide,
)

# model, the crowd it promises, the least size of a class, people of a population
CASES: list[tuple[PrivacyModel, int, int, int]] = [
    (KAnonymity(3), 3, 3, 1),
    (KMap(4), 1, 1, 4),
    (LDiversity(3, "s"), 1, 3, 1),
    (LDiversity(2.5, "s", "entropy"), 1, 3, 1),
    (LDiversity(3, "s", "recursive", c=2), 1, 3, 1),
    (PSensitive(2, "s", k=5), 5, 5, 1),
    (PSensitive(4, "s", k=4), 4, 4, 1),
    (ExtendedPSensitive(2, "s", k=3, level=1), 3, 3, 1),
    (AlphaK(0.3, 2, "s"), 2, 4, 1),
    (AlphaK(0.25, 2, "s"), 2, 4, 1),
    (AlphaK(0.9, 2, "s"), 2, 2, 1),
    (AlphaK(0.1, 3, "s", values=("a",)), 3, 3, 1),
    (TCloseness(0.2, "s"), 1, 2, 1),
    (BetaLikeness(1, "s"), 1, 2, 1),
    (DeltaDisclosure(1, "s"), 1, 2, 1),
    (Personalized(0.5, "s", "g"), 1, 2, 1),
    (AverageRisk(0.2), 1, 1, 1),
]


@pytest.mark.parametrize(("model", "crowd", "least", "population"), CASES)
def test_what_a_model_demands(model: PrivacyModel, crowd: int, least: int, population: int) -> None:
    demand = model.demand
    assert (demand.crowd, demand.least_size, demand.population) == (crowd, least, population)


def test_every_model_is_asked() -> None:
    assert {model.card.name for model, *_ in CASES} == set(MODELS)


def test_values_are_gained_column_by_column() -> None:
    for model, least in ((LDiversity(3, columns=("s", "t")), 3), (PSensitive(2, columns=("s", "t"), k=2), 2)):
        assert [(gain.column, gain.least, gain.of) for gain in model.demand.gains] == [
            ("s", least, None),
            ("t", least, None),
        ]


def test_subtrees_are_gained_once_the_hierarchy_is_known() -> None:
    tree = Hierarchy.from_rows("s", [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")])
    table = Reference(3, {"s": Attribute("s", ("a", "b", "c"), np.ones(3, np.int64), tree, np.arange(3))})
    model = ExtendedPSensitive(2, "s", k=2, level=1)
    [unbound], [bound] = model.demand.gains, model.bind(table).demand.gains
    assert (unbound.column, unbound.least, unbound.of) == ("s", 2, None)
    assert (bound.column, bound.least) == ("s", 2)
    assert bound.of is not None
    assert (bound.of[0] == bound.of[1], bound.of[0] == bound.of[2]) == (True, False)


def test_plans_ask_for_the_greatest() -> None:
    models = [KAnonymity(3), LDiversity(5, "s"), AlphaK(0.5, 2, "s")]
    assert (crowd_of(models), least_size_of(models)) == (3, 5)
    assert (crowd_of([]), least_size_of([])) == (1, 1)
    assert (crowd_of([LDiversity(5, "s")]), least_size_of([KAnonymity(2)])) == (1, 2)


def test_sizes_decide_where_people_alone_are_counted_class_by_class() -> None:
    assert sizes_decide([])
    assert sizes_decide([KAnonymity(2), KAnonymity(3)])
    for other in (AverageRisk(0.2), KMap(2), LDiversity(2, "s")):
        assert not sizes_decide([KAnonymity(2), other])


def test_what_fails_for_good_is_told_by_models_that_can() -> None:
    codes = np.array([0, 0, 1, 1], np.int32)
    classes, _ = classes_of_rows(codes[:, None], {"s": (np.array([0, 1, 0, 0], np.int32), 2)})
    failing, floor = failing_for_good(KAnonymity(3), classes)
    assert (failing.tolist(), floor) == ([True, True], None)
    table = Reference(4, {"s": Attribute("s", ("a", "b"), np.array([3, 1]))})
    failing, floor = failing_for_good(TCloseness(0.1, "s").bind(table), classes)
    assert failing.tolist() == [True, True]
    assert floor is not None
    assert (floor > 0).all()


def test_figures_of_an_audit_by_hand() -> None:
    """Two of a and one of b in a class, each value once in the other: 1/2, 1/3 and 1/6 of the table."""
    values = np.array([0, 0, 1, 0, 1, 2], np.int32)
    classes, _ = classes_of_rows(np.array([[0]] * 3 + [[1]] * 3, np.int32), {"s": (values, 3)})
    table = Reference(6, {"s": Attribute("s", ("a", "b", "c"), np.array([3, 2, 1]))})
    found = figures_of(MODELS.values(), classes, "s", table)
    assert found.pop("t") == {"equal": pytest.approx(1 / 6)}
    assert found.pop("recursive_l") == {"1": 1, "2": 1, "3": 2, "5": 2, "10": 2}
    assert found == pytest.approx(
        {
            "alpha": 2 / 3,
            "beta": 1,
            "beta_enhanced": 1,
            "delta": inf,
            "delta_of_values_that_occur": log(2),
            "distinct_l": 2,
            "entropy_l": 3 / 2 ** (2 / 3),
            "recursive_c": 2,
        }
    )
    alone, _ = classes_of_rows(np.array([[0], [0], [1], [1]], np.int32), {"s": (values[:4] * 0, 3)})
    assert LDiversity.figures(alone, "s", table)["recursive_c"] == inf
