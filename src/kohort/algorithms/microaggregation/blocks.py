"""Blocks of similar records along an order of the whole space, which no table can change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.algorithms.microaggregation.grid import Grid
from kohort.arrays import IntArray

_CURVE_BITS = 10  # cells per axis of the curve, as a power of two

Places = Sequence[int]  # of each ground value of a column, on its grid


def curve_order(codes: IntArray, places: Sequence[Places], grids: Sequence[Grid]) -> IntArray:
    """Return the rank of each tuple of ground codes (n, columns) in the order of the space.

    The order compares places on a Z-shaped curve through the declared bounds first, then the values column by
    column. Both depend on the tuple alone, so two records compare alike in every table that holds them; with
    one column it is the order of its values. Tuples that stand at the same place on every grid are equals.
    """
    ranks = [_ranks(of_ground)[codes[:, j]] for j, of_ground in enumerate(places)]
    keys = [*reversed(ranks), _curve(codes, places, grids)]
    order = np.lexsort(keys)
    sorted_keys = np.array([key[order] for key in keys])
    steps = (sorted_keys[:, 1:] != sorted_keys[:, :-1]).any(axis=0)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.concatenate([[0], np.cumsum(steps)])
    return rank


def blocks(rank: IntArray, size: int) -> IntArray:
    """Return the block of each record: `size` records each in the order of rank, the last one up to 2·size - 1.

    How many blocks there are and how large they are follows from the number of records alone.
    """
    n = len(rank)
    block_of = np.empty(n, np.int64)
    block_of[np.argsort(rank, kind="stable")] = np.minimum(np.arange(n) // size, n // size - 1)
    return block_of


def block_sums(block_of: IntArray, codes: IntArray, places: Places) -> list[int]:
    """Return the exact sum of the places in each block, whatever their size."""
    order = np.argsort(block_of, kind="stable")
    starts = np.searchsorted(block_of[order], np.arange(int(block_of.max()) + 1))
    widest = max(map(abs, places)) * len(codes)
    held = np.array(places, np.int64 if widest < 2**62 else object)[codes[order]]
    return [int(total) for total in np.add.reduceat(held, starts)]


def _ranks(places: Places) -> IntArray:
    """Return the rank of each ground value: equals, such as `7` and `7.0`, share one."""
    rank_of = {place: rank for rank, place in enumerate(sorted(set(places)))}
    return np.array([rank_of[place] for place in places], np.int64)


def _curve(codes: IntArray, places: Sequence[Places], grids: Sequence[Grid]) -> IntArray:
    """Return the place of each tuple on the Z-shaped curve: the bits of its coordinates interleaved.

    Of more than 62 columns only the first 62 have a bit; the others decide among equals.
    """
    bits = max(1, min(_CURVE_BITS, 62 // len(grids)))
    cells = [
        np.array([((place - grid.least) << bits) // (grid.width + 1) for place in of_ground], np.int64)[
            codes[:, j]
        ]
        for j, (of_ground, grid) in enumerate(zip(places, grids, strict=True))
    ][:62]
    place = np.zeros(len(codes), np.int64)
    for bit in range(bits - 1, -1, -1):
        for cell in cells:
            place = (place << 1) | ((cell >> bit) & 1)
    return place
