"""Dataframes in and out: the caller gets back the type that was handed in.

Frames come through narwhals, which imports a dataframe library only when the caller already has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import narwhals as nw
import pyarrow as pa

from kohort.errors import InputError
from kohort.table.formats.databases import arrow_of
from kohort.table.rebuilding import rebuilt
from kohort.table.table import Table

Back = Callable[[pa.Table], Any]


def from_frame(frame: Any) -> tuple[Table, Back]:
    """Return the frame's columns as a `Table`, and the way back from a released Arrow table.

    Taken in are frames of pandas, polars (lazy ones too), pyarrow (tables and record batches) and DuckDB
    relations. Only columns and their values are taken: a pandas index, `attrs` and category levels that
    no row uses never enter. The way back rebuilds every column from its values; categories come back as
    the plain values they stand for, whole numbers with missing values stay whole numbers.
    """
    arrow, back = _taken(frame)
    if not arrow.num_columns:
        raise InputError("the frame has no columns; there is nothing to release")
    if not arrow.num_rows:
        raise InputError("the frame has no rows; there is nothing to release")
    return Table.from_arrow(arrow), lambda released: back(rebuilt(released).to_arrow())


def _taken(frame: Any) -> tuple[pa.Table, Back]:
    if isinstance(frame, pa.Table):
        return frame, lambda table: table
    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame]), _record_batch
    try:
        known = nw.from_native(frame)
    except TypeError:
        kind = f"{type(frame).__module__}.{type(frame).__qualname__}"
        raise InputError(
            f"a {kind} is no frame Kohort knows; hand over a pandas, polars or pyarrow table or a DuckDB relation"
        ) from None
    if known.implementation.is_pandas():
        return _from_pandas(frame), _to_pandas
    if known.implementation.is_polars():
        if isinstance(known, nw.LazyFrame):
            return known.collect().to_arrow(), lambda table: _to_polars(table).lazy()
        return known.to_arrow(), _to_polars
    if known.implementation.is_duckdb():
        return arrow_of(frame), _relation
    raise InputError(
        f"frames of {known.implementation.value} are not taken in memory; "
        "hand over a pandas, polars or pyarrow table or a DuckDB relation"
    )


def _check_names(names: list[Any]) -> None:
    for name in names:
        if not isinstance(name, str):
            raise InputError(
                f"a column is named {name!r}, which is a {type(name).__name__}; column names must be text: "
                "rename the columns (a MultiIndex by joining its levels)"
            )
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise InputError(
            f"the frame has more than one column named {', '.join(map(repr, doubled))}; "
            "column names must be distinct: rename one of them"
        )


def _record_batch(table: pa.Table) -> pa.RecordBatch:
    columns = [column.combine_chunks() for column in table.columns]
    return pa.RecordBatch.from_arrays(columns, names=table.column_names)


def _from_pandas(frame: Any) -> pa.Table:
    _check_names(list(frame.columns))
    columns = {}
    for name in frame.columns:
        try:
            columns[name] = pa.array(frame[name], from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            raise InputError(
                f"column {name!r} holds values of several types, or of one that has no single value per cell; "
                "make the column one type: numbers, text, dates or booleans"
            ) from None
    return pa.table(columns)


def _to_pandas(table: pa.Table) -> Any:
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


def _to_polars(table: pa.Table) -> Any:
    import polars

    return polars.from_arrow(table)


def _relation(table: pa.Table) -> Any:
    import duckdb

    return duckdb.from_arrow(table)
