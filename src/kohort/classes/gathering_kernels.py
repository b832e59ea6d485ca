"""Kernels that count keys of many distinct values: strewn over parts that fit into a processor's cache, and counted there.

Each works on a stretch of its own, so that threads share the work; numba is loaded only where they are called.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.arrays import IntArray
from kohort.classes.grouping_kernels import GOLDEN
from kohort.compiling import inner, kernel


class Lines(NamedTuple):
    """Keys, int64 and not negative, and how many rows have each, int32."""

    keys: IntArray
    rows: IntArray


@inner
def _bits_for(n: int) -> int:
    """Return the bits of a hash table that n keys fill to a half at most."""
    bits = 1
    while (1 << bits) < 2 * n:
        bits += 1
    return bits


@kernel
def count_few(lines: Lines, mask: int, start: int, stop: int, to: Lines) -> int:
    """Add up the rows of keys start:stop by what the mask leaves of them; return how many that are, -1 for too many to take.

    What is found stands in `to`, as met, which has room for one more than may be found.
    """
    keys, rows = lines
    to_keys, to_rows = to
    bits = _bits_for(len(to_keys))
    table = np.empty(1 << bits, np.int32)
    for at in range(len(table)):
        table[at] = -1
    down, wrap = np.uint64(64 - bits), np.uint64(len(table) - 1)
    most = len(to_keys) - 1
    found = 0
    for i in range(start, stop):
        key = keys[i] & mask
        h = (np.uint64(key) * GOLDEN) >> down
        # Written ahead as if it were new: whether it is, no processor can foresee, so there is no branch on it.
        to_keys[found] = key
        to_rows[found] = 0
        while True:
            there = table[h]
            new = there < 0
            mine = found if new else there
            if to_keys[mine] == key:
                table[h] = mine
                to_rows[mine] += rows[i]
                found += new
                break
            h = (h + np.uint64(1)) & wrap
        if found > most:
            return -1
    return found


@kernel
def count_parts(keys: IntArray, mask: int, start: int, stop: int, bits: int, sizes: IntArray) -> None:
    """Count in `sizes` how many of keys start:stop belong to each of 2^bits parts, by what the mask leaves of them."""
    down = np.uint64(64 - bits)
    for i in range(start, stop):
        sizes[(np.uint64(keys[i] & mask) * GOLDEN) >> down] += 1


@kernel
def strew(lines: Lines, mask: int, start: int, stop: int, bits: int, places: IntArray, to: Lines) -> None:
    """Put what the mask leaves of keys start:stop, with their rows, to the places of their parts; these move on."""
    keys, rows = lines
    to_keys, to_rows = to
    down = np.uint64(64 - bits)
    for i in range(start, stop):
        key = keys[i] & mask
        part = (np.uint64(key) * GOLDEN) >> down
        place = places[part]
        to_keys[place] = key
        to_rows[place] = rows[i]
        places[part] = place + 1


@kernel
def gather(lines: Lines, starts: IntArray, first: int, last: int, bits: int, found: IntArray) -> None:
    """Add up the rows of equal keys within each of the parts first:last, in place; `found` are left of each.

    All keys of a part begin with the same `bits` of their hash, so that the next ones tell them apart.
    """
    keys, rows = lines
    most = 0
    for part in range(first, last):
        most = max(most, starts[part + 1] - starts[part])
    table = np.empty(1 << _bits_for(most), np.int32)
    for part in range(first, last):
        start, stop = starts[part], starts[part + 1]
        own = _bits_for(stop - start)
        for at in range(1 << own):
            table[at] = -1
        up, down, wrap = np.uint64(bits), np.uint64(64 - own), np.uint64((1 << own) - 1)
        n = 0
        for i in range(start, stop):
            key, size = keys[i], rows[i]
            h = ((np.uint64(key) * GOLDEN) << up) >> down
            # No place is written before it was read: as many were found at most.
            keys[start + n] = key
            rows[start + n] = 0
            while True:
                there = table[h]
                new = there < 0
                mine = n if new else there
                if keys[start + mine] == key:
                    table[h] = mine
                    rows[start + mine] += size
                    n += new
                    break
                h = (h + np.uint64(1)) & wrap
        found[part] = n


@kernel
def rows_below(rows: IntArray, starts: IntArray, found: IntArray, least: int) -> int:
    """Return how many rows are in classes of fewer than `least`, the classes of part p being the first found[p] of it."""
    small = 0
    for part in range(len(found)):
        for i in range(starts[part], starts[part] + found[part]):
            if rows[i] < least:
                small += rows[i]
    return small
