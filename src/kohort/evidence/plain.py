"""Numbers that JSON can hold."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, TypeVar

import msgspec
import numpy as np

T = TypeVar("T")


def plain(value: Any) -> Any:
    """Return the value with numpy's numbers as Python's, and infinite ones as None, which JSON can hold."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not isfinite(value) else value


def finite(value: float) -> float | None:
    """Return a number as JSON can hold it: None where it is not finite."""
    return float(value) if isfinite(value) else None


def as_facts(told: Any, kind: type[T]) -> T:
    """Return figures that another room tells as a dict, as the struct that they must be."""
    return msgspec.convert(plain(told), kind)
