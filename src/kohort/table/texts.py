"""Values as text: the one way in which a typed value is spelled."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa


def texts_of(values: pa.Array) -> tuple[str | None, ...]:
    """Return each value's text: `42`, `0.5`, `2020-03-01`, `true`; None for missing."""
    return tuple(spelled(values).to_pylist())


def spelled(values: pa.Array) -> pa.Array:
    """Return the values as an Arrow array of texts, spelled as `text_of` spells them."""
    kind = values.type
    if pa.types.is_string(kind):
        return values
    if pa.types.is_large_string(kind) or pa.types.is_integer(kind) or pa.types.is_date32(kind):
        return values.cast(pa.string())
    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        return _spelled_nanoseconds(values)
    if (pa.types.is_duration(kind) or pa.types.is_time(kind)) and kind.unit == "ns":
        clock = pa.duration("us") if pa.types.is_duration(kind) else pa.time64("us")
        return _spelled_finely(values.cast(pa.int64()).to_pylist(), clock)
    return pa.array([text_of(value) for value in values.to_pylist()], pa.string())


def text_of(value: Any) -> str | None:
    """Return the value's text, None for a missing value.

    A NaN is a missing value. A float that is a whole number is spelled like the integer, so that a
    column which a dataframe turned into floats for its nulls still meets its hierarchy; for the same
    reason a time stamp at midnight without a zone is spelled like the date. A decimal has no zeros at its
    end: how many there are in a column follows from the longest of them, which may be somebody else's.
    """
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, datetime):
        midnight = value.tzinfo is None and not (
            value.hour or value.minute or value.second or value.microsecond
        )
        return str(value.date()) if midnight else str(value)
    if isinstance(value, Decimal):
        text = f"{value:f}" if value else "0"  # normalize() would round to the digits of its context
        return text.rstrip("0").rstrip(".") if "." in text else text
    return str(value)


def _spelled_nanoseconds(values: pa.Array) -> pa.Array:
    """Spell nanoseconds only where there are any: Python's own time stamps end at microseconds."""
    micros = values.cast(pa.timestamp("us", values.type.tz), safe=False)
    texts = spelled(micros).to_pylist()
    rests = [None if nanos is None else nanos % 1000 for nanos in values.cast(pa.int64()).to_pylist()]
    if any(rests):
        texts = [
            _with_nanoseconds(moment, rest) if rest else text
            for moment, rest, text in zip(micros.to_pylist(), rests, texts, strict=True)
        ]
    return pa.array(texts, pa.string())


def _spelled_finely(nanoseconds: list[int | None], clock: pa.DataType) -> pa.Array:
    """Spell durations and times of day as those in microseconds are, with three digits more where there are any."""
    micros = [None if nanos is None else nanos // 1000 for nanos in nanoseconds]
    texts = spelled(pa.array(micros, clock)).to_pylist()
    rests = [0 if nanos is None else nanos % 1000 for nanos in nanoseconds]
    return pa.array(
        [
            f"{text}{'' if '.' in text else '.000000'}{rest:03d}" if rest else text
            for text, rest in zip(texts, rests, strict=True)
        ],
        pa.string(),
    )


def _with_nanoseconds(moment: datetime, nanoseconds: int) -> str:
    whole = moment.isoformat(sep=" ", timespec="microseconds")
    clock, zone = whole[:26], whole[26:]
    return f"{clock}{nanoseconds:03d}{zone}"
