"""The type of a released column, where its values are in a cluster: what is known of it before they are looked at."""

from __future__ import annotations

import pyarrow as pa

from kohort.table.settling import released_kind, settled_kind

_MOST = 1_000  # values that are looked at one by one


def kind_of_any(kind: pa.DataType, values: pa.Array | None) -> pa.DataType | None:
    """Return the type that a column has whichever of its values are released, at least one; None where that depends on them.

    >>> kind_of_any(pa.int32(), pa.array([1, 2], pa.int32())), kind_of_any(pa.float64(), pa.array([1.0, 77.5]))
    (DataType(int64), None)
    """
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return pa.string()
    if values is None:
        return None
    if pa.types.is_integer(kind) and not pa.types.is_uint64(kind) and not values.null_count:
        return pa.int64()
    if len(values) > _MOST:
        return None
    kinds = {released_kind(settled_kind(values.slice(i, 1))) for i in range(len(values))}
    return kinds.pop() if len(kinds) == 1 else None


def in_files(kind: pa.DataType, read: pa.DataType) -> pa.DataType:
    """Return the type in which files have a column that was read as another one: numbers without a sign that Spark held otherwise.

    >>> in_files(pa.decimal128(20, 0), pa.uint64()), in_files(pa.int64(), pa.uint64())
    (DataType(uint64), DataType(int64))
    """
    return pa.uint64() if pa.types.is_uint64(read) and kind == pa.decimal128(20, 0) else kind


def in_catalog(kind: pa.DataType) -> pa.DataType:
    """Return the type in which a catalog has a column: Spark has no type of its own for whole numbers without a sign."""
    return pa.decimal128(20, 0) if pa.types.is_uint64(kind) else kind
