"""Head classes, the records on either side of a cut, and local atoms, all along the spine."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.slot_kernels import LARGEST, densify, slots
from kohort.arrays import FloatArray, IntArray
from kohort.compiling import inner

OPEN, IN, OUT = 0, 1, 2
NEVER = 1e17  # above any cost: what suppression costs where none is allowed


class Rows(NamedTuple):
    """The weighted distinct tuples, seen along the spine."""

    codes: IntArray  # int64 (N, m): attributes off the spine
    place: IntArray  # int64 (N): on the spine, 0 … places - 1
    weights: IntArray  # int64 (N)
    labels: IntArray  # int64 (N, t)
    first: IntArray  # int64 (m + 1)
    places: int


class Arcs(NamedTuple):
    """Intervals of the spine, sorted by end: from the place each begins at to the place it ends before."""

    begins: IntArray  # int64
    ends: IntArray  # int64


class Costs(NamedTuple):
    """What classes cost."""

    own: FloatArray  # by size
    least: FloatArray  # by size: what records still together cost at least
    metric: int
    k: int
    n: int
    limit: int  # records that may be suppressed
    price: int  # of one that is


@inner
def group_rows(
    codes: IntArray, rows: IntArray, first: IntArray, block: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the rows sorted by cell and where each cell starts; `block` numbers the values of each attribute.

    The block of value p of attribute j stands at first[j] + j + p; blocks are numbered from 0 in domain order.
    """
    n, m = len(rows), codes.shape[1]
    table = slots(n)
    keys = np.zeros(n, np.int64)
    bound, stamp = 1, 0
    for j in range(m):
        base = first[j] + j
        width = block[base + first[j + 1] - first[j]] + 1
        if width == 1:
            continue
        if bound > LARGEST // width:
            stamp += 1
            bound = 1 + densify(keys, n, keys, table, stamp)
        for i in range(n):
            keys[i] = keys[i] * width + block[base + codes[rows[i], j]]
        bound *= width
    cell = np.empty(n, np.int64)
    n_cells = densify(keys, n, cell, table, stamp + 1)
    starts = np.zeros(n_cells + 1, np.int64)
    for i in range(n):
        starts[cell[i] + 1] += 1
    for c in range(n_cells):
        starts[c + 1] += starts[c]
    position = starts[:-1].copy()
    order = np.empty(n, np.int64)
    for i in range(n):
        order[position[cell[i]]] = rows[i]
        position[cell[i]] += 1
    return order, starts


@inner
def blocks_of(first: IntArray, status: CutSet, wanted: int) -> IntArray:
    """Return the block of every value when the cuts of the wanted status are made."""
    m = len(first) - 1
    block = np.zeros(first[m] + m, np.int64)
    for j in range(m):
        base = first[j] + j
        for p in range(1, first[j + 1] - first[j] + 1):
            block[base + p] = block[base + p - 1] + (1 if status[first[j] + p - 1] == wanted else 0)
    return block


@inner
def below(rows: Rows, members: IntArray, label: int, sums: IntArray) -> None:
    """Fill sums[a, first[j] + j + p]: the records of members of value p or less, before place a of the spine.

    All their records, or those of a label where it is no less than 0.
    """
    codes, first = rows.codes, rows.first
    m = codes.shape[1]
    for a in range(sums.shape[0]):
        for at in range(sums.shape[1]):
            sums[a, at] = 0
    for i in members:
        amount = rows.weights[i] if label < 0 else rows.labels[i, label]
        a = rows.place[i] + 1
        for j in range(m):
            sums[a, first[j] + j + codes[i, j]] += amount
    for a in range(1, sums.shape[0]):
        for j in range(m):
            total = 0
            for at in range(first[j] + j, first[j + 1] + j + 1):
                total += sums[a, at]
                sums[a, at] = total
        for at in range(sums.shape[1]):
            sums[a, at] += sums[a - 1, at]


@inner
def dividing_cuts(first: IntArray, status: CutSet, sums: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """Return the open cuts with records of the class on both sides, and where each stands in `sums`."""
    m = len(first) - 1
    cuts = np.empty(first[m], np.int64)
    at = np.empty(first[m], np.int64)
    count = 0
    last = sums.shape[0] - 1
    for j in range(m):
        for v in range(first[j], first[j + 1]):
            if status[v] == OPEN and 0 < sums[last, v + j] < size:
                cuts[count] = v
                at[count] = v + j
                count += 1
    return cuts[:count], at[:count]


@inner
def local_blocks(
    first: IntArray, cuts: IntArray, at: IntArray, sums: IntArray, size: int, k: int, shaving: bool
) -> tuple[IntArray, IntArray]:
    """Return the blocks of the cuts valid in a class, and of each cut the block before it, or -1 if not valid.

    A cut is valid where both its sides hold k records or more. Where `shaving` may pay every cut is. The block
    before a cut of attribute j is given as first[j] + j + block.
    """
    m = len(first) - 1
    block = np.zeros(first[m] + m, np.int64)
    side = np.full(len(cuts), -1, np.int64)
    last = sums.shape[0] - 1
    z = 0
    for j in range(m):
        base = first[j] + j
        for p in range(1, first[j + 1] - first[j] + 1):
            block[base + p] = block[base + p - 1]
            if z < len(cuts) and cuts[z] == first[j] + p - 1:
                left = sums[last, at[z]]
                if shaving or (left >= k and size - left >= k):
                    side[z] = base + block[base + p]
                    block[base + p] += 1
                z += 1
    return block, side


@inner
def cells(
    codes: IntArray, order: IntArray, starts: IntArray, chosen: IntArray, first: IntArray, block: IntArray
) -> IntArray:
    """Return the block of every attribute, as first[j] + j + block, of the chosen atoms."""
    m = codes.shape[1]
    where = np.empty((len(chosen), m), np.int64)
    for h in range(len(chosen)):
        i = order[starts[chosen[h]]]
        for j in range(m):
            where[h, j] = first[j] + j + block[first[j] + j + codes[i, j]]
    return where


@inner
def better(value: float, cut: int, least: float, second: float, best_cut: int) -> tuple[float, float, int]:
    """Return the least value, the second least and the cut of the least, one more cut looked at."""
    if value < least:
        return value, least, cut
    return least, min(second, value), best_cut
