"""How dates are written in the files of many countries, with and without the time of day."""

from __future__ import annotations

import re

from kohort.hierarchy.month_names import month_of

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
# Where the month has a name: Oracle and SAS write so unless told otherwise.
_NAMED_DAYS = (
    "%d-%b-%Y",
    "%d-%b-%y",
    "%d %b %Y",
    "%d. %b %Y",
    "%b %d, %Y",
    "%b %d %Y",
    "%d%b%Y",
    "%d%b%y",
    "%d/%b/%Y",
    "%d.%b.%Y",
    "%d %b, %Y",
    "%d. %b %y",
    "%d %b %y",
    "%d/%b/%y",
    "%d de %b de %Y",
    "%Y-%b-%d",
    "%Y %b %d",
)
_NAMED_CLOCKS = (*_CLOCKS, ":%H:%M:%S", ":%H:%M", " %I.%M.%S.%f %p", " %I.%M.%S %p", " %H.%M.%S.%f")
DATE_FORMATS = tuple(f"{day}{clock}" for clock in _CLOCKS for day in _DAYS)  # where two fit, the first counts
NAMED_FORMATS = tuple(f"{day}{clock}" for clock in _NAMED_CLOCKS for day in _NAMED_DAYS)
SHORTEST, LONGEST = 6, 32  # texts that may be one


def formats_like(text: str) -> tuple[str, ...]:
    """Return the formats that a text may be written in: those with a name of a month where it has one.

    >>> formats_like("07-Mar-54")[1], formats_like("07.03.1954")[0]
    ('%d-%b-%y', '%d.%m.%Y')
    """
    words = re.findall(r"[^\W\d_]{3,}", text)
    return NAMED_FORMATS if any(map(month_of, words)) else DATE_FORMATS


def has_clock(date_format: str) -> bool:
    """Tell whether a format says the time of day."""
    return "%H" in date_format or "%I" in date_format


def has_short_years(date_format: str) -> bool:
    """Tell whether a format leaves open in which century a date is."""
    return "%y" in date_format
