"""Round numbers near where most people are: no single row's value shows in them."""

from __future__ import annotations

from decimal import Decimal
from math import floor, log10
from typing import Any

import numpy as np

from kohort.arrays import FloatArray, IntArray

_FEW = 5
_FEWEST_BEYOND = 10  # rows


def middle(numbers: FloatArray, counts: IntArray) -> tuple[float, float]:
    """Return the numbers up to which, and from which on, there are rows enough: not the least and the greatest."""
    order = np.argsort(numbers, kind="stable")
    rows = np.cumsum(counts[order])
    beyond = _beyond(int(rows[-1]))
    first = int(np.searchsorted(rows, beyond))
    last = int(np.searchsorted(rows, rows[-1] - beyond, side="right"))
    return float(numbers[order[first]]), float(numbers[order[last]])


def _beyond(rows: int) -> int:
    """Return how many rows must lie beyond an end: one in a hundred, and no fewer than ten where there are enough."""
    return max(min(max(_FEWEST_BEYOND, rows // 100), rows // 4), 1)


def round_ends(least: float, greatest: float, width: int | float) -> dict[str, Any]:
    """Return the round ends beyond which `least` and `greatest` lie; none where there is little between them."""
    unit = Decimal(str(width))
    low = (floor(Decimal(str(least)) / unit) + 1) * unit
    high = floor(Decimal(str(greatest)) / unit) * unit
    if high - low < _FEW * unit:
        return {}
    return {"low": _plain(low), "high": _plain(high)}


def round_quantiles(numbers: FloatArray, counts: IntArray, parts: int, whole: bool) -> list[int | float]:
    """Return ascending round numbers that part the rows about evenly, from above the least of `middle` to below its greatest.

    Each is rounded by as much as it is away from its neighbours, so that one row's value does not show in it.
    """
    if parts < 2:
        return []
    order = np.argsort(numbers, kind="stable")
    rows = np.cumsum(counts[order])
    least, greatest = middle(numbers, counts)
    places = np.searchsorted(rows, rows[-1] * np.arange(1, parts) / parts)
    inner = numbers[order[places]]
    marks = np.unique([least, *inner[(inner > least) & (inner < greatest)], greatest])
    if len(marks) < 3:
        return []
    gaps = np.diff(marks)
    found = [_rounded(marks[0], gaps[0], whole, upwards=True)]
    found += [
        _rounded(mark, min(before, after), whole)
        for mark, before, after in zip(marks[1:-1], gaps[:-1], gaps[1:], strict=True)
    ]
    last = _rounded(marks[-1], gaps[-1], whole, downwards=True)
    return [_plain(end) for end in sorted({*found, last}) if found[0] <= end <= last]


def _rounded(
    number: float, gap: float, whole: bool, upwards: bool = False, downwards: bool = False
) -> Decimal:
    """Return the nearest multiple of the greatest 1, 2 or 5 × 10^n within the gap, or the next one above or below."""
    power = floor(log10(gap))
    digit = max(d for d in (1, 2, 5) if d * 10.0**power <= gap * 1.0001)
    unit = max(Decimal(str(round_number(digit, power))), Decimal(whole))
    steps = Decimal(str(number)) / unit
    if upwards:
        return (floor(steps) + 1) * unit
    return (floor(steps) if downwards else floor(steps + Decimal("0.5"))) * unit


def _plain(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(number)


def round_number(digit: int, power: int) -> int | float:
    """Return digit × 10^power as a plan spells it."""
    return digit * 10**power if power >= 0 else float(f"{digit}e{power}")
