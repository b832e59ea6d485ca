"""What each model says of itself, what it says of nothing, and the rare ways of its computations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.reference.worlds import HIERARCHIES

from kohort.classes import Classes, Histogram, classes_of_rows
from kohort.errors import InputError
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
    Monotone,
    Personalized,
    PrivacyModel,
    PSensitive,
    Reference,
    TCloseness,
    bounds_linking,
)
from kohort.models import k_map as of_population
from kohort.models import l_diversity as diversity
from kohort.models import model as contract
from kohort.models import t_closeness as closeness
from kohort.models.earth_mover import rolled_up
from kohort.models.forecast import forecast

NOTHING, MERGING, BOTH = (
    Monotone.NOTHING,
    Monotone.GENERALIZATION,
    Monotone.GENERALIZATION | Monotone.SUPPRESSION,
)
# (model, label, columns read, what keeps it, whether it bounds linking, what it says of no classes at all)
SAYS: list[tuple[Any, str, set[str], Monotone, bool, float]] = [
    (KAnonymity(3), "3-anonymity", set(), BOTH, True, math.inf),
    (KMap(3), "3-map", set(), BOTH, True, math.inf),
    (AverageRisk(0.25), "average risk of at most 0.25", set(), MERGING, True, -math.inf),
    (LDiversity(2, "ill"), "distinct 2-diversity of ill", {"ill"}, BOTH, False, math.inf),
    (TCloseness(0.3, "ill"), "0.3-closeness of ill (equal distance)", {"ill"}, MERGING, False, -math.inf),
    (BetaLikeness(0.5, "ill"), "0.5-likeness of ill", {"ill"}, MERGING, False, -math.inf),
    (
        BetaLikeness(0.5, "ill", "enhanced"),
        "enhanced 0.5-likeness of ill",
        {"ill"},
        MERGING,
        False,
        -math.inf,
    ),
    (
        PSensitive(2, "ill", k=3),
        "2-sensitive 3-anonymity of ill",
        {"ill"},
        BOTH,
        True,
        math.inf,
    ),
    (PSensitive(2, "ill"), "2-sensitive property of ill", {"ill"}, BOTH, False, math.inf),
    (
        ExtendedPSensitive(2, "ill", level=1, k=3),
        "extended 2-sensitive 3-anonymity of ill",
        {"ill"},
        BOTH,
        True,
        math.inf,
    ),
    (
        ExtendedPSensitive(2, "ill", level=1),
        "extended 2-sensitive property of ill",
        {"ill"},
        BOTH,
        False,
        math.inf,
    ),
    (AlphaK(0.5, 3, "ill"), "(0.5, 3)-anonymity of ill", {"ill"}, MERGING, True, -math.inf),
    (
        AlphaK(0.5, 1, "ill", value="flu"),
        "(0.5, 1)-anonymity of a value of ill",
        {"ill"},
        MERGING,
        False,
        -math.inf,
    ),
    (
        AlphaK(0.5, 1, "ill", values=("flu", "cold")),
        "(0.5, 1)-anonymity of 2 values of ill",
        {"ill"},
        MERGING,
        False,
        -math.inf,
    ),
    (
        Personalized(0.5, "ill", "wish"),
        "breach of ill as guarded by wish with probability at most 0.5",
        {"ill", "wish"},
        NOTHING,
        False,
        -math.inf,
    ),
]
ILL = ("flu", "cold", "cancer")
REFERENCE = Reference(
    6,
    {"ill": Attribute("ill", ILL, np.array([3, 2, 1]), HIERARCHIES["disease"], HIERARCHIES["disease"].encode(ILL))},
    guards={"wish": Attribute("wish", (None, "lung"), np.array([4, 2]))},
    matching=lambda classes: np.full(len(classes), 9),
)  # fmt: skip


def classes(*members: str, people: list[int] | None = None) -> Classes:
    """Return a class for each word: f, c, x stand for the three illnesses."""
    rows = np.repeat(np.arange(len(members), dtype=np.int32), [len(m) for m in members])[:, None]
    codes = np.array(["fcx".index(sign) for sign in "".join(members)], np.int32)
    wishes = np.zeros(len(codes), np.int32)
    who = None if people is None else np.array(people)
    return classes_of_rows(rows, {"ill": (codes, 3), "wish": (wishes, 2)}, who)[0]


@pytest.mark.parametrize("says", SAYS, ids=lambda says: says[1])
def test_what_a_model_says_of_itself_and_of_nothing(says: Any) -> None:
    model, label, reads, keeps, links, of_nothing = says
    bound = model.bind(REFERENCE)
    nothing = classes("fcx").kept(np.array([False]))
    for one in (model, bound):
        assert (one.label, one.reads, one.monotone, bounds_linking(one)) == (label, reads, keeps, links)
    assert bound.achieved(nothing) == of_nothing
    assert bound.holds(nothing)
    assert model.card.classwise is (model.card.name != "average-risk")


def test_every_model_is_asked() -> None:
    assert {says[0].card.name for says in SAYS} | {"delta-disclosure"} == set(MODELS)
    delta = DeltaDisclosure(1.1, "ill")
    assert (delta.reads, bounds_linking(delta)) == ({"ill"}, False)


def test_variants_say_what_they_guarantee_and_what_not() -> None:
    def words(*models: PrivacyModel) -> list[str]:
        return [contract.guarantee_of(model) for model in models]

    plain, enhanced = words(BetaLikeness(1, "ill"), BetaLikeness(1, "ill", "enhanced"))
    assert plain == BetaLikeness.card.guarantee
    assert enhanced == f"{plain}; by no more than −ln p for a value of share p, whatever beta"
    strict, lax = words(DeltaDisclosure(1, "ill"), DeltaDisclosure(1, "ill", absent="ignore"))
    assert strict == DeltaDisclosure.card.guarantee
    assert lax == f"{strict}; that a class lacks a value altogether is not bounded"
    by_variant = words(
        LDiversity(2, "ill"), LDiversity(2, "ill", "entropy"), LDiversity(2, "ill", "recursive", c=2)
    )
    assert by_variant == list(diversity.GUARANTEES.values())
    distances = words(*(TCloseness(0.1, "ill", distance) for distance in closeness.DISTANCES))
    assert distances == [closeness.GUARANTEES[distance] for distance in closeness.DISTANCES]
    assert words(KAnonymity(2)) == [KAnonymity.card.guarantee]


def test_values_to_watch_are_values() -> None:
    assert AlphaK(0.5, 2, "ill", value="flu", values=["cold", "flu"]).values == ("flu", "cold")
    assert AlphaK(0.5, 2, "ill", values="flu").values == ("flu",)  # type: ignore[arg-type]
    assert AlphaK(0.5, 2, "ill", values=(None, 3)).values == (None, 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="values must be a list of values"):
        AlphaK(0.5, 2, "ill", values=({"flu": 1},))  # type: ignore[arg-type]


def test_of_several_columns_the_worst_counts() -> None:
    both = Reference(6, {**REFERENCE.attributes, "wish": REFERENCE.guards["wish"]})
    judged = classes("ffc", "fcx")  # everybody wishes nothing
    assert AlphaK(0.7, 2, columns=("ill", "wish")).bind(both).failing(judged).tolist() == [True, True]
    assert AlphaK(0.7, 2, "ill").bind(both).failing(judged).tolist() == [False, False]
    assert AlphaK(0.7, 2, columns=("ill", "wish")).bind(both).achieved(judged) == 1
    assert LDiversity(2, columns=("ill", "wish")).bind(both).achieved(judged) == 1
    assert TCloseness(0.3, columns=("ill", "wish")).bind(both).achieved(judged) == pytest.approx(1 / 3)


def test_forecasts_say_nothing_of_guards() -> None:
    [told] = forecast([Personalized(0.5, "ill", "wish"), KAnonymity(2)], REFERENCE)
    assert told["promise"] == "2-anonymity"


@pytest.mark.parametrize("columns", [3, 300_000])
def test_histograms_are_rolled_up_alike_whether_values_are_few_or_many(columns: int) -> None:
    histogram = Histogram.of(np.array([0, 0, 1]), np.array([0, 1, 1], np.int32), 2, 2, np.array([2, 1, 5]))
    rolled = rolled_up(histogram, np.array([2, 2]), columns)
    assert (rolled.starts.tolist(), rolled.values.tolist(), rolled.counts.tolist()) == (
        [0, 1, 2],
        [2, 2],
        [3, 5],
    )
    assert rolled.size == columns


def test_the_population_is_rolled_up_once_per_node_and_forgotten_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tree = Hierarchy.from_rows("q", [("0", "x", "*"), ("1", "x", "*"), ("2", "y", "*")])
    people = classes_of_rows(np.array([[0], [1], [1], [2]], np.int32), {})[0]
    model = KMap(2).bind(Reference(4, population=people, hierarchies=(tree,)))
    monkeypatch.setattr(of_population, "_REMEMBERED", 2)
    found = []
    for level in (0, 1, 2, 0, 2, 1):
        node = people.rollup((tree,), (level,))
        found.append(model.people(node).tolist())
        assert len(model._rolled) <= 2
    assert found == [[1, 2, 1], [3, 1], [4], [1, 2, 1], [4], [3, 1]]
    with pytest.raises(InputError, match="bind it"):
        KMap(2).people(people)


def test_entropies_too_large_for_whole_numbers_are_settled_by_logarithms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counts 2, 1, 1 have the entropy of 2√2 values: decimals beside it are told apart as whole numbers tell them."""
    for exact in (20_000, 1):
        monkeypatch.setattr(diversity, "_EXACT_ROWS", exact)
        for counts in ([2, 1, 1], [20, 10, 10]):
            assert diversity._entropy_reaches(np.array(counts), 2.828427124746190)
            assert not diversity._entropy_reaches(np.array(counts), 2.828427124746191)
        assert diversity._entropy_reaches(np.array([5, 5, 5]), 3)


def test_distances_too_large_for_whole_numbers_are_compared_with_the_tolerance() -> None:
    huge = 2**31
    reference = Reference(2 * huge, {"ill": Attribute("ill", ("flu", "cold"), np.array([huge, huge]))})
    held = Histogram(np.array([0, 2]), np.array([0, 1], np.int32), np.array([3 * huge // 2, huge // 2]), 2)
    size = np.array([2 * huge])
    judged = Classes(np.zeros((1, 1), np.int32), (0,), size, size, {"ill": held})
    for t, kept in ((0.25, True), (0.2499, False)):
        model = TCloseness(t, "ill").bind(reference)
        assert model.achieved(judged) == pytest.approx(0.25)
        assert model.holds(judged) is kept


def test_rows_are_refused_by_models_that_look_at_them() -> None:
    contract.check_rows(KAnonymity(2), {})
    model = Personalized(0.5, "ill", "wish").bind(REFERENCE)
    right = {"ill": np.array([0, 1, 2]), "wish": np.array([1, 1, 0])}
    contract.check_rows(model, right)
    with pytest.raises(InputError, match="in 1 of 3 rows"):
        contract.check_rows(model, {**right, "wish": np.array([1, 1, 1])})
    contract.check_rows(model, {"ill": np.zeros(0, int), "wish": np.zeros(0, int)})
    with pytest.raises(InputError, match="bind it"):
        contract.check_rows(Personalized(0.5, "ill", "wish"), right)
    assert contract.guards_of(model) == {"wish"}
    assert contract.guards_of(KAnonymity(2)) == frozenset()
    assert model.guards == {"wish"}


def test_nobody_wishes_nobody_is_breached() -> None:
    assert Personalized(0.5, "ill", "wish").bind(REFERENCE).achieved(classes("fff")) == 0
    empty = Reference(3, dict(REFERENCE.attributes), guards={"wish": Attribute("wish", (), np.zeros(0, int))})
    assert Personalized(0.5, "ill", "wish").bind(empty).achieved(classes("fff")) == 0
