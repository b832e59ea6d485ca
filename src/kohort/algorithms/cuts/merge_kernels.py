"""What leaving a cut out costs at least: the local atoms on its two sides become one."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cuts.region_kernels import Arcs
from kohort.algorithms.cuts.slot_kernels import LARGEST, densify, find, slots
from kohort.arrays import FloatArray, IntArray
from kohort.compiling import inner


@inner
def adjacent_atoms(
    codes: IntArray, order: IntArray, starts: IntArray, first: IntArray, block: IntArray
) -> IntArray:
    """Return pairs of atoms that one cut parts: the lower, the upper, and the border, the lower one's block.

    The block of attribute j's value p stands at block[first[j] + j + p]; the border is first[j] + j + block.
    Where the cells are too many to number, no pairs are given.
    """
    n, m = len(starts) - 1, codes.shape[1]
    step = np.ones(m + 1, np.int64)
    for j in range(m):
        width = block[first[j + 1] + j] + 2
        if step[j] > LARGEST // width:
            return np.empty((0, 3), np.int64)
        step[j + 1] = step[j] * width
    keys = np.zeros(n, np.int64)
    for c in range(n):
        for j in range(m):
            keys[c] += step[j] * block[first[j] + j + codes[order[starts[c]], j]]
    table = slots(n)
    densify(keys, n, np.empty(n, np.int64), table, 1)
    pairs = np.empty((n * m, 3), np.int64)
    count = 0
    for c in range(n):
        for j in range(m):
            other = find(keys[c] + step[j], table, 1)
            if other >= 0:
                pairs[count, 0] = c
                pairs[count, 1] = other
                pairs[count, 2] = first[j] + j + block[first[j] + j + codes[order[starts[c]], j]]
                count += 1
    return pairs[:count]


@inner
def cuts_at(side: IntArray, n_blocks: int) -> IntArray:
    """Return the cut at every border, -1 where there is none; `side` holds the border of every cut, or -1."""
    cut = np.full(n_blocks, -1, np.int64)
    for z in range(len(side)):
        if side[z] >= 0:
            cut[side[z]] = z
    return cut


@inner
def sizes_along(
    place: IntArray, weights: IntArray, order: IntArray, starts: IntArray, length: int
) -> IntArray:
    """Return the prefix sums of every atom along the spine."""
    along = np.zeros((len(starts) - 1, length), np.int64)
    for c in range(len(along)):
        for q in range(starts[c], starts[c + 1]):
            along[c, place[order[q]] + 1] += weights[order[q]]
        for a in range(1, length):
            along[c, a] += along[c, a - 1]
    return along


@inner
def merged_sizes(
    pairs: IntArray, along: IntArray, cut_at: IntArray, arcs: Arcs, k: int, rise: FloatArray
) -> None:
    """Add to rise[z, i] what atoms cost above k per record when cut z no longer parts them in interval i."""
    begins, ends = arcs
    for x in range(len(pairs)):
        one, two, z = along[pairs[x, 0]], along[pairs[x, 1]], cut_at[pairs[x, 2]]
        if z < 0 or one[-1] + two[-1] <= k:
            continue
        for i in range(len(begins)):
            s = one[ends[i]] - one[begins[i]]
            t = two[ends[i]] - two[begins[i]]
            if s > 0 and t > 0 and s + t > k:
                rise[z, i] += (s + t) * (s + t - k) - s * max(0, s - k) - t * max(0, t - k)


@inner
def merged_labels(pairs: IntArray, along: IntArray, cut_at: IntArray, arcs: Arcs, rise: FloatArray) -> None:
    """Add to rise[z, i] by how much minorities grow when cut z no longer parts atoms in interval i."""
    begins, ends = arcs
    n_labels = along.shape[2]
    for x in range(len(pairs)):
        one, two, z = along[pairs[x, 0]], along[pairs[x, 1]], cut_at[pairs[x, 2]]
        several = False  # more than one label between them: else no minority can grow
        for y in range(n_labels):
            for u in range(y):
                several |= one[-1, y] + two[-1, y] > 0 and one[-1, u] + two[-1, u] > 0
        if z < 0 or not several:
            continue
        for i in range(len(begins)):
            a, b = begins[i], ends[i]
            top, top_one, top_two = 0, 0, 0
            for y in range(n_labels):
                s, t = one[b, y] - one[a, y], two[b, y] - two[a, y]
                top = max(top, s + t)
                top_one = max(top_one, s)
                top_two = max(top_two, t)
            rise[z, i] += top_one + top_two - top
