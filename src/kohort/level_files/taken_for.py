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

from kohort.level_files.spoilt import month_named, spoilt_as

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

        >>> taken = taken_for(["1-5", "0110", "20-29", "1930-03"])
        >>> [taken.how(cell) for cell in ("46143", "46027", "110", "20-29", "47000", "111")]
        ['serial', 'serial', 'zeros', None, None, None]
        >>> [taken.how(cell) for cell in ("Mrz. 30", "01.03.1930", "1930-03-01", "05. Jan", "Apr 30", "1930-3")]
        ['written', 'written', 'written', 'written', None, None]
        """
        if cell in self.numbers:
            return "zeros"
        day = serial_day(cell)
        if day is not None:
            return "serial" if self._has((day.year, day.month, day.day)) else None
        shown = spoilt_as(cell) == "date" and any(map(self._has, _shown(cell)))
        return "written" if shown else None

    def _has(self, day: Reading) -> bool:
        """Tell whether a day is one that a label may have become, its century left out or not."""
        year, month, of_month = day
        years = (None,) if year is None else (None, year, year % 100, 1900 + year, 2000 + year)
        return any((told, month, of_month) in self.days for told in years)


def taken_for(labels: Iterable[str]) -> Taken:
    """Return what a spreadsheet may have made of some labels."""
    told = list(labels)
    days = frozenset(reading for label in told for reading in _readings(label))
    return Taken(days, frozenset(number for label in told for number in _numbers(label)))


def day_of(text: str) -> str:
    """Return a text by the days that a date of three parts may be, so that it is the same however it is written.

    >>> day_of("13.03.1930") == day_of("1930-03-13") == day_of("3/13/1930") != day_of("14.03.1930"), day_of("a")
    (True, 'a')
    """
    parts = _PARTS.fullmatch(text.strip())
    return str(sorted(map(str, _readings(text)))) if parts and parts[3] else text


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


def _shown(cell: str) -> Iterator[Reading]:
    """Yield the days that a date may be, as a spreadsheet shows it: in figures, or with the name of its month."""
    month, numbers = month_named(cell), [int(part) for part in re.findall("[0-9]+", cell)]
    if month is None:
        yield from _readings(cell.strip().partition(" ")[0])
    elif len(numbers) == 1:
        yield from _sound(None, month, numbers[0])
        yield from _sound(numbers[0], month, 1)
    else:
        yield from (reading for day, year in permutations(numbers) for reading in _sound(year, month, day))


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
