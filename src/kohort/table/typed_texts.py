"""Released texts in the type that they tell: the one place in which a quasi-identifier that is released gets its type.

A label is a text. Whether the column has another type, numbers or dates, must follow from the labels that are released: were it
asked which level was chosen, or whether cells are told as they were read, then the type would tell of people left out for
whose sake a search climbed, and of what those have who are in the release.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, time, timedelta
from decimal import Decimal, DecimalException
from typing import Any, TypeAlias

import pyarrow as pa

from kohort.table.mixed import duration_of
from kohort.table.settling import released_kind, settled_kind
from kohort.table.table import Column
from kohort.table.texts import spelled

Readings: TypeAlias = Iterator[Callable[[], pa.Array]]

_FINE = re.compile(r"(.*\.\d{6})(\d{3})")  # microseconds, and the nanoseconds beyond them
_FAULTS = (pa.ArrowException, ValueError, OverflowError, DecimalException)
_NANOSECONDS = {"us": 1000, "ns": 1, "ms": 10**6, "s": 10**9}  # the first that holds all durations


def typed(column: Column, source: pa.DataType) -> Column:
    """Return a column of released texts, all of them used, in the type that they tell."""
    return Column(column.name, column.codes, typed_texts(column.values, source))


def typed_texts(texts: pa.Array, source: pa.DataType) -> pa.Array:
    """Return texts as what a column of the type `source` holds, where that spells every one of them; else as they are.

    Of the source no more is asked than whether it has numbers, decimals, moments, times, durations or truth values:
    one person's cell makes whole numbers floats, dates time stamps and units finer. Which of these it is, the texts tell,
    as `settled_kind` has it.

    >>> days = pa.array(["2020-01-31", None])
    >>> typed_texts(days, pa.timestamp("ns")).type, typed_texts(days, pa.string()).type
    (DataType(date32[day]), DataType(string))
    >>> typed_texts(pa.array(["7", "20-29"]), pa.int64()).type, typed_texts(pa.array(["7", "2.5"]), pa.int64()).type
    (DataType(string), DataType(double))
    """
    if texts.null_count == len(texts):
        return texts
    for reading in _readings(texts, source):
        try:
            values = reading()
            if spelled(values).equals(texts):
                return values
        except _FAULTS:
            continue
    return texts


def _readings(texts: pa.Array, source: pa.DataType) -> Readings:
    """Yield what the texts may be read as, the least type first; a reading may fail."""
    if pa.types.is_integer(source) or pa.types.is_floating(source):
        yield from (lambda kind=kind: texts.cast(kind) for kind in (pa.int64(), pa.uint64(), pa.float64()))
    elif pa.types.is_decimal(source):
        yield lambda: _decimals(texts)
    elif pa.types.is_date(source) or (pa.types.is_timestamp(source) and source.tz is None):
        kinds = (pa.date32(), pa.timestamp("us"), pa.timestamp("ns"))
        yield from (lambda kind=kind: texts.cast(kind) for kind in kinds)
    elif pa.types.is_timestamp(source):
        yield lambda: pa.array(_each(datetime.fromisoformat, texts), pa.timestamp("us", source.tz))
        yield lambda: texts.cast(pa.timestamp("ns", source.tz))
    elif pa.types.is_time(source):
        yield lambda: _times(texts)
    elif pa.types.is_duration(source):
        yield lambda: _durations(texts)
    elif pa.types.is_boolean(source):
        yield lambda: texts.cast(pa.bool_())


def _each(read: Callable[[str], Any], texts: pa.Array) -> list[Any]:
    return [None if text is None else read(text) for text in texts.to_pylist()]


def _decimals(texts: pa.Array) -> pa.Array:
    numbers = _each(Decimal, texts)
    return pa.array(numbers, released_kind(settled_kind(pa.array(numbers))))


def _times(texts: pa.Array) -> pa.Array:
    nanoseconds = _each(
        lambda text: _finely(text, lambda clock: _since_midnight(time.fromisoformat(clock))), texts
    )
    if any(nanos is not None and nanos % 1000 for nanos in nanoseconds):
        return pa.array(nanoseconds, pa.int64()).cast(pa.time64("ns"))
    return pa.array(_parts(nanoseconds, 1000), pa.int64()).cast(pa.time64("us"))


def _durations(texts: pa.Array) -> pa.Array:
    nanoseconds = _each(lambda text: _finely(text, duration_of), texts)
    for unit, size in _NANOSECONDS.items():
        counted = _parts(nanoseconds, size)
        if all(nanos is None or (nanos % size == 0 and abs(nanos // size) < 2**63) for nanos in nanoseconds):
            return pa.array(counted, pa.int64()).cast(pa.duration(unit))
    return texts


def _finely(text: str, read: Callable[[str], timedelta]) -> int:
    """Return the nanoseconds that a text tells, of which Python reads none beyond microseconds."""
    fine = _FINE.fullmatch(text)
    told, rest = fine.groups() if fine else (text, "0")
    return read(told) // timedelta(microseconds=1) * 1000 + int(rest)


def _since_midnight(clock: time) -> timedelta:
    return timedelta(0, clock.second, clock.microsecond, 0, clock.minute, clock.hour)


def _parts(numbers: list[int | None], size: int) -> list[int | None]:
    return [None if number is None else number // size for number in numbers]
