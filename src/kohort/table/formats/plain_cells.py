"""Texts of cells and of marks as a caller's options spell them: without blanks at their ends, numbers plain, folded."""

from __future__ import annotations

import unicodedata

import pyarrow as pa
import pyarrow.compute as pc

from kohort.table.formats.options import ReadingOptions
from kohort.table.national import plain_numbers


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
