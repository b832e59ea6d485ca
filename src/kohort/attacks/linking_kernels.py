"""Kernel of linking: which released tuples fit which person; imported where it is called."""

from __future__ import annotations

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.compiling import kernel

FAR = 1000  # rows ahead that are looked at, at most


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
    ranks: IntArray,
) -> tuple[IntArray, IntArray, IntArray]:
    """Return, per person, the weight of the tuples that fit, the union of their bits, and which has the least rank.

    Tuples of key q stand at order[starts[q]:starts[q + 1]]; a tuple fits a person of its key if every mask
    (column, released value, ground value) says so. Of equal ranks the first; -1 where nothing fits.
    """
    n, words, m = len(person_key), bits.shape[1], masks.shape[0]
    sizes = np.zeros(n, np.int64)
    union = np.zeros((n, words), np.int64)
    narrowest = np.full(n, -1, np.int64)
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
                if narrowest[i] < 0 or ranks[t] < ranks[narrowest[i]]:
                    narrowest[i] = t
                for w in range(words):
                    union[i, w] |= bits[t, w]
    return sizes, union, narrowest


@kernel
def nearest(
    persons: FloatArray, tuples: FloatArray, numeric: BoolArray, weights: IntArray
) -> tuple[IntArray, FloatArray]:
    """Return, per person, the weight of the tuples at the least distance, and that distance.

    Numbers differ by their squared difference, other codes by 1 where they are not the same.
    """
    n, m = persons.shape
    sizes = np.zeros(n, np.int64)
    least = np.zeros(n, np.float64)
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
            elif distance <= best + 1e-12:
                sizes[i] += weights[t]
        least[i] = best
    return sizes, least


@kernel
def in_order(
    shown: IntArray,
    people: IntArray,
    tuple_key: IntArray,
    person_key: IntArray,
    person_codes: IntArray,
    tuple_codes: IntArray,
    masks: BoolArray,
    slack: int,
) -> int:
    """Return how many released rows are read off the people one after the other, without going back.

    Each takes the next person whom its tuple fits, at most `slack` and the rows passed over so far ahead, and
    no more than FAR; a row that finds none is passed over, and the next goes on from the same place.
    """
    found, passed, at, m = 0, 0, 0, masks.shape[0]
    for i in range(len(shown)):
        t = shown[i]
        last = min(at + min(slack + passed, FAR), len(people) - 1)
        hit = False
        for place in range(at, last + 1):
            p = people[place]
            if person_key[p] != tuple_key[t]:
                continue
            hit = True
            for j in range(m):
                if not masks[j, tuple_codes[t, j], person_codes[p, j]]:
                    hit = False
                    break
            if hit:
                at = place + 1
                break
        if hit:
            found += 1
        else:
            passed += 1
    return found
