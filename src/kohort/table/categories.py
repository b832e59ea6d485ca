"""Categories in, categories out: of released values only, in an order that tells nothing of the original's rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from kohort.table.texts import spelled

Order: TypeAlias = pa.Array | None  # the values in the order that was declared; None where none was


def categories_of(table: pa.Table) -> dict[str, Order]:
    """Return the columns that hold categories, each with its order where that was declared."""
    return {
        name: _dictionary(table.column(name)) if table.schema.field(name).type.ordered else None
        for name in table.column_names
        if pa.types.is_dictionary(table.schema.field(name).type)
    }


def categorized(table: pa.Table, noted: Mapping[str, Order]) -> pa.Table:
    """Return a released table whose columns that came as categories are categories again.

    These are the values that are released and no others. A declared order is kept where every released value has a
    place in it; generalized labels have none, and then, as where none was declared, they are sorted: the order in which
    the original first names them would tell of its rows.
    """
    for name, order in noted.items():
        if name in table.column_names:
            place = table.column_names.index(name)
            table = table.set_column(place, name, _coded(table.column(name), order))
    return table


def _coded(column: pa.ChunkedArray, order: Order) -> pa.Array | pa.ChunkedArray:
    values = column.combine_chunks()
    values = values if isinstance(values, pa.Array) else pa.concat_arrays(values.chunks)
    if pa.types.is_null(values.type):
        return column
    used = values.unique().drop_null()
    used = used.take(pc.sort_indices(used))
    places = pc.index_in(spelled(used), pa.array([], pa.string()) if order is None else spelled(order))
    ordered = order is not None and not places.null_count
    if ordered:
        used = used.take(pc.sort_indices(places))
    return pa.DictionaryArray.from_arrays(pc.index_in(values, used), used, ordered=ordered)


def _dictionary(column: pa.ChunkedArray) -> pa.Array:
    """Return the distinct values that a column's categories stand for, in their order, as a released table has them."""
    if not column.num_chunks:
        return None
    return column.unify_dictionaries().chunk(0).dictionary.drop_null().unique()
