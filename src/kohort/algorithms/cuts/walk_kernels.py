"""A cut set that is changed one cut at a time: a flip visits only the tuples beside the cut."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from kohort.algorithms.cuts.neighbour_kernels import class_cost
from kohort.algorithms.cuts.space import CutSet
from kohort.arrays import IntArray

COST, LOST, CLASSES, STAMP = range(4)  # of `Walk.totals`


class Walk(NamedTuple):
    """A cut set with its classes, as arrays that moves keep up to date.

    Every interval bears a name among the numbers 0 … of its attribute, and a class the key that joins the names
    of its intervals. A move renames some values of one attribute: splitting an interval or joining two renames
    the side with fewer tuples, shifting a cut renames the values it passes.
    """

    weights: IntArray  # (N)
    labels: IntArray  # (N, t)
    order: IntArray  # (m, N): tuples by code
    offset: IntArray  # (m, widest + 1): where the tuples of each code begin in `order`
    attribute: IntArray  # per cut
    first: IntArray  # (m + 1)
    metric: int
    k: int
    n: int
    secret: IntArray  # (m, widest): the random number a name adds to a key
    included: CutSet
    name: IntArray  # (m, widest): of the interval that begins at a code
    free: IntArray  # (m, widest): names not in use, the last freed at the end
    n_free: IntArray  # (m)
    class_of: IntArray  # (N)
    key: IntArray  # per class, as all down to `touched`
    size: IntArray
    spread: IntArray  # (…, t): records per target value
    moved: IntArray  # records of the class that the move would rename
    moved_spread: IntArray  # (…, t)
    partner: IntArray  # where they would go
    mark: IntArray  # the move that saw the class last
    touched: IntArray
    slot_key: IntArray
    slot_class: IntArray  # -1: empty
    totals: IntArray  # cost, suppressed records, class numbers given, moves seen


class Renaming(NamedTuple):
    """The tuples at `low` … `high` of an attribute's order change keys, from one interval's name to another's."""

    attribute: int
    low: int
    high: int
    change: int


@njit(cache=True, nogil=True)
def flipping(walk, v):  # type: ignore[no-untyped-def]
    """Return what renames when cut v is flipped, where its interval begins, and where the renamed side does."""
    j = walk.attribute[v]
    base = walk.first[j]
    p = v - base + 1
    begin, end = p - 1, p + 1
    while begin > 0 and not walk.included[base + begin - 1]:
        begin -= 1
    while end <= walk.first[j + 1] - base and not walk.included[base + end - 1]:
        end += 1
    low, middle, high = walk.offset[j, begin], walk.offset[j, p], walk.offset[j, end]
    if walk.included[v]:
        old, new = walk.name[j, begin], walk.name[j, p]
    else:
        old, new = walk.name[j, begin], walk.free[j, walk.n_free[j] - 1]
    change = walk.secret[j, old] ^ walk.secret[j, new]
    if middle - low < high - middle:
        return Renaming(j, low, middle, change), begin, begin
    return Renaming(j, middle, high, change), begin, p


@njit(cache=True, nogil=True)
def flip(walk, v):  # type: ignore[no-untyped-def]
    """Put cut v in, or take it out."""
    renaming, begin, side = flipping(walk, v)
    j = renaming.attribute
    p = v - walk.first[j] + 1
    other = begin + p - side
    if walk.included[v]:
        walk.free[j, walk.n_free[j]] = walk.name[j, side]
        walk.n_free[j] += 1
        walk.name[j, begin] = walk.name[j, other]
    else:
        walk.n_free[j] -= 1
        walk.name[j, other] = walk.name[j, begin]
        walk.name[j, side] = walk.free[j, walk.n_free[j]]
    walk.included[v] ^= 1
    rename(walk, renaming)


@njit(cache=True, nogil=True)
def shifting(walk, v, to):  # type: ignore[no-untyped-def]
    """Return what renames when cut v moves to the place beside it."""
    j = walk.attribute[v]
    base = walk.first[j]
    p = v - base + 1
    begin = p - 1
    while begin > 0 and not walk.included[base + begin - 1]:
        begin -= 1
    code = min(v, to) - base + 1
    change = walk.secret[j, walk.name[j, begin]] ^ walk.secret[j, walk.name[j, p]]
    return Renaming(j, walk.offset[j, code], walk.offset[j, code + 1], change)


@njit(cache=True, nogil=True)
def shift(walk, v, to):  # type: ignore[no-untyped-def]
    """Move cut v to the place beside it."""
    renaming = shifting(walk, v, to)
    j = renaming.attribute
    walk.name[j, to - walk.first[j] + 1] = walk.name[j, v - walk.first[j] + 1]
    walk.included[v] = 0
    walk.included[to] = 1
    rename(walk, renaming)


@njit(cache=True, nogil=True)
def outcome(walk, renaming):  # type: ignore[no-untyped-def]
    """Return cost and suppressed records after a renaming, which is not made."""
    j, low, high, change = renaming
    t = walk.labels.shape[1]
    walk.totals[STAMP] += 1
    stamp = walk.totals[STAMP]
    n_touched = 0
    for q in range(low, high):
        i = walk.order[j, q]
        c = walk.class_of[i]
        if walk.mark[c] != stamp:
            walk.mark[c] = stamp
            walk.touched[n_touched] = c
            n_touched += 1
            walk.moved[c] = 0
            for y in range(t):
                walk.moved_spread[c, y] = 0
        walk.moved[c] += walk.weights[i]
        for y in range(t):
            walk.moved_spread[c, y] += walk.labels[i, y]
    cost, lost = walk.totals[COST], walk.totals[LOST]
    for q in range(n_touched):
        c = walk.touched[q]
        slot = _slot(walk, walk.key[c] ^ change)
        d = walk.slot_class[slot]
        size, moved = walk.size[c], walk.moved[c]
        there = walk.size[d] if d >= 0 else 0
        cost_here, cost_there, after_here, after_there = 0, 0, 0, 0
        for y in range(t):
            here_y, moved_y = walk.spread[c, y], walk.moved_spread[c, y]
            there_y = walk.spread[d, y] if d >= 0 else 0
            cost_here = max(cost_here, here_y)
            cost_there = max(cost_there, there_y)
            after_here = max(after_here, here_y - moved_y)
            after_there = max(after_there, there_y + moved_y)
        m, k, n = walk.metric, walk.k, walk.n
        cost += (
            class_cost(m, size - moved, after_here, k, n) + class_cost(m, there + moved, after_there, k, n)
            - class_cost(m, size, cost_here, k, n) - class_cost(m, there, cost_there, k, n)
        )  # fmt: skip
        lost += _lost(size - moved, k) + _lost(there + moved, k) - _lost(size, k) - _lost(there, k)
    return cost, lost


@njit(cache=True, nogil=True)
def _lost(size, k):  # type: ignore[no-untyped-def]
    return size if size < k else 0


@njit(cache=True, nogil=True)
def rename(walk, renaming):  # type: ignore[no-untyped-def]
    """Move the tuples to the classes whose keys differ by `change`."""
    j, low, high, change = renaming
    if walk.totals[CLASSES] + high - low > len(walk.key):
        _compact(walk)
    walk.totals[COST], walk.totals[LOST] = outcome(walk, renaming)
    t = walk.labels.shape[1]
    walk.totals[STAMP] += 1
    stamp = walk.totals[STAMP]
    for q in range(low, high):
        i = walk.order[j, q]
        c = walk.class_of[i]
        if walk.mark[c] != stamp:
            walk.mark[c] = stamp
            d = _class_with(walk, walk.key[c] ^ change)
            walk.partner[c] = d
            walk.size[c] -= walk.moved[c]
            walk.size[d] += walk.moved[c]
            for y in range(t):
                walk.spread[c, y] -= walk.moved_spread[c, y]
                walk.spread[d, y] += walk.moved_spread[c, y]
        walk.class_of[i] = walk.partner[c]


@njit(cache=True, nogil=True)
def _slot(walk, key):  # type: ignore[no-untyped-def]
    """Return where the class with this key is, or would be."""
    mask = len(walk.slot_key) - 1
    slot = key & mask
    while walk.slot_class[slot] >= 0 and walk.slot_key[slot] != key:
        slot = (slot + 1) & mask
    return slot


@njit(cache=True, nogil=True)
def _class_with(walk, key):  # type: ignore[no-untyped-def]
    """Return the class with this key; a new, empty one where there is none."""
    slot = _slot(walk, key)
    if walk.slot_class[slot] < 0:
        c = walk.totals[CLASSES]
        walk.totals[CLASSES] += 1
        walk.slot_key[slot] = key
        walk.slot_class[slot] = c
        walk.key[c] = key
        walk.size[c] = 0
        walk.spread[c] = 0
        walk.mark[c] = 0
    return walk.slot_class[slot]


@njit(cache=True, nogil=True)
def _compact(walk):  # type: ignore[no-untyped-def]
    """Forget the empty classes, so that there are numbers for new ones."""
    n_classes = walk.totals[CLASSES]
    walk.totals[CLASSES] = 0
    walk.slot_class[:] = -1
    for c in range(n_classes):
        if walk.size[c] > 0:
            size = walk.size[c]
            spread = walk.spread[c].copy()
            d = _class_with(walk, walk.key[c])  # d <= c: nothing is overwritten that is still to be read
            walk.size[d] = size
            walk.spread[d] = spread
            walk.partner[c] = d
    for i in range(len(walk.class_of)):
        walk.class_of[i] = walk.partner[walk.class_of[i]]


@njit(cache=True, nogil=True)
def value_of(walk, cost, lost, limit, price):  # type: ignore[no-untyped-def]
    """Return the cost of the set, plus a price for every record suppressed beyond the limit."""
    if walk.metric == 2 and lost > 0:  # the suppressed records count as one class
        cost -= 1
    return cost + price * max(0, lost - limit)


@njit(cache=True, nogil=True)
def put(walk, wanted):  # type: ignore[no-untyped-def]
    """Change the walk to the set `wanted`."""
    for v in range(len(wanted)):
        if walk.included[v] != wanted[v]:
            flip(walk, v)


@njit(cache=True, nogil=True)
def anneal(walk, groups, shifts, rises, movable, limit, price, best, best_value):
    value = value_of(walk, walk.totals[COST], walk.totals[LOST], limit, price)
    accepted = 0
    for step in range(len(groups)):
        v = groups[step]
        to = v + shifts[step]
        if not movable[v]: continue
        if not walk.included[v]:
            to = v
        if to != v:
            if to < 0 or to >= len(walk.included) or walk.attribute[v] != walk.attribute[to] or walk.included[to] or not movable[to]:
                continue
            renaming = shifting(walk, v, to)
        else:
            renaming = flipping(walk, v)[0]
        cost, lost = outcome(walk, renaming)
        new = value_of(walk, cost, lost, limit, price)
        if new - value <= rises[step]:
            if to != v:
                shift(walk, v, to)
            else:
                flip(walk, v)
            value = new
            accepted += 1
            if value < best_value:
                best_value = value
                best[:] = walk.included
    return best_value, accepted


def walk_of(space) -> Walk:
    n, m = space.codes.shape
    t = space.labels.shape[1]
    widest = int(np.diff(space.first).max(initial=0)) + 1
    offset = np.zeros((m, widest + 1), np.int64)
    for j in range(m):
        offset[j, 1:] = np.cumsum(np.bincount(space.codes[:, j], minlength=widest))
    order = np.ascontiguousarray(np.argsort(space.codes, axis=0, kind="stable").T)
    slots = 1 << int(4 * n - 1).bit_length()
    capacity = 2 * n + 1
    integers = lambda *shape: np.zeros(shape, np.int64)
    walk = Walk(
        space.weights, space.labels, order.astype(np.int32), offset, np.repeat(np.arange(m), np.diff(space.first)), space.first, space.metric,
        space.k, space.n_rows, np.random.default_rng(0).integers(-2**63, 2**63 - 1, (m, widest)),
        np.zeros(space.n_cuts, np.uint8), integers(m, widest),
        integers(m, widest), np.diff(space.first).copy(),
        integers(n).astype(np.int32), integers(capacity), integers(capacity), integers(capacity, t), integers(capacity), integers(capacity, t), integers(capacity), integers(capacity), integers(n),
        integers(slots), np.full(slots, -1), integers(4))
    for j in range(m):
        size = int(space.first[j+1]-space.first[j])
        walk.free[j, :size] = np.arange(size, 0, -1)
    walk.slot_class[0] = 0
    walk.totals[CLASSES] = 1
    walk.size[0] = walk.n
    walk.spread[0] = walk.labels.sum(axis=0)
    walk.totals[COST] = class_cost(walk.metric, walk.n, int(walk.spread[0].max(initial=0)), walk.k, walk.n)
    walk.totals[LOST] = walk.n if walk.n < walk.k else 0
    return walk
