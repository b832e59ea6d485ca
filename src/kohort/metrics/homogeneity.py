"""Diversity and homogeneity of clusters with respect to several sensitive attributes (Truta, D11 and D12)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

import numpy as np

from kohort.arrays import FloatArray
from kohort.classes import Classes


def homogeneity(
    classes: Classes, columns: Sequence[str], p: int, weights: Sequence[float] = ()
) -> FloatArray:
    """Return each class's Σ wᵢ·(p − yᵢ), with yᵢ its distinct values of column i, at most p.

    It is 0 exactly where the class is p-sensitive (property 1). Weights are equal unless told.
    """
    shares = _weights(len(columns), weights)
    lacking = np.zeros(len(classes), np.float64)
    for column, weight in zip(columns, shares, strict=True):
        lacking += weight * (p - np.minimum(classes.sensitive[column].distinct(), p))
    return lacking


def diversity(
    record: Sequence[Hashable], cluster: Sequence[Collection[Hashable]], p: int, weights: Sequence[float] = ()
) -> float:
    """Return Σ wᵢ·(y′ᵢ − yᵢ)·(p − yᵢ): what a record's sensitive values add to a cluster's.

    `cluster` holds the distinct values of each sensitive attribute; y′ counts them with the record's.
    """
    added = 0.0
    for value, held, weight in zip(record, cluster, _weights(len(cluster), weights), strict=True):
        before = min(len(held), p)
        after = min(len(held) + (value not in held), p)
        added += weight * (after - before) * (p - before)
    return added


def _weights(count: int, weights: Sequence[float]) -> Sequence[float]:
    return weights or [1 / count] * count
