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


def plain_texts(texts: pa.Array, name: str, options: ReadingOptions) -> pa.Array:
    """Return texts of a column as the options spell them, cells or markers: without blanks at their ends, numbers plain, folded."""
    if options.trim:
        texts = pc.utf8_trim_whitespace(texts)
    if options.decimal is not None:
        texts = plain_numbers(texts, options.decimal)
    if name in options.fold:
        texts = pa.array([None if text is None else folded(text) for text in texts.to_pylist()], pa.string())
    return texts


def markers_of(name: str, kind: pa.DataType, options: ReadingOptions) -> list[str]:
    """Return the markers of a column as its cells are spelled when they are compared with them.

    >>> markers_of("pay", pa.string(), ReadingOptions(missing=("9.999", "n/a"), decimal=","))
    ['9999', 'n/a']
    """
    markers = pa.array(options.markers(name), pa.string())
    if pa.types.is_string(kind):
        markers = plain_texts(markers, name, options)
    return [str(marker) for marker in markers.to_pylist()]


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
    values, kind = column.values, column.values.type
    if pa.types.is_string(kind):
        values = plain_texts(values, column.name, options)
    values = without_marked(values, markers_of(column.name, kind, options))
    if values is column.values:
        return column
    return Column.from_arrow(column.name, pa.DictionaryArray.from_arrays(column.codes, values))
