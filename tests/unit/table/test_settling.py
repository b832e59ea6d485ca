"""The type of a released column is that of its values."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pytest

from kohort.table import Column
from kohort.table.settling import settled, settled_kind, wider

LONG = Decimal("170141183460469231731687303715884105.27")
LONGER = Decimal(10) ** 45
DAY = dt.datetime(2020, 3, 1)
CASES = [
    (pa.array([20.0, None]), pa.int64()),
    (pa.array([20, 21], pa.int8()), pa.int64()),
    (pa.array([2**63], pa.uint64()), pa.uint64()),
    (pa.array([7], pa.uint64()), pa.int64()),
    (pa.array([20.0, 77.5]), pa.float64()),
    (pa.array([2.0**60]), pa.float64()),
    (pa.array([Decimal("20.00")]), pa.decimal128(38, 0)),
    (pa.array([Decimal("20.50"), None]), pa.decimal128(38, 1)),
    (pa.array([LONG], pa.decimal128(38, 2)), pa.decimal128(38, 2)),
    (pa.array([DAY]), pa.date32()),
    (pa.array([DAY], pa.timestamp("ns")), pa.date32()),
    (pa.array([DAY, DAY.replace(hour=3)], pa.timestamp("s")), pa.timestamp("us")),
    (pa.array([1], pa.timestamp("ns")), pa.timestamp("ns")),
    (pa.array([DAY], pa.timestamp("s", "UTC")), pa.timestamp("us", "UTC")),
    (pa.array([Decimal("7.50")], pa.decimal256(60, 9)), pa.decimal128(38, 1)),
    (pa.array([LONG, None], pa.decimal256(76, 30)), pa.decimal128(38, 2)),
    (pa.array([LONGER, Decimal("0.5")], pa.decimal256(76, 9)), pa.decimal256(76, 1)),
    (pa.array([3600, None], pa.time32("s")), pa.time64("us")),
    (pa.array([1], pa.time32("ms")), pa.time64("us")),
    (pa.array([1000], pa.time64("ns")), pa.time64("us")),
    (pa.array([1000, 1], pa.time64("ns")), pa.time64("ns")),
    (pa.array([90, None], pa.duration("s")), pa.duration("us")),
    (pa.array([90], pa.duration("ms")), pa.duration("us")),
    (pa.array([-1000], pa.duration("ns")), pa.duration("us")),
    (pa.array([1000, 1], pa.duration("ns")), pa.duration("ns")),
    (pa.array([1, 10**16], pa.duration("ms")), pa.duration("ms")),
    (pa.array([10**13, 1], pa.duration("s")), pa.duration("ms")),
    (pa.array(["20", "x"]), pa.string()),
    (pa.array([True]), pa.bool_()),
]


@pytest.mark.parametrize(("values", "kind"), CASES, ids=lambda item: str(getattr(item, "type", item)))
def test_the_values_settle_the_type_and_stay_what_they_are(values: pa.Array, kind: pa.DataType) -> None:
    column = Column.from_arrow("x", values)
    assert settled_kind(column.values) == kind
    assert settled(column).values.type == kind
    assert settled(column).texts == column.texts


def test_a_column_of_nothing_is_text() -> None:
    assert settled(Column.from_arrow("x", pa.nulls(3, pa.int64()))).values.type == pa.string()


@pytest.mark.parametrize(("values", "kind"), CASES, ids=lambda item: str(getattr(item, "type", item)))
def test_pieces_settle_as_the_whole(values: pa.Array, kind: pa.DataType) -> None:
    found = pa.null()
    for place in range(len(values)):
        found = wider(settled_kind(values.slice(place, 1)), found)
    assert found == kind


@pytest.mark.parametrize("kinds", [
    [pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")],
    [pa.duration("s"), pa.duration("ms"), pa.duration("us"), pa.duration("ns")],
    [pa.decimal128(19, 0), pa.decimal128(38, 9), pa.decimal256(39, 1), pa.decimal256(76, 40)],
    [pa.timestamp("s"), pa.timestamp("ms"), pa.timestamp("us"), pa.timestamp("ns")],
], ids=lambda kinds: str(kinds[0]))  # fmt: skip
def test_the_same_values_settle_alike_whatever_they_came_as(kinds: list[pa.DataType]) -> None:
    number = pa.int32() if pa.types.is_time(kinds[0]) else pa.int64()
    values = pa.array([7, 11, None], number).cast(kinds[0])
    first, *others = (settled(Column.from_arrow("x", values.cast(kind))) for kind in kinds)
    for other in others:
        assert other.values.equals(first.values)
        assert other.texts == first.texts
