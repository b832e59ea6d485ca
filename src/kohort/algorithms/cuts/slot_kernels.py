# mypy: disable-error-code="no-any-return"
"""Dense numbers for integer keys: the hash table under all cut kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.arrays import IntArray
from kohort.compiling import inner, whole

LARGEST = np.int64(1) << np.int64(61)  # keys stay below, so that one more bit never overflows


class Slots(NamedTuple):
    """Slots for keys: as many as the mask and one."""

    key: IntArray
    number: IntArray
    stamp: IntArray
    mask: int


@inner
def slots(n: int) -> Slots:
    """Return an empty table for n keys."""
    mask = whole(15)
    while mask < 2 * n:
        mask = 2 * mask + 1
    return Slots(
        np.empty(mask + 1, np.int64), np.empty(mask + 1, np.int64), np.zeros(mask + 1, np.int64), mask
    )


@inner
def densify(keys: IntArray, n: int, ids: IntArray, table: Slots, stamp: int) -> int:
    """Number the distinct of the first `n` keys 0, 1, … in order of appearance; return how many there are.

    Open addressing in the first `mask` + 1 slots. A slot is empty unless it bears `stamp`, so that the table
    need not be cleared between calls. `ids` may be a view of the arrays that follow the keys.
    """
    slot_key, slot_id, slot_stamp, mask = table
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


@inner
def find(key: int, table: Slots, stamp: int) -> int:
    """Return the number `densify` gave the key, or -1."""
    slot_key, slot_id, slot_stamp, mask = table
    h = (key * np.int64(-7046029254386353131)) ^ (key >> 29)
    h = ((h ^ (h >> 32)) * np.int64(-4658895280553007687)) >> 20
    slot = h & mask
    while slot_stamp[slot] == stamp:
        if slot_key[slot] == key:
            return slot_id[slot]
        slot = (slot + 1) & mask
    return -1
