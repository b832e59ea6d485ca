"""The local search of `polish`, compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from kohort.arrays import FloatArray, IntArray

_SAVING = 1e-9  # less is rounding
_NEAREST = 4  # groups with which a row's exchange is tried


class Groups(NamedTuple):
    """The groups of rows as they stand."""

    held: Any  # int64 (groups, room): their rows
    sizes: Any  # int64 (groups)
    varying: Any  # bool (groups, steps): where their rows differ
    price: Any  # float64 (groups): what that weighs


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def gathered(steps: IntArray, weights: FloatArray, group_of: IntArray, n_groups: int, k: int) -> Groups:
    """Return the groups, with room for more rows in each."""
    n, m = steps.shape
    sizes = np.zeros(n_groups, np.int64)
    for row in range(n):
        sizes[group_of[row]] += 1
    room = max(4 * k, sizes.max()) + 1
    held = np.empty((n_groups, room), np.int64)
    sizes[:] = 0
    for row in range(n):
        g = group_of[row]
        held[g, sizes[g]] = row
        sizes[g] += 1
    varying = np.zeros((n_groups, m), np.bool_)
    price = np.zeros(n_groups)
    for g in range(n_groups):
        _look(steps, weights, held, sizes, varying, price, g)
    return Groups(held, sizes, varying, price)


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
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
        best, target, other = _SAVING, -1, -1
        spare = 0.0
        if sizes[home] > k:
            left = _price(steps, weights, held[home], sizes[home], row, -1)
            spare = sizes[home] * price[home] - (sizes[home] - 1) * left
        extra[:] = np.inf
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
                if gain > best:
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
                if gain > best:
                    best, target, other = gain, g, q
        if target < 0:
            continue
        moved = True
        _take(held, sizes, home, row)
        if other >= 0:
            _take(held, sizes, target, other)
            held[home, sizes[home]] = other
            sizes[home] += 1
            group_of[other] = home
        held[target, sizes[target]] = row
        sizes[target] += 1
        group_of[row] = target
        _look(steps, weights, held, sizes, varying, price, home)
        _look(steps, weights, held, sizes, varying, price, target)
    return moved


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _price(steps, weights, rows, size, without, plus):  # type: ignore[no-untyped-def]
    """Return the weight of the steps in which the rows differ, one left out and one (unless -1) added."""
    total = 0.0
    for j in range(steps.shape[1]):
        first = plus if plus >= 0 else (rows[0] if rows[0] != without else rows[1])
        for i in range(size):
            if rows[i] != without and steps[rows[i], j] != steps[first, j]:
                total += weights[j]
                break
    return total


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _look(steps, weights, held, sizes, varying, price, g):  # type: ignore[no-untyped-def]
    """Find anew in which steps the rows of a group differ and what that weighs."""
    price[g] = 0.0
    for j in range(steps.shape[1]):
        varying[g, j] = False
        for i in range(1, sizes[g]):
            if steps[held[g, i], j] != steps[held[g, 0], j]:
                varying[g, j] = True
                price[g] += weights[j]
                break


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _take(held, sizes, g, row):  # type: ignore[no-untyped-def]
    """Take a row out of a group."""
    for i in range(sizes[g]):
        if held[g, i] == row:
            sizes[g] -= 1
            held[g, i] = held[g, sizes[g]]
            return
