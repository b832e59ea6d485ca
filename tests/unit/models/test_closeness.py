from math import isqrt

import numpy as np
import pytest
from scipy.optimize import linprog
from tests.reference.worlds import HIERARCHIES, LABELS, PATHS, world

from kohort.classes import Histogram, classes_of_rows
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.models import Attribute, Reference, TCloseness
from kohort.models.earth_mover import Equal, Hierarchical, Ordered, domain_order


def transport(p, q, ground):
    """The earth mover's distance by linear programming: the definition itself."""
    m = len(p)
    rows = [[1.0 if i == r else 0.0 for i in range(m) for _ in range(m)] for r in range(m)]
    cols = [[1.0 if j == c else 0.0 for _ in range(m) for j in range(m)] for c in range(m)]
    solved = linprog(ground.reshape(-1), A_eq=rows + cols, b_eq=[*p, *q], bounds=(0, None))
    assert solved.success
    return solved.fun


def common_height(a, b, paths):
    return next(h for h, (x, y) in enumerate(zip(paths[a], paths[b], strict=True)) if x == y)


@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
def test_the_formulas_equal_the_transport_problem(distance):
    rng = np.random.default_rng(29)
    for _ in range(25):
        found = world(rng)
        column = "income" if distance == "ordered" else "disease"
        attribute = found.reference.attributes[column]
        labels = [attribute.labels[c] for c in domain_order(attribute)]
        m = len(labels)
        table = [found.values[column].count(label) / len(found.values[column]) for label in labels]
        if distance == "equal":
            ground = 1 - np.eye(m)
        elif distance == "ordered":
            ground = np.abs(np.subtract.outer(np.arange(m), np.arange(m))) / max(m - 1, 1)
        else:
            height = HIERARCHIES[column].height
            ground = np.array([[common_height(a, b, PATHS[column]) / height for b in labels] for a in labels])
        model = TCloseness(0.5, column, distance).bind(found.reference)
        for measured, values in zip(model.distances(found.classes), found.members(column), strict=True):
            own = [values.count(label) / len(values) for label in labels]
            assert measured == pytest.approx(transport(own, table, ground), abs=1e-9)


def test_li_et_al_example_of_ordered_distances():
    """Salaries 3k…11k: {3,4,5} is 0.375 from the table, {6,8,11} is 0.167 (t-closeness paper, section 4.3)."""
    codes = np.array([0, 1, 2, 3, 5, 8, 4, 6, 7], np.int32)  # 3k 4k 5k | 6k 8k 11k | 7k 9k 10k
    classes, _ = classes_of_rows(
        np.array([[0]] * 3 + [[1]] * 3 + [[2]] * 3, np.int32), {"salary": (codes, 9)}
    )
    labels = tuple(str(1000 * s) for s in range(3, 12))
    reference = Reference(9, {"salary": Attribute("salary", labels, np.ones(9, np.int64))})
    measured = TCloseness(0.2, "salary", "ordered").bind(reference).distances(classes)
    assert measured[:2] == pytest.approx([0.375, 1 / 6])


def test_t_is_met_exactly_at_the_boundary():
    """Shares 3/10 against 1/10: the distance is 1/5, and 0.2 allows it though floats say 0.19999999999999998."""
    codes = np.array([0] * 3 + [1] * 7 + [0] * 1 + [1] * 29, np.int32)
    classes, _ = classes_of_rows(np.array([[0]] * 10 + [[1]] * 30, np.int32), {"s": (codes, 2)})
    reference = Reference(40, {"s": Attribute("s", ("a", "b"), np.array([4, 36]))})
    assert not TCloseness(0.1999999999, "s").bind(reference).failing(classes)[1]
    assert TCloseness(0.2, "s").bind(reference).holds(classes)
    assert not TCloseness(0.1999999999999, "s").bind(reference).holds(classes), (
        "whole numbers need no tolerance"
    )
    with pytest.raises(InputError, match="no sensitive column 's'"):
        TCloseness(0.2, "s").bind(reference).failing(classes_of_rows(np.zeros((2, 1), np.int32), {})[0])
    assert TCloseness(0.1999999999, "s").bind(reference).failing(classes).tolist() == [True, False]


def test_numbers_are_ordered_by_value_and_text_alphabetically_missing_last():
    def order(*labels):
        attribute = Attribute("s", labels, np.ones(len(labels), np.int64))
        return [labels[c] for c in domain_order(attribute)]

    assert order("10", None, "9", "100") == ["9", "10", "100", None]
    assert order("b", None, "a", "10") == ["10", "a", "b", None]
    assert order("nan", "2", "10") == ["10", "2", "nan"]


def test_tables_too_large_for_64_bits_are_measured_in_floating_point():
    rng = np.random.default_rng(4)
    found = world(rng, 60)
    while len(found.classes) < 3:
        found = world(rng, 60)
    small = found.reference.attributes["disease"]
    huge = 10**9
    for kind in (Equal, Ordered, Hierarchical):
        large = Attribute(small.name, small.labels, small.totals * huge, small.hierarchy, small.ground)
        histogram = found.classes.sensitive["disease"]
        blown = Histogram(histogram.starts, histogram.values, histogram.counts * huge, histogram.size)
        (work, unit), (work_f, unit_f) = kind(small).work(histogram), kind(large).work(blown)
        assert work.dtype == np.int64
        assert work_f.dtype == np.float64
        assert work_f / unit_f == pytest.approx(work / unit)


def test_a_model_that_is_not_bound_says_so():
    found = world(np.random.default_rng(1))
    with pytest.raises(InputError, match="bind it"):
        TCloseness(0.2, "disease").failing(found.classes)


def test_wrong_parameters_are_told():
    with pytest.raises(InputError, match="above 0 and at most 1"):
        TCloseness(0, "a")
    with pytest.raises(InputError, match="equal, ordered, hierarchical"):
        TCloseness(0.2, "a", "euclid")
    with pytest.raises(InputError, match="no sensitive column 'a' in the table"):
        TCloseness(0.2, "a").bind(Reference(1))
    flat = Hierarchy.from_rows("a", [("x", "*"), ("y", "*")])
    for tree, ground in ((None, None), (flat, None), (None, np.arange(2))):
        plain = Reference(2, {"a": Attribute("a", ("x", "y"), np.array([1, 1]), tree, ground)})
        with pytest.raises(InputError, match="needs a hierarchy for column 'a'"):
            TCloseness(0.2, "a", "hierarchical").bind(plain)


def test_one_value_is_everywhere_alike():
    classes, _ = classes_of_rows(np.array([[0], [1]], np.int32), {"a": (np.zeros(2, np.int32), 1)})
    flat = Hierarchy.from_rows("a", [("x", "*")])
    reference = Reference(2, {"a": Attribute("a", ("x",), np.array([2]), flat, np.zeros(1, np.int32))})
    for distance in ("equal", "ordered", "hierarchical"):
        assert TCloseness(0.01, "a", distance).bind(reference).achieved(classes) == 0
    assert LABELS["disease"][2] is None


@pytest.mark.parametrize(("kind", "factor"), [(Equal, 2), (Ordered, 4), (Hierarchical, 6)])
def test_distances_are_whole_numbers_while_products_fit(kind, factor):
    """Three values, and a hierarchy of height 3: n²·factor must stay below 2⁶²."""
    tree = Hierarchy.from_rows("a", [("x", "p", "q", "*"), ("y", "p", "q", "*"), ("z", "r", "q", "*")])
    most = isqrt((2**62 - 1) // factor)
    for n, exact in ((3, True), (most, True), (most + 1, False)):
        totals = np.array([n - 2, 1, 1])
        assert kind(Attribute("a", ("x", "y", "z"), totals, tree, np.arange(3, dtype=np.int32))).fits is exact


@pytest.mark.parametrize("starts", [[0, 0, 1], [0, 1, 1], [0, 0, 0, 1]])
def test_a_class_that_holds_nothing_is_nowhere(starts):
    """Half of the table holds each value, and the class that holds something only the first."""
    flat = Hierarchy.from_rows("a", [("x", "*"), ("y", "*")])
    attribute = Attribute("a", ("x", "y"), np.array([1, 1]), flat, np.arange(2, dtype=np.int32))
    histogram = Histogram(np.array(starts), np.array([0], np.int32), np.array([2]), 2)
    held = np.diff(starts)
    for kind in (Equal, Ordered, Hierarchical):
        work, unit = kind(attribute).work(histogram)
        assert work.tolist() == (2 * held).tolist()
        assert unit.tolist() == (4 * held).tolist()
