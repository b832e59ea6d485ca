"""Python values become one Arrow column; where a file mixes types in a column, each cell is told with its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from kohort.errors import InputError
from kohort.table.blanks import without_blanks
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.plain_cells import markers_of, plain_texts
from kohort.table.markers import without_marked
from kohort.table.mixed import array_of

USUAL = ReadingOptions()


def column_of(name: str, cells: Sequence[Any], options: ReadingOptions = USUAL) -> pa.Array:
    """Return the cells as an array of their common type, as a mixed one where they have none.

    Spreadsheets and SQLite let one column hold numbers and texts side by side (ZIP codes are the usual
    case): `01234` and 12345 both become text, nothing is guessed. Blank texts and those that mean missing are none:
    numbers among which only they stand are numbers.
    """
    kinds = frozenset(map(type, cells)) - {type(None)}
    if str in kinds and len(kinds) > 1:
        nothing = texts_of_nothing({cell for cell in cells if type(cell) is str}, name, options)
        cells = [None if type(cell) is str and cell in nothing else cell for cell in cells]
    if kinds & {bytes, bytearray, memoryview}:
        raise InputError(
            f"column {name!r} holds binary cells, which cannot be recoded; leave it out",
            code="table.column-type",
            column=name,
        )
    return array_of(cells)


def texts_of_nothing(texts: Iterable[str], column: str, options: ReadingOptions) -> frozenset[str]:
    """Return those of the texts of a column that are blank or mean missing.

    >>> sorted(texts_of_nothing(["1 000", " ", "n/a", "-99.0"], "pay", ReadingOptions(missing=("n/a", "-99"))))
    [' ', '-99.0', 'n/a']
    """
    told = list(texts)
    read = plain_texts(without_blanks(pa.array(told, pa.string())), column, options)
    left = without_marked(read, markers_of(column, read.type, options)).to_pylist()
    return frozenset(text for text, kept in zip(told, left, strict=True) if kept is None)
