"""Texts in the type that they tell: what was read comes back as it is settled, and what is spelled otherwise stays text."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from kohort.table import Column, Table
from kohort.table.settling import settled
from kohort.table.texts import spelled
from kohort.table.typed_texts import typed_texts

DAY = dt.date(2020, 1, 31)
MOMENT = dt.datetime(1999, 12, 31, 5, 6, 7, 89)
ZONES = ("UTC", "Europe/Berlin", "+05:30")
# Of each family: the types that a column of it may come as, and cells that some of them hold.
FAMILIES: dict[str, tuple[list[pa.DataType], list[list[Any]]]] = {
    "numbers": (
        [*(getattr(pa, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)), pa.float32(), pa.float64()],
        [[0, 1, 127], [-(2**63), 2**63 - 1], [2**64 - 1, 5], [2**53, 0.5], [0.1, -1e300, 7.0], [float("inf"), 2.5], [1e16, 1e15]],
    ),
    "decimals": (
        [pa.decimal128(9, 2), pa.decimal128(38, 10), pa.decimal256(76, 20), pa.decimal256(60, 0)],
        [[Decimal("1.50"), Decimal(-2)], [Decimal(10) ** 45], [Decimal("1e-10"), Decimal(10) ** 20], [Decimal(7)]],
    ),
    "moments": (
        [pa.date32(), pa.date64(), *(pa.timestamp(unit) for unit in ("s", "ms", "us", "ns"))],
        [[DAY, dt.date(1, 1, 1)], [MOMENT, DAY], [dt.datetime(2020, 1, 31)], [dt.datetime(1811, 1, 1, 0, 0, 1)]],
    ),
    "times": (
        [pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")],
        [[dt.time(0), dt.time(23, 59, 59)], [dt.time(1, 2, 3, 4)]],
    ),
    "durations": (
        [pa.duration(unit) for unit in ("s", "ms", "us", "ns")],
        [[dt.timedelta(0), dt.timedelta(-1, 5)], [dt.timedelta(0, 1, 7)], [dt.timedelta(200_000 * 366), dt.timedelta(1)],
         [dt.timedelta(900_000_000)]],
    ),
    "truth values": ([pa.bool_()], [[True, False], [True]]),
}  # fmt: skip
FAMILIES |= {
    f"moments of {zone}": (
        [pa.timestamp(unit, zone) for unit in ("s", "ms", "us", "ns")],
        [[MOMENT, dt.datetime(2020, 7, 1)], [dt.datetime(1880, 1, 1), dt.datetime(2020, 10, 25, 1)]],
    )
    for zone in ZONES
}
FINE = {
    "moments": pa.array([1, 1_600_000_000_000_000_789], pa.timestamp("ns")),
    "times": pa.array([1, 3_600_000_000_000], pa.time64("ns")),
    "durations": pa.array([-1, 90_000_000_000_001], pa.duration("ns")),
}


def columns(family: str) -> list[pa.Array]:
    """Return the cells of a family in every type that holds them, with a missing one."""
    found = [FINE[family]] if family in FINE else []
    kinds, cells = FAMILIES[family]
    for told in cells:
        for kind in kinds:
            try:
                found.append(pa.array([*told, None], kind))
            except (pa.ArrowException, TypeError, OverflowError, ValueError):
                continue
    return found


def settled_values(values: pa.Array) -> pa.Array:
    return settled(Table.from_arrow(pa.table({"it": values}))["it"]).values


@pytest.mark.parametrize("family", FAMILIES)
def test_what_was_read_comes_back_as_it_is_settled_whatever_type_the_column_had(family: str) -> None:
    found = columns(family)
    assert found
    for values in found:
        wanted = settled_values(values)
        for source in FAMILIES[family][0]:
            told = typed_texts(spelled(wanted), source)
            assert (told.type, told.to_pylist()) == (wanted.type, wanted.to_pylist()), (values.type, source)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_column_of_texts_or_of_nothing_stays_text(family: str) -> None:
    for values in columns(family):
        texts = spelled(settled_values(values))
        assert typed_texts(texts, pa.string()).equals(texts)
        assert typed_texts(texts, pa.null()).equals(texts)


OTHERWISE = [
    *("007", "+7", "1.50", "1e5", "0x10", " 7", "-0", "nan", "1_000", "٣", "7.", ".5", "9" * 80, "*", "20-29", "[1, 2)"),
    *("2020-01", "2020-1-31", "2020-01-31T05:06:00", "2020-01-31 00:00:00", "2020-01-31 05:06"),
    *("05:6:00", "05:06", "24:00:00", "05:06:00.5", "1 day", "25:00:00", "0 days, 1:00:00", "True", "1st", "f", ""),
]  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("text", OTHERWISE)
def test_one_text_that_no_value_is_spelled_as_leaves_all_of_them_texts(family: str, text: str) -> None:
    for values in columns(family):
        texts = pa.concat_arrays([spelled(settled_values(values)), pa.array([text])])
        assert typed_texts(texts, FAMILIES[family][0][0]).equals(texts), values.type


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_but_missing_values_is_text(family: str) -> None:
    nothing = pa.nulls(2, pa.string())
    assert all(typed_texts(nothing, kind).equals(nothing) for kind in FAMILIES[family][0])


def test_texts_stand_for_the_same_rows() -> None:
    column = Column.from_arrow("it", pa.array(["2", None, "1", "2"]))
    assert typed_texts(column.values, pa.float64()).take(pa.array(column.codes)).to_pylist() == [
        2,
        None,
        1,
        2,
    ]
