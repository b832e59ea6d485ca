"""Counting kernels; imported where they are called, so that numba is loaded only when it is needed."""

from __future__ import annotations

import numpy as np
from numba import njit

from kohort.arrays import FloatArray, IntArray

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: Fibonacci hashing spreads packed keys


@njit(cache=True, nogil=True)
def extremes(codes: IntArray) -> tuple[IntArray, IntArray]:  # pragma: no cover
    """Return the least and the greatest code of every column."""
    n, m = codes.shape
    low, high = codes[0].astype(np.int64), codes[0].astype(np.int64)
    for i in range(1, n):
        for j in range(m):
            code = codes[i, j]
            if code < low[j]:
                low[j] = code
            elif code > high[j]:
                high[j] = code
    return low, high


@njit(cache=True, nogil=True)
def pack(
    keys: IntArray, codes: IntArray, low: IntArray, shifts: IntArray, start: int, stop: int
) -> None:  # pragma: no cover
    """Add columns start:stop to the keys, each at its own fixed shift."""
    for i in range(len(codes)):
        key = keys[i]
        for j in range(start, stop):
            key |= (codes[i, j] - low[j]) << shifts[j]
        keys[i] = key


@njit(cache=True, nogil=True)
def number(keys: IntArray) -> tuple[IntArray, IntArray]:  # pragma: no cover
    """Number the distinct keys by first appearance: the number of each key, and where each first stands.

    Open addressing with linear probing; the table doubles when half full, so its size follows the number
    of distinct keys and not the number of keys.
    """
    n = len(keys)
    bits = 12
    table = np.full(1 << bits, -1, np.int32)
    numbers = np.empty(n, np.int32)
    firsts = np.empty(min(n, 1 << bits), np.int32)
    found = 0
    for i in range(n):
        if 2 * found >= len(table):
            bits += 1
            table = np.full(1 << bits, -1, np.int32)
            for number_ in range(found):
                at = np.int64((np.uint64(keys[firsts[number_]]) * GOLDEN) >> np.uint64(64 - bits))
                while table[at] >= 0:
                    at = (at + 1) & (len(table) - 1)
                table[at] = number_
        key = keys[i]
        at = np.int64((np.uint64(key) * GOLDEN) >> np.uint64(64 - bits))
        while True:
            there = table[at]
            if there < 0:
                if found == len(firsts):
                    longer = np.empty(2 * found, np.int32)
                    longer[:found] = firsts
                    firsts = longer
                table[at] = found
                firsts[found] = i
                there = found
                found += 1
                break
            if keys[firsts[there]] == key:
                break
            at = (at + 1) & (len(table) - 1)
        numbers[i] = there
    return numbers, firsts[:found].copy()


@njit(cache=True, nogil=True)
def tally(
    starts: IntArray, values: IntArray, counts: IntArray, class_of: IntArray, n_classes: int, size: int
) -> tuple[IntArray, IntArray, IntArray]:  # pragma: no cover
    """Add up the entries of each new class: source i (entries starts[i]:starts[i+1]) goes to class_of[i].

    Sources are put in the order of their classes by counting; a class is then added up in a scratch of
    one cell per value, and its values are listed in ascending order.
    """
    first = np.zeros(n_classes + 1, np.int64)
    for i in range(len(class_of)):
        first[class_of[i] + 1] += 1
    for c in range(n_classes):
        first[c + 1] += first[c]
    place = first[:-1].copy()
    order = np.empty(len(class_of), np.int64)
    for i in range(len(class_of)):
        c = class_of[i]
        order[place[c]] = i
        place[c] += 1
    scratch = np.zeros(size, np.int64)
    touched = np.empty(size, np.int32)
    new_starts = np.zeros(n_classes + 1, np.int64)
    new_values = np.empty(len(values), np.int32)
    new_counts = np.empty(len(values), np.int64)
    out = 0
    for c in range(n_classes):
        n_touched = 0
        for at in range(first[c], first[c + 1]):
            i = order[at]
            for e in range(starts[i], starts[i + 1]):
                value = values[e]
                if scratch[value] == 0:
                    touched[n_touched] = value
                    n_touched += 1
                scratch[value] += counts[e]
        if size <= 4 * n_touched:  # most values occur: look at all of them in their order
            n_touched = 0
            for value in range(size):
                if scratch[value] > 0:
                    touched[n_touched] = value
                    n_touched += 1
        elif n_touched < 12:  # insertion sort
            for a in range(1, n_touched):
                value = touched[a]
                b = a - 1
                while b >= 0 and touched[b] > value:
                    touched[b + 1] = touched[b]
                    b -= 1
                touched[b + 1] = value
        else:
            touched[:n_touched].sort()
        for a in range(n_touched):
            value = touched[a]
            new_values[out] = value
            new_counts[out] = scratch[value]
            scratch[value] = 0
            out += 1
        new_starts[c + 1] = out
    return new_starts, new_values[:out].copy(), new_counts[:out].copy()


@njit(cache=True, nogil=True)
def regroup(
    codes: IntArray, rows: IntArray, raised: IntArray, tables: IntArray, starts: IntArray, shifts: IntArray
) -> tuple[IntArray, IntArray, IntArray]:  # pragma: no cover
    """Return codes, class of each source class and records after the attributes `raised` were mapped.

    Attribute raised[a] is mapped by the table at starts[a]; keys are packed at fixed shifts and must fit
    into 63 bits. Classes come in the order in which they are met first.
    """
    n, m = codes.shape
    bits = 1
    while (1 << bits) < 2 * n:
        bits += 1
    table = np.full(1 << bits, -1, np.int32)
    keys = np.empty(n + 1, np.int64)
    new_codes = np.empty((n + 1, m), np.int32)
    new_rows = np.zeros(n + 1, np.int64)
    class_of = np.empty(n, np.int64)
    found = 0
    for i in range(n):
        for j in range(m):
            new_codes[found, j] = codes[i, j]
        for a in range(len(raised)):
            new_codes[found, raised[a]] = tables[starts[a] + codes[i, raised[a]]]
        key = np.int64(0)
        for j in range(m):
            key |= np.int64(new_codes[found, j]) << shifts[j]
        keys[found] = key
        new_rows[found] = 0
        at = np.int64((np.uint64(key) * GOLDEN) >> np.uint64(64 - bits))
        while True:
            there = table[at]
            new = there < 0
            mine = found if new else there
            if keys[mine] == key:
                table[at] = mine
                new_rows[mine] += rows[i]
                class_of[i] = mine
                found += new
                break
            at = (at + 1) & (len(table) - 1)
    return new_codes[:found].copy(), class_of, new_rows[:found].copy()


@njit(cache=True, nogil=True)
def excesses(
    starts: IntArray, values: IntArray, counts: IntArray, ups: IntArray, shares: FloatArray
) -> tuple[FloatArray, FloatArray]:  # pragma: no cover
    """Return each class's mean positive excess over the shares, and the mean share where there is one.

    Row l of `ups` maps values to those of level l, whose shares of the table are row l of `shares`; both means
    are over levels, the excess in records.
    """
    n, levels = len(starts) - 1, ups.shape[0]
    excess, over = np.zeros(n), np.zeros(n)
    scratch = np.zeros(shares.shape[1], np.int64)
    for c in range(n):
        size = 0
        for e in range(starts[c], starts[c + 1]):
            size += counts[e]
        for level in range(levels):
            for e in range(starts[c], starts[c + 1]):
                scratch[ups[level, values[e]]] += counts[e]
            for e in range(starts[c], starts[c + 1]):
                value = ups[level, values[e]]
                more = scratch[value] - shares[level, value] * size
                if more > 0:
                    excess[c] += more / levels
                    over[c] += shares[level, value] / levels
                scratch[value] = 0
                # Met again within the class, the value counts nothing: 0 is never above its share.
    return excess, over
