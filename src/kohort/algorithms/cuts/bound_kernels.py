"""Head classes, their local atoms and the bounds of a search node, on weighted distinct tuples.

A node fixes some cuts in, some out, and leaves the tail open. Its head classes are those of the cuts that are
in. For each head class on its own, an open cut is *valid* where both sides keep k records or more. A cut that
is not valid in a class only shaves suppressed records off it, in every descendant too, and never lowers the
cost there; so the class costs at least what its *local atoms*, the cells of its valid cuts, must cost. The
local atoms are much coarser than the cells of the whole allset (Bayardo & Agrawal, Observation 5.2).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from kohort.algorithms.cuts.hashing import LARGEST, densify, find

OPEN, IN, OUT = 0, 1, 2


@njit(cache=True, nogil=True)
def whole_class_bound(size, k, n):  # type: ignore[no-untyped-def]
    """Return the least discernibility of `size` records, at least k of them together, however they are split.

    At most size // k classes survive and equal ones are cheapest. One class only may gain by suppressing
    some of its records where it holds more than half of the table.
    """
    m = size // k
    if m == 0:
        return np.float64(n * size)
    if m == 1 and 2 * size > n:
        return np.float64(n * size) - 0.25 * n * n
    return np.float64(size) * size / m


@njit(cache=True, nogil=True)
def atoms_bound(big_squares, smallest_big, small, k, n):  # type: ignore[no-untyped-def]
    """Return the least discernibility of atoms: those of k or more stand alone at best.

    The `small` records of the other atoms either form classes of k or more among themselves or join a big
    atom, where each adds at least twice its size, or are suppressed.
    """
    if small == 0:
        return np.float64(big_squares)
    if smallest_big == 0:
        return whole_class_bound(small, k, n)
    rate = np.float64(min(n, 2 * smallest_big))
    m = small // k
    if m == 0:
        return big_squares + rate * small
    together = min(np.float64(small), max(np.float64(m * k), 0.5 * m * rate))
    return big_squares + together * together / m + rate * (small - together)


@njit(cache=True, nogil=True)
def refine(  # type: ignore[no-untyped-def]
    codes, weights, labels, class_of, n_tuples, first, status, new_in, n_new, merge, k,
    out_codes, out_weights, out_labels, out_class, starts, sizes,
    keys, ids, place, slot_key, slot_id, slot_stamp, stamp,
):  # fmt: skip
    """Split the classes by the cuts `new_in`; return tuples kept, classes kept and records suppressed.

    What falls below k is dropped; where `merge`, tuples that no cut in or open tells apart are united. The
    tuples come out sorted by class; `starts` and `sizes` describe the classes.
    """
    m = codes.shape[1]
    t = labels.shape[1]
    mask = len(slot_key) - 1
    for i in range(n_tuples):
        keys[i] = class_of[i]
    bound = np.int64(n_tuples) + 1
    for q in range(n_new):
        v = new_in[q]
        j = 0
        while first[j + 1] <= v:
            j += 1
        p = v - first[j] + 1
        if bound > LARGEST // 2:
            stamp[0] += 1
            bound = densify(keys, n_tuples, keys, slot_key, slot_id, slot_stamp, stamp[0], mask) + 1
        for i in range(n_tuples):
            keys[i] = 2 * keys[i] + (1 if codes[i, j] >= p else 0)
        bound *= 2
    stamp[0] += 1
    n_all = densify(keys, n_tuples, ids, slot_key, slot_id, slot_stamp, stamp[0], mask)
    for c in range(n_all + 1):
        sizes[c] = 0
        place[c] = 0
    for i in range(n_tuples):
        sizes[ids[i]] += weights[i]
    suppressed = np.int64(0)
    n_classes = 0
    for c in range(n_all):
        if sizes[c] < k:
            suppressed += sizes[c]
            place[c] = -1
        else:
            place[c] = n_classes
            sizes[n_classes] = sizes[c]
            n_classes += 1
    kept = 0
    for i in range(n_tuples):
        c = place[ids[i]]
        if c >= 0:
            keys[kept] = i
            ids[kept] = c
            kept += 1
    if merge:
        kept = _merge(
            codes, weights, labels, first, status, keys, ids, kept, slot_key, slot_id, slot_stamp, stamp
        )
    for c in range(n_classes + 1):
        starts[c] = 0
    for q in range(kept):
        starts[ids[q] + 1] += 1
    for c in range(n_classes):
        starts[c + 1] += starts[c]
        place[c] = starts[c]
    for q in range(kept):
        c = ids[q]
        i = keys[q]
        to = place[c]
        place[c] += 1
        out_class[to] = c
        out_weights[to] = weights[i]
        for j in range(m):
            out_codes[to, j] = codes[i, j]
        for y in range(t):
            out_labels[to, y] = labels[i, y]
    return kept, n_classes, suppressed


@njit(cache=True, nogil=True)
def _merge(  # type: ignore[no-untyped-def]
    codes, weights, labels, first, status, rows, classes, n_rows, slot_key, slot_id, slot_stamp, stamp
):
    """Unite rows of one class that no cut in or open tells apart, in place; return how many rows remain."""
    m = codes.shape[1]
    mask = len(slot_key) - 1
    least = np.empty(first[m] + m, np.int64)  # of (j, code): the least code of its cell
    for j in range(m):
        base = first[j] + j
        least[base] = 0
        for p in range(1, first[j + 1] - first[j] + 1):
            least[base + p] = least[base + p - 1] if status[first[j] + p - 1] == OUT else p
    cell = np.empty(n_rows, np.int64)
    bound = np.int64(1)
    for q in range(n_rows):
        cell[q] = classes[q]
        bound = max(bound, cell[q] + 1)
    for j in range(m):
        width = first[j + 1] - first[j] + 1
        if bound > LARGEST // width:
            stamp[0] += 1
            bound = densify(cell, n_rows, cell, slot_key, slot_id, slot_stamp, stamp[0], mask) + 1
        for q in range(n_rows):
            code = least[first[j] + j + codes[rows[q], j]]
            codes[rows[q], j] = code
            cell[q] = cell[q] * width + code
        bound *= width
    stamp[0] += 1
    n_cells = densify(cell, n_rows, cell, slot_key, slot_id, slot_stamp, stamp[0], mask)
    # cells are numbered in order of appearance, so writing at the cell's number never overtakes reading
    seen = 0
    for q in range(n_rows):
        to = cell[q]
        if to == seen:
            rows[to] = rows[q]
            classes[to] = classes[q]
            seen += 1
        else:
            weights[rows[to]] += weights[rows[q]]
            for y in range(labels.shape[1]):
                labels[rows[to], y] += labels[rows[q], y]
    return n_cells


@njit(cache=True, nogil=True)
def _quick_bound(metric, size, k, n):  # type: ignore[no-untyped-def]
    if metric == 0:
        return whole_class_bound(size, k, n)
    return 0.0 if metric == 1 else -np.float64(size // k)


@njit(cache=True, nogil=True)
def evaluate(  # type: ignore[no-untyped-def]
    codes, weights, labels, starts, sizes, n_classes, first, status, metric, k, n,
    room, factor, add_bound, add_cost, add_lost, drop_bound, splits,
    atom_of, atom_size, atom_labels, atom_key, atom_sample, keys, slot_key, slot_id, slot_stamp, stamp,
):  # fmt: skip
    """Return lower bound and exact cost of the head classes and the bound from atoms alone; fill what cuts change.

    add_bound[v]: how much the lower bound rises with v in; add_cost[v], add_lost[v]: the exact change of cost
    and of suppressed records; drop_bound[v]: how much the bound rises with v out; splits[v]: classes where v is
    valid; factor[c]: the least rise of the bound from atoms for each record of class c that is suppressed,
    whatever cuts are left out. Suppressed classes are not among those given; the caller adds their cost. The
    rest is spared as soon as the bound passes `room`.
    """
    m = codes.shape[1]
    t = labels.shape[1]
    n_cuts = first[m]
    for v in range(n_cuts):
        add_bound[v] = 0.0
        drop_bound[v] = 0.0
        add_cost[v] = 0
        add_lost[v] = 0
        splits[v] = 0
    running = np.zeros((n_cuts + m, 1 + t), np.int64)  # records below code p of (j, p)
    block = np.zeros(n_cuts + m, np.int64)
    upper = np.zeros(n_cuts + m, np.int64)  # of (j, block): the valid cut at its upper end
    blocks = np.ones(m, np.int64)
    step = np.ones(m, np.int64)
    lows = np.zeros(m, np.int64)
    highs = np.zeros(m, np.int64)
    shaved = np.zeros(n_cuts + m, np.float64)
    spread = np.zeros(t, np.int64)
    raised = np.zeros(n_cuts, np.float64)
    lower, exact, rest, relaxed = 0.0, np.int64(0), 0.0, 0.0
    for c in range(n_classes):
        rest += _quick_bound(metric, sizes[c], k, n)
    for c in range(n_classes):
        if lower + rest > room:  # nothing below can be of interest: spare the rest
            return lower + rest, np.int64(0), 0.0
        rest -= _quick_bound(metric, sizes[c], k, n)
        begin, end = starts[c], starts[c + 1]
        size = sizes[c]
        top = np.int64(0)
        for y in range(t):
            spread[y] = 0
        for q in range(begin, end):
            for y in range(t):
                spread[y] += labels[q, y]
        for y in range(t):
            top = max(top, spread[y])
        own = size * size if metric == 0 else (size - top if metric == 1 else np.int64(-1))
        exact += own
        factor[c] = max(0, n - 2 * size) if metric == 0 else 0
        if end - begin == 1:
            lower += own
            relaxed += own
            continue
        any_valid = False
        for j in range(m):
            low, high = np.int64(codes[begin, j]), np.int64(codes[begin, j])
            for q in range(begin + 1, end):
                code = np.int64(codes[q, j])
                low = min(low, code)
                high = max(high, code)
            lows[j], highs[j] = low, high
            blocks[j] = 1
            base = first[j] + j
            if low == high:
                block[base + low] = 0
                continue
            running[base + low : base + high + 1] = 0
            for q in range(begin, end):
                at = base + codes[q, j] + 1
                if at <= base + high:
                    running[at, 0] += weights[q]
                    for y in range(t):
                        running[at, 1 + y] += labels[q, y]
            block[base + low] = 0
            for p in range(low + 1, high + 1):
                at = base + p
                for y in range(1 + t):
                    running[at, y] += running[at - 1, y]
                block[at] = block[at - 1]
                v = first[j] + p - 1
                if status[v] != OPEN:
                    continue
                left, right = running[at, 0], size - running[at, 0]
                valid = left >= k and right >= k
                if not valid and metric == 0 and size + max(left, right) > n:
                    valid = True  # shaving a class of more than half the table may pay (errata 2)
                if valid:
                    any_valid = True
                    splits[v] += 1
                    upper[base + block[at]] = v
                    block[at] += 1
                if left < k:
                    add_lost[v] += left
                if right < k:
                    add_lost[v] += right
                if metric == 0:
                    add_cost[v] += (
                        (left * left if left >= k else n * left)
                        + (right * right if right >= k else n * right)
                        - own
                    )
                elif metric == 1:
                    top_left, top_right = np.int64(0), np.int64(0)
                    for y in range(t):
                        top_left = max(top_left, running[at, 1 + y])
                        top_right = max(top_right, spread[y] - running[at, 1 + y])
                    add_cost[v] += (
                        (left - top_left if left >= k else left)
                        + (right - top_right if right >= k else right)
                        - own
                    )
                else:
                    add_cost[v] += (-1 if left >= k else 0) + (-1 if right >= k else 0) - own
            blocks[j] = block[base + high] + 1
        if not any_valid:  # the class can only be shaved: its own cost is a bound, every change is exact
            lower += own
            relaxed += own
            for j in range(m):
                base = first[j] + j
                for p in range(lows[j] + 1, highs[j] + 1):
                    v = first[j] + p - 1
                    if status[v] == OPEN:
                        left = running[base + p, 0]
                        right = size - left
                        if metric == 0:
                            add_bound[v] += (
                                (left * left if left >= k else n * left)
                                + (right * right if right >= k else n * right)
                                - own
                            )
                        elif metric == 1:
                            top_left, top_right = np.int64(0), np.int64(0)
                            for y in range(t):
                                top_left = max(top_left, running[base + p, 1 + y])
                                top_right = max(top_right, spread[y] - running[base + p, 1 + y])
                            add_bound[v] += (
                                (left - top_left if left >= k else left)
                                + (right - top_right if right >= k else right)
                                - own
                            )
                        elif left < k and right < k:
                            add_bound[v] += 1
            continue
        # local atoms
        radix, fits = 1.0, True
        stamp[0] += 1
        mask = 15
        while mask < 2 * (end - begin):
            mask = 2 * mask + 1
        bound = np.int64(1)
        for q in range(begin, end):
            keys[q] = 0
        for j in range(m):
            radix *= blocks[j] + 1
            if radix >= 2.0**61:
                fits = False
        if fits:
            pace = np.int64(1)
            for j in range(m):
                step[j] = pace
                pace *= blocks[j] + 1
            for q in range(begin, end):
                key = np.int64(0)
                for j in range(m):
                    key += step[j] * block[first[j] + j + codes[q, j]]
                keys[q] = key
        else:
            for j in range(m):
                if bound > LARGEST // blocks[j]:
                    stamp[0] += 1
                    bound = 1 + densify(
                        keys[begin:end],
                        end - begin,
                        keys[begin:end],
                        slot_key,
                        slot_id,
                        slot_stamp,
                        stamp[0],
                        mask,
                    )
                for q in range(begin, end):
                    keys[q] = keys[q] * blocks[j] + block[first[j] + j + codes[q, j]]
                bound *= blocks[j]
            stamp[0] += 1
        n_atoms = densify(
            keys[begin:end], end - begin, atom_of[begin:end], slot_key, slot_id, slot_stamp, stamp[0], mask
        )
        for a in range(n_atoms):
            atom_size[a] = 0
            for y in range(t):
                atom_labels[a, y] = 0
        for q in range(begin, end):
            a = atom_of[q]
            atom_size[a] += weights[q]
            atom_sample[a] = q
            atom_key[a] = keys[q]
            for y in range(t):
                atom_labels[a, y] += labels[q, y]
        loose, tight = 0.0, 0.0
        if metric == 0:
            small, squares, least = np.int64(0), np.int64(0), np.int64(0)
            for a in range(n_atoms):
                s = atom_size[a]
                if s >= k:
                    squares += s * s
                    least = s if least == 0 else min(least, s)
                else:
                    small += s
            loose = np.float64(squares + k * small)
            tight = max(loose, atoms_bound(squares, least, small, k, n), whole_class_bound(size, k, n))
        elif metric == 1:
            for a in range(n_atoms):
                top = np.int64(0)
                for y in range(t):
                    top = max(top, atom_labels[a, y])
                loose += atom_size[a] - top
            tight = loose
        else:
            loose = -np.float64(min(size // k, n_atoms))
            tight = loose
        lower += tight
        relaxed += loose
        # what including a cut does to the bound
        for j in range(m):
            if highs[j] == lows[j]:
                continue
            base = first[j] + j
            for p in range(lows[j], highs[j] + 1):
                shaved[base + p] = 0.0
            if metric == 0:
                for q in range(begin, end):
                    at = max(atom_size[atom_of[q]], k)
                    shaved[base + codes[q, j]] += np.float64(weights[q]) * max(0, n - 2 * at)
            elif metric == 1:
                for q in range(begin, end):
                    a = atom_of[q]
                    top, second, which = np.int64(0), np.int64(0), 0
                    for y in range(t):
                        if atom_labels[a, y] > top:
                            second = top
                            top = atom_labels[a, y]
                            which = y
                        else:
                            second = max(second, atom_labels[a, y])
                    shaved[base + codes[q, j]] += labels[q, which] * (np.float64(top - second) / top)
            below, whole = 0.0, 0.0
            for p in range(lows[j], highs[j] + 1):
                whole += shaved[base + p]
            for p in range(lows[j] + 1, highs[j] + 1):
                below += shaved[base + p - 1]
                v = first[j] + p - 1
                if status[v] != OPEN:
                    continue
                left, right = running[base + p, 0], size - running[base + p, 0]
                new = loose
                if left < k:
                    new += below
                if right < k:
                    new += whole - below
                if metric == 0:
                    new = max(new, whole_class_bound(left, k, n) + whole_class_bound(right, k, n))
                elif metric == 2:
                    new = -np.float64(min(left // k + right // k, n_atoms))
                if new > tight:
                    add_bound[v] += new - tight
        if not fits or metric == 2:
            continue
        # what excluding a cut does to the bound: the atoms on its two sides become one
        for j in range(m):
            for b in range(blocks[j] - 1):
                raised[upper[first[j] + j + b]] = 0.0
        for a in range(n_atoms):
            q = atom_sample[a]
            for j in range(m):
                base = first[j] + j
                b = block[base + codes[q, j]]
                if b == blocks[j] - 1:
                    continue
                other = find(atom_key[a] + step[j], slot_key, slot_id, slot_stamp, stamp[0], mask)
                if other < 0:
                    continue
                v = upper[base + b]
                x, z = atom_size[a], atom_size[other]
                if metric == 0:
                    raised[v] += (x + z) * max(x + z, k) - x * max(x, k) - z * max(z, k)
                else:
                    top, top_x, top_z = np.int64(0), np.int64(0), np.int64(0)
                    for y in range(t):
                        top = max(top, atom_labels[a, y] + atom_labels[other, y])
                        top_x = max(top_x, atom_labels[a, y])
                        top_z = max(top_z, atom_labels[other, y])
                    raised[v] += top_x + top_z - top
        for j in range(m):
            for b in range(blocks[j] - 1):
                v = upper[first[j] + j + b]
                drop_bound[v] += max(0.0, raised[v] - (tight - loose))
    return lower, exact, relaxed
