"""The kernel of relaxed Mondrian by counts: tuples with their records are dealt to both sides of a cut.

Equal records need not be told apart, so a region is a list of (tuple, records of it); a tuple that is dealt
stands in both parts. Regions lie on a stack: the one on top is taken, and its parts are put in its place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from kohort.algorithms.partition.kernels import DEALT, NONE, propose


@njit(cache=True, nogil=True)
def _grown(array: Any, needed: Any) -> Any:
    if needed <= len(array):
        return array
    larger = np.empty((max(needed, 2 * len(array)), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


@njit(cache=True, nogil=True)
def _share(weight: Any, kind: Any, code: Any, cut: Any, tied: Any, ties: Any, seen: Any) -> Any:
    """Return how many of a tuple's records go left; `seen` of the records at the cut were dealt before."""
    if kind == DEALT and code == cut:
        return (seen + weight) * tied // ties - seen * tied // ties
    return weight if code <= cut else 0


@njit(cache=True, nogil=True)
def deal(
    dims: Any, codes: Any, ids: Any, weights: Any, ends: Any, low: Any, high: Any, k: Any, enough: Any
) -> Any:
    """Cut regions until none can be cut, or none holds more than `enough` records.

    Region i holds the tuples ids[ends[i - 1]:ends[i]], `weights` records of each. Returns the same five
    arrays (ids, weights, ends, low, high) of the regions reached, in order.
    """
    q = codes.shape[1]
    widest = np.max(np.diff(dims.offsets))
    scratch = (
        np.empty(q, np.int64), np.empty(q, np.int64), np.empty(q, np.int64), np.empty(q, np.float64),
        np.zeros(widest, np.int64),
    )  # fmt: skip
    n_items = len(ids)
    held, held_weights, held_ids = (
        np.empty((n_items, q), np.int32),
        np.empty(n_items, np.int64),
        np.empty(n_items, np.int64),
    )
    spare, spare_weights, spare_ids = held.copy(), held_weights.copy(), held_ids.copy()
    depth = len(ends)
    stack, stack_low, stack_high = (
        np.empty(depth + 16, np.int64),
        np.empty((depth + 16, q), np.int64),
        np.empty((depth + 16, q), np.int64),
    )
    top = 0
    for i in range(depth):  # the last region at the bottom
        region = depth - 1 - i
        stack[i], stack_low[i], stack_high[i] = top, low[region], high[region]
        for item in range(0 if region == 0 else ends[region - 1], ends[region]):
            held[top], held_weights[top], held_ids[top] = codes[ids[item]], weights[item], ids[item]
            top += 1
    out_ids, out_weights, out = (
        np.empty(n_items, np.int64),
        np.empty(n_items, np.int64),
        np.empty(1024, np.int64),
    )
    out_low, out_high = np.empty((1024, q), np.int64), np.empty((1024, q), np.int64)
    told, done = 0, 0
    while depth > 0:
        depth -= 1
        start = stack[depth]
        total = 0
        for i in range(start, top):
            total += held_weights[i]
        kind, j, cut, left = NONE, 0, 0, 0
        if total > enough:
            kind, j, cut, left = propose(dims, held, held_weights, start, top, k, True, 0, scratch)
        if kind == NONE:
            size = top - start
            out_ids, out_weights = _grown(out_ids, told + size), _grown(out_weights, told + size)
            out_ids[told : told + size] = held_ids[start:top]
            out_weights[told : told + size] = held_weights[start:top]
            told += size
            out, out_low, out_high = (
                _grown(out, done + 1),
                _grown(out_low, done + 1),
                _grown(out_high, done + 1),
            )
            out[done], out_low[done], out_high[done] = told, stack_low[depth], stack_high[depth]
            done += 1
            top = start
            continue
        tied, ties = 0, 0
        if kind == DEALT:
            below = 0
            for i in range(start, top):
                if held[i, j] < cut:
                    below += held_weights[i]
                elif held[i, j] == cut:
                    ties += held_weights[i]
            tied = left - below
        size = top - start
        spare, spare_weights, spare_ids = (
            _grown(spare, 2 * size), _grown(spare_weights, 2 * size), _grown(spare_ids, 2 * size),
        )  # fmt: skip
        filled, middle = 0, 0
        for side in range(2):  # the right part first: the left one then lies on top
            seen = 0
            for i in range(start, top):
                weight = held_weights[i]
                goes = _share(weight, kind, held[i, j], cut, tied, ties, seen)
                if held[i, j] == cut:
                    seen += weight
                goes = weight - goes if side == 0 else goes
                if goes > 0:
                    spare[filled], spare_weights[filled], spare_ids[filled] = held[i], goes, held_ids[i]
                    filled += 1
            if side == 0:
                middle = filled
        held, held_weights, held_ids = (
            _grown(held, start + filled), _grown(held_weights, start + filled), _grown(held_ids, start + filled),
        )  # fmt: skip
        held[start : start + filled] = spare[:filled]
        held_weights[start : start + filled] = spare_weights[:filled]
        held_ids[start : start + filled] = spare_ids[:filled]
        top = start + filled
        stack, stack_low, stack_high = (
            _grown(stack, depth + 2),
            _grown(stack_low, depth + 2),
            _grown(stack_high, depth + 2),
        )
        at = dims.offsets[j]
        stack[depth + 1] = start + middle
        stack_low[depth + 1], stack_high[depth + 1] = stack_low[depth], stack_high[depth]
        # Both sides of a dealt cut, and of one off the grid, share the cell that is cut.
        stack_high[depth + 1, j] = min(stack_high[depth, j], dims.cell_high[at + cut])
        stack_low[depth, j] = max(stack_low[depth, j], dims.cell_low[at + cut + (1 if tied == ties else 0)])
        depth += 2
    return (
        out_ids[:told].copy(),
        out_weights[:told].copy(),
        out[:done].copy(),
        out_low[:done].copy(),
        out_high[:done].copy(),
    )


@njit(cache=True)
def hand_out(class_of: Any, starts: Any, groups: Any) -> Any:
    """Return the group of every row: those of class c take groups[starts[c]], groups[starts[c] + 1] and so on."""
    found = np.zeros(len(class_of), np.int64)
    following = starts.copy()
    for row in range(len(class_of)):
        place = following[class_of[row]]
        following[class_of[row]] += 1
        if place < starts[class_of[row] + 1]:
            found[row] = groups[place]
    return found
