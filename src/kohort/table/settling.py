"""The type of a released column: that of the values in it, whatever else stood in the column that it came from.

A column of whole numbers is one of floats as soon as somebody's `77.5` stands in it, one of time stamps as soon as somebody
has a time of day, one of several types as soon as somebody has a text. Where that person is left out, nothing of this may show:
the type is settled by the values that are released.
"""

from __future__ import annotations

from datetime import time
from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc

from kohort.table.mixed_columns import kinds_in, unmixed
from kohort.table.table import Column

EXACT = 2**53  # up to here a float that is a whole number is that number
_DIGITS, _MOST_DIGITS = 38, 76  # of a decimal
_TIMES = (pa.time64("us"), pa.time64("ns"))  # the first that holds all values
_DURATIONS = (pa.duration("us"), pa.duration("ns"), pa.duration("ms"), pa.duration("s"))


def settled(column: Column) -> Column:
    """Return the column in the type that its values need; they must all be used."""
    column = unmixed(column, kinds_in(column))
    return as_kind(column, settled_kind(column.values))


def as_kind(column: Column, kind: pa.DataType) -> Column:
    """Return the column in a type that `settled_kind` found, of it or of more values beside it."""
    kind = released_kind(kind)
    if column.values.type == kind:
        return column
    return Column(column.name, column.codes, column.values.cast(kind))


def released_kind(kind: pa.DataType) -> pa.DataType:
    """Return the type to release of one that `settled_kind` found: text for nothing, decimals of all digits there can be."""
    return pa.string() if pa.types.is_null(kind) else _roomy(kind)


def settled_kind(values: pa.Array) -> pa.DataType:
    """Return the type that some values need: null for none at all, and the same for equal values of any type.

    Whole numbers are int64 also where they came as floats, moments at midnight are dates, decimals have the digits
    behind the point that they need and more than 38 in all only where one has, and time stamps, times of day and
    durations count microseconds unless one has more, or is too long for that. Texts stay texts. Of decimals this is
    the least type, which `as_kind` widens.

    >>> settled_kind(pa.array([20.0, None])), settled_kind(pa.array([20, 77.5]))
    (DataType(int64), DataType(double))
    """
    kind, told = values.type, values.drop_null()
    if not len(told):
        return pa.null()
    if pa.types.is_integer(kind):
        return kind if kind == pa.uint64() and pc.max(told).as_py() >= 2**63 else pa.int64()
    if pa.types.is_floating(kind):
        return pa.int64() if all(_is_whole(number) for number in told.to_pylist()) else pa.float64()
    if pa.types.is_decimal(kind):
        return _decimals(told.to_pylist())
    if pa.types.is_timestamp(kind):
        return _moments(told)
    if pa.types.is_time(kind):
        return next(unit for unit in _TIMES if _holds(unit, told))
    if pa.types.is_duration(kind):
        return next(unit for unit in _DURATIONS if _holds(unit, told))
    return pa.date32() if pa.types.is_date(kind) else kind


def wider(one: pa.DataType, other: pa.DataType) -> pa.DataType:
    """Return the settled type of values of one column that settle as either of two types."""
    if pa.types.is_null(one) or pa.types.is_null(other):
        return other if pa.types.is_null(one) else one
    for narrow, wide in ((one, other), (other, one)):
        if pa.types.is_date(narrow) or narrow == pa.int64():
            return wide
    if pa.types.is_decimal(one) and pa.types.is_decimal(other):
        whole = max(one.precision - one.scale, other.precision - other.scale)
        return _decimal(whole, max(one.scale, other.scale))
    if pa.types.is_duration(one) and pa.types.is_duration(other):
        return max(one, other, key=_DURATIONS.index)
    return one if getattr(one, "unit", None) == "ns" else other


def _is_whole(number: float) -> bool:
    return number.is_integer() and abs(number) < EXACT


def _decimals(numbers: list[Decimal]) -> pa.DataType:
    """Return the decimals of just the digits that are needed: pieces of a column may need them on either side."""
    # abs() would round to the digits of the context
    whole = max(len(f"{number.copy_abs():f}".partition(".")[0].lstrip("0")) for number in numbers)
    return _decimal(whole, max(map(_places, numbers)))


def _decimal(whole: int, places: int) -> pa.DataType:
    digits = max(whole + places, 1)
    return (pa.decimal256 if digits > _DIGITS else pa.decimal128)(digits, places)


def _roomy(kind: pa.DataType) -> pa.DataType:
    """Return the type to release: a decimal has all the digits there can be, whatever the longest number has."""
    if not pa.types.is_decimal(kind):
        return kind
    return (
        pa.decimal256(_MOST_DIGITS, kind.scale)
        if kind.precision > _DIGITS
        else pa.decimal128(_DIGITS, kind.scale)
    )


def _places(number: Decimal) -> int:
    return len(f"{number:f}".partition(".")[2].rstrip("0"))


def _holds(kind: pa.DataType, told: pa.Array) -> bool:
    """Say whether a type tells all the values exactly."""
    try:
        return bool(told.cast(kind).cast(told.type).equals(told))
    except pa.ArrowInvalid:
        return False


def _moments(told: pa.Array) -> pa.DataType:
    zone = told.type.tz
    micros = told.cast(pa.timestamp("us", zone), safe=False)
    if not pc.all(pc.equal(micros.cast(told.type, safe=False), told)).as_py():
        return pa.timestamp("ns", zone)
    if (
        zone is None
        and pc.all(pc.equal(micros.cast(pa.time64("us")), pa.scalar(time(), pa.time64("us")))).as_py()
    ):
        return pa.date32()
    return pa.timestamp("us", zone)
