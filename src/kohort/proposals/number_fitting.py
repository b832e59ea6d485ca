"""A hierarchy for quantities, as a plan writes it: intervals of round widths, or uneven ones where most people are close together.

The plan is published, so nothing in it is a single row's value: widths and ends follow from where most people are. An outlier
moves neither; a row at the very quantile can still move an end to the next round number, as in any quantile.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from typing import Any

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.proposals.evidence import Evidence
from kohort.proposals.round_numbers import middle, round_ends, round_number, round_quantiles

_WIDTHS = {1: (1, 5, 10), 2: (2, 10, 20), 5: (5, 10, 20)}  # leading digit of the narrowest -> all three
_BANDS, _LEVELS, _ROWS = 16, 4, 20  # at most so many bands, on so many levels, of so many rows each
_BETTER = 0.6  # of the loss by as many intervals of one width, to be worth being uneven


def fitting_numbers(evidence: Evidence) -> dict[str, Any]:
    """Return intervals, about twenty of the narrowest, or bands where these lose much less by the first level."""
    numbers, counts = np.array([float(text) for text in evidence.told]), evidence.told_counts
    ends = round_quantiles(numbers, counts, min(_BANDS, int(counts.sum()) // _ROWS), evidence.is_whole)
    if len(ends) < 4 or not _uneven(numbers, counts, ends):
        return fitting_intervals(evidence)
    levels = [ends]
    while len(levels) < _LEVELS and len(levels[-1]) > 2:
        levels.append(levels[-1][1::2])
    return {"kind": "bands", "ends": levels}


def lost(numbers: FloatArray, counts: IntArray, ends: Sequence[float]) -> float:
    """Return the share of their detail that people lose on average, told by intervals between these ends."""
    cells = np.searchsorted(np.array(ends), numbers, side="right")
    values = np.bincount(cells, minlength=len(ends) + 1)
    rows = np.bincount(cells, counts, minlength=len(ends) + 1)
    return float((values * rows).sum() / (len(numbers) * max(int(counts.sum()), 1)))


def _uneven(numbers: FloatArray, counts: IntArray, ends: Sequence[float]) -> bool:
    """Tell whether people lose much less by these ends than by as many at equal distances."""
    even = np.linspace(ends[0], ends[-1], len(ends)).tolist()
    return lost(numbers, counts, ends) < _BETTER * lost(numbers, counts, even)


def fitting_intervals(evidence: Evidence) -> dict[str, Any]:
    """Return intervals of round widths, about twenty of the narrowest, and round ends beyond which enough people are."""
    numbers, counts = np.array([float(text) for text in evidence.told]), evidence.told_counts
    least, greatest = middle(numbers, counts)
    if least == greatest:  # most people have one value: the others tell how wide the range is
        least, greatest = middle(numbers, np.ones_like(counts))
    span = greatest - least
    power = floor(log10(span / 20)) if span > 0 else 0
    narrow = span / 20 / 10**power if span > 0 else 1
    lead = next((digit for digit in (1, 2, 5) if narrow <= digit * 1.0001), 1)
    power += narrow > 5.0001
    widths = [round_number(digit, power) for digit in _WIDTHS[lead]]
    useful = [w for w in widths if w < span and not (evidence.is_whole and w <= 1)] or widths[-1:]
    while len(useful) < len(widths) and 2 * useful[-1] < span:
        useful.append(2 * useful[-1])
    return {"kind": "intervals", "widths": useful, "origin": 0, **round_ends(least, greatest, useful[0])}
