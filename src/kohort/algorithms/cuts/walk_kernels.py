"""A cut set that is changed one cut at a time: a flip visits only the tuples beside the cut."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from kohort.algorithms.cuts.neighbour_kernels import class_cost
from kohort.algorithms.cuts.space import CutSet, Space
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
        more, further = _exchange(walk, walk.touched[q], change)
        cost += more
        lost += further
    return cost, lost


@njit(cache=True, nogil=True)
def _exchange(walk, c, change):  # type: ignore[no-untyped-def]
    """Return by how much cost and suppressed records rise when the moved records leave class c."""
    m, k, n = walk.metric, walk.k, walk.n
    d = walk.slot_class[_slot(walk, walk.key[c] ^ change)]
    size, moved = walk.size[c], walk.moved[c]
    there = walk.size[d] if d >= 0 else 0
    top, top_there, top_left, top_joined = 0, 0, 0, 0
    for y in range(walk.labels.shape[1]):
        own, leaving = walk.spread[c, y], walk.moved_spread[c, y]
        other = walk.spread[d, y] if d >= 0 else 0
        top, top_left = max(top, own), max(top_left, own - leaving)
        top_there, top_joined = max(top_there, other), max(top_joined, other + leaving)
    before = class_cost(m, size, top, k, n) + class_cost(m, there, top_there, k, n)
    after = class_cost(m, size - moved, top_left, k, n) + class_cost(m, there + moved, top_joined, k, n)
    lost = _lost(size - moved, k) + _lost(there + moved, k) - _lost(size, k) - _lost(there, k)
    return after - before, lost


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
def put(walk, wanted):  # type: ignore[no-untyped-def]
    """Change the walk to the set `wanted`."""
    for v in range(len(wanted)):
        if walk.included[v] != wanted[v]:
            flip(walk, v)


def walk_of(space: Space) -> Walk:
    """Return a walk that stands at the set without cuts."""
    n_tuples, m = space.codes.shape
    places = np.diff(space.first)
    widest = int(places.max(initial=0)) + 1
    capacity, slots = 2 * n_tuples + 1, 1 << (4 * n_tuples).bit_length()
    walk = Walk(
        weights=space.weights,
        labels=space.labels,
        order=np.ascontiguousarray(space.codes.argsort(axis=0, kind="stable").T, np.int32),
        offset=np.array([_offsets(space.codes[:, j], widest) for j in range(m)]).reshape(m, widest + 1),
        attribute=np.repeat(np.arange(m), places),
        first=space.first,
        metric=space.metric,
        k=space.k,
        n=space.n_rows,
        secret=np.random.default_rng(0).integers(-(2**63), 2**63 - 1, (m, widest)),
        included=np.zeros(space.n_cuts, np.uint8),
        name=np.zeros((m, widest), np.int64),
        free=np.tile(np.arange(widest), (m, 1)),
        n_free=places + 1,
        class_of=np.zeros(n_tuples, np.int32),
        key=np.zeros(capacity, np.int64),
        size=np.zeros(capacity, np.int64),
        spread=np.zeros((capacity, space.labels.shape[1]), np.int64),
        moved=np.zeros(capacity, np.int64),
        moved_spread=np.zeros((capacity, space.labels.shape[1]), np.int64),
        partner=np.zeros(capacity, np.int64),
        mark=np.zeros(capacity, np.int64),
        touched=np.zeros(n_tuples, np.int64),
        slot_key=np.zeros(slots, np.int64),
        slot_class=np.full(slots, -1, np.int64),
        totals=np.zeros(4, np.int64),
    )
    _begin(walk)
    return walk


def _offsets(codes: IntArray, widest: int) -> IntArray:
    """Return where the tuples of each code begin when they are sorted by code."""
    return np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=widest))])


@njit(cache=True, nogil=True)
def _begin(walk):  # type: ignore[no-untyped-def]
    """Put all tuples into one class; every attribute's one interval takes the last of the free names."""
    key = np.int64(0)
    for j in range(len(walk.n_free)):
        walk.n_free[j] -= 1
        walk.name[j, 0] = walk.free[j, walk.n_free[j]]
        key ^= walk.secret[j, walk.name[j, 0]]
    c = _class_with(walk, key)
    for i in range(len(walk.weights)):
        walk.size[c] += walk.weights[i]
        for y in range(walk.labels.shape[1]):
            walk.spread[c, y] += walk.labels[i, y]
    top = np.int64(0)
    for y in range(walk.labels.shape[1]):
        top = max(top, walk.spread[c, y])
    walk.totals[COST] = class_cost(walk.metric, walk.size[c], top, walk.k, walk.n)
    walk.totals[LOST] = _lost(walk.size[c], walk.k)
