"""Groups of rows made cheaper by cutting large ones and moving single rows."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cells.cost import CellCost, members, numbered
from kohort.algorithms.cells.segments import cheapest_segments
from kohort.arrays import IntArray

_SAVING = 1e-9  # less is rounding


def polished(cost: CellCost, group_of: IntArray, k: int, passes: int = 8) -> IntArray:
    """Return groups of at least k rows that cost no more than those given.

    In turns, groups of 2k rows or more are cut along a chain of nearest rows where that saves, and single
    rows leave a group that can spare them for the group where they cost least; at most `passes` turns.
    O(passes · n · groups · steps).
    """
    before = cost.total(group_of)
    for _ in range(passes):
        group_of = _moved(cost, _split(cost, group_of, k), k)
        now = cost.total(group_of)
        if now >= before - _SAVING:
            break
        before = now
    return group_of


def _split(cost: CellCost, group_of: IntArray, k: int) -> IntArray:
    groups: list[list[int]] = []
    for rows in members(group_of):
        if len(rows) >= 2 * k and cost.price(rows) > 0:
            groups += cheapest_segments(cost, _chain(cost, rows), False, k)
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


def _moved(cost: CellCost, group_of: IntArray, k: int) -> IntArray:
    """Return the groups after every row has had a chance to move."""
    groups = [rows.tolist() for rows in members(group_of)]
    if len(groups) < 2:
        return group_of
    group_of = group_of.copy()
    sizes = np.array([len(rows) for rows in groups])
    values = cost.steps[:, [rows[0] for rows in groups]]
    varying = np.array([cost.varying(np.array(rows)) for rows in groups]).T
    price = cost.weights @ varying
    for row in range(len(group_of)):
        home = int(group_of[row])
        if sizes[home] <= k or price[home] == 0:
            continue
        stay = np.array([other for other in groups[home] if other != row])
        without = cost.varying(stay)
        saved = sizes[home] * price[home] - len(stay) * float(cost.weights @ without)
        together = varying | (values != cost.steps[:, [row]])
        added = (sizes + 1) * (cost.weights @ together) - sizes * price
        added[home] = np.inf
        target = int(np.argmin(added))
        if saved - added[target] <= _SAVING:
            continue
        group_of[row] = target
        groups[home] = stay.tolist()
        groups[target].append(row)
        sizes[home] -= 1
        sizes[target] += 1
        values[:, home] = cost.steps[:, stay[0]]
        for group, now in ((home, without), (target, together[:, target])):
            varying[:, group] = now
            price[group] = cost.weights @ now
    return group_of
