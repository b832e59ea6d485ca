"""How many records of a class must be suppressed for t-closeness, however the class is split.

Let a class E of n records be split further, s of them be suppressed and the rest R be in classes that
pass. The distance is convex, so R as a whole passes. Equal distance: for every set O of values, R's
records in O exceed their share P of R by at most t·|R|; of E's records in O, c of them, at least
c − s are in R. So c − s − P·(n − s) ≤ t·(n − s). With O the values that E has too many of,
c − P·n = n·d, d being E's distance, which gives s ≥ n·(d − t) / (1 − P − t), and s = n where the
denominator is not positive. The hierarchical distance is the mean of equal distances over levels, and a
record leaves one value of each level: the same holds with P the mean over levels. For the ordered
distance, at most 1 for any class, convexity alone gives n·d ≤ t·(n − s) + s: P is 0. All this takes that a
record is a person.
"""

from __future__ import annotations

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.classes import Classes
from kohort.models.model import Attribute

NEAR = 1e-9  # distances nearer to t than this are left to the model, which compares exactly


def floor_of(distance: FloatArray, over: FloatArray, t: float, sizes: FloatArray) -> FloatArray:
    """Return how many records of each class fail at every specialization, from its distance and its P."""
    missing = np.maximum(distance - t - NEAR, 0) * sizes
    room = 1 - over - t
    needed = np.where(room > NEAR, missing / np.where(room > NEAR, room, 1), np.where(missing > 0, sizes, 0))
    return np.asarray(np.minimum(needed, sizes))


def excess_of(attribute: Attribute, classes: Classes, *, deep: bool) -> tuple[FloatArray, FloatArray]:
    """Return, per class, n·d and P; `deep` for the hierarchical distance, else the equal one."""
    from kohort.classes.histogram_kernels import excesses

    ups, shares = _levels(attribute, deep=deep)
    histogram = classes.sensitive[attribute.name]
    excess, over = excesses(histogram.starts, histogram.values, histogram.counts, ups, shares)
    return excess, over


def _levels(attribute: Attribute, *, deep: bool) -> tuple[IntArray, FloatArray]:
    """Return the maps from values to each level below the root, and the table's shares there."""
    size = len(attribute.totals)
    ups = [np.arange(size)]
    if deep and attribute.hierarchy is not None and attribute.ground is not None:
        ups += [level.of_ground[attribute.ground] for level in attribute.hierarchy.levels[1:-1]]
    totals = [np.bincount(up, attribute.totals, minlength=size) for up in ups]
    widest = max(len(total) for total in totals)
    shares = np.zeros((len(ups), widest))
    for row, total in zip(shares, totals, strict=True):
        row[: len(total)] = total / attribute.totals.sum()
    return np.array(ups, np.int64), shares
