from itertools import combinations

import numpy as np
import pytest
from tests.reference.metrics import kullback_leibler as naive_divergence

from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.metrics.cover import cover, midpoints, spread
from kohort.metrics.divergence import Coded, kullback_leibler, marginal_divergences, pair_divergences
from kohort.metrics.moments import correlations, moments

AGE = Hierarchy.from_rows("age", [(str(a), f"{a // 2 * 2}+1", "*") for a in range(20, 24)])
JOB = Hierarchy.from_rows("job", [("cook", "trade", "*"), ("baker", "trade", "*"), (None, None, "*")])


def test_a_label_covers_the_ground_values_under_it():
    found = cover(AGE, ["20", "22+1", "*", "[21, 22]"])
    assert found.astype(int).tolist() == [[1, 0, 0, 0], [0, 0, 1, 1], [1, 1, 1, 1], [0, 1, 1, 0]]
    assert spread(found)[1].tolist() == [0, 0, 0.5, 0.5]
    assert midpoints(AGE.numbers, found).tolist() == [20, 22.5, 21.5, 21.5]
    with pytest.raises(InputError, match="1 of its 2 released labels"):
        cover(AGE, ["20", "37.5"])


def test_missing_numbers_have_no_middle():
    ages = Hierarchy.from_rows("age", [("1", "*"), ("3", "*"), (None, "*")])
    assert midpoints(ages.numbers, cover(ages, ["1", "*", None])).tolist()[:2] == [1, 2]
    assert np.isnan(midpoints(ages.numbers, cover(ages, [None]))).all()


def test_one_bit_where_two_equally_likely_values_are_told_as_one_of_four():
    p, q = np.array([0.5, 0.5, 0, 0]), np.full(4, 0.25)
    assert kullback_leibler(p, q) == pytest.approx(1)
    assert kullback_leibler(q, p) == np.inf
    assert kullback_leibler(p, p) == 0


def records(coded, sizes):
    """Return the records per code of each attribute."""
    return [
        np.bincount(coded.codes[:, j], coded.records, size).astype(np.int64) for j, size in enumerate(sizes)
    ]


def test_an_exact_release_diverges_by_nothing():
    codes = np.array([[0, 0], [1, 1], [3, 2]], np.int32)
    original = Coded(codes, np.array([5, 2, 1]))
    exact = [np.eye(4, dtype=bool), np.eye(3, dtype=bool)]
    assert marginal_divergences(records(original, (4, 3)), original, exact).tolist() == [0, 0]
    assert pair_divergences(original, original, exact) == {(0, 1): 0}


def test_a_suppressed_record_may_be_anything():
    """Two records of value 0 of two; one is suppressed: the reader believes in 1.5 and 0.5 of 2."""
    original = Coded(np.array([[0]], np.int32), np.array([2]))
    released = Coded(np.array([[0]], np.int32), np.array([1]))
    told = marginal_divergences(records(original, (2,)), released, [np.eye(2, dtype=bool)])
    assert told == pytest.approx([np.log2(1 / 0.75)])


@pytest.mark.parametrize("dense", [0, 20_000])
@pytest.mark.parametrize("seed", range(30))
def test_divergences_equal_row_by_row_counting(seed, dense, monkeypatch):
    """Any labels over any sets of ground values, distinct by row, some rows suppressed; pairs counted both ways."""
    monkeypatch.setattr("kohort.metrics.divergence._DENSE", dense)
    rng = np.random.default_rng(seed)
    n, domains = int(rng.integers(1, 20)), (4, 3, 2)
    ground = np.column_stack([rng.integers(0, d, n) for d in domains]).astype(np.int32)
    covers = [
        np.vstack([np.eye(d, dtype=bool), np.ones((1, d), bool), rng.random((2, d)) < 0.5]) for d in domains
    ]
    for covered in covers:
        covered[~covered.any(axis=1), 0] = True
    labels = np.column_stack([rng.integers(0, len(c), n) for c in covers]).astype(np.int32)
    for j, covered in enumerate(covers):  # what is released covers what was there
        covered[labels[:, j], ground[:, j]] = True
    kept = rng.random(n) < 0.8
    one = np.ones(n, np.int64)
    original, released = Coded(ground, one), Coded(labels[kept], one[kept])

    def believed(columns):
        shape = [domains[j] for j in columns]
        picture = np.zeros(shape)
        for i in range(n):
            masks = [covers[j][labels[i, j]] if kept[i] else np.ones(domains[j], bool) for j in columns]
            cells = np.ones(shape, bool)
            for axis, mask in enumerate(masks):
                cells &= mask.reshape([-1 if a == axis else 1 for a in range(len(shape))])
            picture[cells] += 1 / cells.sum()
        true = np.zeros(shape)
        np.add.at(true, tuple(ground[:, j] for j in columns), 1)
        return naive_divergence((true / n).ravel().tolist(), (picture / n).ravel().tolist())

    found = marginal_divergences(records(original, domains), released, covers)
    assert found == pytest.approx([believed([j]) for j in range(3)], abs=1e-12)
    pairs = pair_divergences(original, released, covers)
    for pair in combinations(range(3), 2):
        assert pairs[pair] == pytest.approx(believed(pair), abs=1e-12)


def test_moments_of_weighted_numbers_equal_those_of_repeated_ones():
    rng = np.random.default_rng(2)
    for _ in range(50):
        numbers, records = rng.integers(0, 9, 6).astype(float), rng.integers(0, 5, 6)
        numbers[rng.random(6) < 0.2] = np.nan
        rows = np.repeat(numbers, records)
        known = rows[~np.isnan(rows)]
        found = moments(numbers, records)
        assert found.missing == np.isnan(rows).sum()
        if len(known) == 0:
            assert found.mean is None
            continue
        assert found.mean == pytest.approx(known.mean())
        assert found.median == pytest.approx(np.median(known))
        assert found.deviation == pytest.approx(known.std())


def test_correlations_of_weighted_numbers_equal_those_of_repeated_ones():
    rng = np.random.default_rng(3)
    numbers, records = rng.normal(size=(30, 3)), rng.integers(0, 4, 30)
    expected = np.corrcoef(np.repeat(numbers, records, axis=0).T)
    assert correlations(numbers, records) == pytest.approx(expected)


def test_correlations_leave_missing_numbers_and_constants_out():
    numbers = np.array([[1.0, 2.0, 5.0], [2.0, 4.0, 5.0], [3.0, np.nan, 5.0], [4.0, 8.0, 5.0]])
    told = correlations(numbers, np.ones(4, np.int64))
    assert told[0, 1] == pytest.approx(1)
    assert np.isnan(told[0, 2])
