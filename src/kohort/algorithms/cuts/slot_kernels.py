"""Dense numbers for integer keys: the hash table under all cut kernels."""

from __future__ import annotations

import numpy as np
from numba import njit

LARGEST = np.int64(1) << np.int64(61)  # keys stay below, so that one more bit never overflows


@njit(cache=True, nogil=True)
def slots(n):  # type: ignore[no-untyped-def]
    """Return an empty table for n keys: key, number and stamp of every slot, and the mask."""
    mask = 15
    while mask < 2 * n:
        mask = 2 * mask + 1
    return np.empty(mask + 1, np.int64), np.empty(mask + 1, np.int64), np.zeros(mask + 1, np.int64), mask


@njit(cache=True, nogil=True)
def densify(keys, n, ids, slot_key, slot_id, slot_stamp, stamp, mask):  # type: ignore[no-untyped-def]
    """Number the distinct of the first `n` keys 0, 1, … in order of appearance; return how many there are.

    Open addressing in the first `mask` + 1 slots. A slot is empty unless it bears `stamp`, so that the table
    need not be cleared between calls. `ids` may be a view of the arrays that follow the keys.
    """
    count = 0
    for i in range(n):
        key = keys[i]
        h = (key * np.int64(-7046029254386353131)) ^ (key >> 29)
        h = ((h ^ (h >> 32)) * np.int64(-4658895280553007687)) >> 20
        slot = h & mask
        while True:
            if slot_stamp[slot] != stamp:
                slot_stamp[slot] = stamp
                slot_key[slot] = key
                slot_id[slot] = count
                ids[i] = count
                count += 1
                break
            if slot_key[slot] == key:
                ids[i] = slot_id[slot]
                break
            slot = (slot + 1) & mask
    return count


@njit(cache=True, nogil=True)
def find(key, slot_key, slot_id, slot_stamp, stamp, mask):  # type: ignore[no-untyped-def]
    """Return the number `densify` gave the key, or -1."""
    h = (key * np.int64(-7046029254386353131)) ^ (key >> 29)
    h = ((h ^ (h >> 32)) * np.int64(-4658895280553007687)) >> 20
    slot = h & mask
    while slot_stamp[slot] == stamp:
        if slot_key[slot] == key:
            return slot_id[slot]
        slot = (slot + 1) & mask
    return -1
