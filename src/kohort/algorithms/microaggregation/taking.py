"""Records taken into groups by the kernels, some groups at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from kohort.algorithms.microaggregation.features import Features
from kohort.algorithms.watch import Watch
from kohort.arrays import IntArray

if TYPE_CHECKING:
    from kohort.algorithms.microaggregation.mdav_kernels import Records

_WORK = 20_000_000  # coordinates and codes read between two looks at the clock, about

Take = Callable[["Records", int], bool]  # takes about so many groups; whether that was all


def taken(shape: Features, k: int, take: Take, watch: Watch) -> IntArray:
    """Return the group of each record, -1 where `take` leaves it free; when it is over, the free ones are a group."""
    from kohort.algorithms.microaggregation.mdav_kernels import Point, Records

    n = shape.points.shape[1]
    dimensions = len(shape.points) + len(shape.codes)
    records = Records(
        points=shape.points.copy(),
        codes=shape.codes.copy(),
        weights=shape.weights,
        ids=np.arange(n),
        group_of=np.full(n, -1, np.int64),
        middle=Point(np.empty(len(shape.points), np.float64), np.empty(len(shape.codes), np.int32)),
        made=np.array([n, 0]),
    )
    portion = max(1, _WORK // (n * max(dimensions, 1) * k))
    done = False
    while not done and not watch.over:
        watch.update("grouping similar records", n - int(records.made[0]), n)
        done = take(records, portion)
    free, groups = records.made.tolist()
    if not done:
        records.group_of[records.ids[:free]] = groups if free >= k or not groups else groups - 1
    return np.asarray(records.group_of)
