"""Cases of which `make test` tries some and `make trust` all, where they come by the same code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def thinned(cases: Iterable[Any], kept: Callable[[int, Any], bool]) -> list[Any]:
    """Return the cases, those that are not kept, by their number and themselves, as long ones; a tuple is several arguments."""
    return [
        case
        if kept(i, case)
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        for i, case in enumerate(cases)
    ]
