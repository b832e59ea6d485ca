"""What a caller says of the cells of a table, done: which of them are missing, how numbers are written, what is one value.

Every cell is looked at by itself, so that what it becomes says nothing about the cells of others, and a table that is
read piece by piece is the table that is read at once.
"""

from __future__ import annotations

import unicodedata
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from kohort.table.blanks import is_blank
from kohort.table.formats.options import ReadingOptions
from kohort.table.markers import without_marked
from kohort.table.mixed_columns import by_kind
from kohort.table.national import plain_numbers
from kohort.table.table import Column, Table


def tidied(table: Table, options: ReadingOptions) -> Table:
    """Return the table as the options have it."""
    return Table.of((by_kind(column, partial(_tidied, options=options)) for column in table), table.n_rows)


def folded(text: str) -> str:
    """Return a text in lower case, without blanks at its ends and with single ones within.

    >>> folded(" NEW  York") == folded("New York")
    True
    """
    return unicodedata.normalize("NFC", " ".join(text.split()).lower())


def is_tidy(name: str, kind: pa.DataType, options: ReadingOptions) -> bool:
    """Say whether the options have every cell of a column as it is."""
    in_text = options.trim or options.decimal is not None or name in options.fold
    return all(map(is_blank, options.markers(name))) and not (in_text and pa.types.is_string(kind))


def _tidied(column: Column, options: ReadingOptions) -> Column:
    is_text = pa.types.is_string(column.values.type)
    values = column.values
    if is_text and options.trim:
        values = pc.utf8_trim_whitespace(values)
    values = without_marked(values, options.markers(column.name))
    if is_text and options.decimal is not None:
        values = plain_numbers(values, options.decimal)
    if is_text and column.name in options.fold:
        values = pa.array(
            [None if text is None else folded(text) for text in values.to_pylist()], pa.string()
        )
    if values is column.values:
        return column
    return Column.from_arrow(column.name, pa.DictionaryArray.from_arrays(column.codes, values))
