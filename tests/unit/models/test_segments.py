"""Sums and extremes of classes: plain loops over the same entries, with classes that hold nothing."""

from itertools import pairwise

import numpy as np
import pytest

from kohort.models.segments import descending, maxima, minima, sums

STARTS = [
    [0, 2, 5],
    [0, 0, 3, 5],
    [0, 3, 3, 5],
    [0, 5, 5],
    [0, 0, 0],
    [0],
]
ENTRIES = np.array([4, 1, 7, 7, 2])


@pytest.mark.parametrize("starts", STARTS)
def test_every_class_is_reduced_by_itself(starts: list[int]) -> None:
    entries = ENTRIES[: starts[-1]]
    parts = [entries[a:b].tolist() for a, b in pairwise(starts)]
    at = np.array(starts)
    assert sums(at, entries).tolist() == [sum(part) for part in parts]
    assert maxima(at, entries).tolist() == [max(part, default=0) for part in parts]
    assert minima(at, entries).tolist() == [min(part, default=0) for part in parts]
    assert descending(at, entries).tolist() == [x for part in parts for x in sorted(part, reverse=True)]


def test_the_kind_of_number_is_kept() -> None:
    assert sums(np.array([0, 0, 2]), np.array([0.5, 0.25])).tolist() == [0.0, 0.75]
    assert maxima(np.array([0, 2]), np.array([True, False])).dtype == np.bool_
