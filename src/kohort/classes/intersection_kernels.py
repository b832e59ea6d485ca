"""The kernel that intersects what several classes hold."""

from __future__ import annotations

import numpy as np

from kohort.arrays import IntArray
from kohort.compiling import inner, kernel


@inner
def _holds(values: IntArray, low: int, high: int, wanted: int) -> bool:
    """Tell whether the value is among values[low:high], in ascending order."""
    end = high
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low < end and values[low] == wanted


@kernel
def common(
    vectors: IntArray, starts: IntArray, values: IntArray, weights: IntArray
) -> tuple[IntArray, IntArray]:
    """Return how many values all classes of each vector share, and what these weigh together.

    Class c holds values[starts[c] : starts[c + 1]], in ascending order.
    """
    found, weight = np.zeros(len(vectors), np.int64), np.zeros(len(vectors), np.int64)
    for v in range(len(vectors)):
        shortest = vectors[v, 0]
        for c in vectors[v]:
            if starts[c + 1] - starts[c] < starts[shortest + 1] - starts[shortest]:
                shortest = c
        for at in range(starts[shortest], starts[shortest + 1]):
            everywhere = True
            for c in vectors[v]:
                if not _holds(values, starts[c], starts[c + 1], values[at]):
                    everywhere = False
                    break
            if everywhere:
                found[v] += 1
                weight[v] += weights[values[at]]
    return found, weight
