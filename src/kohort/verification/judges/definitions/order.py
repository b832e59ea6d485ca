"""In which order the values of a column stand: as its hierarchy says, else by number, else by text; missing values last."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from math import isfinite

import numpy as np

from kohort.arrays import IntArray
from kohort.verification.judges.definitions.whole import Whole


def ranks(whole: Whole) -> IntArray:
    """Return the rank of each value, from 0."""
    rank = np.empty(len(whole.labels), np.int64)
    rank[sorted(range(len(rank)), key=_keys(whole).__getitem__)] = np.arange(len(rank))
    return rank


def _keys(whole: Whole) -> list[tuple[bool, Decimal, str]]:
    """Return by what values are put in order: numbers as they are written, for floats may take two of them for one."""
    if whole.ground is not None:
        return [(False, Decimal(int(code)), "") for code in whole.ground]
    by_number = all(map(_is_number, (label for label in whole.labels if label is not None)))
    numbers = (Decimal(label) if by_number and label is not None else Decimal(0) for label in whole.labels)
    return [(label is None, number, label or "") for label, number in zip(whole.labels, numbers, strict=True)]


def _is_number(text: str) -> bool:
    try:
        Decimal(text)
        return isfinite(float(text))
    except (ValueError, InvalidOperation):  # the second: an exponent of more digits than any number has
        return False
