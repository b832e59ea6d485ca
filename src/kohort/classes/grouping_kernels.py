"""Kernels that group rows by packed keys; imported where they are called, so that numba is loaded only then."""

from __future__ import annotations

import numpy as np

from kohort.arrays import IntArray
from kohort.compiling import inner, kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: Fibonacci hashing spreads packed keys


@kernel
def extremes(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the least and the greatest code of every column."""
    n, m = codes.shape
    low, high = np.empty(m, np.int64), np.empty(m, np.int64)
    for j in range(m):
        low[j] = high[j] = codes[0, j]
    for i in range(1, n):
        for j in range(m):
            code = codes[i, j]
            if code < low[j]:
                low[j] = code
            elif code > high[j]:
                high[j] = code
    return low, high


@kernel
def pack(keys: IntArray, codes: IntArray, low: IntArray, shifts: IntArray, start: int, stop: int) -> None:
    """Add columns start:stop to the keys, each at its own fixed shift."""
    for i in range(len(codes)):
        key = keys[i]
        for j in range(start, stop):
            key |= (codes[i, j] - low[j]) << shifts[j]
        keys[i] = key


@kernel
def pack_column(keys: IntArray, column: IntArray, low: int, shift: int) -> None:
    """Add one column to the keys, at its shift."""
    for i in range(len(column)):
        keys[i] |= (np.int64(column[i]) - low) << shift


@inner
def _no_entries(bits: int) -> IntArray:
    """Return a hash table in which nothing stands."""
    table = np.empty(1 << bits, np.int32)
    for at in range(len(table)):
        table[at] = -1
    return table


@inner
def _doubled(firsts: IntArray) -> IntArray:
    """Return the numbers with as much room again behind them."""
    longer = np.empty(2 * len(firsts), np.int32)
    for i in range(len(firsts)):
        longer[i] = firsts[i]
    return longer


@kernel
def number(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Number the distinct keys by first appearance: the number of each key, and where each first stands.

    Open addressing with linear probing; the table doubles when half full, so its size follows the number
    of distinct keys and not the number of keys.
    """
    n = len(keys)
    bits = 12
    table = _no_entries(bits)
    numbers = np.empty(n, np.int32)
    firsts = np.empty(min(n, 1 << bits), np.int32)
    found = 0
    for i in range(n):
        if 2 * found >= len(table):
            bits += 1
            table = _no_entries(bits)
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
                    firsts = _doubled(firsts)
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


@kernel
def regroup(
    codes: IntArray, rows: IntArray, raised: IntArray, tables: IntArray, starts: IntArray, shifts: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Return codes, class of each source class and records after the attributes `raised` were mapped.

    Attribute raised[a] is mapped by the table at starts[a]; keys are packed at fixed shifts and must fit
    into 63 bits. Classes come in the order in which they are met first.
    """
    n, m = codes.shape
    bits = 1
    while (1 << bits) < 2 * n:
        bits += 1
    table = _no_entries(bits)
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
