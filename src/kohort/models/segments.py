"""Sums and extremes over the entries of each class, without a loop over classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kohort.arrays import IntArray


def sums(starts: IntArray, entries: NDArray[Any]) -> NDArray[Any]:
    """Return the sum of each class's entries; entries of class i stand at starts[i]:starts[i+1]."""
    return _reduced(np.add, starts, entries)


def maxima(starts: IntArray, entries: NDArray[Any]) -> NDArray[Any]:
    """Return the greatest entry of each class, 0 for a class without entries."""
    return _reduced(np.maximum, starts, entries)


def minima(starts: IntArray, entries: NDArray[Any]) -> NDArray[Any]:
    """Return the least entry of each class, 0 for a class without entries."""
    return _reduced(np.minimum, starts, entries)


def _reduced(operation: np.ufunc, starts: IntArray, entries: NDArray[Any]) -> NDArray[Any]:
    begins, ends = starts[:-1], starts[1:]
    held = ends > begins
    if held.all():
        return np.asarray(operation.reduceat(entries, begins)) if len(begins) else entries[:0]
    # reduceat would take the first entry of the next class for an empty one.
    reduced = np.zeros(len(begins), entries.dtype)
    if held.any():
        reduced[held] = operation.reduceat(entries, begins[held])
    return reduced


def descending(starts: IntArray, counts: IntArray) -> IntArray:
    """Return the counts with those of each class sorted from the greatest to the least."""
    top = int(counts.max(initial=0))
    owners = np.repeat(np.arange(len(starts) - 1, dtype=np.int64), np.diff(starts))
    keys = np.sort(owners * (top + 1) + (top - counts))
    return np.asarray(top - (keys - owners * (top + 1)))
