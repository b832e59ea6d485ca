"""Kernels of microaggregation: records are taken from the free ones into groups, no n × n matrix kept.

Free records stand at the front; a record that is taken changes places with the last free one. Ties in distance go to the lowest id.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.compiling import inner, kernel


class Point(NamedTuple):
    """A place that records are measured from."""

    at: FloatArray  # (coordinates)
    kinds: IntArray  # int32 (n_codes)


class Records(NamedTuple):
    """Records on their way into groups."""

    points: FloatArray  # float64 (coordinates, n)
    codes: IntArray  # int32 (n_codes, n)
    weights: FloatArray  # float64 (n_codes): the squared distance between two codes
    ids: IntArray  # int64 (n)
    group_of: IntArray  # int64 (n), by id; -1 where a record is free
    middle: Point  # of all records, for v-mdav
    made: IntArray  # int64 (2): free records, groups


@inner
def _nowhere(records: Records) -> Point:
    """Return room for a point."""
    return Point(np.empty(records.points.shape[0], np.float64), np.empty(records.codes.shape[0], np.int32))


@inner
def _distances(records: Records, free: int, place: Point, far: FloatArray) -> None:
    """Write the squared distance of every free record to a point into `far`."""
    points, codes, weights = records.points, records.codes, records.weights
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
    points, codes, ids = records.points, records.codes, records.ids
    last = free - 1
    for j in range(points.shape[0]):
        points[j, place], points[j, last] = points[j, last], points[j, place]
    for j in range(codes.shape[0]):
        codes[j, place], codes[j, last] = codes[j, last], codes[j, place]
    ids[place], ids[last] = ids[last], ids[place]


@inner
def _take_nearest(records: Records, free: int, far: FloatArray, chosen: IntArray, group: int) -> int:
    """Take the nearest free records, as many as `chosen` has room for; return how many are free then."""
    ids, group_of, k = records.ids, records.group_of, len(chosen)
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
def mdav(records: Records, k: int, widest: int, most: int) -> bool:
    """Take records into groups of k, the last of up to 2k - 1, and about `most` groups at once; whether all are taken."""
    ids, group_of, made = records.ids, records.group_of, records.made
    free, group = made[0], made[1]
    n, last = len(ids), group + most
    far = np.empty(n, np.float64)
    chosen = np.empty(k, np.int64)
    counts = np.zeros(widest, np.int64)
    middle, one, other = _nowhere(records), _nowhere(records), _nowhere(records)
    while free >= 2 * k and group < last:
        _centroid(records, free, counts, middle)
        _distances(records, free, middle, far)
        place = _farthest(far, ids, free)
        _copy(records, place, one)
        _distances(records, free, one, far)
        both = free >= 3 * k
        if both:
            place = _farthest(far, ids, free)
            _copy(records, place, other)
        free = _take_nearest(records, free, far, chosen, group)
        group += 1
        if both:
            _distances(records, free, other, far)
            free = _take_nearest(records, free, far, chosen, group)
            group += 1
    done = bool(free < 2 * k)
    if done:
        for i in range(free):
            group_of[ids[i]] = group
        free, group = 0, group + 1
    made[0], made[1] = free, group
    return done


@kernel
def v_mdav(records: Records, k: int, gain: float, widest: int, most: int) -> bool:
    """Take records into groups of k to 2k - 1, `most` at once; whether fewer than k are free, which stay so."""
    ids, group_of, middle, made = records.ids, records.group_of, records.middle, records.made
    free, group = made[0], made[1]
    n, last = len(ids), group + most
    far, near, outside = np.empty(n, np.float64), np.empty(n, np.float64), np.empty(n, np.float64)
    chosen = np.empty(k, np.int64)
    counts = np.zeros(widest, np.int64)
    one = _nowhere(records)
    if group == 0:
        _centroid(records, free, counts, middle)
    while free >= k and group < last:
        _distances(records, free, middle, far)
        place = _farthest(far, ids, free)
        _copy(records, place, one)
        _distances(records, free, one, far)
        free = _take_nearest(records, free, far, chosen, group)
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
    made[0], made[1] = free, group
    return bool(free < k)
