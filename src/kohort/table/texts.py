"""Values as text: the one way in which a typed value is spelled."""

from __future__ import annotations

from typing import Any

import pyarrow as pa


def texts_of(values: pa.Array) -> tuple[str | None, ...]:
    """Return each value's text: `42`, `0.5`, `2020-03-01`, `true`; None for missing."""
    return tuple(map(text_of, values.to_pylist()))


def text_of(value: Any) -> str | None:
    """Return the value's text, None for a missing value.

    A NaN is a missing value; a float that is a whole number is spelled like the integer, so that a
    column which a dataframe turned into floats for its nulls still meets its hierarchy.
    """
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)
