"""The metrics on tables of a few rows, with answers computed by hand."""

import numpy as np
import pytest

from kohort.classes import classes_of_rows
from kohort.errors import InputError
from kohort.metrics import Ambiguity, Classification, Entropy, InformationLoss, Outcome
from kohort.metrics.quality import accuracy, completeness


def outcome(**changes):
    """Two classes of 2 and 3 records over (age of 11 numbers, sex), and one of six records suppressed."""
    codes = np.array([[0, 0], [0, 0], [1, 1], [1, 1], [1, 1]], np.int32)
    classes, _ = classes_of_rows(codes, {"ill": (np.array([0, 1, 0, 0, 2], np.int32), 3)})
    told = {
        "classes": classes,
        "leaves": np.array([[1.0, 1.0], [6.0, 2.0]]),
        "depth": np.array([[0.0, 0.0], [0.5, 1.0]]),
        "domain": np.array([11, 2]),
        "suppressed": 1,
        "n_rows": 6,
        "weights": np.ones(2),
        "extent": lambda j: np.array([[0.0, 0.5], [0.0, 1.0]][j]),
        "heights": np.array([4, 1]),
    }
    return Outcome(**(told | changes))


def test_information_loss_sums_over_records_and_attributes():
    """Three records lose 1/2 by their interval and 1 by their label; the suppressed one loses 2."""
    assert InformationLoss().score(outcome()) == pytest.approx(3 * (0.5 + 1) + 2)
    assert InformationLoss().score(outcome(weights=np.array([2.0, 0.0]))) == pytest.approx(2 * (3 * 0.5 + 1))
    for scale in (1e-300, 1e300, 1.7e308):
        assert InformationLoss().score(outcome(weights=np.full(2, scale))) == pytest.approx(3 * 1.5 + 2)
    with pytest.raises(InputError, match="does not tell how wide"):
        InformationLoss().score(outcome(extent=None))


def test_classification_counts_minorities_and_suppressed_records():
    assert Classification("ill").score(outcome()) == 1 + 1 + 1
    nothing = outcome(classes=outcome().classes.kept(np.array([False, False])), suppressed=6)
    assert Classification("ill").score(nothing) == 6


def test_classification_needs_its_target():
    with pytest.raises(InputError, match="'pay' is not among the columns counted: ill"):
        Classification("pay").score(outcome())
    with pytest.raises(InputError, match="no target"):
        Classification("")
    assert Classification("ill").reads == {"ill"}


def test_ambiguity_is_the_mean_number_of_tuples_covered():
    assert Ambiguity().score(outcome()) == pytest.approx((2 * 1 + 3 * 12 + 1 * 22) / 6)


def test_ambiguity_of_nothing_suppressed_is_a_number_whatever_the_domain():
    vast = np.array([2**62] * 20)
    classes = classes_of_rows(np.zeros((6, 20), np.int32))[0]
    told = {"classes": classes, "domain": vast, "weights": np.ones(20), "leaves": np.ones((1, 20))}
    assert Ambiguity().score(outcome(suppressed=0, **told)) == 1
    assert Ambiguity().score(outcome(suppressed=1, **told)) == np.inf


def test_entropy_hides_little_where_one_value_dominates():
    """Age: 2 records of value 0 told exactly, values 1, 1, 2 shown as one label, one of value 3 suppressed."""
    joints = [np.array([[0, 0, 2], [1, 1, 2], [2, 1, 1]]), np.array([[0, 0, 2], [1, 1, 3]])]
    totals = (np.array([2, 2, 1, 1]), np.array([3, 3]))
    found = Entropy().score(outcome(joint=lambda j: joints[j], totals=totals))
    all_age = 4 * np.log2(3) + 2 * np.log2(6)
    lost_age = 2 * np.log2(3 / 2) + np.log2(3) + np.log2(6)
    assert found == pytest.approx((lost_age / all_age + 1 / 6) / 2)


def test_entropy_needs_to_know_what_became_what():
    with pytest.raises(InputError, match="which original value"):
        Entropy().score(outcome())


def test_accuracy_and_completeness_of_samarati():
    """Heights 4 and 1: on average 3/5 · (2 + 1) of 5 steps are climbed."""
    assert accuracy(outcome()) == pytest.approx(1 - (3 / 5) * 3 / 5)
    assert accuracy(outcome(heights=None)) == pytest.approx(1 - (3 / 5) * 1.5 / 2)
    assert completeness(outcome()) == pytest.approx(5 / 6)
    empty = outcome(classes=outcome().classes.kept(np.array([False, False])), suppressed=6)
    assert (accuracy(empty), completeness(empty)) == (1, 0)
