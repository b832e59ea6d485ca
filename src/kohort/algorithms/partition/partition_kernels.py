"""Kernels of Mondrian: regions of a table of codes are cut until no cut is allowed.

The items of a region are a segment of `codes`, `weights` and `ids`, which are moved together so that every
region stays contiguous, in its original order. A region is told by a row (start, end, low of every attribute,
high of every attribute).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from kohort.algorithms.partition.proposal_kernels import DEALT, NONE, TREE, propose, scratch_for


@njit(cache=True, nogil=True)
def divide(
    dims: Any, codes: Any, weights: Any, ids: Any, start: Any, end: Any, kind: Any, j: Any, cut: Any, left: Any,
    low: Any, high: Any, spare: Any, parts: Any,
) -> Any:  # fmt: skip
    """Move the items of a region to its parts, in order; return how many there are.

    `low`, `high` are the box of the region; a row of `parts` receives (end of the part, low, high along j).
    """
    spare_codes, spare_weights, spare_ids, part_of = spare
    size = dims.offsets[j + 1] - dims.offsets[j]
    at = dims.offsets[j]
    n_parts = 2
    if kind == TREE:
        begin = dims.trees[j] + cut * size
        n_parts = 0
        for code in range(low, high + 1):
            if code == low or dims.above[begin + code] != dims.above[begin + code - 1]:
                parts[n_parts, 1] = code
                n_parts += 1
            parts[n_parts - 1, 2] = code
        for i in range(start, end):
            part = 0
            while parts[part, 2] < codes[i, j]:
                part += 1
            part_of[i] = part
    else:
        tied, ties, seen = 0, 0, 0
        if kind == DEALT:
            below = 0
            for i in range(start, end):
                if codes[i, j] < cut:
                    below += 1
                elif codes[i, j] == cut:
                    ties += 1
            tied = left - below
        for i in range(start, end):
            if kind == DEALT and codes[i, j] == cut:
                seen += 1
                part_of[i] = 0 if seen * tied // ties > (seen - 1) * tied // ties else 1
            else:
                part_of[i] = 0 if codes[i, j] <= cut else 1
        parts[0, 1], parts[1, 2] = low, high
        # Both sides of a dealt cut, and of one off the grid, share the cell that is cut.
        parts[0, 2] = min(high, dims.cell_high[at + cut])
        parts[1, 1] = max(low, dims.cell_low[at + cut + (1 if tied == ties else 0)])
    place = start
    filled = 0
    for part in range(n_parts):
        began = place
        for i in range(start, end):
            if part_of[i] == part:
                for column in range(codes.shape[1]):
                    spare_codes[place, column] = codes[i, column]
                spare_weights[place] = weights[i]
                spare_ids[place] = ids[i]
                place += 1
        if place > began:
            parts[filled, 0], parts[filled, 1], parts[filled, 2] = place, parts[part, 1], parts[part, 2]
            filled += 1
    for i in range(start, end):
        for column in range(codes.shape[1]):
            codes[i, column] = spare_codes[i, column]
        weights[i] = spare_weights[i]
        ids[i] = spare_ids[i]
    return filled


@njit(cache=True, nogil=True)
def grown(rows: Any, needed: Any) -> Any:
    """Return the rows with room for as many as are needed."""
    if needed <= len(rows):
        return rows
    larger = np.empty((2 * needed, rows.shape[1]), rows.dtype)
    for i in range(len(rows)):
        for j in range(rows.shape[1]):
            larger[i, j] = rows[i, j]
    return larger


@njit(cache=True, nogil=True)
def lengthened(line: Any, needed: Any) -> Any:
    """Return the numbers with room for as many as are needed."""
    if needed <= len(line):
        return line
    longer = np.empty(2 * needed, line.dtype)
    for i in range(len(line)):
        longer[i] = line[i]
    return longer


@njit(cache=True, nogil=True)
def _write(to: Any, at: Any, region: Any, parts: Any, part: Any, j: Any) -> None:
    """Write a part of a region to a row of `to`: its box is that of the region but along j."""
    q = (to.shape[1] - 2) // 2
    for column in range(to.shape[1]):
        to[at, column] = region[column]
    if part > 0:
        to[at, 0] = parts[part - 1, 0]
    to[at, 1] = parts[part, 0]
    to[at, 2 + j] = parts[part, 1]
    to[at, 2 + q + j] = parts[part, 2]


@njit(cache=True, nogil=True)
def partition(
    dims: Any, codes: Any, weights: Any, ids: Any, spare: Any, regions: Any, k: Any, enough: Any,
    relaxed: Any, attempt: Any,
) -> Any:  # fmt: skip
    """Return the regions cut cleanly until none can be cut, or none weighs more than `enough`.

    A region is a row (start, end, low of every attribute, high of every attribute). Only k is looked at.
    `relaxed` (False) and `attempt` (0) are arguments so that `propose` is compiled once for all who call it.
    """
    q = codes.shape[1]
    scratch = scratch_for(dims, q)
    parts = np.empty((len(scratch[4]) + 1, 3), np.int64)
    region = np.empty(regions.shape[1], np.int64)
    depth = len(regions)
    stack = np.empty((depth + 64, regions.shape[1]), np.int64)
    for i in range(depth):  # the first region on top
        for column in range(regions.shape[1]):
            stack[depth - 1 - i, column] = regions[i, column]
    out = np.empty((1024, regions.shape[1]), np.int64)
    done = 0
    while depth > 0:
        depth -= 1
        for column in range(regions.shape[1]):
            region[column] = stack[depth, column]
        start, end = region[0], region[1]
        kind, j, cut, left = NONE, 0, 0, 0
        total = 0
        for i in range(start, end):
            total += weights[i]
        if total > enough:
            kind, j, cut, left = propose(dims, codes, weights, start, end, k, relaxed, attempt, scratch)
        if kind == NONE:
            out = grown(out, done + 1)
            for column in range(regions.shape[1]):
                out[done, column] = region[column]
            done += 1
            continue
        n_parts = divide(
            dims,
            codes,
            weights,
            ids,
            start,
            end,
            kind,
            j,
            cut,
            left,
            region[2 + j],
            region[2 + q + j],
            spare,
            parts,
        )
        stack = grown(stack, depth + n_parts)
        for part in range(n_parts - 1, -1, -1):
            _write(stack, depth, region, parts, part, j)
            depth += 1
    return out[:done]


@njit(cache=True, nogil=True)
def cut_once(
    dims: Any,
    codes: Any,
    weights: Any,
    ids: Any,
    spare: Any,
    regions: Any,
    attempts: Any,
    k: Any,
    relaxed: Any,
) -> Any:
    """Divide every region by its `attempts`-th cut; return the parts, and the region of each.

    A region that has no such cut comes back as the one part it is.
    """
    q = codes.shape[1]
    scratch = scratch_for(dims, q)
    parts = np.empty((len(scratch[4]) + 1, 3), np.int64)
    out = np.empty((2 * len(regions) + 1, regions.shape[1]), np.int64)
    owner = np.empty((2 * len(regions) + 1, 1), np.int64)
    done = 0
    for i in range(len(regions)):
        region = regions[i]
        start, end = region[0], region[1]
        kind, j, cut, left = propose(dims, codes, weights, start, end, k, relaxed, attempts[i], scratch)
        n_parts = 1
        parts[0, 0], parts[0, 1], parts[0, 2] = end, region[2 + j], region[2 + q + j]
        if kind != NONE:
            n_parts = divide(
                dims, codes, weights, ids, start, end, kind, j, cut, left, region[2 + j], region[2 + q + j], spare,
                parts,
            )  # fmt: skip
        out, owner = grown(out, done + n_parts), grown(owner, done + n_parts)
        for part in range(n_parts):
            _write(out, done, region, parts, part, j)
            owner[done, 0] = i
            done += 1
    return out[:done], owner[:done, 0]
