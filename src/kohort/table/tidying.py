"""What a caller says of the cells of a table, done: which of them are missing, how numbers are written, what is one value.

Every cell is looked at by itself, so that what it becomes says nothing about the cells of others, and a table that is
read piece by piece is the table that is read at once.
"""

from __future__ import annotations

from functools import partial

import pyarrow as pa

from kohort.table.blanks import is_blank
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.plain_cells import markers_of, plain_texts
from kohort.table.markers import without_marked
from kohort.table.mixed_columns import by_kind
from kohort.table.table import Column, Table


def tidied(table: Table, options: ReadingOptions) -> Table:
    """Return the table as the options have it."""
    return Table.of((by_kind(column, partial(_tidied, options=options)) for column in table), table.n_rows)


def is_tidy(name: str, kind: pa.DataType, options: ReadingOptions) -> bool:
    """Say whether the options have every cell of a column as it is."""
    in_text = options.trim or options.decimal is not None or name in options.fold
    return all(map(is_blank, options.markers(name))) and not (in_text and pa.types.is_string(kind))


def _tidied(column: Column, options: ReadingOptions) -> Column:
    values, kind = column.values, column.values.type
    if pa.types.is_string(kind):
        values = plain_texts(values, column.name, options)
    values = without_marked(values, markers_of(column.name, kind, options))
    if values is column.values:
        return column
    return Column.from_arrow(column.name, pa.DictionaryArray.from_arrays(column.codes, values))
