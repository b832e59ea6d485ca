"""pandas frames: columns in without the index, columns out that keep whole numbers whole."""

from __future__ import annotations

from decimal import Decimal
from numbers import Integral
from typing import Any

import pyarrow as pa

from kohort.errors import InputError


def from_pandas(frame: Any) -> pa.Table:
    """Return the columns of a pandas frame; index, attrs and flags stay behind."""
    _check_names(list(frame.columns))
    return pa.table({name: _array(name, frame[name]) for name in frame.columns})


def to_pandas(table: pa.Table) -> Any:
    """Return a pandas frame with a fresh index; whole numbers and booleans with nulls take nullable types."""
    import pandas

    nullable = {
        pa.bool_(): pandas.BooleanDtype(),
        pa.int8(): pandas.Int8Dtype(),
        pa.int16(): pandas.Int16Dtype(),
        pa.int32(): pandas.Int32Dtype(),
        pa.int64(): pandas.Int64Dtype(),
        pa.uint8(): pandas.UInt8Dtype(),
        pa.uint16(): pandas.UInt16Dtype(),
        pa.uint32(): pandas.UInt32Dtype(),
        pa.uint64(): pandas.UInt64Dtype(),
    }
    columns = {
        name: column.to_pandas(types_mapper=nullable.get if column.null_count else None)
        for name, column in zip(table.column_names, table.columns, strict=True)
    }
    return pandas.DataFrame(columns, columns=table.column_names)


def _check_names(names: list[Any]) -> None:
    for name in names:
        if not isinstance(name, str):
            raise InputError(
                f"a column is named {name!r}, which is a {type(name).__name__}; column names must be text: "
                "rename the columns (a MultiIndex by joining its levels)",
                code="table.header",
            )
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise InputError(
            f"the frame has more than one column named {', '.join(map(repr, doubled))}; "
            "column names must be distinct: rename one of them",
            code="table.repeated-name",
            columns=doubled,
        )


def _array(name: str, series: Any) -> pa.Array | pa.ChunkedArray:
    try:
        try:
            return pa.array(series, from_pandas=True)
        except OverflowError:  # whole numbers beyond 64 bits, which an object column may hold
            return pa.array(map(_long_number, series))
    except (pa.ArrowException, TypeError, ValueError):
        raise InputError(
            f"column {name!r} holds values of several types, or of a type that has no single value per cell; "
            "make it one type: text, numbers, dates or booleans",
            code="table.column-type",
            column=name,
        ) from None


def _long_number(cell: Any) -> Decimal | None:
    if cell is None or cell != cell:
        return None
    if isinstance(cell, bool) or not isinstance(cell, Integral):
        raise TypeError
    return Decimal(int(cell))
