"""How much each attribute counts, whatever the numbers a plan gives its weights."""

from __future__ import annotations

import numpy as np

from kohort.arrays import FloatArray
from kohort.errors import InputError


def shares(weights: FloatArray) -> FloatArray:
    """Return the weights as shares of their sum, finite however small or large they are.

    They are divided by the greatest first: a sum of weights near the end of the floating-point range is infinite,
    and a share of that is nothing.
    """
    greatest = float(weights.max(initial=0.0))
    if not 0 < greatest < np.inf or not (weights >= 0).all():
        raise InputError(
            "[columns] weight: weights must be numbers that are not negative nor infinite, at least one above 0",
            code="plan.wrong-value",
            section="columns",
            option="weight",
        )
    scaled = weights / greatest
    return np.asarray(scaled / scaled.sum())
