"""What a spreadsheet makes of labels that it takes for numbers or dates, so that it is known again in an edited file.

`1-5` becomes the first of May or the fifth of January, shown as a date or saved as its number (46143), `0110` becomes 110, and of
a number of more than 15 digits the last ones become zeros.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import permutations

_EPOCH = date(1899, 12, 30)  # day 0 of Excel and LibreOffice
_FIRST, _LAST = 10_000, 80_000  # days that labels become: 1927 to 2119
_PARTS = re.compile(r"([0-9]{1,4})[-./ ]([0-9]{1,4})(?:[-./ ]([0-9]{1,4}))?")
_WHOLE = re.compile(r"[0-9]+")
_FRACTION = re.compile(r"([0-9]+)\.([0-9]+)")
_EXACT = 15  # digits of a number that a spreadsheet keeps

Reading = tuple[int | None, int, int]  # year, if the label says one; month; day


@dataclass(frozen=True)
class Taken:
    """What labels may have become."""

    days: frozenset[Reading]
    numbers: frozenset[str]

    def how(self, cell: str) -> str | None:
        """Return what happened if the cell is what became of a label: it is the number of a day, or a number without zeros.

        >>> taken = taken_for(["1-5", "0110", "20-29"])
        >>> [taken.how(cell) for cell in ("46143", "46027", "110", "20-29", "47000", "111")]
        ['serial', 'serial', 'zeros', None, None, None]
        """
        if cell in self.numbers:
            return "zeros"
        day = serial_day(cell)
        if day is None:
            return None
        year, month, of_month = day.year, day.month, day.day
        years = (None, year, year % 100)
        return "serial" if any((told, month, of_month) in self.days for told in years) else None


def taken_for(labels: Iterable[str]) -> Taken:
    """Return what a spreadsheet may have made of some labels."""
    told = list(labels)
    days = frozenset(reading for label in told for reading in _readings(label))
    return Taken(days, frozenset(number for label in told for number in _numbers(label)))


def serial_day(cell: str) -> date | None:
    """Return the day whose number a cell is; None where it is that of no day that labels become.

    >>> serial_day("46143"), serial_day("7"), serial_day("46143.5")
    (datetime.date(2026, 5, 1), None, datetime.date(2026, 5, 1))
    """
    number = cell.partition(".")[0]
    if not _WHOLE.fullmatch(number) or len(number) != 5 or not _FIRST <= int(number) <= _LAST:
        return None
    return _EPOCH + timedelta(days=int(number))


def _readings(label: str) -> Iterator[Reading]:
    """Yield the days that a spreadsheet, in whatever country, may read in a label."""
    found = _PARTS.fullmatch(label.strip())
    if found is None:
        return
    parts = [int(part) for part in found.groups() if part is not None]
    if len(parts) == 2:
        for first, second in permutations(parts):
            yield from _sound(None, first, second)  # day and month, of this year
            yield from _sound(second, first, 1)  # month and year
        return
    for year, month, day in permutations(parts):
        yield from _sound(year, month, day)


def _sound(year: int | None, month: int, day: int) -> Iterator[Reading]:
    if 1 <= month <= 12 and 1 <= day <= 31:
        yield year, month, day


def _numbers(label: str) -> Iterator[str]:
    """Yield a label as the number that it is written as, where that is another text."""
    text, fraction = label.strip(), _FRACTION.fullmatch(label.strip())
    if fraction:
        front, rest = fraction[1].lstrip("0") or "0", fraction[2].rstrip("0")
        became = f"{front}.{rest}" if rest else front
    elif _WHOLE.fullmatch(text):
        bare = text.lstrip("0") or "0"
        became = bare if len(bare) <= _EXACT else bare[:_EXACT] + "0" * (len(bare) - _EXACT)
    else:
        return
    if became != text:
        yield became
