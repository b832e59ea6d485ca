"""Round numbers near where most people are: no single row's value shows in them."""

from __future__ import annotations

from decimal import Decimal
from math import floor
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


def _plain(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(number)


def round_number(digit: int, power: int) -> int | float:
    """Return digit × 10^power as a plan spells it."""
    return digit * 10**power if power >= 0 else float(f"{digit}e{power}")
