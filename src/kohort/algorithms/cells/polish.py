"""Groups of rows made cheaper by cutting large ones and moving single rows."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cells.cost import CellCost, members, numbered
from kohort.algorithms.cells.segments import cheapest_segments
from kohort.algorithms.watch import Watch
from kohort.arrays import FloatArray, IntArray

_TURNS = 3
_ROUNDS = 4
_BATCH = 512  # rows between two looks at the clock


def polished(cost: CellCost, group_of: IntArray, k: int, watch: Watch) -> IntArray:
    """Return groups of at least k rows that cost no more than those given.

    In turns, groups of 2k rows or more are cut along a chain of nearest rows where that saves, and single
    rows leave a group that can spare them, or change places with a row of a near group; at most three turns
    of four rounds, each O(n · groups · steps). When it is over, the groups stay as they are.
    """
    steps = np.ascontiguousarray(cost.steps.T)
    if not len(group_of):
        return group_of
    for _ in range(_TURNS):
        if watch.over:
            break
        group_of = _split(cost, group_of, k)
        if not _improved(steps, cost.weights, group_of, k, watch):
            break
    return group_of


def _improved(steps: IntArray, weights: FloatArray, group_of: IntArray, k: int, watch: Watch) -> bool:
    """Move and exchange rows in place, some rounds of it; whether anything was saved."""
    from kohort.algorithms.cells.swap_kernels import gathered, improve

    n = len(group_of)
    groups = gathered(steps, weights, group_of, int(group_of.max()) + 1, k)
    saved = False
    for _ in range(_ROUNDS):
        moved = False
        for begin in range(0, n, _BATCH):
            if watch.over:
                return saved or moved
            moved |= improve(steps, weights, group_of, groups, k, begin, min(begin + _BATCH, n))
        if not moved:
            break
        saved = True
    return saved


def _split(cost: CellCost, group_of: IntArray, k: int) -> IntArray:
    groups: list[list[int]] = []
    for rows in members(group_of):
        if len(rows) >= 2 * k and (price := cost.price(rows)) > 0:
            cut = cheapest_segments(cost, _chain(cost, rows), False, k)
            cheaper = sum(cost.price(np.array(part)) for part in cut) < price
            groups += cut if cheaper else [rows.tolist()]
        else:
            groups.append(rows.tolist())
    return numbered(groups, len(group_of))


def _chain(cost: CellCost, rows: IntArray) -> list[int]:
    """Return the rows from the first one on, each followed by the nearest not met yet."""
    chain = [int(rows[0])]
    left = rows[1:]
    while len(left):
        nearest = int(np.argmin(cost.distances(chain[-1], left)))
        chain.append(int(left[nearest]))
        left = np.delete(left, nearest)
    return chain
