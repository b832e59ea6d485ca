"""A path or a cycle of rows cut into the cheapest groups of consecutive rows."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cells.cost import CellCost


def cheapest_segments(cost: CellCost, walk: list[int], cyclic: bool, k: int) -> list[list[int]]:
    """Return the walk in groups of k to 2k − 1 consecutive rows, of least cost together.

    Dynamic programming along the walk; a cycle is opened at each of 2k − 1 neighbouring places, one of which
    is the end of a group. O(k² · length) prices.
    """
    options = [_along(cost, walk[start:] + walk[:start], k) for start in range(2 * k - 1 if cyclic else 1)]
    return min(options, key=lambda option: option[0])[1]


def _along(cost: CellCost, walk: list[int], k: int) -> tuple[float, list[list[int]]]:
    n = len(walk)
    best = [0.0] + [float("inf")] * n
    length = [0] * (n + 1)
    for end in range(k, n + 1):
        for size in range(k, min(2 * k - 1, end) + 1):
            if best[end - size] < float("inf"):
                price = best[end - size] + cost.price(np.array(walk[end - size : end]))
                if price < best[end]:
                    best[end], length[end] = price, size
    groups = []
    end = n
    while end:
        groups.append(walk[end - length[end] : end])
        end -= length[end]
    return best[n], groups
