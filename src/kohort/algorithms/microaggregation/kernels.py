"""Kernels of microaggregation: records are taken from the free ones into groups, no n × n matrix kept.

Free records stand at the front of `points` (coordinates, n), `codes` (n_codes, n) and `ids`; a record that
is taken changes places with the last free one. Ties in distance go to the lowest id.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit


class Records(NamedTuple):
    """Records on their way into groups."""

    points: Any  # float64 (coordinates, n)
    codes: Any  # int32 (n_codes, n)
    ids: Any  # int64 (n)
    group_of: Any  # int64 (n), by id; -1 where a record is free
    middle: Any  # float64 (coordinates): of all records, for v-mdav
    middle_kinds: Any  # int32 (n_codes)
    made: Any  # int64 (2): free records, groups


@njit(cache=True, nogil=True)
def _distances(points: Any, codes: Any, weights: Any, free: Any, point: Any, kinds: Any, far: Any) -> None:
    """Write the squared distance of every free record to a point into `far`."""
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


@njit(cache=True, nogil=True)
def _centroid(points: Any, codes: Any, counts: Any, free: Any, point: Any, kinds: Any) -> None:
    """Write the mean point and the most frequent codes of the free records."""
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


@njit(cache=True, nogil=True)
def _farthest(far: Any, ids: Any, free: Any) -> Any:
    best = 0
    for i in range(1, free):
        if far[i] > far[best] or (far[i] == far[best] and ids[i] < ids[best]):
            best = i
    return best


@njit(cache=True, nogil=True)
def _nearest(far: Any, ids: Any, free: Any, k: Any, chosen: Any) -> None:
    """Write the places of the k nearest free records into `chosen`, nearest first."""
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


@njit(cache=True, nogil=True)
def _copy(points: Any, codes: Any, place: Any, point: Any, kinds: Any) -> None:
    """Write the record at `place` to a point of its own."""
    for j in range(len(point)):
        point[j] = points[j, place]
    for j in range(len(kinds)):
        kinds[j] = codes[j, place]


@njit(cache=True, nogil=True)
def _take(points: Any, codes: Any, ids: Any, free: Any, place: Any) -> None:
    """Let the record at `place` and the last free one change places."""
    last = free - 1
    for j in range(points.shape[0]):
        points[j, place], points[j, last] = points[j, last], points[j, place]
    for j in range(codes.shape[0]):
        codes[j, place], codes[j, last] = codes[j, last], codes[j, place]
    ids[place], ids[last] = ids[last], ids[place]


@njit(cache=True, nogil=True)
def _take_nearest(
    points: Any, codes: Any, ids: Any, free: Any, far: Any, k: Any, chosen: Any, group_of: Any, group: Any
) -> Any:
    """Take the k nearest free records into a group; return how many records are free then."""
    _nearest(far, ids, free, k, chosen)
    for i in range(1, k):  # from the back, so that places before stay what they are
        place, at = chosen[i], i
        while at > 0 and chosen[at - 1] < place:
            chosen[at] = chosen[at - 1]
            at -= 1
        chosen[at] = place
    for i in range(k):
        group_of[ids[chosen[i]]] = group
        _take(points, codes, ids, free, chosen[i])
        free -= 1
    return free


@njit(cache=True, nogil=True)
def mdav(records: Any, weights: Any, k: Any, widest: Any, most: Any) -> Any:
    """Take records into groups of k, the last of up to 2k - 1, and about `most` groups at once; whether all are taken."""
    points, codes, ids, group_of, _, _, made = records
    free, group = made
    n, last = points.shape[1], group + most
    far = np.empty(n, np.float64)
    chosen = np.empty(k, np.int64)
    counts = np.zeros(widest, np.int64)
    point, kinds = np.empty(points.shape[0], np.float64), np.empty(codes.shape[0], np.int32)
    one, one_kinds = point.copy(), kinds.copy()
    other, other_kinds = point.copy(), kinds.copy()
    while free >= 2 * k and group < last:
        _centroid(points, codes, counts, free, point, kinds)
        _distances(points, codes, weights, free, point, kinds, far)
        place = _farthest(far, ids, free)
        _copy(points, codes, place, one, one_kinds)
        _distances(points, codes, weights, free, one, one_kinds, far)
        both = free >= 3 * k
        if both:
            place = _farthest(far, ids, free)
            _copy(points, codes, place, other, other_kinds)
        free = _take_nearest(points, codes, ids, free, far, k, chosen, group_of, group)
        group += 1
        if both:
            _distances(points, codes, weights, free, other, other_kinds, far)
            free = _take_nearest(points, codes, ids, free, far, k, chosen, group_of, group)
            group += 1
    done = free < 2 * k
    if done:
        for i in range(free):
            group_of[ids[i]] = group
        free, group = 0, group + 1
    made[0], made[1] = free, group
    return done


@njit(cache=True, nogil=True)
def v_mdav(records: Any, weights: Any, k: Any, gain: Any, widest: Any, most: Any) -> Any:
    """Take records into groups of k to 2k - 1, `most` at once; whether fewer than k are free, which stay so."""
    points, codes, ids, group_of, middle, middle_kinds, made = records
    free, group = made
    n, last = points.shape[1], group + most
    far, near, outside = np.empty(n, np.float64), np.empty(n, np.float64), np.empty(n, np.float64)
    chosen = np.empty(k, np.int64)
    counts = np.zeros(widest, np.int64)
    one, one_kinds = middle.copy(), middle_kinds.copy()
    if group == 0:
        _centroid(points, codes, counts, free, middle, middle_kinds)
    while free >= k and group < last:
        _distances(points, codes, weights, free, middle, middle_kinds, far)
        place = _farthest(far, ids, free)
        _copy(points, codes, place, one, one_kinds)
        _distances(points, codes, weights, free, one, one_kinds, far)
        free = _take_nearest(points, codes, ids, free, far, k, chosen, group_of, group)
        size = k
        for i in range(free):
            near[i] = np.inf
        for member in range(free, free + k):  # the group stands right behind the free records
            _copy(points, codes, member, one, one_kinds)
            _distances(points, codes, weights, free, one, one_kinds, far)
            for i in range(free):
                near[i] = min(near[i], far[i])
        while size < 2 * k - 1 and free > 0:
            best = 0
            for i in range(1, free):
                if near[i] < near[best] or (near[i] == near[best] and ids[i] < ids[best]):
                    best = i
            _copy(points, codes, best, one, one_kinds)
            _distances(points, codes, weights, free, one, one_kinds, outside)
            beside = np.inf
            for i in range(free):
                if i != best:
                    beside = min(beside, outside[i])
            if not np.sqrt(near[best]) < gain * np.sqrt(beside):
                break
            group_of[ids[best]] = group
            _take(points, codes, ids, free, best)
            near[best], outside[best] = near[free - 1], outside[free - 1]
            free -= 1
            size += 1
            for i in range(free):
                near[i] = min(near[i], outside[i])
        group += 1
    made[0], made[1] = free, group
    return free < k


@njit(cache=True, nogil=True)
def best_groups(values: Any, k: Any) -> Any:
    """Return the group of each of the ascending `values` that minimises the squares within groups.

    Groups are consecutive and hold k to 2k - 1 values (Hansen and Mukherjee): best[i], the least sum over
    the first i values, is best[j] plus the squares of values j … i - 1 around their mean.
    """
    n = len(values)
    sums, squares = np.zeros(n + 1, np.float64), np.zeros(n + 1, np.float64)
    middle = values[n // 2]  # near the values, so that their squares lose no digits
    for i in range(n):
        x = values[i] - middle
        sums[i + 1] = sums[i] + x
        squares[i + 1] = squares[i] + x * x
    best = np.full(n + 1, np.inf)
    start = np.full(n + 1, -1, np.int64)
    best[0] = 0.0
    for i in range(k, n + 1):
        for j in range(max(i - 2 * k + 1, 0), i - k + 1):
            if best[j] < np.inf:
                total = sums[i] - sums[j]
                cost = best[j] + squares[i] - squares[j] - total * total / (i - j)
                if cost < best[i]:
                    best[i] = cost
                    start[i] = j
    group_of = np.empty(n, np.int64)
    end = n
    group = 0
    while end > 0:
        for i in range(start[end], end):
            group_of[i] = group
        end = start[end]
        group += 1
    return group - 1 - group_of
