"""What stands one step below a released label."""

from __future__ import annotations

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy, Label, meaning


def parts(hierarchy: Hierarchy, label: Label) -> IntArray | None:
    """Return, per ground value, the number of the finer label that holds it, -1 outside of the label.

    A label of the hierarchy has the labels of the next level that tells its values apart; an interval or a
    set is cut in the middle of its ground values. None where the label means nothing.
    """
    mask = meaning(hierarchy, label)
    if mask is None:
        return None
    inside = np.flatnonzero(mask)
    found: IntArray = np.full(hierarchy.size, -1, np.int64)
    if len(inside) == 0:
        return found
    found[inside] = _below(hierarchy, label, inside)
    return found


def _below(hierarchy: Hierarchy, label: Label, inside: IntArray) -> IntArray:
    for low in reversed(hierarchy.levels[:-1]):
        codes = low.of_ground[inside]
        if len(np.unique(codes)) > 1 and _closed(hierarchy, label, inside):
            return np.asarray(np.unique(codes, return_inverse=True)[1])
    return np.asarray((np.arange(len(inside)) >= (len(inside) + 1) // 2).astype(np.int64))


def _closed(hierarchy: Hierarchy, label: Label, inside: IntArray) -> bool:
    """Tell whether the values are those under one label of the hierarchy, or all."""
    if len(inside) == hierarchy.size:
        return True
    return any(
        label in level.code_of and level.leaves[level.code_of[label]] == len(inside)
        for level in hierarchy.levels
    )
