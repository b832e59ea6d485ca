"""Cells of several types in one column: a text for each, and beside it the type that it had.

Workbooks, SQLite and Python let a column hold numbers and texts side by side. Kohort speaks of them as texts. Whether such a
column is released as texts or as numbers must follow from the cells that are released: so the type of every cell is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.table.texts import text_of
from kohort.table.whole_numbers import plain_numbers

_EXACT = 2**53  # whole numbers below this stay what they are among floats
_LONGEST = 2**63  # and below this in 64 bits
_DURATION = re.compile(r"(?:(-?\d+) days?, )?(\d+):(\d\d):(\d\d)(?:\.(\d{6}))?")


def duration_of(text: str) -> timedelta:
    """Return the duration that Python spells so: `-1 day, 23:59:59`."""
    found = _DURATION.fullmatch(text)
    if found is None:
        raise ValueError("no duration")
    days, hours, minutes, seconds, micros = (int(part or 0) for part in found.groups())
    return timedelta(days, seconds, micros, minutes=minutes, hours=hours)


# the kinds of cells, and what a cell of each is that is spelled so
_CELLS: Mapping[str, Callable[[str], Any]] = {
    "text": str,
    "boolean": "true".__eq__,
    "whole": int,
    "long": int,  # too long for a float to hold exactly
    "float": float,
    "decimal": Decimal,  # whole numbers beyond 64 bits too
    "date": date.fromisoformat,
    "moment": datetime.fromisoformat,
    "time": time.fromisoformat,
    "duration": duration_of,
}
KINDS = tuple(_CELLS)
_TYPES: Mapping[type, str] = {
    str: "text",
    bool: "boolean",
    float: "float",
    Decimal: "decimal",
    date: "date",
    datetime: "moment",
    time: "time",
    timedelta: "duration",
}
# what cells of these kinds have in common; decimals have the digits that they need
_COMMON: tuple[tuple[frozenset[str], pa.DataType | None], ...] = (
    (frozenset({"text"}), pa.string()),
    (frozenset({"boolean"}), pa.bool_()),
    (frozenset({"whole", "long"}), pa.int64()),
    (frozenset({"whole", "float"}), pa.float64()),
    (frozenset({"whole", "long", "decimal"}), None),
    (frozenset({"date"}), pa.date32()),
    (frozenset({"date", "moment"}), pa.timestamp("us")),
    (frozenset({"time"}), pa.time64("us")),
    (frozenset({"duration"}), pa.duration("us")),
)
# No file that Kohort reads can hold such a column: where there is one, a reader made it here.
MIXED = pa.dense_union([pa.field(kind, pa.string()) for kind in KINDS])


def kind_of(cell: object) -> str:
    """Return the kind of one cell that is not missing; what is of no known type is told as text.

    >>> [kind_of(cell) for cell in ("7", True, 7, 2**53, 2**70, 7.0)]
    ['text', 'boolean', 'whole', 'long', 'decimal', 'float']
    """
    if type(cell) is int:
        size = abs(cell)
        return "whole" if size < _EXACT else "long" if -_LONGEST <= cell < _LONGEST else "decimal"
    return _TYPES.get(type(cell), "text")


def kinds_of(cells: Sequence[object]) -> frozenset[str]:
    """Return the kinds of some cells, missing ones aside; whole numbers are judged by their ends."""
    types = set(map(type, cells)) - {type(None)}
    kinds = {_TYPES.get(kind, "text") for kind in types - {int}}
    if int in types:
        numbers = [cell for cell in cells if type(cell) is int]
        ends = {kind_of(min(numbers)), kind_of(max(numbers))}
        kinds |= ends if len(ends) == 1 else ends | {kind_of(number) for number in numbers}
    return frozenset(kinds)


def have_common(kinds: frozenset[str]) -> bool:
    """Say whether cells of these kinds have a type in common, that of texts included."""
    return any(kinds <= common for common, _ in _COMMON)


def array_of(cells: Sequence[object]) -> pa.Array:
    """Return cells in the type that they have in common, as a mixed array where they have none.

    Whole numbers among decimals are mixed too: which of the two types some of them need could not be told from decimals.
    Raises where no type of Arrow's holds all of these.

    >>> array_of([1, 2.5]).type, array_of([1, "x"]).type == MIXED, array_of([1, Decimal("2.5")]).type == MIXED
    (DataType(double), True, True)
    """
    kinds = kinds_of(cells)
    if not kinds:
        return pa.nulls(len(cells))
    if "decimal" in kinds:
        pa.array([Decimal(cell) for cell in cells if type(cell) is int or isinstance(cell, Decimal)])
    if not have_common(kinds) or ("decimal" in kinds and len(kinds) > 1):
        return mixed_array(cells)
    return typed(cells, kinds)


def common_kind(kinds: frozenset[str]) -> pa.DataType:
    """Return the type that cells of these kinds have in common, text where they have none; of decimals any stands for all.

    >>> common_kind(frozenset({"whole", "long"})), common_kind(frozenset({"whole", "text"}))
    (DataType(int64), DataType(string))
    """
    if not kinds or not have_common(kinds):
        return pa.string()
    kind = next(kind for common, kind in _COMMON if kinds <= common)
    return pa.decimal128(38) if kind is None else kind


def typed(cells: Sequence[Any], kinds: frozenset[str]) -> pa.Array:
    """Return cells of these kinds in the type that they have in common."""
    kind = next(kind for common, kind in _COMMON if kinds <= common)
    return pa.array(_alike(cells, kinds), kind)


def mixed_array(cells: Sequence[object], text: Callable[[Any], str | None] = text_of) -> pa.Array:
    """Return the texts of cells of any kinds, each with its kind; missing cells are missing texts."""
    texts = [text(cell) for cell in cells]
    kinds = np.array([0 if cell is None else KINDS.index(kind_of(cell)) for cell in cells], np.int8)
    rows_of = [np.flatnonzero(kinds == i) for i in range(len(KINDS))]
    place = np.zeros(len(kinds), np.int32)
    for rows in rows_of:
        place[rows] = np.arange(len(rows))
    children = [pa.array([texts[row] for row in rows], pa.string()) for rows in rows_of]
    return pa.UnionArray.from_dense(pa.array(kinds), pa.array(place), children, list(KINDS))


def told_apart(chunks: Iterable[pa.Array]) -> tuple[pa.ChunkedArray, IntArray]:
    """Return the texts of mixed arrays, and the number of the kind of each."""
    texts, kinds = [], [np.zeros(0, np.int8)]
    for chunk in chunks:
        children = [chunk.field(i) for i in range(len(KINDS))]
        starts = np.cumsum([0, *map(len, children)])[:-1]
        kinds.append(plain_numbers(chunk.type_codes))
        places = starts[kinds[-1]] + plain_numbers(chunk.offsets)
        texts.append(pa.concat_arrays(children).take(pa.array(places)))
    return pa.chunked_array(texts, pa.string()), np.concatenate(kinds)


def cell_of(text: str | None, kind: int) -> Any:
    """Return the cell that has this text and a kind of this number."""
    return None if text is None else _CELLS[KINDS[kind]](text)


def _alike(cells: Sequence[Any], kinds: frozenset[str]) -> Iterable[Any]:
    """Return cells of kinds that have a type in common as Arrow takes them for one."""
    if "text" in kinds and not all(type(cell) in (str, type(None)) for cell in cells):
        return map(text_of, cells)
    if kinds == {"date", "moment"}:
        return map(_moment, cells)
    if "decimal" in kinds:
        return [None if cell is None else Decimal(cell) for cell in cells]
    return cells


def _moment(cell: date | datetime | None) -> datetime | None:
    """Return a date among time stamps as its midnight."""
    return cell if cell is None or isinstance(cell, datetime) else datetime(cell.year, cell.month, cell.day)
