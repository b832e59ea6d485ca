"""Parameters, labels and forecasts of the other models."""

from dataclasses import replace

import numpy as np
import pytest
from tests.reference import models as naive
from tests.reference.worlds import HIERARCHIES
from tests.thinned import many

from kohort.classes import Classes, classes_of_rows
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.cover import Cover
from kohort.models import (
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
    PSensitive,
    Reference,
    TCloseness,
)
from kohort.models.forecast import forecast
from kohort.models.k_map import people_matching
from kohort.models.model import unheld_names
from kohort.models.p_sensitive import conditions
from kohort.recode import Problem

ILLNESS = Reference(
    6,
    {
        "illness": Attribute(
            "illness",
            ("flu", "cold", "cancer"),
            np.array([3, 2, 1]),
            HIERARCHIES["disease"],
            HIERARCHIES["disease"].encode(("flu", "cold", "cancer")),
        )
    },
)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: PSensitive(1, "a"), "p is 1"),
        (lambda: PSensitive(2, "a", k=0), "k is 0"),
        (lambda: PSensitive(2), "no sensitive column is named"),
        (lambda: ExtendedPSensitive(2, "a"), "nothing but ground values is protected"),
        (lambda: ExtendedPSensitive(2, "a", level=-1), "level is -1"),
        (lambda: ExtendedPSensitive(2, "illness", level=9).bind(ILLNESS), "levels 0 to 3"),
        (
            lambda: ExtendedPSensitive(2, "illness", protected="Secret").bind(ILLNESS),
            "1 of the protected labels",
        ),
        (lambda: ExtendedPSensitive(2, "illness", level=1).failing(illness_classes()), "bind it"),
        (lambda: AlphaK(0, 2, "a"), "alpha is 0"),
        (lambda: AlphaK(1.2, 2, "a"), "at most 1"),
        (lambda: AlphaK(0.5, 0, "a"), "k is 0"),
        (lambda: AlphaK(0.5, 2, "illness", value="flu").failing(illness_classes()), "bind it"),
        (lambda: BetaLikeness(0, "a"), "beta is 0"),
        (lambda: BetaLikeness(1, "a", "super"), "basic, enhanced"),
        (lambda: BetaLikeness(1, "illness").failing(illness_classes()), "bind it"),
        (lambda: DeltaDisclosure(0, "a"), "delta is 0"),
        (lambda: DeltaDisclosure(1, "a", absent="maybe"), "breaks, ignore"),
        (lambda: DeltaDisclosure(1, "illness").failing(illness_classes()), "bind it"),
        (lambda: AverageRisk(0), "risk is 0"),
        (lambda: AverageRisk(1.5), "at most 1"),
        (lambda: Personalized(0, "a", "b"), "breach is 0"),
        (lambda: Personalized(0.5, "a", "a"), "another column"),
        (lambda: Personalized(0.5, "", "a"), "column must name"),
        (lambda: Personalized(0.5, "illness", "guard").failing(illness_classes()), "bind it"),
        (lambda: Personalized(0.5, "illness", "guard").bind(guarded_by("flux")), "a guard is no label"),
        (lambda: Personalized(0.5, "plain", "guard").bind(guarded_by("flu")), "has no hierarchy"),
        (lambda: Personalized(0.5, "illness", "wish").bind(guarded_by("flu")), "no guard column 'wish'"),
        (lambda: KMap(1), "k is 1"),
        (lambda: KMap(3).bind(Reference(5)), "no population table"),
        (lambda: KMap(3).failing(illness_classes()), "bind it"),
    ],
)
def test_wrong_parameters_are_told(make, told):
    with pytest.raises(InputError, match=told) as caught:
        make()
    assert "flu" not in str(caught.value), "no cell value in a message"


def guarded_by(label):
    guard = Attribute("guard", (label,), np.array([6]))
    plain = Attribute("plain", ("a",), np.array([6]))
    return replace(ILLNESS, attributes={**ILLNESS.attributes, "plain": plain}, guards={"guard": guard})


def illness_classes():
    codes = np.array([0, 0, 0, 1, 1, 2], np.int32)
    return classes_of_rows(np.array([[0], [0], [0], [1], [1], [1]], np.int32), {"illness": (codes, 3)})[0]


@pytest.mark.parametrize(
    ("model", "label"),
    [
        (PSensitive(2, columns=["a", "b", "c"]), "2-sensitive property of a, b and c"),
        (PSensitive(2, "a", k=3), "2-sensitive 3-anonymity of a"),
        (ExtendedPSensitive(2, "a", level=1), "extended 2-sensitive property of a"),
        (AlphaK(0.5, 3, "a"), "(0.5, 3)-anonymity of a"),
        (AlphaK(0.5, 3, "a", value="x"), "(0.5, 3)-anonymity of a value of a"),
        (BetaLikeness(1.5, "a", "enhanced"), "enhanced 1.5-likeness of a"),
        (DeltaDisclosure(1, "a"), "1-disclosure privacy of a"),
        (KMap(5), "5-map"),
        (AverageRisk(0.05), "average risk of at most 0.05"),
        (Personalized(0.5, "a", "g"), "breach of a as guarded by g with probability at most 0.5"),
    ],
)
def test_labels_are_words(model, label):
    assert model.label == label


def test_alpha_k_watches_only_the_values_named():
    """First class flu, flu, flu; second cold, cold, cancer."""
    found = illness_classes()
    assert AlphaK(0.5, 3, "illness").bind(ILLNESS).failing(found).tolist() == [True, True]
    assert AlphaK(0.5, 3, "illness", value="cancer").bind(ILLNESS).failing(found).tolist() == [False, False]
    assert AlphaK(0.5, 3, "illness", values=["flu", "cancer"]).bind(ILLNESS).failing(found).tolist() == [
        True,
        False,
    ]
    assert AlphaK(0.7, 4, "illness", value="cancer").bind(ILLNESS).failing(found).tolist() == [True, True]


def test_beta_of_a_value_that_the_table_never_had_is_infinite():
    stranger = Reference(6, {"illness": Attribute("illness", ("flu", "cold", "cancer"), np.array([3, 3, 0]))})
    model = BetaLikeness(5, "illness").bind(stranger)
    assert model.failing(illness_classes()).tolist() == [False, True]
    assert model.achieved(illness_classes()) == np.inf


def test_average_risk_is_judged_on_what_other_promises_leave():
    """Sizes 6, 2, 2: the large class is not diverse; what is left has an average risk of 1/2, not 3/10."""
    codes = np.array([0] * 6 + [0, 1] + [0, 1], np.int32)
    rows = np.array([[0]] * 6 + [[1]] * 2 + [[2]] * 2, np.int32)
    base, class_of = classes_of_rows(rows, {"s": (codes, 2)})
    flat = Hierarchy.from_rows("q", [("0", "*"), ("1", "*"), ("2", "*")])
    problem = Problem(("q",), (flat,), base, class_of, (AverageRisk(0.3), LDiversity(2, "s")))
    assert AverageRisk(0.3).holds(base)
    assert problem.failing(base).tolist() == [True, True, True]


@many(seed=range(200))
def test_condition_2_is_an_upper_bound_and_equals_its_twin(seed):
    rng = np.random.default_rng(seed)
    n, columns = int(rng.integers(2, 8)), int(rng.integers(1, 4))
    rows = rng.integers(0, 3, (n, columns))
    totals = [np.bincount(rows[:, j], minlength=3) for j in range(columns)]
    for p in (2, 3):
        found = conditions(totals, p)
        assert found.max_p == min(len(np.unique(rows[:, j])) for j in range(columns))
        if p <= found.max_p:
            assert found.max_clusters == naive.max_clusters([rows[:, j].tolist() for j in range(columns)], p)
        if n <= 6:
            exist = naive.most_clusters_that_exist([tuple(map(str, row)) for row in rows], p)
            assert exist <= found.max_clusters


def test_forecast_tells_before_the_search_that_p_is_out_of_reach():
    with pytest.raises(
        InfeasibleError, match="no recoding can keep 4-sensitive property of illness"
    ) as caught:
        forecast([PSensitive(4, "illness")], ILLNESS, max_suppressed=5)
    assert caught.value.nearest["max_p"] == 3
    [told] = forecast([PSensitive(2, "illness", k=2)], ILLNESS)
    assert told == {
        "promise": "2-sensitive 2-anonymity of illness", "at_best": 3.0, "max_p": 3, "max_clusters": 3
    }  # fmt: skip
    [told] = forecast([ExtendedPSensitive(2, "illness", level=1)], ILLNESS)
    assert (told["max_p"], told["max_clusters"]) == (2, 1)


def test_forecast_knows_that_suppression_may_help_some_promises():
    table_entropy = LDiversity(2.9, "illness", "entropy")
    with pytest.raises(InfeasibleError, match="entropy"):
        forecast([table_entropy], ILLNESS)
    assert forecast([table_entropy], ILLNESS, max_suppressed=3)
    with pytest.raises(InfeasibleError, match="7-anonymity"):
        forecast([KAnonymity(7)], ILLNESS, max_suppressed=3)
    assert forecast([m.bind(ILLNESS) for m in (TCloseness(0.1, "illness"), AverageRisk(0.5))], ILLNESS)


def test_forecast_rolls_the_population_up_to_the_root():
    flat = Hierarchy.from_rows("q", [("0", "*"), ("1", "*")])
    sizes = np.array([3, 1])
    population = Classes(np.array([[0], [1]], np.int32), (0,), sizes, sizes)
    reference = Reference(2, population=population, hierarchies=(flat,))
    assert forecast([KMap(4).bind(reference)], reference)[0]["at_best"] == 4
    with pytest.raises(InfeasibleError, match="5-map"):
        forecast([KMap(5).bind(reference)], reference)


def test_k_map_may_be_told_how_many_people_match():
    reference = Reference(6, matching=lambda classes: np.full(len(classes), 4))
    assert KMap(4).bind(reference).holds(illness_classes())
    assert not KMap(5).bind(reference).holds(illness_classes())


def test_people_match_overlapping_released_values_too():
    """Ages 0…3, sexes 0…1; released: age {0,1} or {1,2}, any sex. Age 1 stands under both."""
    codes = np.array([[0, 0], [1, 0], [1, 1], [2, 0], [3, 1]], np.int32)
    sizes = np.array([1, 2, 4, 8, 16])
    population = Classes(codes, (0, 0), sizes, sizes)
    covers = (
        Cover.of(np.array([[1, 1, 0, 0], [0, 1, 1, 0]], bool)),
        Cover.of(np.array([[1, 1], [1, 0]], bool)),
    )
    released = Classes(np.array([[0, 0], [1, 0], [0, 1]], np.int32), (0, 0), np.ones(3, int), np.ones(3, int))
    assert people_matching(population, covers, released).tolist() == [7, 14, 3]
    apart = (Cover.of(np.array([[1, 1, 0, 0]], bool)), Cover.of(np.eye(2, dtype=bool)))
    released = Classes(np.array([[0, 0], [0, 1]], np.int32), (0, 0), np.ones(2, int), np.ones(2, int))
    assert people_matching(population, apart, released).tolist() == [3, 4]


def test_values_that_nobody_has_are_told_their_holder_and_promised_in_vain():
    """A plan that had to name what occurs would tell, in public, what somebody left out has."""
    model = AlphaK(0.5, 2, "illness", values=("fluu", "flu"))
    assert model.bind(ILLNESS).unheld(ILLNESS) == 1
    [said] = unheld_names([model, AlphaK(0.5, 2, "illness", value="flu")], ILLNESS)
    assert "1 of the values named" in said
    assert "fluu" not in said


@pytest.mark.parametrize("closed", [True, False])
def test_labels_that_protect_nobody_are_told_where_others_could_join_in(closed):
    tree = replace(Hierarchy.from_rows("s", [("a", "x", "*"), ("b", "y", "*")]), closed=closed)
    table = Reference(2, {"s": Attribute("s", ("a", "b"), np.ones(2, np.int64), tree, np.arange(2))})
    assert ExtendedPSensitive(2, "s", protected=("x", "b")).bind(table).unheld(table) == 0
    model = ExtendedPSensitive(2, "s", protected=("x", "z"))
    assert model.unheld(table) == 1
    if closed:
        with pytest.raises(InputError, match="1 of the protected labels stand in no hierarchy of s"):
            model.bind(table)
    else:
        assert len(unheld_names([model.bind(table)], table)) == 1
