"""How far two ways of computing one score may lie apart."""

from __future__ import annotations

SAME = 1e-9  # relative to the size of the score


def rounding(score: float) -> float:
    """Return what another way of computing `score` may differ by."""
    return SAME * max(1.0, abs(score))
