"""In which order the values of a column stand: as its hierarchy says, else by number, else by text; missing values last."""

from __future__ import annotations

from math import isfinite

import numpy as np

from kohort.arrays import IntArray
from kohort.verification.judges.definitions.whole import Whole


def ranks(whole: Whole) -> IntArray:
    """Return the rank of each value, from 0."""
    rank = np.empty(len(whole.labels), np.int64)
    rank[sorted(range(len(rank)), key=_keys(whole).__getitem__)] = np.arange(len(rank))
    return rank


def _keys(whole: Whole) -> list[tuple[bool, float | str]]:
    if whole.ground is not None:
        return [(False, float(code)) for code in whole.ground]
    told = [label for label in whole.labels if label is not None]
    if all(map(_is_number, told)):
        return [(label is None, 0.0 if label is None else float(label)) for label in whole.labels]
    return [(label is None, label or "") for label in whole.labels]


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False
