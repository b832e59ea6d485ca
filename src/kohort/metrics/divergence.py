"""Kullback–Leibler divergence: how many bits per record a reader of the release is misled by.

A reader who knows only the release takes a generalized value as any of the ground values under it, equally
likely, and a suppressed record as any value at all. The divergence of the original distribution from this
picture, for single columns and for pairs, is 0 where the release tells it exactly.

References: Kifer, Gehrke. Injecting utility into anonymized datasets. SIGMOD 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.classes import group
from kohort.metrics.cover import spread

_CHUNK = 4096
_DENSE = 20_000  # value pairs up to which a matrix of all of them is the quicker way


@dataclass(frozen=True, eq=False)
class Coded:
    """Distinct tuples of codes and the records that hold each."""

    codes: IntArray  # (tuples, attributes)
    records: IntArray  # (tuples)


def kullback_leibler(p: FloatArray, q: FloatArray) -> float:
    """Return Σ p·log₂(p/q) in bits: infinite where q excludes what p holds."""
    held = p > 0
    if (q[held] == 0).any():
        return float("inf")
    return max(float((p[held] * np.log2(p[held] / q[held])).sum()), 0.0)


def marginal_divergences(
    original: Sequence[IntArray], released: Coded, covers: Sequence[BoolArray]
) -> FloatArray:
    """Return the divergence of each attribute's distribution.

    `original` holds the records per ground code of each, `released` codes of released labels of the kept ones;
    `covers[j]` says what the labels of attribute j stand for.
    """
    told = []
    for j, (records, covered) in enumerate(zip(original, covers, strict=True)):
        n, ground = records.sum(), covered.shape[1]
        missing, true = n - released.records.sum(), records / n
        shown = np.bincount(released.codes[:, j], released.records, len(covered))
        told.append(kullback_leibler(true, (shown @ spread(covered) + missing / ground) / n))
    return np.array(told)


def pair_divergences(
    original: Coded, released: Coded, covers: Sequence[BoolArray]
) -> dict[tuple[int, int], float]:
    """Return the divergence of every two attributes' joint distribution.

    Complexity: per pair, the released label pairs times the first domain, and the original value pairs times
    the second attribute's labels; the matrix of all value pairs is made only where it is small.
    """
    return {
        (i, j): _pair(original, released, (i, j), covers[i], covers[j])
        for i, j in combinations(range(len(covers)), 2)
    }


def _pair(
    original: Coded, released: Coded, at: tuple[int, int], first: BoolArray, second: BoolArray
) -> float:
    n = original.records.sum()
    missing = n - released.records.sum()
    first_spread, second_spread = spread(first), spread(second)
    if first.shape[1] * second.shape[1] <= _DENSE and len(first) * len(second) <= _DENSE:
        true = _matrix(original, at, (first.shape[1], second.shape[1]))
        believed = first_spread.T @ _matrix(released, at, (len(first), len(second))) @ second_spread
        return kullback_leibler(true / n, (believed + missing / true.size) / n)
    values, counts = _counted(original, at)
    labels, shown = _counted(released, at)
    picture = np.zeros((len(second), first.shape[1]))  # records by label of the second, value of the first
    for start in range(0, len(labels), _CHUNK):
        part = slice(start, start + _CHUNK)
        np.add.at(picture, labels[part, 1], first_spread[labels[part, 0]] * shown[part, None])
    believed = np.empty(len(values))
    for start in range(0, len(values), _CHUNK):
        part = slice(start, start + _CHUNK)
        believed[part] = (picture[:, values[part, 0]] * second_spread[:, values[part, 1]]).sum(axis=0)
    believed += missing / (first.shape[1] * second.shape[1])
    return kullback_leibler(counts / n, believed / n)


def _matrix(coded: Coded, at: tuple[int, int], shape: tuple[int, int]) -> FloatArray:
    keys = coded.codes[:, at[0]].astype(np.int64) * shape[1] + coded.codes[:, at[1]]
    return np.asarray(np.bincount(keys, coded.records, shape[0] * shape[1]).reshape(shape), np.float64)


def _counted(coded: Coded, at: tuple[int, int]) -> tuple[IntArray, FloatArray]:
    distinct, place = group(np.ascontiguousarray(coded.codes[:, list(at)]))
    return distinct, np.bincount(place, coded.records, len(distinct)).astype(np.float64)
