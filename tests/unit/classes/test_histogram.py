import numpy as np
import pytest
from tests.reference import classes as naive

from kohort.classes import Histogram


def pairs(histogram):
    return [
        list(zip(histogram.values[a:b].tolist(), histogram.counts[a:b].tolist(), strict=True))
        for a, b in zip(histogram.starts[:-1], histogram.starts[1:], strict=True)
    ]


@pytest.fixture(params=range(10))
def entries(request):
    rng = np.random.default_rng(request.param)
    n_classes, size, n = (int(x) for x in rng.integers(1, (8, 30, 120)))
    return (rng.integers(0, n_classes, n), rng.integers(0, size, n), n_classes, size, rng.integers(1, 9, n))


def test_histogram_equals_its_naive_twin(entries):
    class_of, values, n_classes, size, counts = entries
    for weights in (None, counts):
        histogram = Histogram.of(class_of, values, n_classes, size, weights)
        expected = naive.histogram(class_of, values, n_classes, weights)
        assert pairs(histogram) == expected
        assert histogram.distinct().tolist() == [len(x) for x in expected]
        assert histogram.dense().sum() == len(values) if weights is None else counts.sum()


def test_merging_equals_counting_anew(entries):
    class_of, values, n_classes, size, counts = entries
    coarser = np.arange(n_classes) // 2
    n = int(coarser[-1]) + 1
    merged = Histogram.of(class_of, values, n_classes, size, counts).merged(coarser, n)
    assert pairs(merged) == naive.histogram(coarser[class_of], values, n, counts)


def test_kept_classes_keep_their_entries_in_the_order_asked(entries):
    class_of, values, n_classes, size, _ = entries
    histogram = Histogram.of(class_of, values, n_classes, size)
    before = pairs(histogram)
    mask = np.arange(n_classes) % 2 == 0
    assert pairs(histogram.kept(mask)) == before[::2]
    backwards = np.arange(n_classes)[::-1]
    assert pairs(histogram.kept(backwards)) == before[::-1]
