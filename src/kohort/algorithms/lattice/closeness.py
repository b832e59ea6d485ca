"""t-closeness of many nodes: which classes fail, and how many of their records must be suppressed."""

from __future__ import annotations

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.classes import Classes
from kohort.models import Attribute, Reference, TCloseness
from kohort.models.of_people import alone

NEAR = 1e-9  # distances nearer to t than this are left to the model, which compares exactly


def closeness(model: TCloseness, reference: Reference, classes: Classes) -> tuple[BoolArray, FloatArray]:
    """Return the failing classes and, per class, how many of its records fail at every specialization.

    Let a class E of n records be split further, s of them be suppressed and the rest R be in classes that
    pass. The distance is convex, so R as a whole passes. Equal distance: for every set O of values, R's
    records in O exceed their share P of R by at most t·|R|; of E's records in O, c of them, at least
    c − s are in R. So c − s − P·(n − s) ≤ t·(n − s). With O the values that E has too many of,
    c − P·n = n·d, d being E's distance, which gives s ≥ n·(d − t) / (1 − P − t), and s = n where the
    denominator is not positive. The hierarchical distance is the mean of equal distances over levels, and a
    record leaves one value of each level: the same holds with P the mean over levels. For the ordered
    distance, at most 1 for any class, convexity alone gives n·d ≤ t·(n − s) + s. A class of one person fails
    at every specialization. All this takes that a record is a person: the model is monotone.
    """
    failing, floor = np.zeros(len(classes), np.bool_), np.zeros(len(classes))
    sizes = np.maximum(classes.rows, 1).astype(np.float64)
    for column in model.columns:
        if model.distance == "ordered":
            distance = model.distances(classes, column)
            over = np.zeros(len(classes))
        else:
            excess, over = _excess(model, reference.attributes[column], classes, column)
            distance = excess / sizes
        missing = np.maximum(distance - model.t - NEAR, 0) * sizes
        room = 1 - over - model.t
        needed = np.where(
            room > NEAR, missing / np.where(room > NEAR, room, 1), np.where(missing > 0, sizes, 0)
        )
        floor = np.maximum(floor, np.minimum(needed, sizes))
        failing |= distance > model.t
        near = np.flatnonzero(np.abs(distance - model.t) <= NEAR)
        if len(near):
            failing[near] = model.failing(classes.kept(near))
    single = alone(classes)
    return failing | single, np.where(single, sizes, floor)


def _excess(
    model: TCloseness, attribute: Attribute, classes: Classes, column: str
) -> tuple[FloatArray, FloatArray]:
    from kohort.classes.histogram_kernels import excesses

    ups, shares = _levels(attribute, deep=model.distance == "hierarchical")
    histogram = classes.sensitive[column]
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
