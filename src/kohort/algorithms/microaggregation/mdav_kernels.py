"""Kernels of microaggregation: records are taken from the free ones into groups, no n × n matrix kept.

Free records stand at the front; a record that is taken changes places with the last free one. Ties in distance go to the lowest id.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.compiling import inner, kernel


class Records(NamedTuple):
    """The records as they are moved."""

    points: FloatArray  # (coordinates, n)
    codes: IntArray  # int32 (n_codes, n)
    weights: FloatArray  # (n_codes): the squared distance between two codes
    ids: IntArray  # int64 (n)


class Point(NamedTuple):
    """A place that records are measured from."""

    at: FloatArray  # (coordinates)
    kinds: IntArray  # int32 (n_codes)


@inner
def _moved(points: FloatArray, codes: IntArray, weights: FloatArray) -> Records:
    """Return the records, to be moved."""
    return Records(points.copy(), codes.copy(), weights, np.arange(points.shape[1]))


@inner
def _nowhere(records: Records) -> Point:
    """Return room for a point."""
    return Point(np.empty(records.points.shape[0], np.float64), np.empty(records.codes.shape[0], np.int32))


@inner
def _distances(records: Records, free: int, place: Point, far: FloatArray) -> None:
    """Write the squared distance of every free record to a point into `far`."""
    points, codes, weights, _ = records
    point, kinds = place
    for i in range(free):
        far[i] = 0.0
    for j in range(len(point)):
        x = point[j]
        column = points[j]
        for i in range(free):
            difference = column[i] - x
            far[i] += difference * difference
    for j in range(len(kinds)):
        code = kinds[j]
        weight = weights[j]
        held = codes[j]
        for i in range(free):
            far[i] += weight if held[i] != code else 0.0


@inner
def _centroid(records: Records, free: int, counts: IntArray, place: Point) -> None:
    """Write the mean point and the most frequent codes of the free records."""
    points, codes = records.points, records.codes
    point, kinds = place
    for j in range(len(point)):
        total = 0.0
        for i in range(free):
            total += points[j, i]
        point[j] = total / free
    for j in range(len(kinds)):
        for code in range(len(counts)):
            counts[code] = 0
        for i in range(free):
            counts[codes[j, i]] += 1
        kinds[j] = 0
        for code in range(1, len(counts)):
            if counts[code] > counts[kinds[j]]:
                kinds[j] = code


@inner
def _farthest(far: FloatArray, ids: IntArray, free: int) -> int:
    best = 0
    for i in range(1, free):
        if far[i] > far[best] or (far[i] == far[best] and ids[i] < ids[best]):
            best = i
    return best


@inner
def _nearest(far: FloatArray, ids: IntArray, free: int, chosen: IntArray) -> None:
    """Write the places of the nearest free records into `chosen`, nearest first."""
    k = len(chosen)
    filled = 0
    for i in range(free):
        if filled == k:
            last = chosen[k - 1]
            if far[i] > far[last] or (far[i] == far[last] and ids[i] > ids[last]):
                continue
            filled -= 1
        place = filled
        while place > 0:
            other = chosen[place - 1]
            if far[other] < far[i] or (far[other] == far[i] and ids[other] < ids[i]):
                break
            chosen[place] = other
            place -= 1
        chosen[place] = i
        filled += 1


@inner
def _copy(records: Records, place: int, to: Point) -> None:
    """Write the record at `place` to a point of its own."""
    points, codes = records.points, records.codes
    point, kinds = to
    for j in range(len(point)):
        point[j] = points[j, place]
    for j in range(len(kinds)):
        kinds[j] = codes[j, place]


@inner
def _take(records: Records, free: int, place: int) -> None:
    """Let the record at `place` and the last free one change places."""
    points, codes, _, ids = records
    last = free - 1
    for j in range(points.shape[0]):
        points[j, place], points[j, last] = points[j, last], points[j, place]
    for j in range(codes.shape[0]):
        codes[j, place], codes[j, last] = codes[j, last], codes[j, place]
    ids[place], ids[last] = ids[last], ids[place]


@inner
def _take_nearest(
    records: Records, free: int, far: FloatArray, chosen: IntArray, group_of: IntArray, group: int
) -> int:
    """Take the nearest free records, as many as `chosen` has room for; return how many are free then."""
    ids, k = records.ids, len(chosen)
    _nearest(far, ids, free, chosen)
    for i in range(1, k):  # from the back, so that places before stay what they are
        place, at = chosen[i], i
        while at > 0 and chosen[at - 1] < place:
            chosen[at] = chosen[at - 1]
            at -= 1
        chosen[at] = place
    for i in range(k):
        group_of[ids[chosen[i]]] = group
        _take(records, free, chosen[i])
        free -= 1
    return free


@kernel
def mdav(points: FloatArray, codes: IntArray, weights: FloatArray, k: int, widest: int) -> IntArray:
    """Return the group of each record: k records each, the last up to 2k - 1."""
    records = _moved(points, codes, weights)
    ids = records.ids
    n = len(ids)
    free = n
    group_of = np.full(n, -1, np.int64)
    far = np.empty(n, np.float64)
    chosen = np.empty(k, np.int64)
    counts = np.zeros(widest, np.int64)
    middle, one, other = _nowhere(records), _nowhere(records), _nowhere(records)
    group = 0
    while free >= 2 * k:
        _centroid(records, free, counts, middle)
        _distances(records, free, middle, far)
        place = _farthest(far, ids, free)
        _copy(records, place, one)
        _distances(records, free, one, far)
        both = free >= 3 * k
        if both:
            place = _farthest(far, ids, free)
            _copy(records, place, other)
        free = _take_nearest(records, free, far, chosen, group_of, group)
        group += 1
        if both:
            _distances(records, free, other, far)
            free = _take_nearest(records, free, far, chosen, group_of, group)
            group += 1
    for i in range(free):
        group_of[ids[i]] = group
    return group_of


@kernel
def v_mdav(
    points: FloatArray, codes: IntArray, weights: FloatArray, k: int, gain: float, widest: int
) -> IntArray:
    """Return the group of each record, k to 2k - 1 records each; -1 for the last few, fewer than k."""
    records = _moved(points, codes, weights)
    ids = records.ids
    n = len(ids)
    free = n
    group_of = np.full(n, -1, np.int64)
    far, near, outside = np.empty(n, np.float64), np.empty(n, np.float64), np.empty(n, np.float64)
    chosen = np.empty(k, np.int64)
    counts = np.zeros(widest, np.int64)
    middle, one = _nowhere(records), _nowhere(records)
    _centroid(records, free, counts, middle)
    group = 0
    while free >= k:
        _distances(records, free, middle, far)
        place = _farthest(far, ids, free)
        _copy(records, place, one)
        _distances(records, free, one, far)
        free = _take_nearest(records, free, far, chosen, group_of, group)
        size = k
        for i in range(free):
            near[i] = np.inf
        for member in range(free, free + k):  # the group stands right behind the free records
            _copy(records, member, one)
            _distances(records, free, one, far)
            for i in range(free):
                near[i] = min(near[i], far[i])
        while size < 2 * k - 1 and free > 0:
            best = 0
            for i in range(1, free):
                if near[i] < near[best] or (near[i] == near[best] and ids[i] < ids[best]):
                    best = i
            _copy(records, best, one)
            _distances(records, free, one, outside)
            beside = np.inf
            for i in range(free):
                if i != best:
                    beside = min(beside, outside[i])
            if not np.sqrt(near[best]) < gain * np.sqrt(beside):
                break
            group_of[ids[best]] = group
            _take(records, free, best)
            near[best], outside[best] = near[free - 1], outside[free - 1]
            free -= 1
            size += 1
            for i in range(free):
                near[i] = min(near[i], outside[i])
        group += 1
    return group_of
