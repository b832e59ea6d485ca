"""Kernels that add up histograms; imported where they are called, so that numba is loaded only when it is needed."""

from __future__ import annotations

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.compiling import inner, kernel

_RUN = 12  # values that are sorted by insertion


@inner
def _sort_first(values: IntArray, n: int, spare: IntArray) -> None:
    """Sort the first n values: short runs by insertion, which are then merged two by two."""
    for start in range(0, n, _RUN):
        for a in range(start + 1, min(start + _RUN, n)):
            value = values[a]
            b = a - 1
            while b >= start and values[b] > value:
                values[b + 1] = values[b]
                b -= 1
            values[b + 1] = value
    width = _RUN
    while width < n:
        for start in range(0, n, 2 * width):
            a, b = start, start + width
            middle, stop = min(b, n), min(b + width, n)
            for out in range(start, stop):
                if a < middle and (b >= stop or values[a] <= values[b]):
                    spare[out] = values[a]
                    a += 1
                else:
                    spare[out] = values[b]
                    b += 1
        for i in range(n):
            values[i] = spare[i]
        width *= 2


@kernel
def tally(
    starts: IntArray, values: IntArray, counts: IntArray, class_of: IntArray, n_classes: int, size: int
) -> tuple[IntArray, IntArray, IntArray]:
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
    touched, spare = np.empty(size, np.int32), np.empty(size, np.int32)
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
        else:
            _sort_first(touched, n_touched, spare)
        for a in range(n_touched):
            value = touched[a]
            new_values[out] = value
            new_counts[out] = scratch[value]
            scratch[value] = 0
            out += 1
        new_starts[c + 1] = out
    return new_starts, new_values[:out].copy(), new_counts[:out].copy()


@kernel
def excesses(
    starts: IntArray, values: IntArray, counts: IntArray, ups: IntArray, shares: FloatArray
) -> tuple[FloatArray, FloatArray]:
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
