"""What one head class adds to the bounds of a node, for metrics that need no more than the sizes of classes."""

from __future__ import annotations

import numpy as np
from numba import njit

from kohort.algorithms.cuts.merge_kernels import adjacent_atoms, cuts_at, merged_sizes, sizes_along
from kohort.algorithms.cuts.region_kernels import (
    below,
    better,
    cells,
    dividing_cuts,
    group_rows,
    local_blocks,
)


@njit(cache=True, nogil=True)
def add_sizes(  # type: ignore[no-untyped-def]
    codes, place, weights, rows, first, status, along, begins, ends, own, least, squared, k, n, shaves,
    sums, base, with_cut, without_cut, useful,
):  # fmt: skip
    """Add the class of `rows` to the bounds of every interval of the spine; `along` holds its prefix sums.

    base[i]: what the class costs at least within interval i; with_cut[i, v]: by how much that rises with v in;
    without_cut[i, v]: with v out. useful[v] is set where v is valid. `squared` for discernibility; `shaves`
    where suppressing a few records of more than half the table may pay.
    """
    size = along[-1]
    below(codes, place, weights, rows, first, sums)
    cuts, at = dividing_cuts(first, status, sums, size)
    n_cuts = len(cuts)
    left = np.empty((sums.shape[0], n_cuts), np.int64)
    for a in range(sums.shape[0]):
        for z in range(n_cuts):
            left[a, z] = sums[a, at[z]]
    block, side = local_blocks(first, cuts, at, sums, size, k, shaves and 2 * size > n)
    m, length = codes.shape[1], sums.shape[0]
    big, big_block = np.empty((0, length), np.int64), np.empty((0, m), np.int64)
    rise = np.zeros((n_cuts, len(begins)))  # of what atoms cost above k per record, with a cut out
    if squared and size >= 2 * k:
        order, starts = group_rows(codes, rows, first, block)
        atoms = sizes_along(place, weights, order, starts, length)
        large = np.flatnonzero(atoms[:, -1] > k)
        big, big_block = atoms[large], cells(codes, order, starts, large, first, block)
        pairs = adjacent_atoms(codes, order, starts, first, block)
        merged_sizes(pairs, atoms, cuts_at(side, len(block)), begins, ends, k, rise)
    excess = np.zeros(first[m] + m)  # of the atoms up to a block, by attribute
    value = np.empty(n_cuts)
    for i in range(len(begins)):
        a, b = begins[i], ends[i]
        s = along[b] - along[a]
        alone = own[s]
        shave = shaves and 2 * s > n
        if s < 2 * k and not shave:  # nothing valid can part it: every change is exact
            base[i] += alone
            if s >= k:
                for z in range(n_cuts):
                    low = left[b, z] - left[a, z]
                    with_cut[i, cuts[z]] += least[low] + least[s - low] - alone
            continue
        over, top = 0.0, np.int64(0)
        if len(big):
            over, top = _excess(big, big_block, a, b, first, k, excess)
        lookahead, second, best_cut = alone, alone, -1
        for z in range(n_cuts):
            low = left[b, z] - left[a, z]
            high = s - low
            if over > 0:
                value[z] = _with_atoms(low, high, least, side[z], excess, over, top, k, n)
            else:
                value[z] = least[low] + least[high]
            if (low >= k and high >= k) or (shave and low > 0 and high > 0):
                useful[cuts[z]] = 1
                lookahead, second, best_cut = better(value[z], cuts[z], lookahead, second, best_cut)
        bound = max(lookahead, least[s])
        if over > 0:
            bound = max(bound, k * s + over)
        base[i] += bound
        for z in range(n_cuts):
            if value[z] > bound:
                with_cut[i, cuts[z]] += value[z] - bound
            out = k * s + over + rise[z, i] if squared else -np.inf
            if cuts[z] == best_cut:
                out = max(out, second)
            if out > bound:
                without_cut[i, cuts[z]] += out - bound


@njit(cache=True, nogil=True)
def _excess(big, big_block, a, b, first, k, excess):  # type: ignore[no-untyped-def]
    """Return what large atoms cost above k per record within an interval, and the size of the largest.

    Fills `excess` with the part of it up to each block of each attribute.
    """
    m = len(first) - 1
    over, top = 0.0, np.int64(0)
    for h in range(len(big)):
        t = big[h, b] - big[h, a]
        if t > k:
            if over == 0:
                excess[:] = 0.0
            own = np.float64(t * (t - k))
            over += own
            top = max(top, t)
            for j in range(m):
                excess[big_block[h, j]] += own
    if over > 0:
        for j in range(m):
            for g in range(first[j] + j + 1, first[j + 1] + j + 1):
                excess[g] += excess[g - 1]
    return over, top


@njit(cache=True, nogil=True)
def _with_atoms(low, high, least, side, excess, over, top, k, n):  # type: ignore[no-untyped-def]
    """Return the bound with a cut in: of its two sides, or of all atoms with its lesser side suppressed."""
    if side >= 0:
        # every atom lies on one side
        own = excess[side]
        return (least[low] if low < k else max(least[low], k * low + own)) + (
            least[high] if high < k else max(least[high], k * high + over - own)
        )
    value = least[low] + least[high]
    if low == 0 or high == 0:
        return value
    lost = (low if low < k else 0) + (high if high < k else 0)
    return max(value, k * (low + high) + over + lost * np.float64(n - max(k, 2 * top)))
