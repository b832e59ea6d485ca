"""`Clock`: seconds per step of the flow."""

from __future__ import annotations

import time


class Clock:
    """Counts from when it is made; what a step takes in several goes is added up."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, step: str) -> None:
        """Count the seconds since the last lap as those of a step."""
        now = time.perf_counter()
        self.laps[step] = round(self.laps.get(step, 0.0) + now - self._last, 4)
        self._last = now
