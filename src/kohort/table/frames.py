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
from kohort.table.categories import categories_of, categorized
from kohort.table.cluster.spark_frames import beside, is_spark_frame
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
    categories of the released values (from DuckDB as plain values), whole numbers with missing values stay whole numbers.
    """
    arrow, back = _taken(frame), way_back(frame)
    if not arrow.num_columns:
        raise InputError("the frame has no columns; there is nothing to release", code="table.empty")
    if not arrow.num_rows:
        raise InputError("the frame has no rows; there is nothing to release", code="table.empty")
    table = Table.from_arrow(arrow)  # raises where a column holds what cannot be recoded
    noted = {} if _is_relation(frame) else categories_of(arrow)
    return table, lambda released: back(categorized(rebuilt(released).to_arrow(), noted))


def way_back(frame: Any) -> Back:
    """Return how an Arrow table becomes a frame of the same kind."""
    if isinstance(frame, pa.Table):
        return lambda table: table
    if isinstance(frame, pa.RecordBatch):
        return _record_batch
    if nw.dependencies.is_pandas_dataframe(frame):
        return to_pandas
    if is_spark_frame(frame):
        return partial(beside, frame)
    known = _known(frame)
    if known.implementation.is_duckdb():
        return partial(_relation, frame)
    return (lambda table: _to_polars(table).lazy()) if isinstance(known, nw.LazyFrame) else _to_polars


def _taken(frame: Any) -> pa.Table:
    """Return the frame as an Arrow table."""
    if isinstance(frame, pa.Table):
        return frame
    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame])
    if nw.dependencies.is_pandas_dataframe(frame):
        return from_pandas(frame)
    known = _known(frame)
    if known.implementation.is_duckdb():
        return arrow_of(frame)
    return (known.collect() if isinstance(known, nw.LazyFrame) else known).to_arrow()


def _known(frame: Any) -> Any:
    """Return a frame of polars or DuckDB as narwhals has it; no other is taken."""
    try:
        known = nw.from_native(frame)
    except TypeError:
        kind = f"{type(frame).__module__}.{type(frame).__qualname__}"
        raise InputError(
            f"a {kind} is no frame Kohort knows; hand over a pandas, polars or pyarrow table or a DuckDB relation",
            code="table.unknown-frame",
        ) from None
    if known.implementation.is_polars() or known.implementation.is_duckdb():
        return known
    raise InputError(
        f"frames of {known.implementation.value} are not taken in memory; {_instead(frame)}",
        code="table.unknown-frame",
    )


def _instead(frame: Any) -> str:
    """Return what to hand over in place of a frame that memory does not take."""
    if is_spark_frame(frame):
        return 'leave the engine out, or say engine="spark"; what has no engine takes the rows in memory: frame.toArrow()'
    return "hand over a pandas, polars or pyarrow table or a DuckDB relation"


def _is_relation(frame: Any) -> bool:
    return nw.dependencies.is_duckdb_relation(frame)


def _record_batch(table: pa.Table) -> pa.RecordBatch:
    columns = [column.combine_chunks() for column in table.columns]
    return pa.RecordBatch.from_arrays(columns, names=table.column_names)


def _to_polars(table: pa.Table) -> Any:
    import polars

    coded = {  # values are told apart from their codes: polars takes these from all of the process
        field.name: table.column(field.name).cast(field.type.value_type)
        for field in table.schema
        if pa.types.is_dictionary(field.type) and _is_text(field.type.value_type)
    }
    plain = table
    for name, values in coded.items():
        plain = plain.set_column(plain.column_names.index(name), name, values)
    frame = polars.from_arrow(plain)
    return frame.with_columns(_with_own_codes(frame[name], table.column(name)) for name in coded)


def _is_text(kind: pa.DataType) -> bool:
    return any(
        is_text(kind) for is_text in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    )


def _with_own_codes(texts: Any, coded: pa.ChunkedArray) -> Any:
    """Return a polars column as categories whose codes follow from the released values alone.

    Codes of a plain `Categorical` are those of all values that the process has seen, in the order in which it saw them: they
    would tell how the original begins, and that somebody who was left out has a value of their own. Where an order was
    declared, polars calls categories an Enum; and so here, where it is too old to know categories by a name.
    """
    import polars

    values = [str(value) for value in coded.chunk(0).dictionary.to_pylist()] if coded.num_chunks else []
    if coded.type.ordered or not hasattr(polars, "Categories"):
        return texts.cast(polars.Enum(values))
    own = polars.Categorical(polars.Categories.random())
    in_order = polars.Series(
        texts.name, [*values, *texts], dtype=own
    )  # the first to be seen has the first code
    return in_order[len(values) :]


def _relation(original: Any, released: pa.Table) -> Any:  # noqa: ARG001 (read by the SQL)
    """Return a relation over the released table in the connection of the original one."""
    return original.query("kohort_original", "SELECT * FROM released")  # DuckDB finds the name in this frame
