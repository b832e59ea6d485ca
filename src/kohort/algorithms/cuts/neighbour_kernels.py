"""The cost of a cut set and of all its neighbours, in one pass over the weighted distinct tuples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.slot_kernels import Slots, densify, find, slots
from kohort.arrays import IntArray
from kohort.compiling import inner, kernel

DISCERNIBILITY, CLASSIFICATION, CLASS_COUNT = 0, 1, 2


class Records(NamedTuple):
    """The weighted distinct tuples."""

    codes: IntArray  # uint16 (N, m): codes of occurring values
    weights: IntArray  # int64 (N)
    labels: IntArray  # int64 (N, t): the records of each target value; t = 0 where no target matters
    first: (
        IntArray  # int64 (m + 1): cut v = first[j] + p - 1 parts codes below p from the rest in attribute j
    )


class Goal(NamedTuple):
    """What is minimised."""

    metric: int
    k: int
    n: int


class Split(NamedTuple):
    """The classes of a cut set."""

    class_of: IntArray  # (N)
    starts: IntArray  # (classes + 1): the tuples of class c - 1 are counted at c
    sizes: IntArray
    spread: IntArray  # (classes, t): records per target value
    own: IntArray  # cost


class Numbering(NamedTuple):
    """How tuples were numbered by class."""

    block: IntArray  # of (j, code) at first[j] + j + code
    step: IntArray  # (m): what a block further adds to a key
    keys: IntArray  # (N)
    slots: Slots


@inner
def class_cost(goal: Goal, size: int, majority: int) -> int:
    """Return what one class adds to the cost; classes below k are suppressed."""
    metric, k, n = goal
    if metric == 0:
        return size * size if size >= k else n * size
    if metric == 1:
        return size - majority if size >= k else size
    return -1 if size >= k else 0


@kernel
def neighbours(
    records: Records, goal: Goal, included: CutSet, wanted: int, cost: IntArray, suppressed: IntArray
) -> tuple[int, int]:
    """Fill `cost[v]` and `suppressed[v]` for the cut set with v flipped; return both for the set itself.

    `wanted`: 0 only the set itself, 1 what adding a cut gives, 2 what removing one gives, 3 both.
    """
    split, numbering, total, lost = _split(records, goal, included)
    if wanted == 0:
        return _with_lost(goal, total, lost), lost
    for v in range(len(included)):
        cost[v] = total
        suppressed[v] = lost
    if wanted & 1:
        _additions(records, goal, included, split, cost, suppressed)
    if wanted & 2:
        _removals(records, goal, included, split, numbering, cost, suppressed)
    for v in range(len(included)):
        cost[v] = _with_lost(goal, cost[v], suppressed[v])
    return _with_lost(goal, total, lost), lost


@inner
def _with_lost(goal: Goal, cost: int, lost: int) -> int:
    """Return the cost where suppressed records, if classes are counted, count as one."""
    return cost - 1 if goal.metric == CLASS_COUNT and lost > 0 else cost


@inner
def _split(records: Records, goal: Goal, included: CutSet) -> tuple[Split, Numbering, int, int]:
    """Return the classes of a cut set, how they were numbered, their cost and the records suppressed."""
    codes, weights, labels, first = records
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
        key = 0
        for j in range(m):
            key += step[j] * block[first[j] + j + codes[i, j]]
        keys[i] = key
    table = slots(n_tuples)
    class_of = np.empty(n_tuples, np.int64)
    n_classes = densify(keys, n_tuples, class_of, table, 1)
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
    total, lost = 0, 0
    for c in range(n_classes):
        top = 0
        for y in range(t):
            top = max(top, spread[c, y])
        own[c] = class_cost(goal, sizes[c], top)
        total += own[c]
        if sizes[c] < goal.k:
            lost += sizes[c]
    return Split(class_of, starts, sizes, spread, own), Numbering(block, step, keys, table), total, lost


@kernel
def group_neighbours(
    records: Records,
    goal: Goal,
    included: CutSet,
    group: IntArray,
    parent: IntArray,
    cost: IntArray,
    suppressed: IntArray,
) -> tuple[int, int]:
    """As `neighbours`, one group flipped at a time: with the groups above it put in, or below it taken out."""
    n_cuts = len(included)
    flipped = included.copy()
    for g in range(len(parent) + 1):
        made = False
        for v in range(n_cuts):
            made = made or (group[v] == g and included[v] == 1)
        for v in range(n_cuts):
            flipped[v] = included[v]
            if g == len(parent):  # the set itself, last
                continue
            inner, outer = (group[v], g) if made else (g, group[v])
            while inner >= 0 and inner != outer:
                inner = parent[inner]
            if inner >= 0:
                flipped[v] = 0 if made else 1
        _, _, total, lost = _split(records, goal, flipped)
        total = _with_lost(goal, total, lost)
        if g < len(parent):
            cost[g], suppressed[g] = total, lost
    return total, lost


@inner
def _additions(
    records: Records, goal: Goal, included: CutSet, split: Split, cost: IntArray, suppressed: IntArray
) -> None:
    """Add to cost and suppressed records what each cut that is out would add."""
    codes, weights, labels, first = records
    class_of, starts, sizes, spread, own = split
    k = goal.k
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
            low, high = widest, -1
            for q in range(starts[c], ends[c]):
                low = min(low, int(codes[order[q], j]))
                high = max(high, int(codes[order[q], j]))
            if low == high:
                continue
            for code in range(low, high + 1):
                for y in range(1 + t):
                    counts[code, y] = 0
            for q in range(starts[c], ends[c]):
                i = order[q]
                code = int(codes[i, j])
                counts[code, 0] += weights[i]
                for y in range(t):
                    counts[code, 1 + y] += labels[i, y]
            for y in range(1 + t):
                left[y] = 0
            for p in range(low + 1, high + 1):
                for y in range(1 + t):
                    left[y] += counts[p - 1, y]
                v = first[j] + p - 1
                if included[v]:
                    continue
                top, rest = 0, 0
                for y in range(t):
                    top = max(top, left[1 + y])
                    rest = max(rest, spread[c, y] - left[1 + y])
                right = size - left[0]
                cost[v] += class_cost(goal, left[0], top) + class_cost(goal, right, rest) - own[c]
                if left[0] < k:
                    suppressed[v] += left[0]
                if right < k:
                    suppressed[v] += right


@inner
def _removals(
    records: Records,
    goal: Goal,
    included: CutSet,
    split: Split,
    numbering: Numbering,
    cost: IntArray,
    suppressed: IntArray,
) -> None:
    """Add to cost and suppressed records what each cut that is in would add if it were out."""
    codes, first = records.codes, records.first
    class_of, _, sizes, spread, own = split
    block, step, keys, table = numbering
    k = goal.k
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
            other = find(keys[i] + step[j], table, 1)
            if other < 0:
                continue
            size = sizes[c] + sizes[other]
            top = 0
            for y in range(t):
                top = max(top, spread[c, y] + spread[other, y])
            cost[v] += class_cost(goal, size, top) - own[c] - own[other]
            if size >= k:
                if sizes[c] < k:
                    suppressed[v] -= sizes[c]
                if sizes[other] < k:
                    suppressed[v] -= sizes[other]
