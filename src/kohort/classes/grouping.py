"""Rows of integer codes to groups of equal rows."""

from __future__ import annotations

import numpy as np

from kohort.arrays import IntArray


def group(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct rows of `codes` and, for every row, the position of its distinct row."""
    if codes.shape[1] == 0:
        return codes[:1], np.zeros(len(codes), np.int64)
    distinct, inverse = np.unique(codes, axis=0, return_inverse=True)
    return distinct, inverse.reshape(-1)
