"""Rows of integer codes to groups of equal rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import IntArray

KEY_BITS = 63  # of a signed 64-bit key


def group(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct rows of `codes`, in lexicographic order, and the position of each row among them.

    Columns are packed into 64-bit keys, each at its own fixed shift, and the keys are counted by hashing:
    time grows with the rows, and with d·log d of the d distinct ones, for their order. Where the columns
    need more than 63 bits, the ranks of the columns packed first stand for them in the next key, so any
    number of columns works.
    """
    n, m = codes.shape
    if m == 0 or n == 0:
        return codes[: min(n, 1)], np.zeros(n, np.int64)
    matrix, low, high = _ranges(codes)
    bits = [int(width).bit_length() for width in high - low]
    ranks = np.zeros(n, np.int64)
    firsts = np.zeros(1, np.int64)
    start = 0
    while start < m:
        room = KEY_BITS - int(len(firsts) - 1).bit_length()
        stop = start + 1
        while stop < m and sum(bits[start : stop + 1]) <= room:
            stop += 1
        shifts = np.zeros(m, np.int64)
        for j in range(stop - 2, start - 1, -1):
            shifts[j] = shifts[j + 1] + bits[j + 1]
        keys = ranks << sum(bits[start:stop])
        _pack(keys, matrix, low, shifts, start, stop)
        ranks, firsts = ranked(keys)
        start = stop
    return np.ascontiguousarray(codes[firsts]), ranks


def meeting(left: IntArray, right: IntArray) -> tuple[IntArray, IntArray]:
    """Return all pairs of positions, of the one and of the other, that hold the same number."""
    order = np.argsort(right, kind="stable")
    first, last = np.searchsorted(right[order], left, "left"), np.searchsorted(right[order], left, "right")
    sizes = last - first
    where = np.repeat(np.arange(len(left)), sizes)
    offsets = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return where, order[np.repeat(first, sizes) + offsets]


def columns_of(codes: Sequence[IntArray]) -> IntArray:
    """Return columns of codes as a matrix, stored by column: rows by the million are stacked and grouped fastest so."""
    return np.stack(codes).T


def _ranges(codes: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the codes as the kernels take them, and the least and greatest code of each column."""
    if _by_column(codes):
        return codes, codes.min(axis=0).astype(np.int64), codes.max(axis=0).astype(np.int64)
    from kohort.classes.grouping_kernels import extremes

    matrix: IntArray = np.ascontiguousarray(codes, np.int32 if codes.dtype != np.int64 else np.int64)
    return matrix, *extremes(matrix)


def _pack(keys: IntArray, matrix: IntArray, low: IntArray, shifts: IntArray, start: int, stop: int) -> None:
    """Add columns start:stop to the keys, each at its own fixed shift."""
    if _by_column(matrix):
        for j in range(start, stop):
            keys |= (matrix[:, j].astype(np.int64) - low[j]) << shifts[j]
        return
    from kohort.classes.grouping_kernels import pack

    pack(keys, matrix, low, shifts, start, stop)


def _by_column(codes: IntArray) -> bool:
    return bool(codes.flags.f_contiguous and not codes.flags.c_contiguous)


def ranked(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Return the rank of every key among the distinct ones, and where each distinct one first stands."""
    from kohort.classes.grouping_kernels import number

    numbers, firsts = number(keys)
    order = np.argsort(keys[firsts])
    rank = np.empty(len(firsts), np.int64)
    rank[order] = np.arange(len(firsts))
    return rank[numbers], firsts[order]
