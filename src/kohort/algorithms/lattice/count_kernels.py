"""Counting nodes by class sizes, and sweeping a lattice with it; loaded only where it is needed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.algorithms.lattice.sweep_kernels import (
    CHECKED,
    CLASSES,
    DISCERNIBILITY,
    HEIGHT,
    HELD,
    SUPPRESSION,
    TUPLES,
    USED,
    WORK,
    Columns,
    Frame,
    Marks,
    Terms,
    combined,
    hand_down,
    next_node,
)
from kohort.arrays import FloatArray, IntArray
from kohort.classes.grouping_kernels import GOLDEN
from kohort.compiling import inner, kernel, whole


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


class Search(NamedTuple):
    """All that a sweep reads and writes."""

    frame: Frame
    marks: Marks
    terms: Terms
    columns: Columns
    pool: Pool
    state: IntArray


class Room(NamedTuple):
    """Where the classes of a node are written."""

    keys: IntArray
    rows: IntArray
    start: int


@inner
def _roll(
    columns: Columns, pool: Pool, slot: int, vector: IntArray, first: int, last: int, room: Room
) -> int:
    """Count the classes of a slot with attributes first:last raised; return how many there are."""
    to_keys, to_rows, to = room
    start, stop = pool.start[slot], pool.stop[slot]
    n = stop - start
    bits = 1
    while (1 << bits) < 2 * n:
        bits += 1
    down = np.uint64(64 - bits)
    wrap = (1 << bits) - 1
    table = pool.table
    for at_table in range(1 << bits):
        table[at_table] = -1
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
        # Unsigned indices are not looked at for counting from the end.
        mask_u, base = np.uint64(wrap), np.uint64(to)
        one = to_keys[:, 0]
        for i in range(np.uint64(start), np.uint64(stop)):
            key = pool.keys[i, 0]
            for a in range(raised):
                key = (key & clear[a]) | tables[np.uint64(at[a] + ((key >> shift[a]) & mask[a]))]
            h = (np.uint64(key) * GOLDEN) >> down
            # Written ahead as if the class were new: whether it is depends on the records and no processor
            # can foresee it, so there is no branch on it.
            ahead = base + np.uint64(found)
            one[ahead] = key
            to_rows[ahead] = 0
            while True:
                there = table[h]
                new = there < 0
                mine = found if new else there
                place = base + np.uint64(mine)
                if one[place] == key:
                    table[h] = mine
                    to_rows[place] += pool.rows[i]
                    found += new
                    break
                h = (h + np.uint64(1)) & mask_u
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
        home = np.int64((mixed * GOLDEN) >> down)
        while True:
            there = table[home]
            if there < 0:
                table[home] = found
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
            home = (home + 1) & wrap
    return found


@inner
def _beyond(terms: Terms, rows: IntArray, start: int, stop: int) -> float:
    """Return what no score beyond a prefix with these classes is less than."""
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


@inner
def _count(search: Search, node: int, depth: int, cutoff: float) -> float:
    """Count a node by sizes alone and mark what follows; return its score, inf where it is not feasible.

    The prefixes of the node (its first attributes raised, the others at their lowest) are counted on the
    way, `depth` of them at most, each from the one before, and kept. Where a prefix already proves that
    nothing beyond it can win, the node is marked so and inf is returned.
    """
    frame, marks, terms, columns, pool, state = search
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
        stop = start + _roll(columns, pool, slot, vector, j, j + 1, Room(pool.keys, pool.rows, start))
        slot = state[HELD]
        state[HELD], state[USED] = slot + 1, stop
        pool.slot[at], pool.owner[slot], pool.start[slot], pool.stop[slot] = slot, at, start, stop
        marks.beyond[at] = _beyond(terms, pool.rows, start, stop)
        if marks.beyond[at] > cutoff:
            marks.score[node] = np.inf
            return np.inf
    state[CHECKED] += 1
    raised = False
    for j in range(depth, m):
        raised = raised or vector[j] > 0
    if raised:
        state[WORK] += pool.stop[slot] - pool.start[slot]
        keys, rows, start = pool.spare_keys, pool.spare_rows, whole(0)
        stop = _roll(columns, pool, slot, vector, depth, m, Room(keys, rows, start))
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


@kernel
def sweep(search: Search, depth: int, best: FloatArray, budget: int, alone: int) -> bool:
    """Scan and count until the lattice is done (True) or `budget` classes have been read (False).

    best[0] is the least score so far, nan once a score is none; a node is left alone when its bound exceeds it by
    more than a tie. Where `alone` is a node (no less than 0), nothing is scanned and that node is counted,
    whatever its bounds.
    """
    frame, marks, terms, state = search.frame, search.marks, search.terms, search.state
    vector = np.empty(len(frame.sizes), np.int64)
    lowest = np.zeros(2)
    stop = state[WORK] + budget
    while state[WORK] < stop:
        node, cutoff = alone, np.inf
        if alone < 0:
            cutoff = best[0] + best[1] * max(1.0, abs(best[0]))
            node = next_node(frame, marks, terms, state, vector, cutoff, lowest)
        if node < 0:
            return True
        score = _count(search, node, depth, cutoff)
        if alone >= 0:
            return False
        if np.isnan(score):  # no number: whoever asked must not go on
            best[0] = score
            return False
        if score < best[0]:
            best[0] = score
    return False
