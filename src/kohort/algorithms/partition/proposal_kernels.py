"""Kernels that propose cuts of a region, best first.

A region is a segment start … end of `codes` (one item per row: a distinct tuple or a record) and of `weights`
(the records each item stands for). A cut is told by four numbers (kind, attribute, cut, left):

- NONE: no cut is left to try.
- CLEAN: codes up to `cut` go left, the others right.
- DEALT: codes below `cut` go left, those above it right, and the records that hold `cut` are dealt to both
  sides in proportion, so that `left` records go left.
- TREE: the items are divided by their label at level `cut`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.algorithms.partition.dimensions import Dimensions
from kohort.arrays import FloatArray, IntArray
from kohort.compiling import inner, whole

NONE, CLEAN, DEALT, TREE = 0, 1, 2, 3


class Items(NamedTuple):
    """What is partitioned: distinct tuples or records, in the order of their regions."""

    codes: IntArray  # int32 (items, n_qi)
    weights: IntArray  # int64: the records that each item stands for
    ids: IntArray  # int64


class Rule(NamedTuple):
    """Which cuts are allowed."""

    k: int
    relaxed: bool  # whether equal records may be dealt to both sides


class Cut(NamedTuple):
    """A cut of a region, as told above."""

    kind: int
    attribute: int
    at: int
    left: int


class Scratch(NamedTuple):
    """The room that `propose` works in."""

    low: IntArray  # int64 (n_qi), as `high` and `ranked`
    high: IntArray
    ranked: IntArray
    width: FloatArray  # (n_qi)
    counts: IntArray  # int64 (widest attribute)


@inner
def _extents(codes: IntArray, start: int, end: int, low: IntArray, high: IntArray) -> None:
    for j in range(codes.shape[1]):
        low[j] = codes[start, j]
        high[j] = codes[start, j]
    for i in range(start + 1, end):
        for j in range(codes.shape[1]):
            code = codes[i, j]
            if code < low[j]:
                low[j] = code
            if code > high[j]:
                high[j] = code


@inner
def _common_level(dims: Dimensions, j: int, low: int, high: int) -> int:
    """Return the lowest level of tree j at which two codes have one label."""
    above, begin = dims.above, dims.trees[j]
    size = dims.offsets[j + 1] - dims.offsets[j]
    level = 0
    while above[begin + level * size + low] != above[begin + level * size + high]:
        level += 1
    return level


@inner
def _ranked(dims: Dimensions, scratch: Scratch) -> int:
    """Put the attributes in the order they are tried, widest first; return how many have any width.

    Ties go to the greater spread in its own unit, then to the attribute that stands later.
    """
    low, high, ranked, width, _ = scratch
    q = len(low)
    count = 0
    for j in range(q):
        at = dims.offsets[j]
        spread = dims.positions[at + high[j]] - dims.positions[at + low[j]]
        if high[j] == low[j]:
            continue
        if dims.tree[j]:
            size = dims.offsets[j + 1] - at
            level = _common_level(dims, j, low[j], high[j])
            width[j] = (dims.leaves[dims.trees[j] + level * size + low[j]] - 1) / (size - 1)
        else:
            width[j] = spread / dims.spread[j]
        place = count
        while place > 0:
            other = ranked[place - 1]
            beside = dims.offsets[other]
            rival = dims.positions[beside + high[other]] - dims.positions[beside + low[other]]
            if width[other] > width[j] or (width[other] == width[j] and rival > spread):
                break
            ranked[place] = other
            place -= 1
        ranked[place] = j
        count += 1
    return count


@inner
def _count(items: Items, start: int, end: int, j: int, scratch: Scratch) -> None:
    counts = scratch.counts
    for code in range(scratch.low[j], scratch.high[j] + 1):
        counts[code] = 0
    for i in range(start, end):
        counts[items.codes[i, j]] += items.weights[i]


@inner
def _place(dims: Dimensions, j: int, scratch: Scratch, n: int, first: int, after: int) -> int:
    """Return the cut between the neighbouring values `first` and `after` that lies nearest the median."""
    at, low, high, counts = dims.offsets[j], scratch.low[j], scratch.high[j], scratch.counts
    below = 0
    one, other = -1, -1
    for code in range(low, high + 1):
        below += counts[code]
        if one < 0 and below >= (n + 1) // 2:
            one = code
        if below >= n // 2 + 1:
            other = code
            break
    median = (dims.positions[at + one] + dims.positions[at + other]) / 2
    cut = -1
    for code in range(first, after):
        if dims.border[at + code] and (cut < 0 or dims.positions[at + code] <= median):
            cut = code
    return cut


@inner
def _clean_cut(
    dims: Dimensions, j: int, scratch: Scratch, n: int, rule: Rule, attempt: int
) -> tuple[int, int, int]:
    """Return (cuts allowed, cut, left) of attribute j, the cut being the `attempt`-th nearest the median.

    A cut that leaves room for one group of k fewer counts as k records further away; of two cuts equally
    near, the one with more records on the left comes first. Relaxed partitioning takes only cuts that
    cost no group and leave a twentieth of the records on either side: it has something better to do.
    """
    k, relaxed = rule
    at, low, high, counts = dims.offsets[j], scratch.low[j], scratch.high[j], scratch.counts
    firsts = np.empty(high - low, np.int64)
    afters = np.empty(high - low, np.int64)
    lefts = np.empty(high - low, np.int64)
    found = 0
    left = 0
    first = low
    border = False
    for code in range(low, high + 1):
        if counts[code] > 0:
            if code > low:
                right = n - left
                lost = n // k - left // k - right // k
                if border and left >= k and right >= k:
                    if not relaxed or (lost == 0 and 20 * min(left, right) >= n):
                        firsts[found], afters[found], lefts[found] = first, code, left
                        found += 1
            first = code
            border = False
            left += counts[code]
        border = border or dims.border[at + code]
    if attempt >= found:
        return found, -1, 0
    far = np.empty(found, np.int64)
    for i in range(found):
        lost = n // k - lefts[i] // k - (n - lefts[i]) // k
        far[i] = abs(2 * lefts[i] - n) + 2 * k * lost
    best = 0
    for _ in range(attempt + 1):
        best = -1
        for i in range(found):
            if far[i] >= 0 and (best < 0 or far[i] <= far[best]):
                best = i
        if _ < attempt:
            far[best] = -1
    return found, _place(dims, j, scratch, n, firsts[best], afters[best]), lefts[best]


@inner
def _dealt_cut(counts: IntArray, low: int, high: int, n: int, k: int) -> tuple[int, int]:
    """Return (cut, left) that halves the records so that as many groups of k fit in both as in all."""
    groups = n // k
    spare = n - groups * k
    left = n - n // 2 if groups % 2 == 0 else n - (groups // 2) * k - spare // 2
    below = 0
    for code in range(low, high + 1):
        below += counts[code]
        if below >= left:
            return code, left
    return high, left


@inner
def _tree_allowed(dims: Dimensions, j: int, scratch: Scratch, level: int, k: int) -> bool:
    size = dims.offsets[j + 1] - dims.offsets[j]
    begin = dims.trees[j] + level * size
    low, high, counts = scratch.low[j], scratch.high[j], scratch.counts
    total = 0
    for code in range(low, high + 1):
        total += counts[code]
        if code == high or dims.above[begin + code] != dims.above[begin + code + 1]:
            if 0 < total < k:
                return False
            total = 0
    return True


@inner
def scratch_for(dims: Dimensions, q: int) -> Scratch:
    """Return the room that `propose` works in."""
    widest = 0
    for j in range(q):
        widest = max(widest, dims.offsets[j + 1] - dims.offsets[j])
    integers = np.empty((3, q), np.int64)
    return Scratch(integers[0], integers[1], integers[2], np.empty(q, np.float64), np.zeros(widest, np.int64))


@inner
def propose(
    dims: Dimensions, items: Items, start: int, end: int, rule: Rule, attempt: int, scratch: Scratch
) -> Cut:
    """Return the `attempt`-th cut of a region, best first.

    Strict: attribute by attribute from the widest, its cuts from the nearest to the median. Relaxed: the
    clean cuts in that order, then one dealt cut per attribute.
    """
    low, high, ranked, _, counts = scratch
    nothing = whole(0)
    n = 0
    for i in range(start, end):
        n += items.weights[i]
    if n < 2 * rule.k:
        return Cut(whole(NONE), nothing, nothing, nothing)
    _extents(items.codes, start, end, low, high)
    wide = _ranked(dims, scratch)
    for place in range(wide):
        j = ranked[place]
        _count(items, start, end, j, scratch)
        if dims.tree[j]:
            level = _common_level(dims, j, low[j], high[j]) - 1
            if level >= dims.lowest[j] and _tree_allowed(dims, j, scratch, level, rule.k):
                if attempt == 0:
                    return Cut(whole(TREE), j, level, nothing)
                attempt -= 1
        else:
            found, cut, left = _clean_cut(dims, j, scratch, n, rule, attempt)
            if attempt < found:
                return Cut(whole(CLEAN), j, cut, left)
            attempt -= found
    if rule.relaxed and attempt < wide:
        j = ranked[attempt]
        _count(items, start, end, j, scratch)
        cut, left = _dealt_cut(counts, low[j], high[j], n, rule.k)
        return Cut(whole(DEALT), j, cut, left)
    return Cut(whole(NONE), nothing, nothing, nothing)
