"""What a release keeps of numbers: means, medians, deviations and correlations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Moments:
    """One column of numbers; missing values are left out and counted. None where no number is known."""

    mean: float | None
    median: float | None
    deviation: float | None
    missing: int


def moments(numbers: FloatArray, records: IntArray) -> Moments:
    """Return the moments of numbers that `records` records hold each; nan is missing.

    The median is the mean of the two middle numbers where their count is even; the deviation is that of a
    population.
    """
    known = ~np.isnan(numbers) & (records > 0)
    missing = int(records[np.isnan(numbers)].sum())
    if not known.any():
        return Moments(None, None, None, missing)
    values, weights = numbers[known], records[known].astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):  # numbers near the end of what a float holds
        mean = float(np.average(values, weights=weights))
        deviation = float(np.sqrt(np.average((values - mean) ** 2, weights=weights)))
    return Moments(mean, _median(values, records[known]), deviation, missing)


def correlations(numbers: FloatArray, records: IntArray) -> FloatArray:
    """Return the correlation of every two columns of (tuples, columns), over records that know both.

    nan where a column is constant or nothing is known.
    """
    m = numbers.shape[1]
    told = np.full((m, m), np.nan)
    for i in range(m):
        for j in range(i, m):
            known = ~np.isnan(numbers[:, i]) & ~np.isnan(numbers[:, j]) & (records > 0)
            told[i, j] = told[j, i] = _correlation(numbers[known][:, [i, j]], records[known])
    return told


def _correlation(pairs: FloatArray, records: IntArray) -> float:
    if len(records) == 0 or bool((pairs == pairs[0]).all(axis=0).any()):
        return float("nan")  # rounding would give a constant column some deviation, and a correlation
    weights = records / records.sum()
    with np.errstate(over="ignore", invalid="ignore"):
        centred = pairs - weights @ pairs
        covariance = (centred * weights[:, None]).T @ centred
        scale = float(np.sqrt(covariance[0, 0] * covariance[1, 1]))
    return float(covariance[0, 1] / scale) if 0 < scale < np.inf else float("nan")


def _median(values: FloatArray, records: IntArray) -> float:
    order = np.argsort(values)
    running = np.cumsum(records[order])
    n = int(running[-1])
    low, high = np.searchsorted(running, [(n + 1) // 2, n // 2 + 1])
    return float((values[order[low]] + values[order[high]]) / 2)
