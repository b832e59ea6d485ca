"""The kernel of shuffling; imported where it is called, so that numba is loaded only when it is needed."""

from __future__ import annotations

import numpy as np

from kohort.arrays import IntArray
from kohort.compiling import kernel


@kernel
def dealt_by(drawn: IntArray) -> IntArray:
    """Return 0 … n - 1 in the order that n numbers of 64 bits deal (Fisher and Yates)."""
    order = np.empty(len(drawn), np.int64)
    for i in range(len(drawn)):
        order[i] = i
    for i in range(len(drawn) - 1, 0, -1):
        # The remainder favours small places by less than i in 2^64.
        j = drawn[i] % np.uint64(i + 1)
        order[i], order[j] = order[j], order[i]
    return order
