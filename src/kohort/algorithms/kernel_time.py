"""How long kernels were compiled, or loaded from the cache: time that no search is charged for."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any


def seconds() -> float:
    """Return the seconds that this process has spent on kernels since it was first asked.

    Only what is finished counts, so a compilation that was cut short makes no clock stand still.
    """
    if "numba" not in sys.modules:  # no kernel without it
        return 0.0
    timer = _timer()
    return float(timer.duration) if timer.done else 0.0


@cache
def _timer() -> Any:
    """Return numba's own stopwatch, running from now on."""
    from numba.core import event

    timer = event.TimingListener()
    event.register("numba:compiler_lock", timer)  # held while a kernel is compiled, and while one is loaded
    return timer
