"""Which Arrow types a column may have, and the one form in which text arrives."""

from __future__ import annotations

import pyarrow as pa

from kohort.errors import InputError
from kohort.table.mixed import MIXED

_SUPPORTED = (
    pa.types.is_null,
    pa.types.is_boolean,
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_decimal,
    pa.types.is_date,
    pa.types.is_time,
    pa.types.is_timestamp,
    pa.types.is_duration,
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_string_view,
    MIXED.equals,
)


def check_kind(name: str, kind: pa.DataType) -> None:
    """Refuse a column that does not hold one plain value per cell."""
    kind = kind.value_type if isinstance(kind, pa.DictionaryType) else kind
    if not any(accepts(kind) for accepts in _SUPPORTED):
        raise InputError(
            f"column {name!r} has the type {kind}, which Kohort cannot recode; allowed are text, numbers, decimals, "
            "dates, times, durations and booleans: convert it or leave it out",
            code="table.column-type",
            column=name,
        )


def encodable(array: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the array in a type that Arrow can code."""
    if pa.types.is_string_view(array.type):
        return array.cast(pa.large_string())
    return array.cast(pa.float32()) if pa.types.is_float16(array.type) else array


def plain(values: pa.Array) -> pa.Array:
    """Return distinct values in the one spelling of their type: what a table came as makes no difference."""
    if pa.types.is_large_string(values.type) or pa.types.is_string_view(values.type):
        return values.cast(pa.string())
    if pa.types.is_float16(values.type):
        return values.cast(pa.float32())
    return values.cast(pa.date32()) if pa.types.is_date64(values.type) else values
