# mypy: disable-error-code="no-any-return"
"""The kernels of the optimal search; imported where they are called, so that numba is loaded only then.

The lattice is swept from its top to its bottom by descending index, so every generalization of a node has
been dealt with before the node. What is proved at a node about all its specializations is handed down from
neighbour to neighbour; what is proved about all generalizations of a prefix node is read from that node.
`optimal` tells why each bound holds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from kohort.arrays import FloatArray, IntArray

GOLDEN = np.uint64(0x9E3779B97F4A7C15)

# how the objective is scored and bounded
OTHER, PRODUCT, MEAN, DISCERNIBILITY, CLASSES, TUPLES, HEIGHT, SUPPRESSION = range(8)

# where the state keeps what
POSITION, CHECKED, WORK, USED, HELD = range(5)


class Frame(NamedTuple):
    """The lattice, attributes in the order of the search."""

    sizes: IntArray  # levels per attribute
    strides: IntArray


class Marks(NamedTuple):
    """What is known of every node, by index."""

    prior: FloatArray  # no score of the node or its generalizations is less, known beforehand
    beyond: FloatArray  # the same, found by counting the node as a prefix
    under: FloatArray  # no score of the node or its specializations is less
    least: IntArray  # as many records are suppressed at least, here and at every specialization
    gains: FloatArray  # (nodes, attributes): what suppression adds at least, in the terms of the objective
    score: FloatArray  # nan: not counted; inf: not feasible
    lost: IntArray  # records suppressed; -1: not counted


class Terms(NamedTuple):
    """The objective: attribute j at a level contributes slope·(total + gain) + offset.

    A kept record costs what its value costs, a suppressed one `suppression`; the gain is what suppressed
    records cost more than they would, were they kept. `floors` are the totals where each record costs the
    lesser of the two.
    """

    kind: int
    totals: FloatArray  # (attributes, levels): cost of all records, none suppressed
    floors: FloatArray  # (attributes, levels)
    suppression: FloatArray
    slopes: FloatArray
    offsets: FloatArray
    weights: FloatArray  # sum 1
    records: float  # n
    least_size: int  # no released class is smaller
    most_size: float  # no record that is surely suppressed stood in a larger class at any specialization
    limit: int  # records that may be suppressed


class Columns(NamedTuple):
    """How attributes are packed into keys, and how codes at the lowest level climb."""

    words: IntArray
    shifts: IntArray
    masks: IntArray
    tables: IntArray  # code at the lowest level -> shifted code at a level; table of (j, level) at starts
    starts: IntArray  # (attributes, levels)
    costs: FloatArray  # cost of a kept record with a code at a level, at the same starts


class Pool(NamedTuple):
    """Counted prefixes: entries slot_start[s]:slot_stop[s] of keys and rows."""

    keys: IntArray  # (capacity, words)
    rows: IntArray
    slot: IntArray  # node -> slot, -1
    owner: IntArray  # slot -> node
    start: IntArray
    stop: IntArray
    table: IntArray  # the hash table
    spare_keys: IntArray
    spare_rows: IntArray


@njit(cache=True, nogil=True)
def combined(
    terms: Any, totals: FloatArray, vector: IntArray, gains: FloatArray
) -> float:  # pragma: no cover
    """Return the score of an objective that adds up over attributes."""
    if terms.kind == PRODUCT:
        logs = 0.0
        for j in range(len(vector)):
            x = terms.slopes[j] * (totals[j, vector[j]] + gains[j]) + terms.offsets[j]
            logs += terms.weights[j] * np.log1p(x)
        return np.expm1(logs)
    mean = 0.0
    for j in range(len(vector)):
        x = terms.slopes[j] * (totals[j, vector[j]] + gains[j]) + terms.offsets[j]
        mean += terms.weights[j] * x
    return mean


@njit(cache=True, nogil=True)
def bound_of(terms: Any, marks: Any, frame: Any, node: int, vector: IntArray) -> float:  # pragma: no cover
    """Return what no score at `node` can be less than, by all that is marked so far."""
    bound = max(marks.prior[node], marks.under[node])
    beyond = marks.beyond[0]
    prefix = 0
    for j in range(len(vector)):
        prefix += vector[j] * frame.strides[j]
        if marks.beyond[prefix] > beyond:
            beyond = marks.beyond[prefix]
    bound = max(bound, beyond)
    least = marks.least[node]
    if terms.kind == DISCERNIBILITY:
        rest = terms.records - least
        bound = max(bound, terms.records * least + terms.least_size * rest)
        bound = max(bound, beyond + least * (terms.records - terms.most_size))
    elif terms.kind == SUPPRESSION:
        bound = max(bound, float(least))
    elif least > 0 and marks.gains.shape[0] > 1 and (terms.kind == PRODUCT or terms.kind == MEAN):
        bound = max(bound, combined(terms, terms.floors, vector, marks.gains[node]))
    return bound


@njit(cache=True, nogil=True)
def scan(
    frame: Any, marks: Any, terms: Any, state: IntArray, vector: IntArray, cutoff: float, lowest: FloatArray
) -> int:  # pragma: no cover
    """Go on to the next node that must be counted and return it, -1 at the end.

    Nodes on the way inherit from their direct generalizations. With lowest[1] > 0 nothing is asked for:
    the least bound of all that would be goes to lowest[0].
    """
    m = len(vector)
    node = state[POSITION]
    rest = node
    for j in range(m):
        vector[j] = rest // frame.strides[j]
        rest -= vector[j] * frame.strides[j]
    handed = marks.gains.shape[0] > 1
    while node >= 0:
        least, under = marks.least[node], marks.under[node]
        for j in range(m):
            if vector[j] < frame.sizes[j] - 1:
                above = node + frame.strides[j]
                least = max(least, marks.least[above])
                under = max(under, marks.under[above])
        marks.least[node], marks.under[node] = least, under
        if least <= terms.limit:
            if handed and least > 0:
                for j in range(m):
                    if vector[j] < frame.sizes[j] - 1:
                        above = node + frame.strides[j]
                        if marks.least[above] > 0:
                            for a in range(m):
                                if marks.gains[above, a] > marks.gains[node, a]:
                                    marks.gains[node, a] = marks.gains[above, a]
            if np.isnan(marks.score[node]) and marks.prior[node] <= cutoff and under <= cutoff:
                bound = bound_of(terms, marks, frame, node, vector)
                if bound <= cutoff:
                    if lowest[1] == 0:
                        state[POSITION] = node
                        return node
                    lowest[0] = min(lowest[0], bound)
        j = m - 1
        while j >= 0 and vector[j] == 0:
            vector[j] = frame.sizes[j] - 1
            j -= 1
        if j >= 0:
            vector[j] -= 1
        node -= 1
    state[POSITION] = -1
    return -1


@njit(cache=True, nogil=True)
def _roll(columns, pool, slot, vector, first, last, to_keys, to_rows, to):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Count the classes of a slot with attributes first:last raised; return how many there are."""
    start, stop = pool.start[slot], pool.stop[slot]
    n = stop - start
    bits = 1
    while (1 << bits) < 2 * n:
        bits += 1
    down = np.uint64(64 - bits)
    wrap = (1 << bits) - 1
    table = pool.table
    table[: 1 << bits] = -1
    m = len(vector)
    shift, mask, clear = np.empty(m, np.int64), np.empty(m, np.int64), np.empty(m, np.int64)
    at, word = np.empty(m, np.int64), np.empty(m, np.int64)
    raised = 0
    for j in range(first, last):
        if vector[j] > 0:
            shift[raised], mask[raised] = columns.shifts[j], columns.masks[j]
            clear[raised] = ~(columns.masks[j] << columns.shifts[j])
            at[raised] = columns.starts[j, vector[j]]
            word[raised] = columns.words[j]
            raised += 1
    tables = columns.tables
    found = 0
    if pool.keys.shape[1] == 1:
        for i in range(start, stop):
            key = pool.keys[i, 0]
            for a in range(raised):
                key = (key & clear[a]) | tables[at[a] + ((key >> shift[a]) & mask[a])]
            h = np.int64((np.uint64(key) * GOLDEN) >> down)
            # Written ahead as if the class were new: whether it is depends on the records and no processor
            # can foresee it, so there is no branch on it.
            to_keys[to + found, 0] = key
            to_rows[to + found] = 0
            while True:
                there = table[h]
                new = there < 0
                mine = found if new else there
                if to_keys[to + mine, 0] == key:
                    table[h] = mine
                    to_rows[to + mine] += pool.rows[i]
                    found += new
                    break
                h = (h + 1) & wrap
        return found
    width = pool.keys.shape[1]
    wide = np.empty(width, np.int64)
    for i in range(start, stop):
        for w in range(width):
            wide[w] = pool.keys[i, w]
        for a in range(raised):
            key = wide[word[a]]
            wide[word[a]] = (key & clear[a]) | tables[at[a] + ((key >> shift[a]) & mask[a])]
        mixed = np.uint64(0)
        for w in range(width):
            mixed = (mixed ^ np.uint64(wide[w])) * GOLDEN
            mixed ^= mixed >> np.uint64(29)
        h = np.int64((mixed * GOLDEN) >> down)
        while True:
            there = table[h]
            if there < 0:
                table[h] = found
                for w in range(width):
                    to_keys[to + found, w] = wide[w]
                to_rows[to + found] = pool.rows[i]
                found += 1
                break
            same = True
            for w in range(width):
                if to_keys[to + there, w] != wide[w]:
                    same = False
                    break
            if same:
                to_rows[to + there] += pool.rows[i]
                break
            h = (h + 1) & wrap
    return found


@njit(cache=True, nogil=True)
def _beyond(terms, rows, start, stop):  # type: ignore[no-untyped-def]  # pragma: no cover
    if terms.kind == CLASSES or terms.kind == TUPLES:
        kept, small = 0, 0
        for i in range(start, stop):
            if rows[i] < terms.least_size:
                small += rows[i]
            else:
                kept += 1
        # A class released further up holds one of the kept ones, or is made of small ones only. Suppressed
        # records count as a class, but then at least one is lost.
        most = min(stop - start, kept + small // terms.least_size + 1)
        return terms.records / most if terms.kind == CLASSES else -float(most)
    if terms.kind == DISCERNIBILITY:
        squares = 0.0
        for i in range(start, stop):
            squares += float(rows[i]) * float(rows[i])
        return squares
    return -np.inf


@njit(cache=True, nogil=True)
def hand_down(gains: FloatArray, node: int, sure: FloatArray) -> None:  # pragma: no cover
    """Mark what suppression adds at a node and all its specializations."""
    if gains.shape[0] > 1:
        for j in range(len(sure)):
            # Rounded down, because a bound may not exceed what it bounds.
            gains[node, j] = max(float(gains[node, j]), float(np.float32(sure[j])) * 0.9999998)


@njit(cache=True, nogil=True)
def count(
    frame: Any,
    marks: Any,
    terms: Any,
    columns: Any,
    pool: Any,
    state: IntArray,
    node: int,
    depth: int,
    cutoff: float,
) -> float:  # pragma: no cover
    """Count a node by sizes alone and mark what follows; return its score, inf where it is not feasible.

    The prefixes of the node (its first attributes raised, the others at their lowest) are counted on the
    way, `depth` of them at most, each from the one before, and kept. Where a prefix already proves that
    nothing beyond it can win, the node is left alone and nan is returned.
    """
    m = len(frame.sizes)
    vector = np.empty(m, np.int64)
    rest = node
    for j in range(m):
        vector[j] = rest // frame.strides[j]
        rest -= vector[j] * frame.strides[j]
    at, prefix, deepest, slot = 0, 0, 0, 0
    for j in range(depth):
        prefix += vector[j] * frame.strides[j]
        if pool.slot[prefix] >= 0:
            deepest, slot, at = j + 1, pool.slot[prefix], prefix
    room = (depth - deepest) * (pool.stop[slot] - pool.start[slot])
    if state[USED] + room > len(pool.rows) or state[HELD] + depth > len(pool.owner):
        for held in range(1, state[HELD]):
            pool.slot[pool.owner[held]] = -1
        state[HELD], state[USED] = 1, pool.stop[0]
        at, deepest, slot = 0, 0, 0
    for j in range(deepest, depth):
        if vector[j] == 0:
            continue
        at += vector[j] * frame.strides[j]
        start = state[USED]
        state[WORK] += pool.stop[slot] - pool.start[slot]
        stop = start + _roll(columns, pool, slot, vector, j, j + 1, pool.keys, pool.rows, start)
        slot = state[HELD]
        state[HELD], state[USED] = slot + 1, stop
        pool.slot[at], pool.owner[slot], pool.start[slot], pool.stop[slot] = slot, at, start, stop
        marks.beyond[at] = _beyond(terms, pool.rows, start, stop)
        if marks.beyond[at] > cutoff:
            return np.nan
    state[CHECKED] += 1
    raised = False
    for j in range(depth, m):
        raised = raised or vector[j] > 0
    if raised:
        state[WORK] += pool.stop[slot] - pool.start[slot]
        keys, rows, start = pool.spare_keys, pool.spare_rows, 0
        stop = _roll(columns, pool, slot, vector, depth, m, keys, rows, 0)
    else:
        keys, rows, start, stop = pool.keys, pool.rows, pool.start[slot], pool.stop[slot]
    k = terms.least_size
    lost, kept, fitting = 0, 0, 0
    squares = 0.0
    for i in range(start, stop):
        size = rows[i]
        if size < k:
            lost += size
        else:
            kept += 1
            fitting += size // k
            squares += float(size) * float(size)
    marks.lost[node] = lost
    marks.least[node] = max(marks.least[node], lost)
    if lost > terms.limit or kept == 0:
        marks.least[node] = max(marks.least[node], terms.limit + 1)
        marks.score[node] = np.inf
        return np.inf
    if terms.kind == DISCERNIBILITY:
        score = squares + terms.records * lost
    elif terms.kind == CLASSES:
        score = terms.records / (kept + (lost > 0))
        marks.under[node] = max(marks.under[node], terms.records / (fitting + 1))
    elif terms.kind == TUPLES:
        score = -float(kept)
        marks.under[node] = max(marks.under[node], -float(fitting))
    elif terms.kind == SUPPRESSION:
        score = float(lost)
    elif terms.kind == HEIGHT:
        score = marks.prior[node]
    else:
        gains, sure = np.zeros(m), np.zeros(m)
        if lost > 0:
            for i in range(start, stop):
                if rows[i] < k:
                    for j in range(m):
                        code = (keys[i, columns.words[j]] >> columns.shifts[j]) & columns.masks[j]
                        more = terms.suppression[j] - columns.costs[columns.starts[j, vector[j]] + code]
                        gains[j] += rows[i] * more
                        sure[j] += rows[i] * max(more, 0.0)
            hand_down(marks.gains, node, sure)
        score = combined(terms, terms.totals, vector, gains)
    marks.score[node] = score
    return score


@njit(cache=True, nogil=True)
def weigh(
    terms: Any,
    columns: Any,
    codes: IntArray,
    rows: IntArray,
    failing: IntArray,
    vector: IntArray,
    order: IntArray,
    gains: FloatArray,
    sure: FloatArray,
) -> tuple[int, int, float]:  # pragma: no cover
    """Return kept classes, how many might fit at most below, and Σ|E|² of the kept.

    failing: 0 kept, 1 suppressed here, 2 suppressed here and at every specialization. `gains` and `sure` take
    what suppression adds here and at every specialization.
    """
    kept, fitting, squares = 0, 0, 0.0
    for i in range(len(rows)):
        if failing[i] == 0:
            kept += 1
            squares += float(rows[i]) * float(rows[i])
        if failing[i] < 2:
            fitting += rows[i] // terms.least_size
        if failing[i] > 0 and (terms.kind == PRODUCT or terms.kind == MEAN):
            for j in range(len(vector)):
                cost = columns.costs[columns.starts[j, vector[j]] + codes[i, order[j]]]
                more = terms.suppression[j] - cost
                gains[j] += rows[i] * more
                if failing[i] == 2:
                    sure[j] += rows[i] * max(more, 0.0)
    return kept, fitting, squares


@njit(cache=True, nogil=True)
def sweep(
    frame: Any,
    marks: Any,
    terms: Any,
    columns: Any,
    pool: Any,
    state: IntArray,
    depth: int,
    best: FloatArray,
    budget: int,
) -> bool:  # pragma: no cover
    """Scan and count until the lattice is done (True) or `budget` classes have been read (False).

    best[0] is the least score so far; a node is left alone when its bound exceeds it by more than a tie.
    """
    vector = np.empty(len(frame.sizes), np.int64)
    lowest = np.zeros(2)
    stop = state[WORK] + budget
    while state[WORK] < stop:
        cutoff = best[0] + best[1] * max(1.0, abs(best[0]))
        node = scan(frame, marks, terms, state, vector, cutoff, lowest)
        if node < 0:
            return True
        score = count(frame, marks, terms, columns, pool, state, node, depth, cutoff)
        if score < best[0]:
            best[0] = score
        if np.isnan(score):
            marks.score[node] = np.inf
    return False
