"""Kernels of Mondrian: regions of a table of codes are cut until no cut is allowed.

The items of a region are a segment of `codes`, `weights` and `ids`, which are moved together so that every
region stays contiguous, in its original order. A region is told by a row (start, end, low of every attribute,
high of every attribute).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.algorithms.partition.dimensions import Dimensions
from kohort.algorithms.partition.proposal_kernels import (
    DEALT,
    NONE,
    TREE,
    Cut,
    Items,
    Rule,
    propose,
    scratch_for,
)
from kohort.arrays import IntArray
from kohort.compiling import inner, kernel, whole


class Spare(NamedTuple):
    """Room through which items are moved, as large as they are."""

    items: Items
    part_of: IntArray  # int64


@inner
def divide(dims: Dimensions, items: Items, region: IntArray, made: Cut, spare: Spare, parts: IntArray) -> int:
    """Move the items of a region to its parts, in order; return how many there are.

    A row of `parts` receives (end of the part, low, high along the attribute of the cut).
    """
    codes, weights, ids = items
    spare_codes, spare_weights, spare_ids = spare.items
    part_of = spare.part_of
    kind, j, cut, left = made
    start, end, low, high = region[0], region[1], region[2 + j], region[2 + codes.shape[1] + j]
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


@inner
def grown(rows: IntArray, needed: int) -> IntArray:
    """Return the rows with room for as many as are needed."""
    if needed <= len(rows):
        return rows
    larger = np.empty((2 * needed, rows.shape[1]), rows.dtype)
    for i in range(len(rows)):
        for j in range(rows.shape[1]):
            larger[i, j] = rows[i, j]
    return larger


@inner
def lengthened(line: IntArray, needed: int) -> IntArray:
    """Return the numbers with room for as many as are needed."""
    if needed <= len(line):
        return line
    longer = np.empty(2 * needed, line.dtype)
    for i in range(len(line)):
        longer[i] = line[i]
    return longer


@inner
def _write(to: IntArray, at: int, region: IntArray, parts: IntArray, part: int, j: int) -> None:
    """Write a part of a region to a row of `to`: its box is that of the region but along j."""
    q = (to.shape[1] - 2) // 2
    for column in range(to.shape[1]):
        to[at, column] = region[column]
    if part > 0:
        to[at, 0] = parts[part - 1, 0]
    to[at, 1] = parts[part, 0]
    to[at, 2 + j] = parts[part, 1]
    to[at, 2 + q + j] = parts[part, 2]


@kernel
def partition(
    dims: Dimensions, items: Items, spare: Spare, regions: IntArray, rule: Rule, enough: int
) -> IntArray:
    """Return the regions cut cleanly until none can be cut, or none weighs more than `enough`.

    A region is a row (start, end, low of every attribute, high of every attribute). Only k is looked at.
    """
    scratch = scratch_for(dims, items.codes.shape[1])
    parts = np.empty((len(scratch.counts) + 1, 3), np.int64)
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
        nothing = whole(0)
        cut = Cut(whole(NONE), nothing, nothing, nothing)
        total = 0
        for i in range(start, end):
            total += items.weights[i]
        if total > enough:
            cut = propose(dims, items, start, end, rule, nothing, scratch)
        if cut.kind == NONE:
            out = grown(out, done + 1)
            for column in range(regions.shape[1]):
                out[done, column] = region[column]
            done += 1
            continue
        n_parts = divide(dims, items, region, cut, spare, parts)
        stack = grown(stack, depth + n_parts)
        for part in range(n_parts - 1, -1, -1):
            _write(stack, depth, region, parts, part, cut.attribute)
            depth += 1
    return out[:done]


@kernel
def cut_once(
    dims: Dimensions, items: Items, spare: Spare, regions: IntArray, attempts: IntArray, rule: Rule
) -> tuple[IntArray, IntArray]:
    """Divide every region by its `attempts`-th cut; return the parts, and the region of each.

    A region that has no such cut comes back as the one part it is.
    """
    q = items.codes.shape[1]
    scratch = scratch_for(dims, q)
    parts = np.empty((len(scratch.counts) + 1, 3), np.int64)
    out = np.empty((2 * len(regions) + 1, regions.shape[1]), np.int64)
    owner = np.empty((2 * len(regions) + 1, 1), np.int64)
    done = 0
    for i in range(len(regions)):
        region = regions[i]
        start, end = region[0], region[1]
        cut = propose(dims, items, start, end, rule, attempts[i], scratch)
        j = cut.attribute
        n_parts = 1
        parts[0, 0], parts[0, 1], parts[0, 2] = end, region[2 + j], region[2 + q + j]
        if cut.kind != NONE:
            n_parts = divide(dims, items, region, cut, spare, parts)
        out, owner = grown(out, done + n_parts), grown(owner, done + n_parts)
        for part in range(n_parts):
            _write(out, done, region, parts, part, j)
            owner[done, 0] = i
            done += 1
    return out[:done], owner[:done, 0]
