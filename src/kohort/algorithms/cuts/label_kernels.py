# mypy: disable-error-code="no-any-return"
"""What one head class adds to the bounds of a node, for the classification metric."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.merge_kernels import adjacent_atoms, cuts_at, merged_labels
from kohort.algorithms.cuts.region_kernels import (
    NEVER,
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
from kohort.algorithms.cuts.size_kernels import Bounds
from kohort.arrays import FloatArray, IntArray
from kohort.compiling import inner


class Atoms(NamedTuple):
    """The local atoms of a class that hold more than one label, called mixed."""

    order: IntArray  # the rows of the class by atom
    atom: IntArray  # of every one of them, among the mixed; -1: not mixed
    mixed: IntArray  # (atoms, places + 1, t): prefix sums of the labels along the spine


@inner
def label_cost(along: IntArray, a: int, b: int, size: int) -> int:
    """Return the records of a class that are not of its commonest label; `along` holds prefix sums."""
    top = 0
    for y in range(1, along.shape[1]):
        top = max(top, along[b, y] - along[a, y])
    return size - top


@inner
def add_labels(
    rows: Rows,
    members: IntArray,
    status: CutSet,
    along: IntArray,
    arcs: Arcs,
    costs: Costs,
    sums: IntArray,
    bounds: Bounds,
) -> None:
    """As `add_sizes`, for a class whose prefix sums `along` hold its size and the records of every label.

    A class of 2k records or more costs at least the minorities of its atoms; one cut more leaves two sides that
    are suppressed (below k), whole (below 2k, exactly known), or again no cheaper than their atoms.
    """
    codes, place, _, labels, first, _ = rows
    begins, ends = arcs
    own, k = costs.own, costs.k
    base, with_cut, without_cut, useful = bounds
    length, t = sums.shape[0], labels.shape[1]
    size = along[-1, 0]
    below(rows, members, -1, sums)
    cuts, at = dividing_cuts(first, status, sums, size)
    n_cuts = len(cuts)
    block, side = local_blocks(first, cuts, at, sums, size, k, False)
    left = np.empty((length, n_cuts, 1 + t), np.int64)
    _take(sums, at, left, 0)
    for y in range(t):
        below(rows, members, y, sums)
        _take(sums, at, left, 1 + y)
    m = codes.shape[1]
    mixed, mixed_block = np.empty((0, length, t), np.int64), np.empty((0, m), np.int64)
    rise = np.zeros((n_cuts, len(begins)))  # of the atoms' minorities, with a cut out
    spared = np.zeros((n_cuts, len(begins)))  # of the atoms' minorities, what a cut that only shaves takes
    if size >= 2 * k:
        order, starts = group_rows(codes, members, first, block)
        atoms = _labels_along(place, labels, order, starts, length)
        several = _of_several_labels(atoms)
        mixed, mixed_block = _chosen(atoms, several), cells(codes, order, starts, several, first, block)
        pairs = adjacent_atoms(codes, order, starts, first, block)
        merged_labels(pairs, atoms, cuts_at(side, len(block)), arcs, rise)
        atom = np.full(len(order), -1, np.int64)  # of every row, among the mixed
        for h in range(len(several)):
            for q in range(starts[several[h]], starts[several[h] + 1]):
                atom[q] = h
        for z in range(n_cuts):
            if side[z] < 0 and own[1] < NEVER:
                _spare(rows, Atoms(order, atom, mixed), cuts[z], at[z], left[-1, z, 0] < k, arcs, spared[z])
    excess = np.zeros(first[m] + m)
    value = np.empty(n_cuts)
    low_label = np.empty(t, np.int64)
    for i in range(len(begins)):
        a, b = begins[i], ends[i]
        s = along[b, 0] - along[a, 0]
        if s < k:
            base[i] += own[s]
            continue
        alone = float(label_cost(along, a, b, s))
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
            top_low, top_high = 0, 0
            for y in range(t):
                low_label[y] = left[b, z, 1 + y] - left[a, z, 1 + y]
                top_low = max(top_low, low_label[y])
                top_high = max(top_high, along[b, 1 + y] - along[a, 1 + y] - low_label[y])
            under = excess[side[z]] if side[z] >= 0 and over > 0 else 0.0
            above = over - under if side[z] >= 0 else 0.0
            if side[z] < 0 and not small:
                if low < k:
                    above = over - spared[z, i]
                else:
                    under = over - spared[z, i]
            value[z] = _side(low, top_low, under, own, k) + _side(high, top_high, above, own, k)
            if low >= k and high >= k:
                useful[cuts[z]] = 1
                lookahead, second, best_cut = better(value[z], cuts[z], lookahead, second, best_cut)
        bound = alone if small else max(lookahead, over)
        base[i] += bound
        for z in range(n_cuts):
            if value[z] > bound:
                with_cut[i, cuts[z]] += value[z] - bound
            out = over + rise[z, i] if not small else 0.0
            if cuts[z] == best_cut:
                out = max(out, second)
            if out > bound:
                without_cut[i, cuts[z]] += out - bound


@inner
def _take(sums: IntArray, at: IntArray, out: IntArray, y: int) -> None:
    for a in range(sums.shape[0]):
        for z in range(len(at)):
            out[a, z, y] = sums[a, at[z]]


@inner
def _chosen(atoms: IntArray, chosen: IntArray) -> IntArray:
    found = np.empty((len(chosen), atoms.shape[1], atoms.shape[2]), np.int64)
    for h in range(len(chosen)):
        for a in range(atoms.shape[1]):
            for y in range(atoms.shape[2]):
                found[h, a, y] = atoms[chosen[h], a, y]
    return found


@inner
def _side(size: int, top: int, atoms: float, own: FloatArray, k: int) -> float:
    """Return the bound of one side of a cut: suppressed, whole, or still to be parted."""
    if size < k:
        return own[size]
    return np.float64(size - top) if size < 2 * k else atoms


@inner
def _labels_along(
    place: IntArray, labels: IntArray, order: IntArray, starts: IntArray, length: int
) -> IntArray:
    """Return the prefix sums of every label of every atom along the spine."""
    t = labels.shape[1]
    along = np.zeros((len(starts) - 1, length, t), np.int64)
    for c in range(len(along)):
        for q in range(starts[c], starts[c + 1]):
            for y in range(t):
                along[c, place[order[q]] + 1, y] += labels[order[q], y]
        for a in range(1, length):
            for y in range(t):
                along[c, a, y] += along[c, a - 1, y]
    return along


@inner
def _of_several_labels(atoms: IntArray) -> IntArray:
    """Return the numbers of the atoms that hold more than one label."""
    found = np.empty(len(atoms), np.int64)
    count = 0
    for c in range(len(atoms)):
        present = 0
        for y in range(atoms.shape[2]):
            present += 1 if atoms[c, -1, y] > 0 else 0
        if present > 1:
            found[count] = c
            count += 1
    return found[:count]


@inner
def _spare(
    rows: Rows, atoms: Atoms, v: int, at: int, shaves_low: bool, arcs: Arcs, spared: FloatArray
) -> None:
    """Fill by how much the minorities of the atoms fall, per interval, without the lesser side of cut v."""
    codes, place, _, labels, first, _ = rows
    order, atom, mixed = atoms
    begins, ends = arcs
    length, t = mixed.shape[1], mixed.shape[2]
    j = at - v
    p = v - first[j] + 1
    number = np.full(len(mixed), -1, np.int64)
    touched = np.empty(len(mixed), np.int64)
    count = 0
    for q in range(len(order)):
        h = atom[q]
        if h >= 0 and (codes[order[q], j] < p) == shaves_low and number[h] < 0:
            number[h] = count
            touched[count] = h
            count += 1
    gone = np.zeros((count, length, t), np.int64)
    for q in range(len(order)):
        h, i = atom[q], order[q]
        if h >= 0 and (codes[i, j] < p) == shaves_low:
            for y in range(t):
                gone[number[h], place[i] + 1, y] += labels[i, y]
    for x in range(count):
        for a in range(1, length):
            for y in range(t):
                gone[x, a, y] += gone[x, a - 1, y]
    for i in range(len(begins)):
        a, b = begins[i], ends[i]
        fall = 0
        for x in range(count):
            h = touched[x]
            size, top, rest, rest_top = 0, 0, 0, 0
            for y in range(t):
                here = mixed[h, b, y] - mixed[h, a, y]
                left = here - gone[x, b, y] + gone[x, a, y]
                size += here
                rest += left
                top = max(top, here)
                rest_top = max(rest_top, left)
            fall += (size - top) - (rest - rest_top)
        spared[i] = fall


@inner
def _minorities(
    mixed: IntArray, mixed_block: IntArray, a: int, b: int, first: IntArray, excess: FloatArray
) -> float:
    """Return the minorities of all atoms within an interval; fill their sums up to each block."""
    m, t = len(first) - 1, mixed.shape[2]
    over = 0.0
    for g in range(len(excess)):
        excess[g] = 0.0
    for h in range(len(mixed)):
        size, top = 0, 0
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
