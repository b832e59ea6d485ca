"""What a caller says of the cells of a table, done: which of them are missing, how numbers are written, what is one value.

Every cell is looked at by itself, so that what it becomes says nothing about the cells of others, and a table that is
read piece by piece is the table that is read at once.
"""

from __future__ import annotations

import unicodedata

import pyarrow as pa
import pyarrow.compute as pc

from kohort.table.blanks import is_blank
from kohort.table.formats.options import ReadingOptions
from kohort.table.national import plain_numbers
from kohort.table.table import Column, Table
from kohort.table.texts import spelled


def tidied(table: Table, options: ReadingOptions, *, marked: bool = False) -> Table:
    """Return the table as the options have it; `marked`: who cut it into cells has heeded `missing` already."""
    return Table.of((_tidied(column, options, marked) for column in table), table.n_rows)


def folded(text: str) -> str:
    """Return a text in lower case, without blanks at its ends and with single ones within.

    >>> folded(" NEW  York") == folded("New York")
    True
    """
    return unicodedata.normalize("NFC", " ".join(text.split()).lower())


def _tidied(column: Column, options: ReadingOptions, marked: bool) -> Column:
    is_text = pa.types.is_string(column.values.type)
    values = column.values
    if is_text and options.trim:
        values = pc.utf8_trim_whitespace(values)
    markers = options.missing_in.get(column.name, ())
    if options.trim or not marked:  # what was trimmed may be a marker now
        markers = (*options.missing, *markers)
    values = _without(values, markers)
    if is_text and options.decimal is not None:
        values = plain_numbers(values, options.decimal)
    if is_text and column.name in options.fold:
        values = pa.array(
            [None if text is None else folded(text) for text in values.to_pylist()], pa.string()
        )
    if values is column.values:
        return column
    return Column.from_arrow(column.name, pa.DictionaryArray.from_arrays(column.codes, values))


def _without(values: pa.Array, markers: tuple[str, ...]) -> pa.Array:
    """Return the values with those missing that are spelled like a marker: texts, numbers and dates alike."""
    told = [text for text in markers if not is_blank(text)]  # which is missing anyhow
    if not told:
        return values
    found = pc.is_in(spelled(values), pa.array(told, pa.string()))
    return pc.if_else(found, pa.scalar(None, values.type), values) if pc.any(found).as_py() else values
