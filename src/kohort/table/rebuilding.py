"""Columns made anew from their values: whatever else lay in the buffers stays behind."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from kohort.table.table import Column, Table


def rebuilt(table: Table | pa.Table) -> Table:
    """Return a table of the values only.

    Gone are schema and field metadata, unused and repeated dictionary entries, bytes masked by nulls and
    bytes outside an array's slice: the values are a fresh copy. O(rows × columns).
    """
    coded = Table.from_arrow(table) if isinstance(table, pa.Table) else table
    return Table.of((_rebuilt(column) for column in coded), coded.n_rows)


def _rebuilt(column: Column) -> Column:
    used = Column.from_arrow(column.name, pa.DictionaryArray.from_arrays(column.codes, column.values))
    return Column(used.name, used.codes, _copied(used.values))


def _copied(values: pa.Array) -> pa.Array:
    """Copy valid values one by one; in the place of a null there are zeros, as in a fresh array of nulls."""
    if pa.types.is_null(values.type):
        return pa.nulls(len(values))
    valid = values.filter(values.is_valid())
    zeros = pa.nulls(1, values.type)
    places = pc.if_else(values.is_valid(), _ranks(values), len(valid))
    return pa.concat_arrays([valid, zeros]).take(places)


def _ranks(values: pa.Array) -> pa.Array:
    """The position of each value among the valid ones."""
    return pc.subtract(pc.cumulative_sum(values.is_valid().cast(pa.int64())), 1)
