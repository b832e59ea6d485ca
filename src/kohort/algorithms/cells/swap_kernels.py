"""The local search of `polish`, compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.compiling import inner, kernel

_SAVING = 1e-12  # of what two groups cost: less is rounding
_NEAREST = 4  # groups with which a row's exchange is tried


class Groups(NamedTuple):
    """The groups of rows as they stand."""

    held: IntArray  # int64 (groups, room): their rows
    sizes: IntArray  # int64 (groups)
    varying: BoolArray  # bool (groups, steps): where their rows differ
    price: FloatArray  # float64 (groups): what that weighs


@kernel
def gathered(steps: IntArray, weights: FloatArray, group_of: IntArray, n_groups: int, k: int) -> Groups:
    """Return the groups, with room for more rows in each."""
    n, m = steps.shape
    sizes = np.zeros(n_groups, np.int64)
    for row in range(n):
        sizes[group_of[row]] += 1
    room = 4 * k
    for g in range(n_groups):
        room = max(room, sizes[g])
    room += 1
    held = np.empty((n_groups, room), np.int64)
    for g in range(n_groups):
        sizes[g] = 0
    for row in range(n):
        g = group_of[row]
        held[g, sizes[g]] = row
        sizes[g] += 1
    varying = np.zeros((n_groups, m), np.bool_)
    price = np.zeros(n_groups)
    groups = Groups(held, sizes, varying, price)
    for g in range(n_groups):
        _look(steps, weights, groups, g)
    return groups


@kernel
def improve(
    steps: IntArray, weights: FloatArray, group_of: IntArray, groups: Groups, k: int, begin: int, end: int
) -> bool:
    """Move and exchange the rows from `begin` to `end` where that saves, in place; whether anything was saved.

    `steps` is int32 (n_rows, n_steps), `group_of` int64 with groups of at least k rows. Every row in turn
    takes the best of: to leave its group, if that can spare it, for another; to change places with a row of
    one of the four groups that it would fit best.
    """
    held, sizes, varying, price = groups
    m, n_groups, room = steps.shape[1], len(sizes), held.shape[1]
    nearest = np.empty(_NEAREST, np.int64)
    extra = np.empty(_NEAREST)
    moved = False
    for row in range(begin, end):
        home = group_of[row]
        if price[home] == 0.0:
            continue
        best, target, other = 0.0, -1, -1
        spare = 0.0
        if sizes[home] > k:
            left = _price(steps, weights, held[home], sizes[home], row, -1)
            spare = sizes[home] * price[home] - (sizes[home] - 1) * left
        for i in range(_NEAREST):
            extra[i] = np.inf
        for g in range(n_groups):
            if g == home:
                continue
            limit = price[g] + extra[_NEAREST - 1] / sizes[g]  # from here on g is no near group
            if sizes[home] > k:  # nor worth a move
                limit = max(limit, (spare + sizes[g] * price[g] - best) / (sizes[g] + 1))
            joined = 0.0
            first = held[g, 0]
            for j in range(m):
                if varying[g, j] or steps[first, j] != steps[row, j]:
                    joined += weights[j]
                    if joined >= limit:
                        break
            if joined >= limit:
                continue
            if sizes[home] > k and sizes[g] < room - 1:
                gain = spare - (sizes[g] + 1) * joined + sizes[g] * price[g]
                if gain > best and gain > _SAVING * (sizes[home] * price[home] + sizes[g] * price[g]):
                    best, target, other = gain, g, -1
            worst = sizes[g] * (joined - price[g])
            place = _NEAREST
            while place > 0 and worst < extra[place - 1]:
                place -= 1
            for i in range(_NEAREST - 1, place, -1):
                extra[i], nearest[i] = extra[i - 1], nearest[i - 1]
            if place < _NEAREST:
                extra[place], nearest[place] = worst, g
        for i in range(_NEAREST):
            if extra[i] == np.inf:
                break
            g = nearest[i]
            now = sizes[home] * price[home] + sizes[g] * price[g]
            for x in range(sizes[g]):
                q = held[g, x]
                here = _price(steps, weights, held[home], sizes[home], row, q)
                there = _price(steps, weights, held[g], sizes[g], q, row)
                gain = now - sizes[home] * here - sizes[g] * there
                if gain > best and gain > _SAVING * now:
                    best, target, other = gain, g, q
        if target < 0:
            continue
        moved = True
        _take(groups, home, row)
        if other >= 0:
            _take(groups, target, other)
            held[home, sizes[home]] = other
            sizes[home] += 1
            group_of[other] = home
        held[target, sizes[target]] = row
        sizes[target] += 1
        group_of[row] = target
        _look(steps, weights, groups, home)
        _look(steps, weights, groups, target)
    return moved


@inner
def _price(steps: IntArray, weights: FloatArray, rows: IntArray, size: int, without: int, plus: int) -> float:
    """Return the weight of the steps in which the rows differ, one left out and one (unless -1) added."""
    total = 0.0
    for j in range(steps.shape[1]):
        first = plus if plus >= 0 else (rows[0] if rows[0] != without else rows[1])
        for i in range(size):
            if rows[i] != without and steps[rows[i], j] != steps[first, j]:
                total += weights[j]
                break
    return total


@inner
def _look(steps: IntArray, weights: FloatArray, groups: Groups, g: int) -> None:
    """Find anew in which steps the rows of a group differ and what that weighs."""
    held, sizes, varying, price = groups
    price[g] = 0.0
    for j in range(steps.shape[1]):
        varying[g, j] = False
        for i in range(1, sizes[g]):
            if steps[held[g, i], j] != steps[held[g, 0], j]:
                varying[g, j] = True
                price[g] += weights[j]
                break


@inner
def _take(groups: Groups, g: int, row: int) -> None:
    """Take a row out of a group."""
    held, sizes = groups.held, groups.sizes
    for i in range(sizes[g]):
        if held[g, i] == row:
            sizes[g] -= 1
            held[g, i] = held[g, sizes[g]]
            return
