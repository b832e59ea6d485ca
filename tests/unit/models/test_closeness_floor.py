"""The closeness of many nodes: same verdict as the model, and a floor that no split undercuts."""

import numpy as np
import pytest

from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.models import Attribute, Reference, TCloseness, failing_for_good
from kohort.models.closeness_floor import floor_of

TREE = Hierarchy.from_rows("s", [[str(v), f"{v // 2}x", f"{v // 4}xx", "*"] for v in range(7)])


def random_table(rng):
    n = int(rng.integers(4, 60))
    values = rng.choice(7, n, p=rng.dirichlet(np.ones(7) * 0.7)).astype(np.int32)
    attribute = Attribute("s", TREE.ground, np.bincount(values, minlength=7), TREE, np.arange(7))
    return n, values, Reference(n, {"s": attribute})


@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
def test_verdict_is_the_models_and_the_floor_holds_for_every_split(distance):
    rng = np.random.default_rng(["equal", "ordered", "hierarchical"].index(distance))
    binding = 0
    for _ in range(150):
        n, values, reference = random_table(rng)
        model = TCloseness(float(rng.choice([0.05, 0.1, 0.25, 0.5])), "s", distance).bind(reference)
        coarse = rng.integers(0, 3, n)
        classes, class_of = classes_of_rows(coarse[:, None].astype(np.int32), {"s": (values, 7)})
        failing, floor = failing_for_good(model, classes)
        assert (failing == model.failing(classes)).all()
        assert (floor <= classes.rows).all()
        assert (floor[~failing] == 0).all()
        for parts in (2, 3, 8):
            fine = np.column_stack([coarse, rng.integers(0, parts, n)]).astype(np.int32)
            split, part_of = classes_of_rows(fine, {"s": (values, 7)})
            lost = model.failing(split)[part_of]
            suppressed = np.bincount(class_of, lost, minlength=len(classes))
            assert (suppressed >= floor - 1e-6).all()
        binding += int((floor >= 1).sum())
    assert binding > 10


@pytest.mark.parametrize(
    ("distance", "over", "t", "floor"),
    [
        (0.5, 0.2, 0.1, 10 * 0.4 / 0.7),
        (0.5, 0.0, 0.1, 10 * 0.4 / 0.9),
        (0.1, 0.2, 0.1, 0),  # within t
        (0.9, 0.8, 0.1, 10),  # more than there are: all of them
        (0.5, 0.95, 0.1, 10),  # there is no room at all
        (0.05, 0.95, 0.1, 0),
    ],
)
def test_the_floor_by_hand(distance, over, t, floor):
    """Of ten records n·(d − t) / (1 − P − t) are lost."""
    [found] = floor_of(np.array([distance]), np.array([over]), t, np.array([10.0]))
    assert found == pytest.approx(floor, abs=1e-6)


@pytest.mark.parametrize("t", [0.05, 0.1, 0.2, 0.3, 0.35])
def test_a_class_exactly_at_t_passes_whatever_floating_point_says(t):
    """Of 20·n records of a class, 20·t·n more hold a value than of the table's as many."""
    for times in (1, 3, 7):
        step = round(20 * t) * times
        for many in range(20 * times - step + 1):
            values = np.repeat(np.array([0, 1], np.int32), [many + step, 20 * times - many - step])
            classes, _ = classes_of_rows(np.zeros((len(values), 1), np.int32), {"s": (values, 2)})
            table = Reference(20, {"s": Attribute("s", ("a", "b"), np.array([many, 20 * times - many]))})
            for bound, fails in ((t, False), (t - 1e-12, True)):
                failing, _ = failing_for_good(TCloseness(bound, "s").bind(table), classes)
                assert failing.tolist() == [fails], (many, times)


def test_nothing_is_told_of_splits_where_people_have_several_rows():
    values = np.array([0, 1, 0, 0], np.int32)
    classes, _ = classes_of_rows(np.array([[0], [0], [1], [1]], np.int32), {"s": (values, 2)})
    table = Reference(4, {"s": Attribute("s", ("a", "b"), np.array([3, 1]))}, people=3)
    model = TCloseness(0.1, "s").bind(table)
    failing, floor = failing_for_good(model, classes)
    assert failing.tolist() == model.failing(classes).tolist()
    assert floor is None
