"""Dates, times and durations that can be told: what lies beyond the calendar is refused by the column's name.

A file may hold any number for a moment. Some programs write the largest for "infinity"; beyond the years 1 to 9999, the hours of
a day or the zones that are known, there is no text for it that every reader takes for the same.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from kohort.errors import InputError

_PER_DAY = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}


def check_moments(name: str, values: pa.Array) -> None:
    """Refuse a column with a date, time or duration that cannot be told, or not without another one's text."""
    kind = values.type
    if not pa.types.is_temporal(kind) or not len(values):
        return
    numbers = values.view(pa.int32() if kind.bit_width == 32 else pa.int64())
    ends = [end for end in pc.min_max(numbers).as_py().values() if end is not None]
    if ends and not all(_can_be_told(end, numbers.type, kind) for end in ends):
        raise _untold(name, kind)
    if pa.types.is_date64(kind) and any(
        number % _PER_DAY["ms"] for number in numbers.drop_null().to_pylist()
    ):
        raise _untold(name, kind)


def _can_be_told(number: int, width: pa.DataType, kind: pa.DataType) -> bool:
    if pa.types.is_time(kind):  # Python tells the hour 25 as the hour 1
        return 0 <= number < _PER_DAY[kind.unit]
    if not pa.types.is_date(kind) and kind.unit == "ns":  # which Python tells in microseconds
        number, kind = number // 1000, _in_microseconds(kind)
    try:
        pa.array([number], width).view(kind)[0].as_py()
    except (OverflowError, ValueError, LookupError, pa.ArrowException):
        return False
    return True


def _in_microseconds(kind: pa.DataType) -> pa.DataType:
    return pa.duration("us") if pa.types.is_duration(kind) else pa.timestamp("us", kind.tz)


def _untold(name: str, kind: pa.DataType) -> InputError:
    return InputError(
        f"column {name!r}, of the type {kind}, holds a date, time or duration that no calendar tells: years must be from 1 to "
        "9999, times of day below 24 hours, dates without hours, time zones known; make such cells missing (some programs write "
        "them for infinity), or leave the column out",
        code="table.column-type",
        column=name,
    )
