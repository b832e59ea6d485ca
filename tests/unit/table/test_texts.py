"""How typed values are spelled."""

from datetime import UTC, date, datetime, time
from decimal import Decimal

import pyarrow as pa
import pytest

from kohort.table.texts import text_of, texts_of

SPELLINGS = [
    (pa.array([42, None, -1]), ("42", None, "-1")),
    (pa.array([2**64 - 1], pa.uint64()), ("18446744073709551615",)),
    (pa.array([1.0, 0.5, None, float("nan"), -0.0, 1e300]), ("1", "0.5", None, None, "0", "1e+300")),
    (pa.array(["01234", None, ""]), ("01234", None, "")),
    (pa.array([True, False, None]), ("true", "false", None)),
    (pa.array([Decimal("1.50"), None]), ("1.5", None)),
    (pa.array([date(2020, 3, 1), None]), ("2020-03-01", None)),
    (pa.array([time(8, 30)]), ("08:30:00",)),
    (pa.array([datetime(2020, 3, 1), datetime(2020, 3, 1, 8, 30)]), ("2020-03-01", "2020-03-01 08:30:00")),
    (
        pa.array([datetime(2020, 3, 1, tzinfo=UTC)], pa.timestamp("us", "Europe/Berlin")),
        ("2020-03-01 01:00:00+01:00",),
    ),
    (pa.array([0, 10**9, 1_500_000_001, None], pa.timestamp("ns")), (
        "1970-01-01", "1970-01-01 00:00:01", "1970-01-01 00:00:01.500000001", None)),
    (pa.array([1], pa.timestamp("ns", "UTC")), ("1970-01-01 00:00:00.000000001+00:00",)),
    (pa.array([1500, 90 * 10**9, 1, None], pa.time64("ns")), (
        "00:00:00.000001500", "00:01:30", "00:00:00.000000001", None)),
    (pa.array([90, -1], pa.duration("s")), ("0:01:30", "-1 day, 23:59:59")),
    (pa.array([90 * 10**9, -(10**9), 1_000_001, -1, None], pa.duration("ns")), (
        "0:01:30", "-1 day, 23:59:59", "0:00:00.001000001", "-1 day, 23:59:59.999999999", None)),
    (pa.nulls(2), (None, None)),
]  # fmt: skip


@pytest.mark.parametrize(("values", "texts"), SPELLINGS, ids=lambda item: str(getattr(item, "type", "")))
def test_values_are_spelled(values, texts):
    assert texts_of(values) == texts


def test_one_value_is_spelled_like_the_array_of_it():
    for values, texts in SPELLINGS:
        if getattr(values.type, "unit", None) != "ns":
            assert tuple(map(text_of, values.to_pylist())) == texts
