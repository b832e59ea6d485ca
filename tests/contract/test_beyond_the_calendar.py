"""Values at the ends of every Arrow type, in every role, engine and command: told as they are or refused by name, never a crash."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.thinned import thinned

import kohort
from kohort.errors import InputError, KohortError
from kohort.table import Table

UNITS = ("s", "ms", "us", "ns")


def numbers(kind: pa.DataType, *extremes: int) -> pa.Array:
    width = pa.int32() if kind.bit_width == 32 else pa.int64()
    return pa.array([*extremes, None, *extremes, None], width).view(kind)


def ends(bits: int) -> tuple[int, int]:
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


def of_type(kind: pa.DataType, *values: Any) -> pa.Array:
    return pa.array([*values, None, *values, None], kind)


INTEGERS = (pa.int8(), pa.int16(), pa.int32(), pa.int64())
UNSIGNED = (pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())
TEMPORAL = (
    pa.date32(),
    pa.date64(),
    *(pa.time32(unit) for unit in ("s", "ms")),
    *(pa.time64(unit) for unit in ("us", "ns")),
    *(pa.duration(unit) for unit in UNITS),
    *(pa.timestamp(unit, zone) for unit in UNITS for zone in (None, "UTC", "America/New_York", "+14:00", "Mars/Base")),
)  # fmt: skip
EXTREMES: dict[str, pa.Array] = {
    **{str(kind): numbers(kind, *ends(kind.bit_width)) for kind in TEMPORAL},
    **{f"{kind} at noon": numbers(kind, 0, kind.bit_width * 1000 + 1) for kind in (pa.date64(),)},
    **{f"{kind} 25 o'clock": numbers(kind, 3600 * 1000, 90000 * 1000) for kind in (pa.time32("ms"),)},
    **{str(kind): of_type(kind, *ends(kind.bit_width)) for kind in INTEGERS},
    **{str(kind): of_type(kind, 0, 2**kind.bit_width - 1) for kind in UNSIGNED},
    **{str(kind): of_type(kind, float("inf"), -float("inf"), float("nan"), 1e-45) for kind in (pa.float32(),)},
    "double": of_type(pa.float64(), 1.7976931348623157e308, 5e-324, float("inf")),
    "decimal128": of_type(pa.decimal128(38, 38), Decimal(f"0.{'9' * 38}"), Decimal(f"-0.{'9' * 38}")),
    "decimal256": of_type(pa.decimal256(76, 0), Decimal("9" * 76), Decimal(f"-{'9' * 76}")),
    "decimal256 fine": of_type(pa.decimal256(76, 76), Decimal(f"0.{'9' * 76}"), Decimal(f"0.{'0' * 75}1")),
}  # fmt: skip
REFUSED = "no calendar tells"


def plan_of(role: str | None) -> dict[str, Any]:
    column = {} if role is None else {"odd": {"role": role}}
    if role == "insensitive":
        column["odd"]["allow_unique"] = True
    return {"columns": {"town": "quasi", **column}, "require": [{"model": "k-anonymity", "k": 2}]}


def answered(call: Any) -> str:
    """Return what was answered: that it went well, or the error that names the column; anything else is raised."""
    try:
        call()
    except KohortError as refused:
        return str(refused)
    return ""


def sources(table: pa.Table, path: Path) -> list[tuple[str, Any]]:
    """Return what an engine can be given of a table: the frame, and a Parquet file where that has the type."""
    frame = [("memory", table)]
    try:
        pq.write_table(table, path)
    except pa.ArrowInvalid:  # seconds are stored as milliseconds, which may be too many
        return frame
    return [*frame, ("memory", path), ("duckdb", path)]


# zones, which all units are told by alike, with one of the units in `make test`
@pytest.mark.parametrize(
    "called", thinned(EXTREMES, lambda i, called: i % 2 == 0 and ("tz=" not in called or "[us" in called))
)
def test_the_ends_of_a_type_are_told_or_refused_by_name(called: str, tmp_path: Path) -> None:
    odd = EXTREMES[called]
    table = pa.table({"town": ["a"] * len(odd), "odd": odd})
    for engine, source in sources(table, tmp_path / "people.parquet"):
        stored = pq.read_table(source) if isinstance(source, Path) else table
        told = answered(lambda stored=stored: Table.from_arrow(stored)["odd"].texts)
        assert told == "" or (REFUSED in told and "'odd'" in told)
        used = [
            answered(partial(kohort.audit, source, quasi=["town", "odd"], engine=engine)),
            answered(partial(kohort.propose, source)),
        ]
        for role in ("quasi", "sensitive", "insensitive"):
            used.append(answered(partial(kohort.anonymize, source, plan_of(role), engine=engine)))
            used.append(answered(partial(kohort.verify, source, plan_of(role), source, engine=engine)))
        for role in ("identifier", None):  # which an engine need not look at
            answered(partial(kohort.anonymize, source, plan_of(role), engine=engine))
            answered(partial(kohort.verify, source, plan_of(role), source, engine=engine))
        if told:
            assert all(used), engine
        else:
            assert not any(REFUSED in answer for answer in used), engine
            assert "" in used[2:], engine  # it is released, and verified, in some role


def test_what_the_calendar_tells_is_never_refused() -> None:
    for unit in UNITS:
        for kind in (pa.timestamp(unit), pa.timestamp(unit, "UTC"), pa.duration(unit)):
            assert Table.from_arrow(pa.table({"odd": numbers(kind, 0, 86_400)}))["odd"].texts
    first, last = -719_162, 2_932_896
    assert Table.from_arrow(pa.table({"odd": numbers(pa.date32(), first, last)}))["odd"].texts[:2] == (
        "0001-01-01",
        "9999-12-31",
    )
    for beyond in (first - 1, last + 1):
        with pytest.raises(InputError, match=REFUSED):
            Table.from_arrow(pa.table({"odd": numbers(pa.date32(), beyond)}))


def test_no_two_moments_share_a_text() -> None:
    """The hour 25 is not the hour 1, and a date with an hour is not the date."""
    for kind, one, other in ((pa.time32("s"), 3600, 90_000), (pa.date64(), 0, 1)):
        with pytest.raises(InputError, match=REFUSED):
            Table.from_arrow(pa.table({"odd": numbers(kind, one, other)}))
