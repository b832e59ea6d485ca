"""Python values become one Arrow column; where a file mixes types in a column, the column is text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa

from kohort.errors import InputError
from kohort.table.blanks import without_blanks
from kohort.table.formats.options import ReadingOptions
from kohort.table.markers import without_marked
from kohort.table.texts import text_of

USUAL = ReadingOptions()
_KINDS: tuple[tuple[frozenset[type], pa.DataType | None], ...] = (
    (frozenset({str}), pa.string()),
    (frozenset({bool}), pa.bool_()),
    (frozenset({int}), pa.int64()),
    (frozenset({int, float}), pa.float64()),
    (frozenset({date}), pa.date32()),
    (frozenset({date, datetime}), pa.timestamp("us")),
    (frozenset({time}), pa.time64("us")),
    (frozenset({timedelta}), pa.duration("us")),
    (frozenset({Decimal}), None),
)


def column_of(name: str, cells: Sequence[Any], options: ReadingOptions = USUAL) -> pa.Array:
    """Return the cells as an array of their common type, as text where they have none.

    Spreadsheets and SQLite let one column hold numbers and texts side by side (ZIP codes are the usual
    case): `01234` and 12345 both become text, nothing is guessed. Blank texts and those that mean missing are none:
    otherwise one of them, of somebody who is left out, would tell itself by everybody's numbers becoming texts.
    """
    kinds = frozenset(map(type, cells)) - {type(None)}
    if str in kinds and len(kinds) > 1:
        nothing = texts_of_nothing({cell for cell in cells if type(cell) is str}, name, options)
        cells = [None if type(cell) is str and cell in nothing else cell for cell in cells]
        kinds = frozenset(map(type, cells)) - {type(None)}
    if not kinds:
        return pa.nulls(len(cells))
    if kinds & {bytes, bytearray, memoryview}:
        raise InputError(
            f"column {name!r} holds binary cells, which cannot be recoded; leave it out",
            code="table.column-type",
            column=name,
        )
    for common, kind in _KINDS:
        if kinds <= common and _exact(cells, kinds):
            return pa.array(map(_moment, cells) if len(kinds) > 1 and date in kinds else cells, kind)
    return pa.array([text_of(cell) for cell in cells], pa.string())


def texts_of_nothing(texts: Iterable[str], column: str, options: ReadingOptions) -> frozenset[str]:
    """Return those of the texts of a column that are blank or mean missing.

    >>> sorted(texts_of_nothing(["1 000", " ", "n/a", "-99.0"], "pay", ReadingOptions(missing=("n/a", "-99"))))
    [' ', '-99.0', 'n/a']
    """
    told = list(texts)
    read = pa.array([text.strip() if options.trim else text for text in told], pa.string())
    left = without_marked(without_blanks(read), options.markers(column)).to_pylist()
    return frozenset(text for text, kept in zip(told, left, strict=True) if kept is None)


def _moment(cell: date | datetime | None) -> datetime | None:
    """Return a date among time stamps as its midnight."""
    return cell if cell is None or isinstance(cell, datetime) else datetime(cell.year, cell.month, cell.day)


def _exact(cells: Sequence[Any], kinds: frozenset[type]) -> bool:
    """Say whether whole numbers fit the type: among floats they must stay below 2^53."""
    if int not in kinds:
        return True
    limit = 2**53 if float in kinds else 2**63 - 1
    return all(-limit <= cell <= limit for cell in cells if type(cell) is int)
