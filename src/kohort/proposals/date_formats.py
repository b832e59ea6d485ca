"""How dates are written in the files of many countries, with and without the time of day."""

from __future__ import annotations

_DAYS = (
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y%m%d",
    "%d. %m. %Y",
    "%Y. %m. %d.",
    "%d.%m.%y",
    "%m/%d/%y",
    "%d/%m/%y",
    "%d-%m-%y",
)
_CLOCKS = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f", ", %H:%M", ", %H:%M:%S", "T%H:%M", "T%H:%M:%S", " %H.%M", " %I:%M %p",
           " %I:%M:%S %p")  # fmt: skip
DATE_FORMATS = tuple(f"{day}{clock}" for clock in _CLOCKS for day in _DAYS)  # where two fit, the first counts
SHORTEST, LONGEST = 6, 32  # texts that may be one


def has_clock(date_format: str) -> bool:
    """Tell whether a format says the time of day."""
    return "%H" in date_format or "%I" in date_format


def has_short_years(date_format: str) -> bool:
    """Tell whether a format leaves open in which century a date is."""
    return "%y" in date_format
