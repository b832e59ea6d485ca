"""The kernel of relaxed Mondrian by counts: tuples with their records are dealt to both sides of a cut.

Equal records need not be told apart, so a region is a list of (tuple, records of it); a tuple that is dealt
stands in both parts. Regions lie on a stack: the one on top is taken, and its parts are put in its place.
"""

from __future__ import annotations

import numpy as np

from kohort.algorithms.partition.dimensions import Dimensions
from kohort.algorithms.partition.partition_kernels import grown, lengthened
from kohort.algorithms.partition.proposal_kernels import DEALT, NONE, Cut, Items, Rule, propose, scratch_for
from kohort.arrays import IntArray
from kohort.compiling import inner, kernel, whole


@inner
def _share(weight: int, cut: Cut, code: int, tied: int, ties: int, seen: int) -> int:
    """Return how many of a tuple's records go left; `seen` of the records at the cut were dealt before."""
    if cut.kind == DEALT and code == cut.at:
        return (seen + weight) * tied // ties - seen * tied // ties
    return weight if code <= cut.at else 0


@kernel
def deal(
    dims: Dimensions,
    codes: IntArray,
    ids: IntArray,
    weights: IntArray,
    regions: IntArray,
    rule: Rule,
    enough: int,
) -> tuple[IntArray, IntArray, IntArray]:
    """Cut regions until none can be cut, or none holds more than `enough` records.

    Item i stands for `weights[i]` records of the tuple `ids[i]`; a row of `regions` is (start and end among
    the items, low of every attribute, high of every attribute). Returns the ids, weights and regions reached,
    in the same order.
    """
    q = codes.shape[1]
    scratch = scratch_for(dims, q)
    width = regions.shape[1]
    n = len(ids)
    held, held_ids, held_weights = np.empty((n, q), np.int32), np.empty(n, np.int64), np.empty(n, np.int64)
    spare, spare_ids, spare_weights = (
        np.empty((16, q), np.int32),
        np.empty(16, np.int64),
        np.empty(16, np.int64),
    )
    out = np.empty((1024, width), np.int64)
    out_ids, out_weights = np.empty(n + 16, np.int64), np.empty(n + 16, np.int64)
    depth = len(regions)
    top = 0
    stack = np.empty((depth + 64, width), np.int64)
    for i in range(depth):  # the last region at the bottom
        region = regions[depth - 1 - i]
        for column in range(width):
            stack[i, column] = region[column]
        stack[i, 0] = top
        for item in range(region[0], region[1]):
            for column in range(q):
                held[top, column] = codes[ids[item], column]
            held_ids[top], held_weights[top] = ids[item], weights[item]
            top += 1
    done, told = 0, 0
    while depth > 0:
        depth -= 1
        start = stack[depth, 0]
        size, total = top - start, 0
        for i in range(start, top):
            total += held_weights[i]
        nothing = whole(0)
        made = Cut(whole(NONE), nothing, nothing, nothing)
        if total > enough:
            made = propose(dims, Items(held, held_weights, held_ids), start, top, rule, nothing, scratch)
        j, cut = made.attribute, made.at
        if made.kind == NONE:
            out = grown(out, done + 1)
            out_ids, out_weights = lengthened(out_ids, told + size), lengthened(out_weights, told + size)
            for column in range(width):
                out[done, column] = stack[depth, column]
            out[done, 0], out[done, 1] = told, told + size
            for i in range(start, top):
                out_ids[told], out_weights[told] = held_ids[i], held_weights[i]
                told += 1
            done += 1
            top = start
            continue
        tied, ties = 0, 0
        if made.kind == DEALT:
            tied = made.left
            for i in range(start, top):
                if held[i, j] < cut:
                    tied -= held_weights[i]
                elif held[i, j] == cut:
                    ties += held_weights[i]
        spare = grown(spare, 2 * size)
        spare_ids, spare_weights = lengthened(spare_ids, 2 * size), lengthened(spare_weights, 2 * size)
        filled, middle = 0, 0
        for side in range(2):  # the right part first: the left one then lies on top
            seen = 0
            middle = filled
            for i in range(start, top):
                weight = held_weights[i]
                goes = _share(weight, made, held[i, j], tied, ties, seen)
                if held[i, j] == cut:
                    seen += weight
                if side == 0:
                    goes = weight - goes
                if goes > 0:
                    for column in range(q):
                        spare[filled, column] = held[i, column]
                    spare_ids[filled], spare_weights[filled] = held_ids[i], goes
                    filled += 1
        held = grown(held, start + filled)
        held_ids, held_weights = (
            lengthened(held_ids, start + filled),
            lengthened(held_weights, start + filled),
        )
        for i in range(filled):
            for column in range(q):
                held[start + i, column] = spare[i, column]
            held_ids[start + i], held_weights[start + i] = spare_ids[i], spare_weights[i]
        top = start + filled
        stack = grown(stack, depth + 2)
        for column in range(width):
            stack[depth + 1, column] = stack[depth, column]
        stack[depth + 1, 0] = start + middle
        # Both sides of a dealt cut, and of one off the grid, share the cell that is cut.
        at = dims.offsets[j] + cut
        stack[depth + 1, 2 + q + j] = min(stack[depth, 2 + q + j], dims.cell_high[at])
        stack[depth, 2 + j] = max(stack[depth, 2 + j], dims.cell_low[at + (1 if tied == ties else 0)])
        depth += 2
    return out_ids[:told], out_weights[:told], out[:done]


@kernel
def hand_out(class_of: IntArray, starts: IntArray, groups: IntArray) -> IntArray:
    """Return the group of every row: those of class c take groups[starts[c]], groups[starts[c] + 1] and so on."""
    found = np.zeros(len(class_of), np.int64)
    following = starts.copy()
    for row in range(len(class_of)):
        place = following[class_of[row]]
        following[class_of[row]] += 1
        if place < starts[class_of[row] + 1]:
            found[row] = groups[place]
    return found
