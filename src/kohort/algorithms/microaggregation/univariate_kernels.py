"""The kernel of optimal microaggregation of one attribute."""

from __future__ import annotations

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.compiling import kernel


@kernel
def best_groups(values: FloatArray, k: int) -> IntArray:
    """Return the group of each of the ascending `values` that minimises the squares within groups.

    Groups are consecutive and hold k to 2k - 1 values (Hansen and Mukherjee): best[i], the least sum over
    the first i values, is best[j] plus the squares of values j … i - 1 around their mean.
    """
    n = len(values)
    sums, squares = np.zeros(n + 1, np.float64), np.zeros(n + 1, np.float64)
    middle = values[n // 2]  # near the values, so that their squares lose no digits
    for i in range(n):
        x = values[i] - middle
        sums[i + 1] = sums[i] + x
        squares[i + 1] = squares[i] + x * x
    best = np.full(n + 1, np.inf)
    start = np.full(n + 1, -1, np.int64)
    best[0] = 0.0
    for i in range(k, n + 1):
        for j in range(max(i - 2 * k + 1, 0), i - k + 1):
            if best[j] < np.inf:
                total = sums[i] - sums[j]
                cost = best[j] + squares[i] - squares[j] - total * total / (i - j)
                if cost < best[i]:
                    best[i] = cost
                    start[i] = j
    group_of = np.empty(n, np.int64)
    end = n
    group = 0
    while end > 0:
        for i in range(start[end], end):
            group_of[i] = group
        end = start[end]
        group += 1
    return group - 1 - group_of
