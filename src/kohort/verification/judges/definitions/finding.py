"""`Finding`: what a definition says of the classes of a release."""

from __future__ import annotations

from math import isclose
from typing import NamedTuple

CLOSE = 1e-9  # relative: two figures that were rounded in different places still agree


class Finding(NamedTuple):
    """Whether every class keeps a promise, and the best parameter that all of them meet."""

    holds: bool
    achieved: float

    def agrees(self, other: Finding) -> bool:
        """Tell whether both say the same, their figures up to rounding."""
        same = isclose(self.achieved, other.achieved, rel_tol=CLOSE, abs_tol=1e-12)
        return self.holds == other.holds and same
