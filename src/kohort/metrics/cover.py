"""What released labels stand for: the ground values under each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import BoolArray, FloatArray
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, Label, meaning


def cover(hierarchy: Hierarchy, labels: Sequence[Label]) -> BoolArray:
    """Return, per label, the mask of ground values it may stand for, (labels, ground values)."""
    found = np.zeros((len(labels), hierarchy.size), np.bool_)
    for i, label in enumerate(labels):
        mask = meaning(hierarchy, label)
        if mask is None or not mask.any():
            raise InputError(
                f"column {hierarchy.name!r}: {_unknown(hierarchy, labels)} of its {len(labels):,} released labels "
                "stand for no ground values of its hierarchy; a perturbed column has no cover",
                code="metric.not-told",
                column=hierarchy.name,
            )
        found[i] = mask
    return found


def spread(covers: BoolArray) -> FloatArray:
    """Return each label's records spread evenly over the ground values it may stand for."""
    return np.asarray(covers / covers.sum(axis=1, keepdims=True))


def midpoints(numbers: FloatArray, covers: BoolArray) -> FloatArray:
    """Return each label's number: the mean of the numbers it may stand for, nan where it is missing only."""
    known = covers & ~np.isnan(numbers)
    count = known.sum(axis=1)
    total = known @ np.nan_to_num(numbers)
    return np.asarray(np.divide(total, count, out=np.full(len(covers), np.nan), where=count > 0))


def _unknown(hierarchy: Hierarchy, labels: Sequence[Label]) -> str:
    masks = [meaning(hierarchy, label) for label in labels]
    return f"{sum(mask is None or not mask.any() for mask in masks):,}"
