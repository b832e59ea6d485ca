"""Texts that are dates, as days and as the periods of the calendar that hold them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.hierarchy.month_names import month_of

_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.,+Z -]*)?")
_ISO_HOUR = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]([0-9]{2})(?![0-9]{3})")
LAST_YEAR = 2068  # as POSIX has it: 69 is 1969, 68 is 2068
_PARTS = {
    "%Y": "(?P<year>[0-9]{4})",
    "%y": "(?P<short>[0-9]{2})",
    "%m": "(?P<month>[0-9]{1,2})",
    "%b": "(?P<named>[A-Za-z\u00c0-\u017f\u0300-\u036f]{3,}\\.?)",
    "%d": "(?P<day>[0-9]{1,2})",
    "%H": "(?P<hour>[0-9]{1,2})",
    "%I": "(?P<clock>[0-9]{1,2})",
    "%p": "(?P<half>[AaPp])\\.?[Mm]\\.?",
    "%M": "[0-9]{1,2}",
    "%S": "[0-9]{1,2}",
    "%f": "[0-9]+",
    "%%": "%",
}
_PARTS["%B"] = _PARTS["%b"]  # names cut short and whole ones are told from each other by nothing
_ORDINAL = "(?:er|st|nd|rd|th)?"  # behind the day, where the month has a name


def is_iso(text: str) -> bool:
    """Tell whether a text has the shape of an ISO date or timestamp."""
    return _ISO.fullmatch(text) is not None


def iso_days(texts: Sequence[str]) -> tuple[IntArray, BoolArray]:
    """Return the day since 1970-01-01 of each ISO date or timestamp, and which texts are one."""
    match = _ISO.fullmatch
    shaped = [match(text) is not None for text in texts]
    parts = [text[:10] if fine else "0000-00-00" for text, fine in zip(texts, shaped, strict=True)]
    digits = np.array(parts, "U10").view(np.uint32).reshape(-1, 10).astype(np.int64) - ord("0")
    year = digits[:, :4] @ np.array([1000, 100, 10, 1])
    return _days(year, digits[:, 5] * 10 + digits[:, 6], digits[:, 8] * 10 + digits[:, 9])


def ascending_days(ground: Sequence[str | None]) -> IntArray | None:
    """Return the days of ISO dates spelled alike that stand in the order of time, None unless all of them do.

    A missing value (the last one) is given the day after.
    """
    texts = [text for text in ground if text is not None]
    if not texts or len({len(text) for text in texts}) > 1 or not all(map(is_iso, texts)):
        return None
    days, fine = iso_days(texts)
    if not fine.all() or any(low >= high for low, high in pairwise(texts)):
        return None
    return np.append(days, [days[-1] + 1] * (len(ground) - len(texts))).astype(np.int64)


def format_days(
    texts: Sequence[str], pattern: re.Pattern[str], last_year: int = LAST_YEAR
) -> tuple[IntArray, BoolArray]:
    """Return the day since 1970-01-01 of each text of that `date_pattern`, and which texts are one.

    A year of two digits is the last one so written up to `last_year`.
    """
    match, zero = pattern.fullmatch, ("0", "0", "0")
    named = "year" if "year" in pattern.groupindex else "short"
    month = "named" if "named" in pattern.groupindex else "month"
    found = [m.group(named, month, "day") if (m := match(text)) else zero for text in texts]
    if month == "named":
        found = [(year, str(month_of(name)), day) for year, name, day in found]
    numbers = np.array(found, "U4").reshape(-1, 3).astype(np.int64)
    year = numbers[:, 0]
    if named == "short":
        year = np.where(numbers[:, 1] == 0, 0, last_year - (last_year - year) % 100)
    return _days(year, numbers[:, 1], numbers[:, 2])


def date_pattern(date_format: str) -> re.Pattern[str] | None:
    """Return the pattern of a format such as `%d.%m.%Y`; None unless it tells year, month and day once, and no hour twice.

    The month is a number (`%m`) or a name in any language that is known (`%b`, `%B`). An hour of the day (`%H`) and one of a half
    (`%I`, `%p`) beside it may contradict each other.
    """
    tokens = re.findall(r"%.|[^%]+|%$", date_format)
    if any(token.startswith("%") and token not in _PARTS for token in tokens):
        return None
    named = [token for token in tokens if token in ("%Y", "%y", "%m", "%b", "%B", "%d")]
    clock = [token for token in tokens if token in ("%H", "%I", "%p")]
    if len(set(clock)) < len(clock) or ("%H" in clock and len(clock) > 1):
        return None
    if sorted(token.lower().replace("%b", "%m") for token in named) != ["%d", "%m", "%y"]:
        return None
    parts = {**_PARTS, "%d": _PARTS["%d"] + _ORDINAL} if {"%b", "%B"} & {*named} else _PARTS
    return re.compile("".join(parts.get(token) or re.escape(token) for token in tokens), re.ASCII)


def iso_hours(texts: Sequence[str]) -> tuple[IntArray, BoolArray]:
    """Return the hour of each ISO timestamp as it is written, and which texts tell one."""
    found = [_ISO_HOUR.match(text) for text in texts]
    return _hours([int(m[1]) if m else -1 for m in found])


def format_hours(texts: Sequence[str], pattern: re.Pattern[str]) -> tuple[IntArray, BoolArray]:
    """Return the hour of each text of that `date_pattern`, and which texts tell one."""
    found = [m.groupdict() if (m := pattern.fullmatch(text)) else {} for text in texts]
    return _hours([_hour(parts) for parts in found])


def _hours(hours: Sequence[int]) -> tuple[IntArray, BoolArray]:
    told = np.array(hours, np.int64)
    return told, (told >= 0) & (told < 24)


def _hour(parts: Mapping[str, str | None]) -> int:
    """Return the hour that the parts of a date tell; -1 where they leave open which."""
    if parts.get("hour"):
        return int(str(parts["hour"]))
    clock, half = int(parts.get("clock") or 0), parts.get("half")
    if not 1 <= clock <= 12 or not half:
        return -1
    return clock % 12 + 12 * (half in "pP")


def time_order(texts: Sequence[str], days: IntArray) -> IntArray:
    """Return the order of the texts by day, then by what follows the date, then by the whole text."""
    if len(np.unique(days)) == len(days):
        return np.argsort(days)
    clock = _clock(texts)
    order = np.lexsort((clock, days))
    alike = (np.diff(days[order]) == 0) & (np.diff(clock[order]) == 0)
    return np.lexsort((np.array(texts), clock, days)) if alike.any() else order  # sorting text is slow


def _clock(texts: Sequence[str]) -> IntArray:
    """Return the digits from the eleventh to the twenty-second character as one number, 0 where lengths differ."""
    lengths = set(map(len, texts))
    if len(lengths) > 1 or max(lengths) <= 10:
        return np.zeros(len(texts), np.int64)
    characters = np.array(texts).view(np.uint32).reshape(len(texts), -1)[:, 10:22].astype(np.int64) - ord("0")
    clock = np.zeros(len(texts), np.int64)
    for digit in characters[:, ((characters >= 0) & (characters <= 9)).all(0)].T:
        clock = clock * 10 + digit
    return clock


def _days(year: IntArray, month: IntArray, day: IntArray) -> tuple[IntArray, BoolArray]:
    fine = (year > 0) & (month >= 1) & (month <= 12) & (day >= 1)
    start = ((np.where(fine, year, 1970) - 1970) * 12 + np.where(fine, month, 1) - 1).astype("datetime64[M]")
    days = start.astype("datetime64[D]") + (np.where(fine, day, 1) - 1)
    fine &= days.astype("datetime64[M]") == start  # no 31 February
    return days.astype(np.int64), fine


def _months(days: IntArray) -> IntArray:
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)


def _years(days: IntArray) -> IntArray:
    return days.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970


def _weeks(days: IntArray) -> IntArray:
    return (days + 3) // 7  # 1970-01-01 was a Thursday; weeks start on Monday


def _iso_year(week: int) -> int:
    return int(_years(np.array([week * 7]))[0])  # the year of the week's Thursday


def _week_label(week: int) -> str:
    year = _iso_year(week)
    first = int(_weeks(np.array([f"{year}-01-04"], "datetime64[D]").astype(np.int64))[0])
    return f"{year:04d}-W{week - first + 1:02d}"


def _span(years: int) -> Callable[[int], str]:
    return lambda number: f"{number * years:04d}-{number * years + years - 1:04d}"


# period -> (its number from the day, its label from the number); each lies within the next, but for weeks
PERIODS: dict[str, tuple[Callable[[IntArray], IntArray], Callable[[int], str]]] = {
    "day": (lambda days: days, lambda day: str(np.datetime64(day, "D"))),
    "week": (_weeks, _week_label),
    "month": (_months, lambda month: str(np.datetime64(month, "M"))),
    "quarter": (lambda days: _months(days) // 3, lambda q: f"{1970 + q // 4:04d}-Q{q % 4 + 1}"),
    "year": (_years, lambda year: f"{year:04d}"),
    "5-years": (lambda days: _years(days) // 5, _span(5)),
    "decade": (lambda days: _years(days) // 10, _span(10)),
    "20-years": (lambda days: _years(days) // 20, _span(20)),
    "century": (lambda days: _years(days) // 100, _span(100)),
}


def first_days(period: str, numbers: IntArray) -> IntArray:
    """Return the first day of each of the periods numbered as `PERIODS` does."""
    if period in _DAYS:
        return _DAYS[period](numbers)
    months = (numbers * _MONTHS[period] - (0 if period in ("month", "quarter") else 1970 * 12)).astype(
        "datetime64[M]"
    )
    return np.asarray(months.astype("datetime64[D]").astype(np.int64))


_DAYS: dict[str, Callable[[IntArray], IntArray]] = {"day": lambda day: day, "week": lambda week: week * 7 - 3}
_MONTHS = {
    "month": 1,
    "quarter": 3,
    "year": 12,
    "5-years": 60,
    "decade": 120,
    "20-years": 240,
    "century": 1200,
}
