"""Each promise where it is just kept and just broken, with answers worked out by hand."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from tests.reference.worlds import HIERARCHIES, PATHS

from kohort.classes import Classes, Pairs, classes_of_rows
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.cover import Cover
from kohort.models import (
    Attribute,
    BetaLikeness,
    DeltaDisclosure,
    ExtendedPSensitive,
    KMap,
    Monotone,
    Personalized,
    PSensitive,
    Reference,
    bounds_linking,
)
from kohort.models.forecast import one_class
from kohort.models.k_map import people_matching
from kohort.models.l_diversity import entropies
from kohort.models.p_sensitive import Conditions, conditions
from kohort.models.threshold import logarithm

LABELS = tuple(PATHS["disease"])
DISEASE = HIERARCHIES["disease"]


def judged(*members: str, people: list[int] | None = None) -> Classes:
    """Return a class for each word, whose letters are values: a, b, c …"""
    rows = np.repeat(np.arange(len(members), dtype=np.int32), [len(m) for m in members])[:, None]
    codes = np.array(["abcdef".index(sign) for sign in "".join(members)], np.int32)
    who = None if people is None else np.array(people)
    return classes_of_rows(rows, {"s": (codes, 6)}, who)[0]


def table(*totals: int) -> Reference:
    """Return a table in which so many hold a, b, c …; their hierarchy is that of diseases."""
    held = np.array([*totals, *[0] * (6 - len(totals))])
    return Reference(sum(totals), {"s": Attribute("s", LABELS, held, DISEASE, DISEASE.encode(LABELS))})


def test_delta_is_not_reached_by_the_share_that_is_half_of_the_tables() -> None:
    """a and b are half of the table each; of the second class b is a quarter: |ln(1/2)| is the greatest difference."""
    found, half = judged("aabb", "aaab"), math.log(2)
    model = DeltaDisclosure(half, "s").bind(table(5, 5))
    assert model.achieved(found) == half
    assert model.failing(found).tolist() == [False, True]
    assert model.holds(found) is False
    above = DeltaDisclosure(np.nextafter(half, 1), "s").bind(table(5, 5))
    assert above.failing(found).tolist() == [False, False]
    assert above.holds(found) is True


@pytest.mark.parametrize("share", range(3, 40))
def test_next_to_delta_not_rounding_decides_but_digits(share: int) -> None:
    """The nearest floats below and above ln of a ratio, whichever way it is computed: kept above, broken below."""
    found = judged("a" * share + "b")
    exact = logarithm(Fraction(2, share + 1))
    near = math.log((share + 1) / 2)
    for delta in (np.nextafter(near, 0), near, np.nextafter(near, 9)):
        model = DeltaDisclosure(float(delta), "s").bind(table(5, 5))
        kept = bool(abs(exact) < Decimal(repr(float(delta))))
        assert model.holds(found) is kept


def test_delta_of_absent_values_is_infinite_unless_they_go_unjudged() -> None:
    found = judged("aa", "ab")
    strict, lax = (DeltaDisclosure(1, "s", absent=way).bind(table(2, 2)) for way in ("breaks", "ignore"))
    assert strict.failing(found).tolist() == [True, False]
    assert strict.achieved(found) == math.inf
    assert lax.failing(found).tolist() == [False, False]
    assert lax.achieved(found) == pytest.approx(math.log(2))
    assert (strict.monotone, lax.monotone) == (Monotone.GENERALIZATION, Monotone.NOTHING)
    nothing = found.kept(np.array([False, False]))
    assert strict.achieved(nothing) == -math.inf
    assert strict.holds(nothing) is True
    assert lax.label == "1-disclosure privacy of s (values that occur)"


def test_delta_never_releases_one_person_alone() -> None:
    model = DeltaDisclosure(1, "s").bind(table(4))
    assert model.failing(judged("a", "aa")).tolist() == [True, False]


def test_a_gain_is_bounded_by_beta_and_by_the_logarithm_of_the_share() -> None:
    """Half of the table holds a: three quarters gain 1/2, everybody gains 1, and −ln(1/2) is 0.69."""
    enhanced = BetaLikeness(5, "s", "enhanced").bind(table(4, 4))
    assert enhanced.achieved(judged("aaab")) == 0.5
    assert enhanced.failing(judged("aaab", "aa")).tolist() == [False, True]
    assert enhanced.achieved(judged("aaab", "aa")) == math.inf
    basic = BetaLikeness(1, "s").bind(table(4, 4))
    assert basic.achieved(judged("aaab", "aa")) == 1
    assert basic.failing(judged("aaab", "aa")).tolist() == [False, False]
    assert BetaLikeness(0.999, "s").bind(table(4, 4)).failing(judged("aaab", "aa")).tolist() == [False, True]


def test_what_everybody_holds_gains_nothing() -> None:
    """The share is 1, its logarithm 0 and the gain 0: not above it."""
    model = BetaLikeness(1, "s", "enhanced").bind(table(4))
    assert model.achieved(judged("aa")) == 0
    assert model.holds(judged("aa")) is True


@pytest.mark.parametrize("name", ["p-sensitive", "extended-p-sensitive"])
def test_p_and_k_are_met_by_as_many(name: str) -> None:
    def sensitive(p: int, **more: int) -> PSensitive | ExtendedPSensitive:
        return (
            PSensitive(p, "s", **more)
            if name == "p-sensitive"
            else ExtendedPSensitive(p, "s", level=0, **more)
        )

    found = judged("abc", "abca", "aabb")
    assert sensitive(3).bind(table(4, 4, 3)).failing(found).tolist() == [False, False, True]
    assert sensitive(2, k=4).bind(table(4, 4, 3)).failing(found).tolist() == [True, False, False]
    plain, two, three = sensitive(2), sensitive(2, k=2), sensitive(2, k=3)
    assert (plain.k, bounds_linking(plain), bounds_linking(two), bounds_linking(three)) == (
        1,
        False,
        True,
        True,
    )
    assert plain.label.endswith("2-sensitive property of s")
    assert two.label.endswith("2-sensitive 2-anonymity of s")
    with pytest.raises(InputError, match="p is 1"):
        sensitive(1)
    with pytest.raises(InputError, match="k is 0"):
        sensitive(2, k=0)


def test_levels_reach_from_ground_to_root() -> None:
    found = judged("abcdef")
    whole = table(1, 1, 1, 1, 1, 1)
    reached = [ExtendedPSensitive(2, "s", level=level).bind(whole).achieved(found) for level in range(4)]
    assert reached == [6, 4, 3, 1]  # values; lung, belly, grave, missing; mild, severe, missing; all
    with pytest.raises(InputError, match="levels 0 to 3"):
        ExtendedPSensitive(2, "s", level=4).bind(whole)
    with pytest.raises(InputError, match="level is -1"):
        ExtendedPSensitive(2, "s", level=-1)


@pytest.mark.parametrize("many", [1, 2])
def test_values_have_one_code_where_they_have_one_strong_ancestor(many: int) -> None:
    labels = {label for path in PATHS["disease"].values() for label in path if label is not None}
    for protected in combinations(sorted(labels), many):
        model = ExtendedPSensitive(2, "s", protected=protected).bind(table(1, 1, 1, 1, 1, 1))
        codes, size = model.strong_ancestors("s")
        strong = [next((x for x in reversed(PATHS["disease"][v]) if x in protected), v) for v in LABELS]
        for one, other in combinations(range(6), 2):
            assert (codes[one] == codes[other]) == (strong[one] == strong[other]), (protected, one, other)
        assert 0 <= codes.min() <= codes.max() < size


def test_a_column_without_hierarchy_has_no_subtrees() -> None:
    for hierarchy, ground in ((None, None), (DISEASE, None), (None, np.zeros(1, np.int32))):
        plain = Reference(2, {"s": Attribute("s", ("flu",), np.array([2]), hierarchy, ground)})
        with pytest.raises(InputError, match="column 's' has no hierarchy"):
            ExtendedPSensitive(2, "s", level=1).bind(plain)


def test_subtrees_are_counted_for_people_whichever_of_their_values_is_taken() -> None:
    """Of two people one holds flu and ulcer, the other flu: by level 1 all may be taken as lung."""
    people = [0, 0, 1]
    pairs = Pairs.of(np.array(people), np.array([0, 2, 0], np.int32), 6)[0]
    whole = Reference(
        3,
        {"s": Attribute("s", LABELS, np.array([2, 0, 1, 0, 0, 0]), DISEASE, DISEASE.encode(LABELS), pairs)},
        people=2,
    )
    model = ExtendedPSensitive(2, "s", level=1).bind(whole)
    assert model.achieved(judged("aca", people=people)) == 1
    assert model.achieved(judged("aca")) == 2
    assert model.monotone is Monotone.NOTHING


def population(*people: int) -> Classes:
    """Return so many people at each ground value of one attribute."""
    sizes = np.array(people)
    return Classes(np.arange(len(people), dtype=np.int32)[:, None], (0,), sizes, sizes)


def released(*codes: int) -> Classes:
    ones = np.ones(len(codes), np.int64)
    return Classes(np.array(codes, np.int32)[:, None], (0,), ones, ones)


@pytest.mark.parametrize(
    ("cover", "expected"),
    [
        ([[1, 1, 0], [0, 0, 1]], [3, 4]),  # apart
        ([[1, 0, 0], [0, 1, 0]], [1, 2]),  # the last is under none
        ([[0, 0, 1], [0, 1, 0]], [4, 2]),  # the first is under none
        ([[1, 1, 1], [1, 1, 1]], [7, 7]),  # every value under both
        ([[0, 1, 0], [0, 1, 0]], [2, 2]),  # one value under both
        ([[1, 1, 0], [0, 1, 1]], [3, 6]),  # they overlap
        ([[0, 0, 0], [0, 0, 0]], [0, 0]),  # nobody fits
    ],
)
def test_people_are_found_under_what_a_released_value_covers(
    cover: list[list[int]], expected: list[int]
) -> None:
    covers = (Cover.of(np.array(cover, np.bool_)),)
    assert people_matching(population(1, 2, 4), covers, released(0, 1)).tolist() == expected


def test_k_map_looks_people_up_in_the_population_it_is_bound_to_last() -> None:
    flat = Hierarchy.from_rows("q", [("0", "*"), ("1", "*")])
    few, many = (Reference(2, population=population(*n), hierarchies=(flat,)) for n in ((1, 2), (3, 4)))
    bound = KMap(2).bind(few)
    assert bound.people(released(1, 0)).tolist() == [2, 1]
    assert bound.bind(many).people(released(1, 0)).tolist() == [4, 3]
    assert bound.failing(released(1, 0)).tolist() == [False, True]


def test_k_map_needs_a_population_its_hierarchies_and_a_k() -> None:
    flat = Hierarchy.from_rows("q", [("0", "*"), ("1", "*")])
    for lacking in (
        Reference(2, population=population(1, 1)),
        Reference(2, hierarchies=(flat,)),
        Reference(2),
    ):
        with pytest.raises(InputError, match="no population table"):
            KMap(2).bind(lacking)
    with pytest.raises(TypeError):
        KMap()  # type: ignore[call-arg]


def test_the_whole_table_is_one_class() -> None:
    flat = Hierarchy.from_rows("q", [("0", "*"), ("1", "*")])
    whole = one_class(Reference(3, table(2, 0, 1).attributes, hierarchies=(flat, DISEASE)))
    assert (whole.codes.tolist(), whole.levels) == ([[0, 0]], (1, 3))
    assert (whole.sizes.tolist(), whole.rows.tolist(), whole.respondents) == ([3], [3], None)
    assert whole.sensitive["s"].values.tolist() == [0, 2]
    assert whole.sensitive["s"].counts.tolist() == [2, 1]
    assert whole.holders == {}


def test_one_record_has_no_entropy() -> None:
    found = judged("a", "ab", "aabb").sensitive["s"]
    assert entropies(found).tolist() == [0, pytest.approx(math.log(2)), pytest.approx(math.log(2))]


@pytest.mark.parametrize(
    ("totals", "p", "k", "found"),
    [
        ([2, 2, 2], 2, 1, Conditions(3, 3)),
        ([2, 2, 2], 2, 4, Conditions(3, 1)),  # no more classes than four go into six
        ([2, 2, 2], 3, 1, Conditions(3, 2)),
        ([4, 1, 0, 1], 2, 1, Conditions(3, 2)),  # two people are not in the most frequent value
        ([4, 1, 0, 1], 3, 1, Conditions(3, 1)),
        ([4, 1, 0, 1], 4, 1, Conditions(3, 0)),
    ],
)
def test_conditions_before_any_search(totals: list[int], p: int, k: int, found: Conditions) -> None:
    assert conditions([np.array(totals)], p, k) == found


def test_a_breach_is_a_probability() -> None:
    assert Personalized(1, "s", "g").breach == 1
    for breach in (0, 1.01, 2):
        with pytest.raises(InputError, match="above 0 and at most 1"):
            Personalized(breach, "s", "g")
    with pytest.raises(TypeError):
        Personalized(0.5, "s")  # type: ignore[call-arg]
