# mypy: disable-error-code="no-any-return"
"""What one head class adds to the bounds of a node, for metrics that need no more than the sizes of classes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.merge_kernels import adjacent_atoms, cuts_at, merged_sizes, sizes_along
from kohort.algorithms.cuts.region_kernels import (
    Arcs,
    Costs,
    Rows,
    below,
    better,
    cells,
    dividing_cuts,
    group_rows,
    local_blocks,
)
from kohort.arrays import FloatArray, IntArray
from kohort.compiling import inner


class Bounds(NamedTuple):
    """What a node's classes add up to, interval by interval of the spine."""

    base: FloatArray  # (i): what they cost at least
    with_cut: FloatArray  # (i, v): by how much that rises with cut v in
    without_cut: FloatArray  # (i, v): with v out
    useful: CutSet  # (v): whether v is valid anywhere


@inner
def add_sizes(
    rows: Rows,
    members: IntArray,
    status: CutSet,
    along: IntArray,
    arcs: Arcs,
    costs: Costs,
    sums: IntArray,
    bounds: Bounds,
) -> None:
    """Add the class of `members` to the bounds of every interval of the spine; `along` holds its prefix sums."""
    codes, place, weights, _, first, _ = rows
    begins, ends = arcs
    own, least, k, n = costs.own, costs.least, costs.k, costs.n
    base, with_cut, without_cut, useful = bounds
    squared = costs.metric == 0  # discernibility
    shaves = squared and costs.limit > 0  # to suppress a few records of more than half the table may pay
    size = along[-1, 0]
    below(rows, members, -1, sums)
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
        order, starts = group_rows(codes, members, first, block)
        atoms = sizes_along(place, weights, order, starts, length)
        large = _above(atoms, k)
        big, big_block = chosen_rows(atoms, large), cells(codes, order, starts, large, first, block)
        pairs = adjacent_atoms(codes, order, starts, first, block)
        merged_sizes(pairs, atoms, cuts_at(side, len(block)), arcs, k, rise)
    excess = np.zeros(first[m] + m)  # of the atoms up to a block, by attribute
    value = np.empty(n_cuts)
    for i in range(len(begins)):
        a, b = begins[i], ends[i]
        s = along[b, 0] - along[a, 0]
        alone = own[s]
        shave = shaves and 2 * s > n
        if s < 2 * k and not shave:  # nothing valid can part it: every change is exact
            base[i] += alone
            if s >= k:
                for z in range(n_cuts):
                    low = left[b, z] - left[a, z]
                    with_cut[i, cuts[z]] += least[low] + least[s - low] - alone
            continue
        over, top = 0.0, 0
        if len(big):
            over, top = _excess(big, big_block, a, b, first, k, excess)
        lookahead, second, best_cut = alone, alone, -1
        for z in range(n_cuts):
            low = left[b, z] - left[a, z]
            high = s - low
            if over > 0:
                value[z] = _with_atoms(low, high, side[z], excess, over, top, costs)
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


@inner
def _above(atoms: IntArray, k: int) -> IntArray:
    """Return the numbers of the atoms of more than k records."""
    found = np.empty(len(atoms), np.int64)
    count = 0
    for h in range(len(atoms)):
        if atoms[h, -1] > k:
            found[count] = h
            count += 1
    return found[:count]


@inner
def chosen_rows(matrix: IntArray, chosen: IntArray) -> IntArray:
    """Return some rows of a matrix."""
    found = np.empty((len(chosen), matrix.shape[1]), np.int64)
    for h in range(len(chosen)):
        for a in range(matrix.shape[1]):
            found[h, a] = matrix[chosen[h], a]
    return found


@inner
def _excess(
    big: IntArray, big_block: IntArray, a: int, b: int, first: IntArray, k: int, excess: FloatArray
) -> tuple[float, int]:
    """Return what large atoms cost above k per record within an interval, and the size of the largest.

    Fills `excess` with the part of it up to each block of each attribute.
    """
    m = len(first) - 1
    over, top = 0.0, 0
    for h in range(len(big)):
        t = big[h, b] - big[h, a]
        if t > k:
            if over == 0:
                for g in range(len(excess)):
                    excess[g] = 0.0
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


@inner
def _with_atoms(
    low: int, high: int, side: int, excess: FloatArray, over: float, top: int, costs: Costs
) -> float:
    """Return the bound with a cut in: of its two sides, or of all atoms with its lesser side suppressed."""
    least, k, n = costs.least, costs.k, costs.n
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
