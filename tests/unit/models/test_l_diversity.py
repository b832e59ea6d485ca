import math
import tomllib

import numpy as np
import pytest

from kohort.classes import Classes, Histogram
from kohort.errors import InputError
from kohort.models import LDiversity
from kohort.models.l_diversity import _entropy_reaches, entropy_diverse, recursive_diverse, recursive_l


def classes_with(*counts):
    """One class for each list of value counts."""
    owners = np.repeat(np.arange(len(counts)), [len(c) for c in counts])
    values = np.concatenate([np.arange(len(c)) for c in counts])
    flat = np.concatenate(counts).astype(np.int64)
    histogram = Histogram.of(owners, values, len(counts), int(values.max()) + 1, flat)
    rows = np.array([sum(c) for c in counts])
    return Classes(np.arange(len(counts))[:, None], (0,), rows, rows, {"diagnosis": histogram})


@pytest.mark.parametrize("times", [1, 3, 7, 1000, 99_991])
def test_uniform_classes_of_exactly_l_values_pass_entropy_for_every_l(times):
    for l in range(2, 200):  # noqa: E741
        uniform = classes_with([times] * l)
        assert LDiversity(l, "diagnosis", "entropy").holds(uniform)
        assert LDiversity(l, "diagnosis", "entropy").achieved(uniform) == l
        assert not LDiversity(l + 1, "diagnosis", "entropy").holds(uniform)
        assert not LDiversity(l + 1e-9, "diagnosis", "entropy").holds(uniform)


def test_entropy_is_exact_at_a_boundary_that_is_not_uniform():
    """Shares 1/2 and four times 1/8 have an entropy of exactly two bits: log 4."""
    for scale in (1, 3, 10, 12345):
        assert LDiversity(4, "diagnosis", "entropy").holds(classes_with([4 * scale] + [scale] * 4))
    assert not LDiversity(4, "diagnosis", "entropy").holds(classes_with([4001, 1000, 1000, 1000, 1000]))


def test_entropy_of_a_large_class_at_the_boundary_goes_by_the_tolerance():
    assert LDiversity(2, "diagnosis", "entropy").holds(classes_with([10**9, 10**9 + 1, 1]))
    assert not LDiversity(2, "diagnosis", "entropy").holds(classes_with([10**9, 10**9 - 10**6]))


def test_recursive_is_strict():
    """r1 = 4 against c · (r2 + r3) = 2 · 2: equal is not less."""
    assert not LDiversity(2, "diagnosis", "recursive", c=2).holds(classes_with([4, 1, 1]))
    assert LDiversity(2, "diagnosis", "recursive", c=2).holds(classes_with([3, 1, 1]))
    assert not LDiversity(3, "diagnosis", "recursive", c=3).holds(classes_with([3, 1, 1]))
    assert LDiversity(3, "diagnosis", "recursive", c=3.1).holds(classes_with([3, 1, 1]))


def test_achieved_is_the_least_over_the_classes():
    found = classes_with([5, 1], [2, 2, 2], [1])
    assert LDiversity(2, "diagnosis").achieved(found) == 1
    assert LDiversity(2, "diagnosis").failing(found).tolist() == [False, False, True]
    assert LDiversity(2, "diagnosis", "entropy").achieved(classes_with([5, 1], [2, 2])) == pytest.approx(
        math.exp(-(5 / 6) * math.log(5 / 6) - (1 / 6) * math.log(1 / 6))
    )
    assert LDiversity(2, "diagnosis", "recursive", c=1.0).achieved(classes_with([2, 2, 1])) == 2


def test_labels_are_words():
    assert LDiversity(3, "diagnosis").label == "distinct 3-diversity of diagnosis"
    assert LDiversity(2.5, "diagnosis", "entropy").label == "entropy 2.5-diversity of diagnosis"
    assert LDiversity(2, columns=["a", "b"], variant="recursive", c=0.5).label == (
        "recursive (0.5, 2)-diversity of a and b"
    )


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ("l = 1", "l is 1; it must be a whole number of at least 2"),
        ("l = 2.5", "whole number"),
        ("l = true", "l is True"),
        ('l = 3\nvariant = "entropic"', "distinct, entropy, recursive"),
        ('l = 3\nvariant = "recursive"', "c is None"),
        ('l = 3\nvariant = "recursive"\nc = 0', "above 0"),
        ("l = 3\nc = 2", "only recursive takes c"),
        ('l = 1.0\nvariant = "entropy"', "above 1"),
        ('l = inf\nvariant = "entropy"', "infinite"),
    ],
)
def test_wrong_parameters_are_told(parameters, told):
    with pytest.raises(InputError, match=told):
        LDiversity(column="diagnosis", **tomllib.loads(parameters))


def test_a_column_must_be_named_and_exist():
    with pytest.raises(InputError, match="no sensitive column is named"):
        LDiversity(2)
    with pytest.raises(InputError, match="no sensitive column 'x'; the sensitive columns are: diagnosis"):
        LDiversity(2, "x").failing(classes_with([1]))


@pytest.mark.parametrize(
    ("counts", "l", "reached"),
    [
        ([4, 1, 1, 1, 1], 4, True),  # 8⁸ = 4⁸·4⁴
        ([4, 1, 1, 1, 1], 4.0000000000004, False),  # by less than the tolerance
        ([20_000, 5_000, 5_000, 5_000, 5_000], 4, True),
        ([20_000, 5_000, 5_000, 5_000, 5_000], 4.0000000000004, False),  # the same shares, as exactly
        ([3, 1], 2, False),  # 256 against 16·27
        ([3, 1], 1.5, True),  # 256·16 against 81·27
        ([3, 1], 1.8, False),
        ([2, 1], 1.9, False),  # 27·1000 against 6859·4
        ([2, 1], 1.8, True),  # 27·125 against 729·4
    ],
)
def test_entropy_is_settled_in_whole_numbers(counts, l, reached):  # noqa: E741
    assert _entropy_reaches(np.array(counts), l) is reached


def test_each_class_near_the_boundary_is_settled_by_its_own_counts():
    found = classes_with([3, 1], [4, 1, 1, 1, 1], [2, 2, 2, 2]).sensitive["diagnosis"]
    assert entropy_diverse(found, 4).tolist() == [False, True, True]
    assert entropy_diverse(found, 4.0000000000004).tolist() == [False, False, False]


def test_a_class_that_holds_nothing_has_no_diversity():
    found = Histogram(np.array([0, 0, 3, 3]), np.arange(3, dtype=np.int32), np.array([2, 2, 1]), 3)
    assert recursive_l(found, 1.0).tolist() == [1, 2, 1]
    assert recursive_l(found, 2.1).tolist() == [1, 3, 1]
    assert recursive_diverse(found, 2.1, 3).tolist() == [False, True, False]
    assert recursive_diverse(found, 2.0, 3).tolist() == [False, False, False]
