"""Dates in periods of the calendar: `1984-05-17` → `1984-05` → `1984` → `1980-1989` → `*`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.bounds import Bounds
from kohort.hierarchy.builder import finished, refuse, told
from kohort.hierarchy.calendar import (
    LAST_YEAR,
    PERIODS,
    date_pattern,
    first_days,
    format_days,
    format_hours,
    iso_days,
    iso_hours,
    time_order,
)
from kohort.hierarchy.domain import Domain, Label
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.hierarchy.numerals import numbers_of
from kohort.hierarchy.scale import Scale

HOUR = "hour"  # of the day, below all periods of days


@dataclass(frozen=True)
class Dates:
    """Each level has one period: any ascending choice of hour, day, week, month, …, century.

    An hour is told as it is written, `2024-05-17T14`, and every value must tell one; intervals never end at it. Weeks are
    those of ISO 8601 and lie in no month or year, so nothing but the root stands above them. `5-years` are 2020-2024,
    `decade` 2020-2029, `century` 2000-2099. A text is an ISO date or timestamp (the time of day is what `day` leaves out),
    or of the `format` given, such as `%d.%m.%Y`, `%m/%d/%y` or `%d-%b-%Y` (names of months, whole or cut
    short, in the languages that are known); years of two digits are those up to `last_year`, 2068 unless
    said.

    Complexity: linear in the distinct values × levels.

    >>> days = Dates(["month", "year"]).build("day", ["2024-05-17", "2023-01-02"], [1, 1])
    >>> [level.labels for level in days.levels]
    [('2023-01-02', '2024-05-17'), ('2023-01', '2024-05'), ('2023', '2024'), ('*',)]

    References: ISO 8601:2019 for dates and weeks.
    """

    levels: list[str] = field(default_factory=lambda: ["month", "quarter", "year", "decade"])
    format: str | None = None
    last_year: int | None = None

    card: ClassVar[Card] = Card(
        "dates",
        "dates and times in hours, months, quarters, years, decades and other periods of the calendar",
        words=(("levels", "by {}"),),
        told="in periods of the calendar",
    )

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:
        """Return the hierarchy over the dates of the table, in the order of time."""
        self._check(name)
        ground = told(texts)
        days, fine = self._days(name, ground)
        refuse(name, texts, counts, fine.tolist(), f"is not a date like {self.format or '2020-03-31'}")
        order = time_order(ground, days)
        ordered = [ground[i] for i in order.tolist()]
        levels = [_level(days[order], period) for period in self.levels if period != HOUR]
        if HOUR in self.levels:
            hours, told_at = self._hours(ground)
            refuse(
                name,
                texts,
                counts,
                told_at.tolist(),
                "tells no hour of the day, which hierarchy.levels asks for",
            )
            levels = [_hour_level(days[order], hours[order]), *levels]
        numbers = numbers_of(ordered)
        by_time = numbers is not None and bool((np.diff(numbers) > 0).all())  # 20200131 is, 31012020 is not
        scale = Scale(numbers if by_time else None, days[order], declared=False, closed=False)
        return finished(name, ordered, levels, None in texts, scale)

    def _days(self, name: str, ground: Sequence[str]) -> tuple[IntArray, BoolArray]:
        if self.format is None:
            return iso_days(ground)
        pattern = date_pattern(self.format)
        if pattern is None:
            raise InputError(
                f"column {name!r}: hierarchy.format {self.format!r} does not tell a date; it is made of %Y or %y, "
                '%m (or %b, a name) and %d, each once, and perhaps %H, or %I with %p, and %M, %S, %f, such as "%d.%m.%Y"',
                code="hierarchy.wrong-option",
                column=name,
                option="format",
                value=self.format,
            )
        return format_days(ground, pattern, self.last_year or LAST_YEAR)

    def _hours(self, ground: Sequence[str]) -> tuple[IntArray, BoolArray]:
        pattern = None if self.format is None else date_pattern(self.format)
        return iso_hours(ground) if pattern is None else format_hours(ground, pattern)

    def _check_last_year(self, name: str) -> None:
        if self.last_year is None:
            return
        if "%y" not in (self.format or "") or not 100 <= self.last_year <= 9999:
            raise InputError(
                f"column {name!r}: hierarchy.last_year is {self.last_year}; it is a year from 100 to 9999 up to which years of "
                "two digits are read, and goes with a format that has %y: correct it, or leave it out",
                code="hierarchy.wrong-option",
                column=name,
                option="last_year",
                value=self.last_year,
            )

    def _check(self, name: str) -> None:
        self._check_last_year(name)
        known = [HOUR, *PERIODS]
        unknown = [level for level in self.levels if level not in known]
        if unknown or not self.levels:
            raise InputError(
                f"column {name!r}: hierarchy.levels: there is no {unknown[0] if unknown else 'level'!r}; "
                f"choose from {', '.join(known)}",
                code="hierarchy.wrong-option",
                column=name,
                option="levels",
                allowed=known,
            )
        for low, high in pairwise(self.levels):
            if known.index(low) >= known.index(high):
                raise InputError(
                    f"column {name!r}: hierarchy.levels: {high!r} comes after {low!r}; the order is "
                    f"{', '.join(known)}",
                    code="hierarchy.wrong-option",
                    column=name,
                    option="levels",
                    value=self.levels,
                    allowed=known,
                )
        if "week" in self.levels[:-1]:
            raise InputError(
                f"column {name!r}: hierarchy.levels: a week may lie in two months or years, so no period can "
                "stand above 'week'; leave out 'week' or what comes after it",
                code="hierarchy.wrong-option",
                column=name,
                option="levels",
                value=self.levels,
            )


def _level(days: IntArray, period: str) -> Domain:
    number, label = PERIODS[period]
    distinct, of_ground = np.unique(number(days), return_inverse=True)
    ends = zip(first_days(period, distinct), first_days(period, distinct + 1) - 1, strict=True)
    return Domain(
        [label(i) for i in distinct.tolist()],
        of_ground.reshape(-1).astype(np.int32),
        [Bounds(_iso(first), _iso(last)) for first, last in ends],
        period.replace("-", " "),
    )


def _hour_level(days: IntArray, hours: IntArray) -> Domain:
    """Return the level of hours; it has no bounds, for those of dates are days."""
    distinct, of_ground = np.unique(days * 24 + hours, return_inverse=True)
    labels = [f"{_iso(number // 24)}T{number % 24:02d}" for number in distinct.tolist()]
    return Domain(labels, of_ground.reshape(-1).astype(np.int32), None, HOUR)


def _iso(day: int) -> str:
    return str(np.datetime64(int(day), "D"))
