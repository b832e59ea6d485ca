"""The cost of a cut set and of all its neighbours, in one pass over the weighted distinct tuples."""

from __future__ import annotations

import numpy as np
from numba import njit

from kohort.algorithms.cuts.slot_kernels import densify, find, slots

DISCERNIBILITY, CLASSIFICATION, CLASS_COUNT = 0, 1, 2


@njit(cache=True, nogil=True)
def class_cost(metric, size, majority, k, n):  # type: ignore[no-untyped-def]
    """Return what one class adds to the cost; classes below k are suppressed."""
    if metric == 0:
        return size * size if size >= k else n * size
    if metric == 1:
        return size - majority if size >= k else size
    return -1 if size >= k else 0


@njit(cache=True, nogil=True)
def neighbours(  # type: ignore[no-untyped-def]
    codes, weights, labels, first, metric, k, n, included, wanted, cost, suppressed
):
    """Fill `cost[v]` and `suppressed[v]` for the cut set with v flipped; return both for the set itself.

    `codes` (N, m) are codes of occurring values, `labels` (N, t) the records of each target value (t = 0
    where no target matters). Cut v = first[j] + p - 1 parts codes below p from the rest in attribute j.
    `wanted`: 0 only the set itself, 1 what adding a cut gives, 2 what removing one gives, 3 both.
    """
    n_tuples, m = codes.shape
    t = labels.shape[1]
    n_cuts = first[m]
    step = np.ones(m, np.int64)
    block = np.zeros(n_cuts + m, np.int64)  # of (j, code) at first[j] + j + code
    fits = True
    radix = np.float64(1)
    for j in range(m):
        base = first[j] + j
        for p in range(1, first[j + 1] - first[j] + 1):
            block[base + p] = block[base + p - 1] + included[first[j] + p - 1]
        step[j] = np.int64(radix) if fits else step[j - 1] * np.int64(6364136223846793005) + 2 * j + 1
        radix *= block[base + first[j + 1] - first[j]] + 2
        fits = fits and radix < 2.0**61
    keys = np.zeros(n_tuples, np.int64)
    for i in range(n_tuples):
        key = np.int64(0)
        for j in range(m):
            key += step[j] * block[first[j] + j + codes[i, j]]
        keys[i] = key
    slot_key, slot_id, slot_stamp, mask = slots(n_tuples)
    class_of = np.empty(n_tuples, np.int64)
    n_classes = densify(keys, n_tuples, class_of, slot_key, slot_id, slot_stamp, 1, mask)
    starts = np.zeros(n_classes + 1, np.int64)
    sizes = np.zeros(n_classes, np.int64)
    spread = np.zeros((n_classes, t), np.int64)
    for i in range(n_tuples):
        c = class_of[i]
        starts[c + 1] += 1
        sizes[c] += weights[i]
        for y in range(t):
            spread[c, y] += labels[i, y]
    own = np.empty(n_classes, np.int64)
    total, lost = np.int64(0), np.int64(0)
    for c in range(n_classes):
        top = np.int64(0)
        for y in range(t):
            top = max(top, spread[c, y])
        own[c] = class_cost(metric, sizes[c], top, k, n)
        total += own[c]
        if sizes[c] < k:
            lost += sizes[c]
    if wanted == 0:
        return (total - 1 if metric == 2 and lost > 0 else total), lost
    for v in range(n_cuts):
        cost[v] = total
        suppressed[v] = lost
    if wanted & 1:
        _additions(
            codes, weights, labels, first, metric, k, n, included, class_of, starts, sizes, spread, own,
            cost, suppressed,
        )  # fmt: skip
    if wanted & 2:
        _removals(
            codes, first, metric, k, n, included, block, step, keys, class_of, sizes, spread, own,
            slot_key, slot_id, slot_stamp, mask, cost, suppressed,
        )  # fmt: skip
    if metric == 2:  # the suppressed records count as one class
        for v in range(n_cuts):
            if suppressed[v] > 0:
                cost[v] -= 1
        if lost > 0:
            total -= 1
    return total, lost


@njit(cache=True, nogil=True)
def group_neighbours(  # type: ignore[no-untyped-def]
    codes, weights, labels, first, metric, k, n, included, group, parent, cost, suppressed
):
    """As `neighbours`, one group flipped at a time: with the groups above it put in, or below it taken out."""
    n_cuts = len(included)
    spare = np.zeros(n_cuts, np.int64)
    other = np.zeros(n_cuts, np.int64)
    flipped = included.copy()
    for g in range(len(parent)):
        made = False
        for v in range(n_cuts):
            made = made or (group[v] == g and included[v] == 1)
        for v in range(n_cuts):
            flipped[v] = included[v]
            inner, outer = (group[v], g) if made else (g, group[v])
            while inner >= 0 and inner != outer:
                inner = parent[inner]
            if inner >= 0:
                flipped[v] = 0 if made else 1
        cost[g], suppressed[g] = neighbours(
            codes, weights, labels, first, metric, k, n, flipped, 0, spare, other
        )
    return neighbours(codes, weights, labels, first, metric, k, n, included, 0, spare, other)


@njit(cache=True, nogil=True)
def _additions(  # type: ignore[no-untyped-def]
    codes,
    weights,
    labels,
    first,
    metric,
    k,
    n,
    included,
    class_of,
    starts,
    sizes,
    spread,
    own,
    cost,
    suppressed,
):
    n_tuples, m = codes.shape
    t = labels.shape[1]
    n_classes = len(sizes)
    widest = 1
    for j in range(m):
        widest = max(widest, first[j + 1] - first[j] + 1)
    counts = np.zeros((widest, 1 + t), np.int64)
    left = np.zeros(1 + t, np.int64)
    order = np.empty(n_tuples, np.int64)
    ends = np.empty(n_classes, np.int64)
    position = 0
    for c in range(n_classes):
        size = starts[c + 1]
        starts[c] = position
        ends[c] = position
        position += size
    for i in range(n_tuples):
        order[ends[class_of[i]]] = i
        ends[class_of[i]] += 1
    for c in range(n_classes):
        size = sizes[c]
        if size < k or ends[c] - starts[c] < 2:
            continue  # what is suppressed stays suppressed; a single tuple cannot be split
        for j in range(m):
            low, high = np.int64(widest), np.int64(-1)
            for q in range(starts[c], ends[c]):
                code = np.int64(codes[order[q], j])
                low = min(low, code)
                high = max(high, code)
            if low == high:
                continue
            counts[low : high + 1] = 0
            for q in range(starts[c], ends[c]):
                i = order[q]
                code = np.int64(codes[i, j])
                counts[code, 0] += weights[i]
                for y in range(t):
                    counts[code, 1 + y] += labels[i, y]
            left[:] = 0
            for p in range(low + 1, high + 1):
                for y in range(1 + t):
                    left[y] += counts[p - 1, y]
                v = first[j] + p - 1
                if included[v]:
                    continue
                top, rest = np.int64(0), np.int64(0)
                for y in range(t):
                    top = max(top, left[1 + y])
                    rest = max(rest, spread[c, y] - left[1 + y])
                right = size - left[0]
                cost[v] += (
                    class_cost(metric, left[0], top, k, n) + class_cost(metric, right, rest, k, n) - own[c]
                )
                if left[0] < k:
                    suppressed[v] += left[0]
                if right < k:
                    suppressed[v] += right


@njit(cache=True, nogil=True)
def _removals(  # type: ignore[no-untyped-def]
    codes, first, metric, k, n, included, block, step, keys, class_of, sizes, spread, own,
    slot_key, slot_id, slot_stamp, mask, cost, suppressed,
):  # fmt: skip
    n_tuples, m = codes.shape
    t = spread.shape[1]
    n_classes = len(sizes)
    sample = np.empty(n_classes, np.int64)
    for i in range(n_tuples):
        sample[class_of[i]] = i
    cut_after = np.full(len(block), -1, np.int64)  # of (j, block): the cut at its upper end
    for j in range(m):
        for p in range(1, first[j + 1] - first[j] + 1):
            if included[first[j] + p - 1]:
                cut_after[first[j] + j + block[first[j] + j + p] - 1] = first[j] + p - 1
    for c in range(n_classes):
        i = sample[c]
        for j in range(m):
            base = first[j] + j
            v = cut_after[base + block[base + codes[i, j]]]
            if v < 0:
                continue
            other = find(keys[i] + step[j], slot_key, slot_id, slot_stamp, 1, mask)
            if other < 0:
                continue
            size = sizes[c] + sizes[other]
            top = np.int64(0)
            for y in range(t):
                top = max(top, spread[c, y] + spread[other, y])
            cost[v] += class_cost(metric, size, top, k, n) - own[c] - own[other]
            if size >= k:
                if sizes[c] < k:
                    suppressed[v] -= sizes[c]
                if sizes[other] < k:
                    suppressed[v] -= sizes[other]
