"""Head classes, the records on either side of a cut, and local atoms, all along the spine."""

from __future__ import annotations

import numpy as np
from numba import njit

from kohort.algorithms.cuts.slot_kernels import LARGEST, densify, slots

OPEN, IN, OUT = 0, 1, 2
NEVER = 1e17  # above any cost: what suppression costs where none is allowed


@njit(cache=True, nogil=True)
def group_rows(codes, rows, first, block):  # type: ignore[no-untyped-def]
    """Return the rows sorted by cell and where each cell starts; `block` numbers the values of each attribute.

    The block of value p of attribute j stands at first[j] + j + p; blocks are numbered from 0 in domain order.
    """
    n, m = len(rows), codes.shape[1]
    slot_key, slot_id, slot_stamp, mask = slots(n)
    keys = np.zeros(n, np.int64)
    bound, stamp = np.int64(1), 0
    for j in range(m):
        base = first[j] + j
        width = block[base + first[j + 1] - first[j]] + 1
        if width == 1:
            continue
        if bound > LARGEST // width:
            stamp += 1
            bound = 1 + densify(keys, n, keys, slot_key, slot_id, slot_stamp, stamp, mask)
        for i in range(n):
            keys[i] = keys[i] * width + block[base + codes[rows[i], j]]
        bound *= width
    cell = np.empty(n, np.int64)
    n_cells = densify(keys, n, cell, slot_key, slot_id, slot_stamp, stamp + 1, mask)
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


@njit(cache=True, nogil=True)
def blocks_of(first, status, wanted):  # type: ignore[no-untyped-def]
    """Return the block of every value when the cuts of the wanted status are made."""
    m = len(first) - 1
    block = np.zeros(first[m] + m, np.int64)
    for j in range(m):
        base = first[j] + j
        for p in range(1, first[j + 1] - first[j] + 1):
            block[base + p] = block[base + p - 1] + (1 if status[first[j] + p - 1] == wanted else 0)
    return block


@njit(cache=True, nogil=True)
def below(codes, place, amount, rows, first, sums):  # type: ignore[no-untyped-def]
    """Fill sums[a, first[j] + j + p]: the amount in rows of value p or less, before place a of the spine."""
    m = codes.shape[1]
    sums[:] = 0
    for i in rows:
        row = sums[place[i] + 1]
        for j in range(m):
            row[first[j] + j + codes[i, j]] += amount[i]
    for a in range(1, sums.shape[0]):
        for j in range(m):
            total = 0
            for at in range(first[j] + j, first[j + 1] + j + 1):
                total += sums[a, at]
                sums[a, at] = total
        for at in range(sums.shape[1]):
            sums[a, at] += sums[a - 1, at]


@njit(cache=True, nogil=True)
def dividing_cuts(first, status, sums, size):  # type: ignore[no-untyped-def]
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


@njit(cache=True, nogil=True)
def local_blocks(first, cuts, at, sums, size, k, shaving):  # type: ignore[no-untyped-def]
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


@njit(cache=True, nogil=True)
def cells(codes, order, starts, chosen, first, block):  # type: ignore[no-untyped-def]
    """Return the block of every attribute, as first[j] + j + block, of the chosen atoms."""
    m = codes.shape[1]
    where = np.empty((len(chosen), m), np.int64)
    for h in range(len(chosen)):
        i = order[starts[chosen[h]]]
        for j in range(m):
            where[h, j] = first[j] + j + block[first[j] + j + codes[i, j]]
    return where


@njit(cache=True, nogil=True)
def better(value, cut, least, second, best_cut):  # type: ignore[no-untyped-def]
    """Return the least value, the second least and the cut of the least, one more cut looked at."""
    if value < least:
        return value, least, cut
    return least, min(second, value), best_cut
