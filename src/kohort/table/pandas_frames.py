"""pandas frames: columns in without the index, columns out that keep whole numbers whole."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from numbers import Integral
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.errors import InputError
from kohort.table.mixed import array_of


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
        cells = _unlike(series) if series.dtype == object else []
        return array_of(cells) if cells else pa.array(series, from_pandas=True)
    except (pa.ArrowException, ArithmeticError, TypeError, ValueError):
        raise InputError(
            f"column {name!r} holds values of several types, or of a type that has no single value per cell; "
            "make it one type: text, numbers, dates or booleans",
            code="table.column-type",
            column=name,
        ) from None


def _unlike(series: Any) -> list[Any]:
    """Return the cells of a column of objects whose type in Arrow follows from one of them; of any other, none.

    These are whole numbers with decimals or beyond 64 bits, and dates with moments, of which Arrow leaves the hours out.
    """
    if str in set(map(type, series)):  # as nearly always
        return []
    told = [None if gone else cell for cell, gone in zip(series, series.isna(), strict=True)]
    kinds = {type(cell) for cell in told} - {type(None)}
    if len(kinds) > 1 and kinds & {bool, np.bool_}:
        raise TypeError("truth values cannot stand among numbers: Arrow would tell them as 1 and 0")
    if kinds and bool not in kinds and all(issubclass(kind, Integral | Decimal) for kind in kinds):
        return [cell if cell is None or isinstance(cell, Decimal) else int(cell) for cell in told]
    if date in kinds and len(kinds) > 1 and all(issubclass(kind, date) for kind in kinds):
        return [None if cell is None else _moment(cell) for cell in told]
    return []


def _moment(cell: date) -> datetime:
    """Return a date as its midnight, a moment of any kind as one of Python's; raises where that would be another."""
    text = cell.isoformat()
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is not None or not moment.isoformat().startswith(text):
        raise ValueError("dates cannot stand among moments of a zone, or finer than a microsecond")
    return moment
