"""Dates as programs and people write them, also with names of months, are told in periods; what is no date is never masked."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from kohort.proposals import Proposal, propose
from kohort.table import Role, Table

GERMAN = (
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
)
FRENCH = ("janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.")
WRITTEN: dict[str, Callable[[datetime.date], str]] = {
    "%d-%b-%y": lambda day: day.strftime("%d-%b-%y"),
    "%d-%b-%Y": lambda day: day.strftime("%d-%b-%Y").upper(),
    "%d%b%Y": lambda day: day.strftime("%d%b%Y").upper(),
    "%d%b%Y:%H:%M:%S": lambda day: day.strftime("%d%b%Y:10:11:12").upper(),
    "%b %d, %Y": lambda day: day.strftime("%b %d, %Y"),
    "%d %b %Y": lambda day: f"{day.day} {FRENCH[day.month - 1]} {day.year}",
    "%d. %b %Y": lambda day: f"{day.day}. {GERMAN[day.month - 1]} {day.year}",
}
PERIODS = {"day", "week", "month", "quarter", "year", "5-years", "decade", "20-years"}


def days(rows: int = 300, years: int = 80) -> list[datetime.date]:
    return [
        datetime.date(1930, 1, 1) + datetime.timedelta(days=i * 7919 % (365 * years)) for i in range(rows)
    ]


def proposed(name: str, cells: list[Any]) -> Proposal:
    return propose(Table.from_arrow(pa.table({name: cells})))[0]


@pytest.mark.parametrize("name", ["dob", "Geburtsdatum", "x7", "diagnosis_date", "salary"])
@pytest.mark.parametrize("date_format", WRITTEN)
def test_names_of_months_are_read_and_told_by_periods(date_format: str, name: str) -> None:
    found = proposed(name, [WRITTEN[date_format](day) for day in days()])
    assert (found.role, found.decided) == (Role.QUASI, True)
    assert found.hierarchy is not None
    assert (found.hierarchy["kind"], found.hierarchy["format"]) == ("dates", date_format)
    assert set(found.hierarchy["levels"]) <= PERIODS
    assert ("last_year" in found.hierarchy) == ("%y" in date_format)


@pytest.mark.parametrize("name", ["Geburtstag", "dob", "visit_date"])
@pytest.mark.parametrize("written", ["%d.%m.", "%d/%m", "%d-%b", "%d. %B"])
def test_a_birthday_without_its_year_is_told_or_not_and_never_masked(name: str, written: str) -> None:
    for said in (name, "x7") if written != "%d/%m" else (name,):  # which may be a part of something, too
        found = proposed(said, [day.strftime(written) for day in days()])
        assert found.role is Role.IDENTIFIER or (found.hierarchy or {})["kind"] == "suppress"


@pytest.mark.parametrize("name", ["dob", "Geburtsdatum", "admission_date"])
def test_dates_written_in_two_ways_are_not_masked(name: str) -> None:
    found = proposed(name, [day.strftime(("%d-%b-%y", "%d/%m/%yx")[i % 2]) for i, day in enumerate(days())])
    assert found.role is Role.IDENTIFIER or (found.hierarchy or {})["kind"] == "suppress"
