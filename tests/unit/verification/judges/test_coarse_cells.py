"""How values must be told, by hand: numbers at halves and ends, dates at the edges of periods."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pyarrow as pa
import pytest

from kohort.errors import VerificationError
from kohort.hierarchy.coarse import Coarse
from kohort.table import Column, Table
from kohort.verification.judges import judge_coarse, told_again

PAY = Coarse(round=Decimal("0.5"), bottom=Decimal(-1), top=Decimal(2))


def told(values: list[object], coarse: Coarse) -> list[str | None]:
    column = Column.from_arrow("x", pa.array(values))
    again = told_again(Table.of([column], len(values)), {"x": coarse})["x"]
    return [again.texts[code] for code in again.codes]


@pytest.mark.parametrize(
    ("number", "so"),
    [("0.24", "0"), ("0.25", "0.5"), ("-0.25", "0"), ("-0.26", "-0.5"), ("-1", "-1"), ("-7", "-1"), ("2", "2"), ("1.75", "2"),
     ("9e9", "2"), (None, None)],
)  # fmt: skip
def test_numbers(number: str | None, so: str | None) -> None:
    assert told([number], PAY) == [so]


def test_only_ends_and_only_a_width() -> None:
    assert told(["7", "1.5", "-3"], Coarse(bottom=Decimal(0))) == ["7", "1.5", "0"]
    assert told(["7", "1.5", "-3"], Coarse(top=Decimal(2))) == ["2", "1.5", "-3"]
    assert told([7, 14, -3], Coarse(round=Decimal(5))) == ["5", "15", "-5"]
    assert told([0.1 + 0.2], Coarse(round=Decimal("0.1"))) == ["0.3"]


def test_texts_and_whole_numbers_keep_every_digit_and_others_are_spelled_as_floats() -> None:
    assert told(["12345678901234567890"], Coarse(round=Decimal(5))) == ["12345678901234567890"]
    assert told([9007199254740993], Coarse(round=Decimal(1))) == ["9007199254740993"]
    assert told([9007199254740993], Coarse(round=Decimal("0.5"))) == ["9007199254740992.0"]
    assert told([1e22], Coarse(bottom=Decimal(0))) == ["1e+22"]
    assert told([1e22], Coarse(round=Decimal(1))) == ["1e+22"]


@pytest.mark.parametrize(
    ("unit", "so"),
    [("day", "2024-12-30"), ("week", "2025-W01"), ("month", "2024-12"), ("quarter", "2024-Q4"), ("year", "2024"),
     ("5-years", "2020-2024"), ("decade", "2020-2029"), ("20-years", "2020-2039"), ("century", "2000-2099")],
)  # fmt: skip
def test_dates(unit: str, so: str) -> None:
    assert told(["2024-12-30", "2024-12-30T23:59:59"], Coarse(unit=unit)) == [so, so]
    assert told(["30.12.2024"], Coarse(unit=unit, format="%d.%m.%Y")) == [so]
    assert (
        told(["30-DEC-2024", "30-déc.-2024", "30th-December-2024"], Coarse(unit=unit, format="%d-%b-%Y"))
        == [so] * 3
    )
    assert told([date(2024, 12, 30)], Coarse(unit=unit)) == [so]


@pytest.mark.parametrize(
    ("text", "date_format", "so"),
    [("31.12.2020 24:00", "%d.%m.%Y %H:%M", "2020-12-31"), ("1/2/69 1:02 a.m.", "%d/%m/%y %I:%M %p", "1969-02-01"),
     ("1/2/68", "%d/%m/%y", "2068-02-01"), ("2020-02-29 7.1234567", "%Y-%m-%d %S.%f", "2020-02-29"), ("4%5%2020", "%d%%%m%%%Y", "2020-05-04")],
)  # fmt: skip
def test_whatever_stands_for_the_time_of_day_the_day_is_told(text: str, date_format: str, so: str) -> None:
    assert told([text], Coarse(unit="day", format=date_format)) == [so]


@pytest.mark.parametrize(
    ("last_year", "year"), [(2026, "1945"), (2045, "2045"), (2044, "1945"), (1944, "1845")]
)
def test_years_of_two_digits_are_those_up_to_the_last_one(last_year: int, year: str) -> None:
    assert told(["7.3.45"], Coarse(unit="year", format="%d.%m.%y", last_year=last_year)) == [year]


def test_weeks_of_early_years_have_four_digits_too() -> None:
    assert told(["0004-12-31"], Coarse(unit="week")) == ["0004-W53"]


@pytest.mark.parametrize(
    ("value", "coarse"),
    [
        ("quixote", PAY),
        ("2024-02-30", Coarse(unit="year")),
        ("quixote", Coarse(unit="year", format="%d.%m.%Y")),
        ("30.2.2024", Coarse(unit="year", format="%d.%m.%Y")),
        ("29.2.00", Coarse(unit="year", format="%d.%m.%y", last_year=1999)),  # there was none in 1900
    ],
)
def test_an_original_that_cannot_be_told_so_is_refused_and_not_quoted(value: str, coarse: Coarse) -> None:
    with pytest.raises(VerificationError, match="cannot be told") as refused:
        told([value], coarse)
    assert value not in str(refused.value)


@pytest.mark.parametrize(
    ("value", "coarse", "holds"),
    [("0.5", PAY, True), ("0.6", PAY, False), ("2.5", PAY, False), ("-1.5", PAY, False), ("-1", PAY, True), ("2", PAY, True), ("x", PAY, False), (None, PAY, True),
     ("2024-12", Coarse(unit="month"), True), ("2024-12-30", Coarse(unit="month"), False), ("7", Coarse(top=Decimal(7)), True)],
)  # fmt: skip
def test_the_form_is_judged_from_released_values(value: str | None, coarse: Coarse, holds: bool) -> None:
    column = Column.from_arrow("x", pa.array([value, "2" if coarse.unit is None else "2024-01"]))
    [verdict] = judge_coarse({"table": Table.of([column], 2)}, {"x": coarse})
    assert verdict.holds is holds
    assert verdict.note == ("" if holds else "1 of 2 released values tell more")


def test_a_table_without_such_columns_is_as_it_is() -> None:
    table = Table.from_arrow(pa.table({"y": ["1"]}))
    assert told_again(table, {}) is table
    assert told_again(table, {"x": PAY})["y"] is table["y"]
