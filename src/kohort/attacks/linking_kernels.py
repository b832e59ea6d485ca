"""Kernel of linking: which released tuples fit which person; imported where it is called."""

from __future__ import annotations

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.compiling import kernel


@kernel
def fit(
    person_key: IntArray,
    starts: IntArray,
    order: IntArray,
    person_codes: IntArray,
    tuple_codes: IntArray,
    masks: BoolArray,
    weights: IntArray,
    bits: IntArray,
) -> tuple[IntArray, IntArray]:
    """Return, per person, the weight of the tuples that fit and the union of their bits.

    Tuples of key q stand at order[starts[q]:starts[q + 1]]; a tuple fits a person of its key if every mask
    (column, released value, ground value) says so.
    """
    n, words, m = len(person_key), bits.shape[1], masks.shape[0]
    sizes = np.zeros(n, np.int64)
    union = np.zeros((n, words), np.int64)
    for i in range(n):
        key = person_key[i]
        if key < 0:
            continue
        for at in range(starts[key], starts[key + 1]):
            t = order[at]
            fits = True
            for j in range(m):
                if not masks[j, tuple_codes[t, j], person_codes[i, j]]:
                    fits = False
                    break
            if fits:
                sizes[i] += weights[t]
                for w in range(words):
                    union[i, w] |= bits[t, w]
    return sizes, union


@kernel
def nearest(
    persons: FloatArray, tuples: FloatArray, numeric: BoolArray, weights: IntArray
) -> tuple[IntArray, IntArray]:
    """Return, per person, the weight of the tuples at the least distance, and the first of them.

    Numbers differ by their squared difference, other codes by 1 where they are not the same.
    """
    n, m = persons.shape
    sizes = np.zeros(n, np.int64)
    firsts = np.zeros(n, np.int64)
    for i in range(n):
        best = np.inf
        for t in range(len(tuples)):
            distance = 0.0
            for j in range(m):
                if numeric[j]:
                    step = persons[i, j] - tuples[t, j]
                    distance += step * step
                elif persons[i, j] != tuples[t, j]:
                    distance += 1.0
                if distance > best + 1e-12:
                    break
            if distance < best - 1e-12:
                best = distance
                sizes[i] = weights[t]
                firsts[i] = t
            elif distance <= best + 1e-12:
                sizes[i] += weights[t]
    return sizes, firsts
