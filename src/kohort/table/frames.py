"""Dataframes in and out: the caller gets back the type that was handed in.

Frames come through narwhals, which imports a dataframe library only when the caller already has.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import narwhals as nw
import pyarrow as pa

from kohort.errors import InputError
from kohort.table.formats.databases import arrow_of
from kohort.table.pandas_frames import from_pandas, to_pandas
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
        raise InputError("the frame has no columns; there is nothing to release", code="table.empty")
    if not arrow.num_rows:
        raise InputError("the frame has no rows; there is nothing to release", code="table.empty")
    return Table.from_arrow(arrow), lambda released: back(rebuilt(released).to_arrow())


def _taken(frame: Any) -> tuple[pa.Table, Back]:
    if isinstance(frame, pa.Table):
        return frame, lambda table: table
    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame]), _record_batch
    if nw.dependencies.is_pandas_dataframe(frame):
        return from_pandas(frame), to_pandas
    try:
        known = nw.from_native(frame)
    except TypeError:
        kind = f"{type(frame).__module__}.{type(frame).__qualname__}"
        raise InputError(
            f"a {kind} is no frame Kohort knows; hand over a pandas, polars or pyarrow table or a DuckDB relation",
            code="table.unknown-frame",
        ) from None
    if known.implementation.is_polars():
        if isinstance(known, nw.LazyFrame):
            return known.collect().to_arrow(), lambda table: _to_polars(table).lazy()
        return known.to_arrow(), _to_polars
    if known.implementation.is_duckdb():
        return arrow_of(frame), partial(_relation, frame)
    raise InputError(
        f"frames of {known.implementation.value} are not taken in memory; "
        "hand over a pandas, polars or pyarrow table or a DuckDB relation",
        code="table.unknown-frame",
    )


def _record_batch(table: pa.Table) -> pa.RecordBatch:
    columns = [column.combine_chunks() for column in table.columns]
    return pa.RecordBatch.from_arrays(columns, names=table.column_names)


def _to_polars(table: pa.Table) -> Any:
    import polars

    return polars.from_arrow(table)


def _relation(original: Any, released: pa.Table) -> Any:  # noqa: ARG001 (read by the SQL)
    """Return a relation over the released table in the connection of the original one."""
    return original.query("kohort_original", "SELECT * FROM released")  # DuckDB finds the name in this frame
