"""The readings of people with several values, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from kohort.classes import Histogram, Holders, Pairs, classes_of_rows
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.models import Attribute, BetaLikeness, DeltaDisclosure, Personalized, Reference, TCloseness
from kohort.models.closeness_of_people import measures, one_value, spread
from kohort.models.of_people import least_diverse


def held(*counts: int) -> Histogram:
    return Histogram(
        np.array([0, len(counts)]), np.arange(len(counts), dtype=np.int32), np.array(counts), len(counts)
    )


@pytest.mark.parametrize(
    ("counts", "people", "reading"),
    [
        ((3, 2), 5, [3, 2]),
        ((5, 5), 5, [5]),  # everybody holds both
        ((2, 2, 1, 1), 4, [2, 2]),
        ((1, 4, 2), 5, [4, 1]),
        ((1, 1, 1), 1, [1]),  # three values of one person
    ],
)
def test_values_are_taken_as_often_as_people_hold_them_while_people_last(counts, people, reading):
    assert least_diverse(held(*counts), np.array([people])).counts.tolist() == reading


def test_several_classes_are_read_one_by_one():
    histogram = Histogram(np.array([0, 2, 2, 4]), np.array([0, 1, 0, 1]), np.array([2, 2, 1, 3]), 2)
    read = least_diverse(histogram, np.array([2, 0, 4]))
    assert read.starts.tolist() == [0, 1, 1, 3]
    assert read.counts.tolist() == [2, 3, 1]
    assert read.values.tolist() == [0, 0, 1], "ranks in the class"


def people(*held_by: tuple[int, ...]) -> Holders:
    person = np.concatenate([[i] * len(values) for i, values in enumerate(held_by)])
    value = np.concatenate([list(values) for values in held_by])
    return Pairs.of(person, value, int(value.max()) + 1)[0].whole()


def test_a_person_is_spread_evenly_over_their_values():
    assert spread(people((0,), (0, 1), (0, 1, 2)), units=6).dense().tolist() == [[11, 5, 2]]


def test_more_values_than_units_divide_are_spread_to_the_unit():
    [masses] = spread(people(tuple(range(7)), (0,)), units=12).dense().tolist()
    assert sum(masses) == 24
    assert sorted(masses[1:]) == [1, 1, 2, 2, 2, 2]
    assert spread(people((0,), tuple(range(7))), units=12).dense().tolist() == [[14, 2, 2, 2, 2, 1, 1]]


def test_one_value_is_the_first_in_the_rank():
    holders = people((0, 2), (1, 2), (2,))
    rank = np.array([0, 1, 2])
    assert one_value(holders, rank=rank).dense().tolist() == [[1, 1, 1]]
    assert one_value(holders, rank=-rank).dense().tolist() == [[0, 0, 3]]


def test_somebody_with_many_values_is_near_to_themselves():
    """Twenty values of one person among others: the table in one class is at distance 0 from itself."""
    person = np.concatenate([np.zeros(20, int), np.arange(1, 11)])
    value = np.concatenate([np.arange(20), np.arange(10)]).astype(np.int32)
    classes = classes_of_rows(np.zeros((30, 1), np.int32), {"d": (value, 20)}, person)[0]
    pairs = Pairs.of(person, value, 20)[0]
    labels = tuple(f"{i:02}" for i in range(20))
    reference = Reference(30, {"d": Attribute("d", labels, np.bincount(value), pairs=pairs)}, people=11)
    for distance in ("equal", "ordered"):
        model = TCloseness(0.001, "d", distance).bind(reference)
        assert model.achieved(classes) == 0.0
        assert model.holds(classes)


@pytest.mark.parametrize(
    ("most", "units"), [(1, 1), (2, 2), (3, 6), (16, 720_720), (17, 720_720), (20, 720_720)]
)
def test_a_person_is_as_many_units_as_all_numbers_of_values_up_to_sixteen_divide(most, units):
    person = np.concatenate([np.zeros(most, int), [1, 2]])
    value = np.concatenate([np.arange(most), [0, 0]]).astype(np.int32)
    classes = classes_of_rows(np.zeros((most + 2, 1), np.int32), {"d": (value, most)}, person)[0]
    pairs = Pairs.of(person, value, most)[0]
    attribute = Attribute("d", tuple(f"{i:02}" for i in range(most)), np.bincount(value), pairs=pairs)
    work, unit = measures(attribute, "equal")[0](classes, False)
    assert (work.tolist(), unit.tolist()) == ([0], [(3 * units) ** 2])


@pytest.mark.parametrize("model", [TCloseness(0.5, "d"), BetaLikeness(1.0, "d"), DeltaDisclosure(1.0, "d")])
def test_people_are_not_compared_with_a_table_counted_in_rows(model):
    classes = classes_of_rows(
        np.zeros((3, 1), np.int32), {"d": (np.array([0, 1, 0]), 2)}, np.array([0, 0, 1])
    )[0]
    rows = Reference(3, {"d": Attribute("d", ("a", "b"), np.array([2, 1]))})
    with pytest.raises(InputError, match="counted in rows"):
        model.bind(rows).failing(classes)


def test_a_guard_is_broken_by_the_share_of_people_not_only_of_rows():
    """Five people of five rows, four with hiv in one: by chance 62 % of five rows hold one, of the people 80 % do."""
    person, ill = np.repeat(np.arange(5), 5), np.zeros(25, np.int32)
    ill[[0, 5, 10, 15]] = 1
    guard = np.where(ill == 1, 1, 0).astype(np.int32)
    classes = classes_of_rows(np.zeros((25, 1), np.int32), {"ill": (ill, 2), "guard": (guard, 2)}, person)[0]
    tree = Hierarchy.from_rows("ill", [("flu", "mild", "*"), ("hiv", "grave", "*")])
    pairs = Pairs.of(person, ill, 2)[0]
    reference = Reference(
        25,
        {"ill": Attribute("ill", ("flu", "hiv"), np.bincount(ill), tree, np.arange(2), pairs)},
        guards={"guard": Attribute("guard", (None, "grave"), np.bincount(guard))},
        people=5,
    )
    assert Personalized(0.7, "ill", "guard").bind(reference).achieved(classes) == 0.8
    assert not Personalized(0.7, "ill", "guard").bind(reference).holds(classes)
    assert Personalized(0.8, "ill", "guard").bind(reference).holds(classes)


def three_people():
    """The first of three people holds both values, the others one each."""
    pairs = Pairs.of(np.array([0, 0, 1, 2]), np.array([0, 1, 0, 1], np.int32), 2)[0]
    return Attribute("d", ("a", "b"), np.array([2, 2]), pairs=pairs)


def test_classes_in_which_nobody_has_several_rows_are_compared_with_people_who_have():
    """Of the class two hold a and one b. By masses (1.5 to 1.5), least (2 to 1) and greatest values (1 to 2)."""
    classes = classes_of_rows(np.zeros((3, 1), np.int32), {"d": (np.array([0, 0, 1], np.int32), 2)})[0]
    found = [measure(classes, False) for measure in measures(three_people(), "ordered")]
    assert [(work.tolist(), unit.tolist()) for work, unit in found] == [([6], [36]), ([0], [9]), ([3], [9])]
    mass, shares = (measure(classes, False) for measure in measures(three_people(), "equal"))
    assert (mass[0].tolist(), mass[1].tolist()) == ([6], [36])
    assert (shares[0].tolist(), shares[1].tolist()) == ([3], [9]), (
        "2/3 hold each value, of the class 1/3 holds b"
    )


@pytest.mark.parametrize(
    ("n_people", "kind"),
    [(12, np.int64), (2**31 - 1, np.int64), (2**31, np.float64), (2**40, np.float64)],
)
def test_shares_are_whole_numbers_while_their_products_fit(n_people, kind):
    attribute = three_people()
    large = replace(attribute, pairs=replace(attribute.pairs, n_people=n_people))
    classes = classes_of_rows(np.zeros((3, 1), np.int32), {"d": (np.array([0, 0, 1], np.int32), 2)})[0]
    work, unit = measures(large, "equal")[1](classes, False)
    assert work.dtype == unit.dtype == kind
    assert unit.tolist() == [3 * n_people]
    assert work.tolist() == [2 * n_people - 2 * 3]  # two of three, against two of all
    tall = Hierarchy.from_rows("d", [("a", "p", "q", "*"), ("b", "r", "q", "*")])
    work, _ = measures(replace(large, hierarchy=tall, ground=np.arange(2)), "hierarchical")[1](classes, False)
    assert work.dtype == (np.int64 if n_people == 12 else np.float64), "three levels are added up"


TREE = Hierarchy.from_rows("ill", [("flu", "mild", "*"), ("hiv", "grave", "*")])


def test_a_guard_is_broken_by_the_rows_of_whoever_has_most_in_the_class():
    """In the second class one of four rows holds hiv, and somebody has two of them: 1 − C(3,2)/C(4,2) = 1/2."""
    person = np.array([0, 1, 2, 2, 3, 4])
    ill, guard = np.array([0, 0, 0, 0, 1, 0], np.int32), np.array([0, 0, 0, 0, 1, 0], np.int32)
    rows = np.array([0, 0, 1, 1, 1, 1], np.int32)[:, None]
    classes = classes_of_rows(rows, {"ill": (ill, 2), "guard": (guard, 2)}, person)[0]
    reference = Reference(
        6,
        {"ill": Attribute("ill", ("flu", "hiv"), np.array([5, 1]), TREE, np.arange(2))},
        guards={"guard": Attribute("guard", (None, "grave"), np.array([5, 1]))},
        people=5,
    )
    for breach, failing in ((0.5, [False, False]), (0.49, [False, True])):
        model = Personalized(breach, "ill", "guard").bind(reference)
        assert model.achieved(classes) == 0.5
        assert model.failing(classes).tolist() == failing
        alone = classes.kept(np.array([False, True]))
        assert model.failing(alone).tolist() == failing[1:]
    nothing = classes.kept(np.array([False, False]))
    assert model.holds(nothing) is True


def test_a_guard_needs_a_hierarchy():
    guard = {"guard": Attribute("guard", ("grave",), np.array([1]))}
    for tree, ground in ((TREE, None), (None, np.arange(2)), (None, None)):
        plain = {"ill": Attribute("ill", ("flu", "hiv"), np.array([1, 1]), tree, ground)}
        with pytest.raises(InputError, match="column 'ill' has no hierarchy"):
            Personalized(0.5, "ill", "guard").bind(Reference(2, plain, guards=guard))
