"""Kernels of Mondrian: regions of a table of codes are cut until no cut is allowed.

A region is a segment start … end of `codes` (one item per row: a distinct tuple or a record), of `weights`
(the records each item stands for) and of `ids`, which are moved together so that every region stays
contiguous, in its original order. A cut is told by four numbers (kind, attribute, cut, left):

- NONE: no cut is left to try.
- CLEAN: codes up to `cut` go left, the others right.
- DEALT: codes below `cut` go left, those above it right, and the records that hold `cut` are dealt to both
  sides in proportion, so that `left` records go left.
- TREE: the items are divided by their label at level `cut`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

NONE, CLEAN, DEALT, TREE = 0, 1, 2, 3


@njit(cache=True, nogil=True)
def _extents(codes: Any, start: Any, end: Any, low: Any, high: Any) -> None:
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


@njit(cache=True, nogil=True)
def _common_level(dims: Any, j: Any, low: Any, high: Any) -> Any:
    """Return the lowest level of tree j at which two codes have one label."""
    above, begin = dims.above, dims.trees[j]
    size = dims.offsets[j + 1] - dims.offsets[j]
    level = 0
    while above[begin + level * size + low] != above[begin + level * size + high]:
        level += 1
    return level


@njit(cache=True, nogil=True)
def _ranked(dims: Any, low: Any, high: Any, ranked: Any, width: Any) -> Any:
    """Put the attributes in the order they are tried, widest first; return how many have any width.

    Ties go to the greater spread in its own unit, then to the attribute that stands later.
    """
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


@njit(cache=True, nogil=True)
def _count(codes: Any, weights: Any, start: Any, end: Any, j: Any, low: Any, high: Any, counts: Any) -> None:
    for code in range(low, high + 1):
        counts[code] = 0
    for i in range(start, end):
        counts[codes[i, j]] += weights[i]


@njit(cache=True, nogil=True)
def _place(dims: Any, j: Any, counts: Any, low: Any, high: Any, n: Any, first: Any, after: Any) -> Any:
    """Return the cut between the neighbouring values `first` and `after` that lies nearest the median."""
    at = dims.offsets[j]
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


@njit(cache=True, nogil=True)
def _clean_cut(
    dims: Any, j: Any, counts: Any, low: Any, high: Any, n: Any, k: Any, relaxed: Any, attempt: Any
) -> Any:
    """Return (cuts allowed, cut, left) of attribute j, the cut being the `attempt`-th nearest the median.

    A cut that leaves room for one group of k fewer counts as k records further away; of two cuts equally
    near, the one with more records on the left comes first. Relaxed partitioning takes only cuts that
    cost no group and leave a twentieth of the records on either side: it has something better to do.
    """
    at = dims.offsets[j]
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
    return found, _place(dims, j, counts, low, high, n, firsts[best], afters[best]), lefts[best]


@njit(cache=True, nogil=True)
def _dealt_cut(counts: Any, low: Any, high: Any, n: Any, k: Any) -> Any:
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


@njit(cache=True, nogil=True)
def _tree_allowed(dims: Any, j: Any, counts: Any, low: Any, high: Any, level: Any, k: Any) -> Any:
    size = dims.offsets[j + 1] - dims.offsets[j]
    begin = dims.trees[j] + level * size
    total = 0
    for code in range(low, high + 1):
        total += counts[code]
        if code == high or dims.above[begin + code] != dims.above[begin + code + 1]:
            if 0 < total < k:
                return False
            total = 0
    return True


@njit(cache=True, nogil=True)
def propose(
    dims: Any,
    codes: Any,
    weights: Any,
    start: Any,
    end: Any,
    k: Any,
    relaxed: Any,
    attempt: Any,
    scratch: Any,
) -> Any:
    """Return the `attempt`-th cut (kind, attribute, cut, left) of a region, best first.

    Strict: attribute by attribute from the widest, its cuts from the nearest to the median. Relaxed: the
    clean cuts in that order, then one dealt cut per attribute.
    """
    low, high, ranked, width, counts = scratch
    n = np.int64(0)  # of one type from the start: numba would compile all below for a literal too
    for i in range(start, end):
        n += weights[i]
    if n < 2 * k:
        return NONE, 0, 0, 0
    _extents(codes, start, end, low, high)
    wide = _ranked(dims, low, high, ranked, width)
    for place in range(wide):
        j = ranked[place]
        _count(codes, weights, start, end, j, low[j], high[j], counts)
        if dims.tree[j]:
            level = _common_level(dims, j, low[j], high[j]) - 1
            if level >= dims.lowest[j] and _tree_allowed(dims, j, counts, low[j], high[j], level, k):
                if attempt == 0:
                    return TREE, j, level, 0
                attempt -= 1
        else:
            found, cut, left = _clean_cut(dims, j, counts, low[j], high[j], n, k, relaxed, attempt)
            if attempt < found:
                return CLEAN, j, cut, left
            attempt -= found
    if relaxed and attempt < wide:
        j = ranked[attempt]
        _count(codes, weights, start, end, j, low[j], high[j], counts)
        cut, left = _dealt_cut(counts, low[j], high[j], n, k)
        return DEALT, j, cut, left
    return NONE, 0, 0, 0


@njit(cache=True, nogil=True)
def divide(
    dims: Any, codes: Any, weights: Any, ids: Any, start: Any, end: Any, kind: Any, j: Any, cut: Any, left: Any,
    low: Any, high: Any, spare: Any, parts: Any,
) -> Any:  # fmt: skip
    """Move the items of a region to its parts, in order; return how many there are.

    `low`, `high` are the box of the region; a row of `parts` receives (end of the part, low, high along j).
    """
    spare_codes, spare_weights, spare_ids, part_of = spare
    size = dims.offsets[j + 1] - dims.offsets[j]
    at = dims.offsets[j]
    n_parts = 2
    if kind == TREE:
        begin = dims.trees[j] + cut * size
        n_parts = 0
        for code in range(low, high + 1):
            if code == low or dims.above[begin + code] != dims.above[begin + code - 1]:
                parts[n_parts, 1] = code
                n_parts += 1
            parts[n_parts - 1, 2] = code
        for i in range(start, end):
            part = 0
            while parts[part, 2] < codes[i, j]:
                part += 1
            part_of[i] = part
    else:
        tied, ties, seen = 0, 0, 0
        if kind == DEALT:
            below = 0
            for i in range(start, end):
                if codes[i, j] < cut:
                    below += 1
                elif codes[i, j] == cut:
                    ties += 1
            tied = left - below
        for i in range(start, end):
            if kind == DEALT and codes[i, j] == cut:
                seen += 1
                part_of[i] = 0 if seen * tied // ties > (seen - 1) * tied // ties else 1
            else:
                part_of[i] = 0 if codes[i, j] <= cut else 1
        parts[0, 1], parts[1, 2] = low, high
        # Both sides of a dealt cut, and of one off the grid, share the cell that is cut.
        parts[0, 2] = min(high, dims.cell_high[at + cut])
        parts[1, 1] = max(low, dims.cell_low[at + cut + (1 if tied == ties else 0)])
    place = start
    filled = 0
    for part in range(n_parts):
        began = place
        for i in range(start, end):
            if part_of[i] == part:
                for column in range(codes.shape[1]):
                    spare_codes[place, column] = codes[i, column]
                spare_weights[place] = weights[i]
                spare_ids[place] = ids[i]
                place += 1
        if place > began:
            parts[filled, 0], parts[filled, 1], parts[filled, 2] = place, parts[part, 1], parts[part, 2]
            filled += 1
    for i in range(start, end):
        for column in range(codes.shape[1]):
            codes[i, column] = spare_codes[i, column]
        weights[i] = spare_weights[i]
        ids[i] = spare_ids[i]
    return filled


@njit(cache=True, nogil=True)
def grown(rows: Any, needed: Any) -> Any:
    """Return the rows with room for as many as are needed."""
    if needed <= len(rows):
        return rows
    larger = np.empty((2 * needed, rows.shape[1]), rows.dtype)
    for i in range(len(rows)):
        for j in range(rows.shape[1]):
            larger[i, j] = rows[i, j]
    return larger


@njit(cache=True, nogil=True)
def lengthened(line: Any, needed: Any) -> Any:
    """Return the numbers with room for as many as are needed."""
    if needed <= len(line):
        return line
    longer = np.empty(2 * needed, line.dtype)
    for i in range(len(line)):
        longer[i] = line[i]
    return longer


@njit(cache=True, nogil=True)
def scratch_for(dims: Any, q: Any) -> Any:
    """Return the room that `propose` works in."""
    widest = 0
    for j in range(q):
        widest = max(widest, dims.offsets[j + 1] - dims.offsets[j])
    integers = np.empty((3, q), np.int64)
    return integers[0], integers[1], integers[2], np.empty(q, np.float64), np.zeros(widest, np.int64)


@njit(cache=True, nogil=True)
def _write(to: Any, at: Any, region: Any, parts: Any, part: Any, j: Any) -> None:
    """Write a part of a region to a row of `to`: its box is that of the region but along j."""
    q = (to.shape[1] - 2) // 2
    for column in range(to.shape[1]):
        to[at, column] = region[column]
    if part > 0:
        to[at, 0] = parts[part - 1, 0]
    to[at, 1] = parts[part, 0]
    to[at, 2 + j] = parts[part, 1]
    to[at, 2 + q + j] = parts[part, 2]


@njit(cache=True, nogil=True)
def partition(
    dims: Any, codes: Any, weights: Any, ids: Any, spare: Any, regions: Any, k: Any, enough: Any,
    relaxed: Any, attempt: Any,
) -> Any:  # fmt: skip
    """Return the regions cut cleanly until none can be cut, or none weighs more than `enough`.

    A region is a row (start, end, low of every attribute, high of every attribute). Only k is looked at.
    `relaxed` (False) and `attempt` (0) are arguments so that `propose` is compiled once for all who call it.
    """
    q = codes.shape[1]
    scratch = scratch_for(dims, q)
    parts = np.empty((len(scratch[4]) + 1, 3), np.int64)
    region = np.empty(regions.shape[1], np.int64)
    depth = len(regions)
    stack = np.empty((depth + 64, regions.shape[1]), np.int64)
    for i in range(depth):  # the first region on top
        for column in range(regions.shape[1]):
            stack[depth - 1 - i, column] = regions[i, column]
    out = np.empty((1024, regions.shape[1]), np.int64)
    done = 0
    while depth > 0:
        depth -= 1
        for column in range(regions.shape[1]):
            region[column] = stack[depth, column]
        start, end = region[0], region[1]
        kind, j, cut, left = NONE, 0, 0, 0
        total = 0
        for i in range(start, end):
            total += weights[i]
        if total > enough:
            kind, j, cut, left = propose(dims, codes, weights, start, end, k, relaxed, attempt, scratch)
        if kind == NONE:
            out = grown(out, done + 1)
            for column in range(regions.shape[1]):
                out[done, column] = region[column]
            done += 1
            continue
        n_parts = divide(
            dims,
            codes,
            weights,
            ids,
            start,
            end,
            kind,
            j,
            cut,
            left,
            region[2 + j],
            region[2 + q + j],
            spare,
            parts,
        )
        stack = grown(stack, depth + n_parts)
        for part in range(n_parts - 1, -1, -1):
            _write(stack, depth, region, parts, part, j)
            depth += 1
    return out[:done]


@njit(cache=True, nogil=True)
def cut_once(
    dims: Any,
    codes: Any,
    weights: Any,
    ids: Any,
    spare: Any,
    regions: Any,
    attempts: Any,
    k: Any,
    relaxed: Any,
) -> Any:
    """Divide every region by its `attempts`-th cut; return the parts, and the region of each.

    A region that has no such cut comes back as the one part it is.
    """
    q = codes.shape[1]
    scratch = scratch_for(dims, q)
    parts = np.empty((len(scratch[4]) + 1, 3), np.int64)
    out = np.empty((2 * len(regions) + 1, regions.shape[1]), np.int64)
    owner = np.empty((2 * len(regions) + 1, 1), np.int64)
    done = 0
    for i in range(len(regions)):
        region = regions[i]
        start, end = region[0], region[1]
        kind, j, cut, left = propose(dims, codes, weights, start, end, k, relaxed, attempts[i], scratch)
        n_parts = 1
        parts[0, 0], parts[0, 1], parts[0, 2] = end, region[2 + j], region[2 + q + j]
        if kind != NONE:
            n_parts = divide(
                dims, codes, weights, ids, start, end, kind, j, cut, left, region[2 + j], region[2 + q + j], spare,
                parts,
            )  # fmt: skip
        out, owner = grown(out, done + n_parts), grown(owner, done + n_parts)
        for part in range(n_parts):
            _write(out, done, region, parts, part, j)
            owner[done, 0] = i
            done += 1
    return out[:done], owner[:done, 0]
