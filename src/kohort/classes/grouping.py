"""Rows of integer codes to groups of equal rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kohort.arrays import IntArray

KEY_BITS = 63  # of a signed 64-bit key
WIDE = (
    1 << 31
)  # a column of more numbers is packed by their ranks: it would leave no room for ranks of columns before it


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
    from kohort.classes.grouping_kernels import extremes, pack

    matrix: IntArray = np.ascontiguousarray(codes, np.int32 if codes.dtype != np.int64 else np.int64)
    low, high = extremes(matrix)
    if any(int(most) - int(least) >= WIDE for least, most in zip(low, high, strict=True)):
        firsts, ranks = _packed_columns([_narrow(matrix[:, j]) for j in range(m)])
        return np.ascontiguousarray(codes[firsts]), ranks

    def add(keys: IntArray, shifts: IntArray, start: int, stop: int) -> None:
        pack(keys, matrix, low, shifts, start, stop)

    firsts, ranks = _packed(n, high - low, add)
    return np.ascontiguousarray(codes[firsts]), ranks


def group_columns(columns: Sequence[IntArray]) -> tuple[IntArray, IntArray]:
    """Return what `group` returns of the matrix of these columns, which is never made: rows come by the million."""
    if not len(columns[0]):
        return np.column_stack(columns), np.zeros(0, np.int64)
    firsts, ranks = _packed_columns([_narrow(column) for column in columns])
    return np.column_stack([column[firsts] for column in columns]), ranks


def _narrow(column: IntArray) -> IntArray:
    """Return a column, or the ranks of its numbers where they lie far apart."""
    column = np.ascontiguousarray(column, np.int64 if column.dtype == np.int64 else np.int32)
    if int(column.max()) - int(column.min()) < WIDE:
        return column
    return ranked(np.ascontiguousarray(column, np.int64))[0]


def _packed_columns(columns: Sequence[IntArray]) -> tuple[IntArray, IntArray]:
    from kohort.classes.grouping_kernels import pack_column

    low = np.array([column.min() for column in columns], np.int64)
    widths = np.array([column.max() for column in columns], np.int64) - low

    def add(keys: IntArray, shifts: IntArray, start: int, stop: int) -> None:
        for j in range(start, stop):
            pack_column(keys, columns[j], low[j], shifts[j])

    return _packed(len(columns[0]), widths, add)


def _packed(
    n: int, widths: IntArray, add: Callable[[IntArray, IntArray, int, int], None]
) -> tuple[IntArray, IntArray]:
    """Return where each distinct row first stands, and the rank of every row; `add` packs columns start:stop into keys."""
    m = len(widths)
    bits = [int(width).bit_length() for width in widths]
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
        ranks <<= sum(bits[start:stop])
        add(ranks, shifts, start, stop)
        ranks, firsts = ranked(ranks)
        start = stop
    return firsts, ranks


def meeting(left: IntArray, right: IntArray) -> tuple[IntArray, IntArray]:
    """Return all pairs of positions, of the one and of the other, that hold the same number."""
    order = np.argsort(right, kind="stable")
    first, last = np.searchsorted(right[order], left, "left"), np.searchsorted(right[order], left, "right")
    sizes = last - first
    where = np.repeat(np.arange(len(left)), sizes)
    offsets = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return where, order[np.repeat(first, sizes) + offsets]


def ranked(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Return the rank of every key among the distinct ones, and where each distinct one first stands."""
    from kohort.classes.grouping_kernels import number

    numbers, firsts = number(keys)
    order = np.argsort(keys[firsts])
    rank = np.empty(len(firsts), np.int64)
    rank[order] = np.arange(len(firsts))
    return rank[numbers], firsts[order]
