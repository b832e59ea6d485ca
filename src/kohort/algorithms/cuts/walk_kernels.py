# mypy: disable-error-code="no-any-return"
"""A cut set that is changed one cut at a time: a flip visits only the tuples beside the cut."""

from __future__ import annotations

from typing import NamedTuple

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.neighbour_kernels import Goal, class_cost
from kohort.arrays import IntArray
from kohort.compiling import inner

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
    goal: Goal
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


@inner
def flipping(walk: Walk, v: int) -> tuple[Renaming, int, int]:
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


@inner
def flip(walk: Walk, v: int) -> None:
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


@inner
def shifting(walk: Walk, v: int, to: int) -> Renaming:
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


@inner
def shift(walk: Walk, v: int, to: int) -> None:
    """Move cut v to the place beside it."""
    renaming = shifting(walk, v, to)
    j = renaming.attribute
    walk.name[j, to - walk.first[j] + 1] = walk.name[j, v - walk.first[j] + 1]
    walk.included[v] = 0
    walk.included[to] = 1
    rename(walk, renaming)


@inner
def outcome(walk: Walk, renaming: Renaming) -> tuple[int, int]:
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


@inner
def _exchange(walk: Walk, c: int, change: int) -> tuple[int, int]:
    """Return by how much cost and suppressed records rise when the moved records leave class c."""
    goal, k = walk.goal, walk.goal.k
    d = walk.slot_class[_slot(walk, walk.key[c] ^ change)]
    size, moved = walk.size[c], walk.moved[c]
    there = walk.size[d] if d >= 0 else 0
    top, top_there, top_left, top_joined = 0, 0, 0, 0
    for y in range(walk.labels.shape[1]):
        own, leaving = walk.spread[c, y], walk.moved_spread[c, y]
        other = walk.spread[d, y] if d >= 0 else 0
        top, top_left = max(top, own), max(top_left, own - leaving)
        top_there, top_joined = max(top_there, other), max(top_joined, other + leaving)
    before = class_cost(goal, size, top) + class_cost(goal, there, top_there)
    after = class_cost(goal, size - moved, top_left) + class_cost(goal, there + moved, top_joined)
    lost = lost_of(size - moved, k) + lost_of(there + moved, k) - lost_of(size, k) - lost_of(there, k)
    return after - before, lost


@inner
def lost_of(size: int, k: int) -> int:
    """Return the records of a class that are suppressed."""
    return size if size < k else 0


@inner
def rename(walk: Walk, renaming: Renaming) -> None:
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
            d = class_with(walk, walk.key[c] ^ change)
            walk.partner[c] = d
            walk.size[c] -= walk.moved[c]
            walk.size[d] += walk.moved[c]
            for y in range(t):
                walk.spread[c, y] -= walk.moved_spread[c, y]
                walk.spread[d, y] += walk.moved_spread[c, y]
        walk.class_of[i] = walk.partner[c]


@inner
def _slot(walk: Walk, key: int) -> int:
    """Return where the class with this key is, or would be."""
    mask = len(walk.slot_key) - 1
    slot = key & mask
    while walk.slot_class[slot] >= 0 and walk.slot_key[slot] != key:
        slot = (slot + 1) & mask
    return slot


@inner
def class_with(walk: Walk, key: int) -> int:
    """Return the class with this key; a new, empty one where there is none."""
    slot = _slot(walk, key)
    if walk.slot_class[slot] < 0:
        c = walk.totals[CLASSES]
        walk.totals[CLASSES] += 1
        walk.slot_key[slot] = key
        walk.slot_class[slot] = c
        walk.key[c] = key
        walk.size[c] = 0
        for y in range(walk.labels.shape[1]):
            walk.spread[c, y] = 0
        walk.mark[c] = 0
    return walk.slot_class[slot]


@inner
def _compact(walk: Walk) -> None:
    """Forget the empty classes, so that there are numbers for new ones."""
    n_classes, t = walk.totals[CLASSES], walk.labels.shape[1]
    walk.totals[CLASSES] = 0
    for slot in range(len(walk.slot_class)):
        walk.slot_class[slot] = -1
    for c in range(n_classes):
        if walk.size[c] > 0:
            size = walk.size[c]
            for y in range(t):
                walk.moved_spread[c, y] = walk.spread[c, y]  # set aside: class d starts empty, and may be c
            d = class_with(walk, walk.key[c])  # d <= c: nothing is overwritten that is still to be read
            walk.size[d] = size
            for y in range(t):
                walk.spread[d, y] = walk.moved_spread[c, y]
            walk.partner[c] = d
    for i in range(len(walk.class_of)):
        walk.class_of[i] = walk.partner[walk.class_of[i]]


@inner
def put(walk: Walk, wanted: CutSet) -> None:
    """Change the walk to the set `wanted`."""
    for v in range(len(wanted)):
        if walk.included[v] != wanted[v]:
            flip(walk, v)
