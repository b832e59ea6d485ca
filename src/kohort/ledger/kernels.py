"""The kernel that intersects what the classes of a vector hold."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def common(vectors, starts, values):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Return how many values all classes of each vector share.

    Class c holds values[starts[c] : starts[c + 1]], in ascending order.
    """
    found = np.zeros(len(vectors), np.int64)
    for v in range(len(vectors)):
        shortest = vectors[v, 0]
        for c in vectors[v]:
            if starts[c + 1] - starts[c] < starts[shortest + 1] - starts[shortest]:
                shortest = c
        for at in range(starts[shortest], starts[shortest + 1]):
            everywhere = True
            for c in vectors[v]:
                held = values[starts[c] : starts[c + 1]]
                place = np.searchsorted(held, values[at])
                if place == len(held) or held[place] != values[at]:
                    everywhere = False
                    break
            found[v] += everywhere
    return found
