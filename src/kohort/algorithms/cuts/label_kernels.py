"""What one head class adds to the bounds of a node, for the classification metric."""

from __future__ import annotations

import numpy as np
from numba import njit

from kohort.algorithms.cuts.region_kernels import below, dividing_cuts, group_rows, local_blocks


@njit(cache=True, nogil=True)
def label_cost(along, a, b, size):  # type: ignore[no-untyped-def]
    """Return the records of a class that are not of its commonest label; `along` holds prefix sums."""
    top = np.int64(0)
    for y in range(1, along.shape[1]):
        top = max(top, along[b, y] - along[a, y])
    return size - top


@njit(cache=True, nogil=True)
def add_labels(  # type: ignore[no-untyped-def]
    codes, place, weights, labels, rows, first, status, along, begins, ends, own, k,
    sums, base, with_cut, without_cut, useful,
):  # fmt: skip
    """As `add_sizes`, for a class whose prefix sums `along` hold its size and the records of every label.

    A class of 2k records or more costs at least the minorities of its atoms; one cut more leaves two sides that
    are suppressed (below k), whole (below 2k, exactly known), or again no cheaper than their atoms.
    """
    length, t = sums.shape[0], labels.shape[1]
    size = along[-1, 0]
    below(codes, place, weights, rows, first, sums)
    cuts, at = dividing_cuts(first, status, sums, size)
    n_cuts = len(cuts)
    block, side = local_blocks(first, cuts, at, sums, size, k, False)
    left = np.empty((length, n_cuts, 1 + t), np.int64)
    _take(sums, at, left[:, :, 0])
    for y in range(t):
        below(codes, place, labels[:, y], rows, first, sums)
        _take(sums, at, left[:, :, 1 + y])
    mixed, mixed_block, pure = _mixed_atoms(codes, place, labels, rows, first, block, length)
    below(codes, place, pure, rows, first, sums)
    clear = np.empty((length, n_cuts), np.int64)  # records left of a cut in atoms of one label
    _take(sums, at, clear)
    m = codes.shape[1]
    excess = np.zeros(first[m] + m)
    value = np.empty(n_cuts)
    low_label = np.empty(t, np.int64)
    whole_clear = np.zeros(length, np.int64)
    for i in rows:
        whole_clear[place[i] + 1] += pure[i]
    for a in range(1, length):
        whole_clear[a] += whole_clear[a - 1]
    for i in range(len(begins)):
        a, b = begins[i], ends[i]
        s = along[b, 0] - along[a, 0]
        if s < k:
            base[i] += own[s]
            continue
        alone = np.float64(label_cost(along, a, b, s))
        small = s < 2 * k
        over = 0.0
        if not small:
            over = _minorities(mixed, mixed_block, a, b, first, excess)
        lookahead, second, best_cut = alone, alone, -1
        for z in range(n_cuts):
            low = left[b, z, 0] - left[a, z, 0]
            high = s - low
            if low == 0 or high == 0:
                value[z] = 0.0
                continue
            top_low, top_high = np.int64(0), np.int64(0)
            for y in range(t):
                low_label[y] = left[b, z, 1 + y] - left[a, z, 1 + y]
                top_low = max(top_low, low_label[y])
                top_high = max(top_high, along[b, 1 + y] - along[a, 1 + y] - low_label[y])
            under = excess[side[z]] if side[z] >= 0 and over > 0 else 0.0
            above = over - under if side[z] >= 0 else 0.0
            if side[z] < 0 and not small:
                # one side is suppressed: of the atoms' minorities it takes at most its records in mixed atoms
                clear_low = clear[b, z] - clear[a, z]
                if low < k:
                    above = max(0.0, over - (low - clear_low))
                else:
                    under = max(0.0, over - (high - (whole_clear[b] - whole_clear[a] - clear_low)))
            value[z] = _side(low, top_low, under, own, k) + _side(high, top_high, above, own, k)
            if low >= k and high >= k:
                useful[cuts[z]] = 1
                if value[z] < lookahead:
                    second = lookahead
                    lookahead = value[z]
                    best_cut = cuts[z]
                elif value[z] < second:
                    second = value[z]
        bound = alone if small else max(lookahead, over)
        base[i] += bound
        if best_cut >= 0 and second > bound:
            without_cut[i, best_cut] += second - bound
        for z in range(n_cuts):
            if value[z] > bound:
                with_cut[i, cuts[z]] += value[z] - bound


@njit(cache=True, nogil=True)
def _take(sums, at, out):  # type: ignore[no-untyped-def]
    for a in range(sums.shape[0]):
        for z in range(len(at)):
            out[a, z] = sums[a, at[z]]


@njit(cache=True, nogil=True)
def _side(size, top, atoms, own, k):  # type: ignore[no-untyped-def]
    """Return the bound of one side of a cut: suppressed, whole, or still to be parted."""
    if size < k:
        return own[size]
    return np.float64(size - top) if size < 2 * k else atoms


@njit(cache=True, nogil=True)
def _mixed_atoms(codes, place, labels, rows, first, block, length):  # type: ignore[no-untyped-def]
    """Return the atoms of several labels, as prefix sums along the spine, and their blocks.

    Also the number of records of every row that lie in an atom of one label.
    """
    m, t = codes.shape[1], labels.shape[1]
    order, starts = group_rows(codes, rows, first, block)
    n_atoms = len(starts) - 1
    total = np.zeros((n_atoms, t), np.int64)
    is_mixed = np.zeros(n_atoms, np.uint8)
    pure = np.zeros(len(codes), np.int64)
    count = 0
    for c in range(n_atoms):
        for q in range(starts[c], starts[c + 1]):
            for y in range(t):
                total[c, y] += labels[order[q], y]
        present = 0
        for y in range(t):
            present += 1 if total[c, y] > 0 else 0
        if present > 1:
            is_mixed[c] = 1
            count += 1
        else:
            for q in range(starts[c], starts[c + 1]):
                for y in range(t):
                    pure[order[q]] += labels[order[q], y]
    along = np.zeros((count, length, t), np.int64)
    where = np.empty((count, m), np.int64)
    count = 0
    for c in range(n_atoms):
        if not is_mixed[c]:
            continue
        for q in range(starts[c], starts[c + 1]):
            for y in range(t):
                along[count, place[order[q]] + 1, y] += labels[order[q], y]
        for a in range(1, length):
            for y in range(t):
                along[count, a, y] += along[count, a - 1, y]
        for j in range(m):
            base = first[j] + j
            where[count, j] = base + block[base + codes[order[starts[c]], j]]
        count += 1
    return along, where, pure


@njit(cache=True, nogil=True)
def _minorities(mixed, mixed_block, a, b, first, excess):  # type: ignore[no-untyped-def]
    """Return the minorities of all atoms within an interval; fill their sums up to each block."""
    m, t = len(first) - 1, mixed.shape[2]
    over = 0.0
    excess[:] = 0.0
    for h in range(len(mixed)):
        size, top = np.int64(0), np.int64(0)
        for y in range(t):
            here = mixed[h, b, y] - mixed[h, a, y]
            size += here
            top = max(top, here)
        if size > top:
            own = np.float64(size - top)
            over += own
            for j in range(m):
                excess[mixed_block[h, j]] += own
    for j in range(m):
        for g in range(first[j] + j + 1, first[j + 1] + j + 1):
            excess[g] += excess[g - 1]
    return over
