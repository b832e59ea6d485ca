"""The definitions by hand: numbers at their thresholds, numbers that 64 bits do not hold, and counts of what is counted."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import log

import numpy as np
import pyarrow as pa
import pytest

from kohort.classes import Pairs
from kohort.errors import VerificationError
from kohort.hierarchy import Hierarchy
from kohort.models import (
    AlphaK,
    Attribute,
    BetaLikeness,
    DeltaDisclosure,
    ExtendedPSensitive,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    PSensitive,
    Reference,
    TCloseness,
)
from kohort.table import Table
from kohort.verification.judges import judge_promises
from kohort.verification.judges.contents import contents_of
from kohort.verification.judges.definitions import (
    ClassNumbers,
    Counted,
    Finding,
    Population,
    Whole,
    counted_lines,
    counted_rows,
    definition_of,
)
from kohort.verification.judges.definitions.distances import DISTANCES, Ratio
from kohort.verification.judges.definitions.exact import above, logarithm, near, written
from kohort.verification.judges.definitions.exact import whole as reckoned
from kohort.verification.judges.definitions.k_map import fitting
from kohort.verification.judges.definitions.order import ranks
from kohort.verification.judges.definitions.tally import Entries, numbered, tally
from kohort.verification.judges.recounted import recount
from kohort.verification.judges.shown import shown_in


def judged(model: PrivacyModel, classes: list[list[int]], totals: list[int]) -> Finding:
    """Return what the definition says of classes told by how often they have each value of `v`."""
    owner, value = np.nonzero(np.array(classes))
    told = counted_lines("v", owner, value, np.array(classes)[owner, value])
    labels = tuple(map(str, range(len(totals))))
    definition = definition_of(model.card.name)
    assert definition is not None
    return definition(model, replace(told, wholes={"v": Whole(labels, np.array(totals))}))


def test_rows_that_are_alike_have_one_number_however_wide_their_columns_are() -> None:
    rng = np.random.default_rng(5)
    columns = [rng.integers(0, 2, 50) * (2**31 - 1) for _ in range(5)]  # 155 bits side by side
    number, n = numbered(columns)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    first = list(dict.fromkeys(rows))
    assert n == len(first)
    assert number.tolist() == [first.index(row) for row in rows]


def test_entries_are_counted_by_class_and_value() -> None:
    found = tally(np.array([1, 0, 1, 1]), np.array([2, 0, 2, 0]))
    assert (found.owner.tolist(), found.value.tolist(), found.count.tolist()) == (
        [0, 1, 1],
        [0, 0, 2],
        [1, 1, 2],
    )
    assert found.sums.tolist() == [1, 3]
    assert found.per_class().tolist() == [1, 2]
    assert found.greatest(found.count).tolist() == [1, 2]
    assert found.descending().count.tolist() == [1, 2, 1]
    assert [matrix.tolist() for _, matrix in found.matrices(3)] == [[[1, 0, 0], [1, 0, 2]]]
    assert [place for place, _ in found.matrices(2**21)] == [slice(0, 1), slice(1, 2)]
    weighed = tally(np.array([0, 0]), np.array([1, 1]), np.array([2**60, 2**60]))
    assert weighed.count.tolist() == [2**61]
    nothing = tally(np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert (nothing.sums.tolist(), nothing.greatest(nothing.count).tolist()) == ([], [])


def test_classes_are_found_again_in_other_lists() -> None:
    numbers = ClassNumbers(np.array([[4, 0], [4, 1], [9, 0]]))
    assert numbers.of(np.array([[9, 0], [4, 1], [4, 0], [9, 0]])).tolist() == [2, 1, 0, 2]


def test_people_are_counted_once_in_each_class() -> None:
    told = counted_rows([np.array([0, 0, 0, 1])], {"v": np.array([0, 1, 1, 1])}, np.array([7, 7, 8, 7]))
    assert (told.records.tolist(), told.people.tolist()) == ([3, 1], [2, 1])
    assert told.holding("v").count.tolist() == [1, 2, 1]
    assert told.values["v"].count.tolist() == [1, 2, 1]
    assert told.held["v"].spread(2).count.tolist() == [1, 3, 2]
    assert told.members is not None
    assert told.members.count.tolist() == [2, 1, 1]
    each = counted_rows([np.array([0, 0])], {}, np.array([3, 5]))
    assert (each.people.tolist(), each.members) == ([2], None)
    assert len(each) == 1


def test_rows_are_counted_as_loops_count_them() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        n = int(rng.integers(1, 12))
        labels, value, person = rng.integers(0, 3, (2, n)), rng.integers(0, 3, n), rng.integers(0, n, n)
        told = counted_rows(list(labels), {"v": value}, person)
        rows = list(zip(map(tuple, labels.T.tolist()), value.tolist(), person.tolist(), strict=True))
        tuples = list(dict.fromkeys(row[0] for row in rows))
        assert told.tuples is not None
        assert [tuple(line) for line in told.tuples.tolist()] == tuples
        several = len(set(person.tolist())) < n
        for i, labelled in enumerate(tuples):
            own = [row for row in rows if row[0] == labelled]
            assert told.records[i] == len(own)
            assert told.people[i] == len({who for _, _, who in own})
            for code in range(3):
                holding = told.holding("v")
                found = holding.count[(holding.owner == i) & (holding.value == code)].sum()
                assert found == len({who for _, v, who in own if v == code})
        assert (told.members is not None) is several


def test_a_mass_that_cannot_be_spread_evenly_goes_to_the_first_values() -> None:
    told = counted_rows([np.zeros(4, np.int64)], {"v": np.array([0, 1, 2, 0])}, np.array([1, 1, 1, 2]))
    assert told.held["v"].spread(5).count.tolist() == [2 + 5, 2, 1]


def test_empty_lines_of_a_group_are_nobody() -> None:
    told = counted_lines("v", np.array([5, 5, 9]), np.array([0, 1, 1]), np.array([2, 0, 1]))
    assert told.records.tolist() == [2, 1]
    assert told.values["v"].value.tolist() == [0, 1]


@pytest.mark.parametrize(
    "size", [1, 10**6, 4 * 10**17]
)  # the last: products of more than 63 bits, and fewer than 64
def test_ratios_are_compared_exactly_whatever_their_size(size: int) -> None:
    three_tenths = (np.array([3 * size - 1, 3 * size, 3 * size + 1]), np.full(3, 10 * size))
    assert above(*three_tenths, written(0.3)).tolist() == [False, False, True]
    assert written(0.1) == Fraction(1, 10)
    assert reckoned(np.array([2**62]), 2**80)[0] * 4 == 2**64


def test_ratios_far_from_a_bound_are_compared_rightly_whatever_their_size() -> None:
    for power in range(200, 239):  # up to 10 · 2⁵⁹·⁵, which fits 64 bits; what it is multiplied by does not
        size = int(2 ** (power / 4))
        assert above(np.array([size, 9 * size]), np.full(2, 10 * size), written(0.3)).tolist() == [
            False,
            True,
        ]
        assert above(np.array([0, 3, 4]), np.full(3, 10), written(0.3)).tolist() == [False, False, True]
        assert above(np.array([-9 * size, 9 * size]), np.full(2, size), written(-8.5)).tolist() == [
            False,
            True,
        ]


def test_logarithms_near_a_bound_are_taken_to_many_digits() -> None:
    assert near(np.array([1.0, 1.0 + 1e-12, 1.1]), 1.0).tolist() == [0, 1]
    assert abs(float(logarithm(Fraction(2))) - log(2)) < 1e-15
    assert str(logarithm(Fraction(2))).startswith(
        "0.693147180559945309417232121458176568075500134360255254120"
    )


def test_crowds_at_their_bounds_are_crowds_enough() -> None:
    hierarchy = Hierarchy.from_rows("v", [("0", "a", "*"), ("1", "b", "*")])
    told = counted_lines("v", np.array([0, 0]), np.array([0, 1]), np.array([1, 2]))
    known = replace(told, wholes={"v": Whole(("0", "1"), np.array([1, 2]), None, hierarchy, np.arange(2))})
    for k, kept in ((3, True), (4, False)):
        for model in (PSensitive(2, "v", k=k), ExtendedPSensitive(2, "v", level=1, k=k), AlphaK(0.7, k, "v")):
            definition = definition_of(model.card.name)
            assert definition is not None
            assert definition(model, known).holds is kept


def test_entropy_at_its_bound_is_settled_exactly() -> None:
    """Counts 2, 1, 1 have the entropy of 2√2 values; twelve even values that of twelve, and no more."""
    for l, kept in ((2.828427124746190, True), (2.828427124746191, False)):  # noqa: E741
        assert judged(LDiversity(l, "v", "entropy"), [[2, 1, 1]], [2, 1, 1]).holds is kept
    even = [[7] * 12]
    assert judged(LDiversity(12, "v", "entropy"), even, even[0]).holds
    assert not judged(LDiversity(12.000000000000002, "v", "entropy"), even, even[0]).holds
    assert judged(LDiversity(12, "v", "entropy"), even, even[0]).achieved == pytest.approx(12)


@pytest.mark.parametrize(
    ("counts", "l"), [([4, 1, 1, 1, 1], 4), ([4, 4, *[1] * 8], 8), ([9, 3, 3, 3, *[1] * 9], 9)]
)
def test_uneven_values_may_have_the_entropy_of_even_ones(counts: list[int], l: int) -> None:  # noqa: E741
    """nⁿ = lⁿ · ∏ cᶜ: 8⁸ = 4⁸ · 4⁴."""
    for times in (1, 7, 10**6):
        told = [count * times for count in counts]
        assert judged(LDiversity(l, "v", "entropy"), [told], told).holds
        assert not judged(LDiversity(l * (1 + 4e-16), "v", "entropy"), [told], told).holds


def test_values_that_nobody_protects_are_nodes_of_their_own() -> None:
    tree = Hierarchy.from_rows("v", [("0", "b", "*"), ("1", "b", "*"), ("2", "a", "*"), ("3", "a", "*")])
    model = ExtendedPSensitive(2, "v", protected=("a",))
    definition = definition_of(model.card.name)
    assert definition is not None
    for values, nodes in (([0, 1], 2), ([1, 2], 2), ([2, 3], 1), ([0, 2], 2), ([0, 1, 2, 3], 3)):
        told = counted_lines("v", np.zeros(len(values), int), np.array(values), np.ones(len(values), int))
        whole = Whole(tuple("0123"), np.ones(4, np.int64), None, tree, np.arange(4))
        assert definition(model, replace(told, wholes={"v": whole})).achieved == nodes, values


def test_people_of_a_population_are_found_under_any_labels() -> None:
    """Against loops: labels that lie beside each other, one within another, and of one value by two names."""
    rng = np.random.default_rng(9)
    ways = set()
    for _ in range(80):
        covers = tuple(rng.random((int(rng.integers(1, 4)), 4)) < 0.3 for _ in range(2))
        people = Population(rng.integers(0, 4, (6, 2)), rng.integers(1, 5, 6), covers)
        tuples = np.column_stack([rng.integers(0, len(cover), 5) for cover in covers])
        expected = [
            sum(
                int(many)
                for ground, many in zip(people.tuples, people.people, strict=True)
                if all(covers[j][line[j], ground[j]] for j in range(2))
            )
            for line in tuples
        ]
        assert fitting(tuples, people).tolist() == expected
        ways.add(all((cover.sum(axis=0) <= 1).all() for cover in covers))
    assert ways == {True, False}
    twice = Population(np.array([[0], [1]]), np.array([3, 4]), (np.array([[True, False], [True, False]]),))
    assert fitting(np.array([[0], [1]]), twice).tolist() == [3, 3]


def test_both_judges_spread_a_mass_over_many_values_alike() -> None:
    """Somebody with eighteen values, which a mass of 720,720 units is not spread over evenly."""
    many = [str(i) for i in range(18)]
    released = Table.from_arrow(
        pa.table({"age": ["2*"] * 18 + ["2*", "3*", "3*"], "ill": [*many, "0", "0", "17"]})
    )
    people = np.array([0] * 18 + [1, 2, 3])
    for distance in ("equal", "ordered"):
        [verdict] = judge_promises(released, ["age"], [TCloseness(0.9, "ill", distance)], respondents=people)
        assert "disagree" not in verdict.note
        assert verdict.in_itself is not None


def test_gains_and_differences_at_their_bounds_are_settled_exactly() -> None:
    """A value of 1 in 4 that becomes 1 in 2 gains 1; |ln 2| is below 0.6931471805599454 and above 0.6931471805599453."""
    classes, totals = [[1, 1], [0, 2]], [1, 3]
    assert judged(BetaLikeness(1, "v"), classes, totals) == (True, 1.0)
    assert not judged(BetaLikeness(0.9999999999999999, "v"), classes, totals).holds
    for delta, kept in ((0.6931471805599453, False), (0.6931471805599454, True)):
        model = DeltaDisclosure(delta, "v", absent="ignore")
        assert judged(model, classes, totals).holds is kept
    assert judged(DeltaDisclosure(9, "v"), classes, totals) == (False, float("inf"))
    near_three_halves = DeltaDisclosure(
        0.40546510810816444, "v"
    )  # ln 3/2 is less, and floating point says no less
    assert judged(near_three_halves, [[1, 1]], [1, 2]).holds


def test_an_enhanced_gain_next_to_its_bound_is_settled_by_many_digits() -> None:
    """ln 4 lies between the two gains of a value that one in four holds."""
    p = Fraction(1, 4)
    for gain, kept in (
        (Fraction(13862943611, 10**10), True),
        (Fraction(13862943612, 10**10), False),
        (Fraction(138629436111989061, 10**17), True),
        (Fraction(138629436111989062, 10**17), False),
    ):
        q = p * (1 + gain)
        n = q.denominator
        classes = [[q.numerator, n - q.numerator]]
        found = judged(BetaLikeness(5, "v", "enhanced"), classes, [1, 3])
        assert found.holds is kept, float(gain) - log(4)
        assert (found.achieved == pytest.approx(float(gain))) is kept


def test_gains_of_products_that_pass_64_bits_are_whole_numbers_still() -> None:
    """A value of 1 in 4 that becomes 1 in 2, of ten thousand million people each."""
    many = 10**10
    for variant in ("basic", "enhanced"):
        model = BetaLikeness(1, "v", variant)
        assert judged(model, [[many, many]], [many, 3 * many]) == (True, 1.0)
        assert not judged(model, [[many + 1, many - 1]], [many, 3 * many]).holds


def test_distances_of_sums_that_pass_64_bits_are_whole_numbers_still() -> None:
    """The same shares, a hundred million times as many people each."""
    hierarchy = Hierarchy.from_rows("v", [("0", "a", "*"), ("1", "a", "*"), ("2", "b", "*")])
    small = Whole(("0", "1", "2"), np.array([2, 1, 1]), None, hierarchy, np.arange(3))
    large = replace(small, records=small.records * 10**10)
    for measure in DISTANCES.values():
        one, other = (
            measure(
                Entries(np.array([0, 0, 1]), np.array([0, 2, 1]), np.array([1, 1, 2]) * times),
                whole.records,
                whole,
            )
            for times, whole in ((1, small), (10**10, large))
        )
        assert other[0].dtype == object
        assert fractions(one) == fractions(other)


def fractions(ratio: Ratio) -> list[Fraction]:
    return [Fraction(int(work), int(unit)) for work, unit in zip(*ratio, strict=True)]


def test_distances_are_the_same_however_many_people_stand_for_one() -> None:
    """Products from 2⁵⁶ to 2⁶⁷: some fit 64 bits, some do not, and none is wrong."""
    tree = Hierarchy.from_rows("v", [(str(i), "ab"[i > 2], "*") for i in range(5)])
    records, counts = np.array([3, 1, 2, 1, 5]), np.array([5, 2, 1])
    for name, measure in DISTANCES.items():
        found = set()
        for times in (1, *(int(2 ** (power / 4)) for power in range(100, 122))):
            whole = Whole(tuple("01234"), records * times, None, tree, np.arange(5))
            classes = Entries(np.array([0, 0, 1]), np.array([0, 3, 4]), counts * times)
            found.add(tuple(fractions(measure(classes, whole.records, whole))))
        assert len(found) == 1, name


def test_a_hierarchy_without_levels_tells_values_apart_as_they_are() -> None:
    flat = Hierarchy.from_rows("v", [("0",)])
    whole = Whole(("0",), np.array([4]), None, flat, np.zeros(1, np.int64))
    work, unit = DISTANCES["hierarchical"](
        Entries(np.zeros(1, int), np.zeros(1, int), np.array([2])), whole.records, whole
    )
    assert (work.tolist(), unit.tolist()) == ([0], [8])


def test_values_under_one_root_are_as_far_apart_as_any_two() -> None:
    flat = Hierarchy.from_rows("v", [(label, "*") for label in "012"])
    whole = Whole(tuple("012"), np.array([1, 2, 5]), None, flat, np.arange(3))
    classes = Entries(np.array([0, 0, 1]), np.array([0, 2, 1]), np.array([1, 2, 4]))
    equal, deep = (
        fractions(DISTANCES[name](classes, whole.records, whole)) for name in ("equal", "hierarchical")
    )
    assert equal == deep == [Fraction(1, 4), Fraction(3, 4)]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("10", "9", None, "2e1"), [1, 0, 3, 2]),
        (("10", "9", None, "x"), [0, 1, 3, 2]),
        (("10", "nan"), [0, 1]),
        (("b", None, "a"), [1, 2, 0]),
    ],
)
def test_values_are_ordered_by_number_or_by_text_and_missing_ones_stand_last(
    labels: tuple[str | None, ...], expected: list[int]
) -> None:
    assert ranks(Whole(labels, np.ones(len(labels), np.int64))).tolist() == expected
    declared = Whole(labels, np.ones(len(labels), np.int64), ground=np.arange(len(labels))[::-1])
    assert ranks(declared).tolist() == list(range(len(labels)))[::-1]


def test_findings_agree_up_to_rounding() -> None:
    one = Finding(True, 0.1 + 0.2)
    assert one.agrees(Finding(True, 0.3))
    assert not one.agrees(Finding(False, 0.3))
    assert not one.agrees(Finding(True, 0.3001))
    assert Finding(True, float("inf")).agrees(Finding(True, float("inf")))
    assert not Finding(True, float("inf")).agrees(Finding(True, 7.0))


# --- the original, counted again -----------------------------------------------------------------------------

ORIGINAL = Table.from_arrow(pa.table({"who": ["a", "a", "b", "c"], "ill": ["flu", "cold", "flu", "flu"]}))


def reference(totals: list[int], pairs: Pairs | None = None) -> Reference:
    return Reference(4, {"ill": Attribute("ill", ("flu", "cold"), np.array(totals), pairs=pairs)})


def test_an_original_that_was_counted_wrongly_is_seen() -> None:
    recount(ORIGINAL, None, reference([3, 1]))
    with pytest.raises(VerificationError, match="column 'ill' of the original was counted in two ways"):
        recount(ORIGINAL, None, reference([2, 2]))
    right = Pairs.of(np.array([0, 0, 1, 2]), np.array([0, 1, 0, 0]), 2)[0]
    recount(ORIGINAL, "who", reference([3, 1], right))
    for wrong in ([0, 1, 2, 3], [0, 0, 0, 2]):
        pairs = Pairs.of(np.array(wrong), np.array([0, 1, 0, 0]), 2)[0]
        with pytest.raises(VerificationError, match="counted in two ways"):
            recount(ORIGINAL, "who", reference([3, 1], pairs))


# --- the public side -----------------------------------------------------------------------------------------


def test_what_is_told_in_public_is_judged_twice_too(monkeypatch: pytest.MonkeyPatch) -> None:
    released = Table.from_arrow(
        pa.table({"age": ["2*", "2*", "3*", "3*"], "ill": ["flu", "cold", "flu", "flu"]})
    )
    told = contents_of(released, ["age"], ["ill"])
    ill = Attribute("ill", told.labels["ill"], told.counts("ill"))
    own = Reference(4, {"ill": ill})
    assert shown_in(told.classes, KAnonymity(2), own).achieved == 2
    assert shown_in(told.classes, TCloseness(0.5, "ill"), own).in_itself == 0.25
    monkeypatch.setattr(TCloseness, "achieved", lambda _, __: 0.1)
    with pytest.raises(VerificationError, match=r"0.5-closeness of ill .* the two judges"):
        shown_in(told.classes, TCloseness(0.5, "ill"), own)


def test_a_counted_release_knows_how_many_classes_it_has() -> None:
    assert len(Counted(np.array([2, 3]), np.array([2, 3]), {})) == 2
