"""A column as it stands in a file: its texts with their rows, and which of them are numbers, dates or nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import pyarrow as pa

from kohort.hierarchy.numerals import is_number
from kohort.proposals.concepts import concept_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.no_day import days_of_nothing
from kohort.proposals.nothing import codes_in_doubt, codes_of_nothing, is_nothing, zeros_of_nothing
from kohort.proposals.words import BODY, FINDING
from kohort.table import Column
from kohort.table.national import Decimal, is_national

_FEW = 0.1  # of the rows, that are no numbers in a column of numbers
_ENOUGH = 5  # distinct numbers
_FIRST = 200
_SIGN = r"(?:[€$£¥%]|EUR|USD|GBP|CHF|Fr\.?|zł|Kč|kr\.?|kg|cm|mm)"
_SIGNED = re.compile(rf"{_SIGN}\s*(?P<before>\S.*)|(?P<behind>.*\S)\s*{_SIGN}", re.IGNORECASE)
DECIMALS: tuple[Decimal, Decimal] = (",", ".")


@dataclass(frozen=True, eq=False)
class FileColumn:
    """What is told of one column before it is settled how the file is read."""

    column: Column

    @property
    def name(self) -> str:
        """Its name in the file."""
        return self.column.name

    @property
    def is_text(self) -> bool:
        """Whether the file holds texts there; other values are what they are."""
        return bool(pa.types.is_string(self.column.values.type))

    @cached_property
    def raw(self) -> Mapping[str, int]:
        """The rows of each text as it is written."""
        counts = self.column.counts().tolist()
        return {text: n for text, n in zip(self.column.texts, counts, strict=True) if text is not None}

    @cached_property
    def told(self) -> Mapping[str, int]:
        """The rows of each text without blanks at its ends, and of none that is blank."""
        counts: Counter[str] = Counter()
        for text, rows in self.raw.items():
            if text.strip():
                counts[text.strip()] += rows
        return counts

    @cached_property
    def padded(self) -> int:
        """The rows whose text has a blank at its end."""
        return sum(rows for text, rows in self.raw.items() if text != text.strip()) if self.is_text else 0

    @cached_property
    def nothings(self) -> Mapping[str, int]:
        """The rows of each text that is known to stand for want of a value."""
        return {text: rows for text, rows in self.told.items() if self.is_text and is_nothing(text)}

    @cached_property
    def rest(self) -> Mapping[str, int]:
        """The rows of every other text."""
        return {text: rows for text, rows in self.told.items() if text not in self.nothings}

    @cached_property
    def is_plain(self) -> bool:
        """Whether all but the nothings are numbers as they stand."""
        return bool(self.rest) and all(map(is_number, self.rest))

    @cached_property
    def is_numeric(self) -> bool:
        """Whether all but the nothings are numbers, however they are written."""
        return self.is_plain or any(self.fits(decimal) for decimal in DECIMALS)

    @cached_property
    def odd(self) -> Mapping[str, int]:
        """The rows of each text that is no number, where nearly all others are; none where they are not, or all are.

        What it is may be anything, so it is counted and never told.
        """
        if self.is_numeric or not self.is_text or not self._begins_with_numbers():
            return {}
        odd = {text: rows for text, rows in self.rest.items() if not _is_number(text)}
        few = sum(odd.values()) <= _FEW * sum(self.rest.values())
        return odd if few and len(self.rest) - len(odd) >= _ENOUGH else {}

    @cached_property
    def signed(self) -> int:
        """The rows of numbers with a sign of money or of a unit beside them, where most of the texts are such."""
        if not self.is_text or self.is_numeric or not _is_signed(next(iter(self.rest), "")):
            return 0
        rows = sum(rows for text, rows in self.rest.items() if _is_signed(text))
        return rows if 2 * rows > sum(self.rest.values()) else 0

    def _begins_with_numbers(self) -> bool:
        """Say whether most of the first texts are numbers: other columns need not be read to their end."""
        first = list(islice(self.rest, _FIRST))
        return 2 * sum(map(_is_number, first)) > len(first)

    @cached_property
    def is_dated(self) -> bool:
        """Whether all but the nothings are dates written in one way."""
        return bool(self.rest) and not self.is_numeric and self._dates.date_format is not None

    @cached_property
    def _dates(self) -> Evidence:
        """What is to be said of all but the nothings, each of them once."""
        return Evidence(Column.from_arrow(self.name, pa.array(list(self.rest), pa.string())))

    @cached_property
    def codes(self) -> list[str]:
        """The numbers or dates that seem to stand for want of one; of those only that are numbers as they stand."""
        if self._plain:
            return [
                *codes_of_nothing(self._plain),
                *(zeros_of_nothing(self._plain) if self._is_of_bodies else []),
            ]
        return days_of_nothing(self._days, self.rest) if self.is_dated else []

    @property
    def _is_of_bodies(self) -> bool:
        """Whether the name says something that nobody has none of."""
        concept = concept_of(self.name)
        return concept is not None and concept.name in (BODY, FINDING)

    @cached_property
    def _days(self) -> Mapping[str, int]:
        """The day of each date, counted from 1970."""
        return dict(zip(self._dates.told, self._dates.days.tolist(), strict=True))

    @cached_property
    def doubtful(self) -> list[str]:
        """The numbers that may stand for want of one, or be somebody's."""
        return codes_in_doubt(self._plain) if self._plain else []

    @cached_property
    def _plain(self) -> Mapping[str, int]:
        """The rows of each number as it stands, in a column of numbers."""
        return {text: rows for text, rows in self.rest.items() if is_number(text)} if self.is_numeric else {}

    def fits(self, decimal: Decimal) -> bool:
        """Whether all but the nothings are numbers with that decimal sign, and some cannot be read without knowing it."""
        return self.national(decimal) > 0 and all(
            is_national(text, decimal) or _is_as_it_stands(text, decimal) for text in self.rest
        )

    def national(self, decimal: Decimal) -> int:
        """Return how many rows that decimal sign would change."""
        if not self.is_text:
            return 0
        return sum(rows for text, rows in self.told.items() if is_national(text, decimal))


def _is_number(text: str) -> bool:
    return is_number(text) or any(is_national(text, decimal) for decimal in DECIMALS)


def _is_signed(text: str) -> bool:
    found = _SIGNED.fullmatch(text)
    return found is not None and _is_number((found["before"] or found["behind"]).strip())


def _is_as_it_stands(text: str, decimal: Decimal) -> bool:
    return is_number(text) and (decimal == "." or "." not in text)
