"""What a column's values say about it: how far they tell rows apart, and what they look like."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from kohort.arrays import FloatArray, IntArray
from kohort.hierarchy.calendar import date_pattern, format_days, is_iso, iso_days
from kohort.hierarchy.numerals import is_number
from kohort.proposals.date_formats import LONGEST, SHORTEST, formats_like
from kohort.proposals.telling_cells import is_unlike
from kohort.proposals.value_kinds import kind_of
from kohort.proposals.value_names import are_names, is_full_name, is_wordy
from kohort.proposals.value_words import Kind
from kohort.table import Column

_SAMPLE = 20_000  # distinct values looked at, spread over the column
_PANEL = 10  # people or households
_REGION = 40  # degrees
_BESIDE = 10  # rows that do not hold the usual value
_PHRASE = 4  # words
_COUNTED = 200  # things that a person may have
_CROWD = 10  # rows that share a term of a questionnaire or a classification
_LONGEST = 40  # digits of a number that is counted
_FILLED, _APART = 6, 10  # digits at least, and at most so many numbers to one that is taken
_CODES, _SHARE = 20, 5  # distinct codes at least, and rows of each on average at most
_NEARLY_ALL = 0.9  # of the distinct values
FILLED_UP, ICD = "numbers filled up with zeros", "codes of the ICD"
_SHAPES: dict[str, re.Pattern[str]] = {
    "e-mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+"),
    "web addresses": re.compile(r"https?://\S+"),
    "UUIDs": re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    "IBANs": re.compile(r"[A-Z]{2}[0-9]{2}(?: ?[0-9A-Z]{4}){2,7}(?: ?[0-9A-Z]{1,4})?"),
    "IP addresses": re.compile(
        r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}|(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|(?=.*::)[0-9a-fA-F:.]+"
    ),
    "US social security numbers": re.compile(r"[0-9]{3}-[0-9]{2}-[0-9]{4}"),
    "telephone numbers": re.compile(
        r"(?:\+|00|\(?0)[0-9]{1,4}[)]?[ /.-]?(?:[0-9]{2,}[ /.-]?){2,6}|\(?[0-9]{3}\)?[ -][0-9]{3}-[0-9]{4}"
    ),
    ICD: re.compile(r"[A-TV-Z][0-9]{2}(?:\.[0-9A-Z]{1,4}|[0-9]{1,2})?"),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Evidence:
    """A column as the proposals see it. Missing counts as a value."""

    column: Column

    @cached_property
    def counts(self) -> IntArray:
        """The rows of each distinct value."""
        return self.column.counts()

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.column.codes)

    @property
    def distinct(self) -> int:
        """The number of distinct values."""
        return len(self.column.values)

    @property
    def distinction(self) -> float:
        """Distinct values per row (Motwani and Xu, 2007): 1 where every row has its own."""
        return self.distinct / self.rows if self.rows else 0.0

    @cached_property
    def separation(self) -> float:
        """The share of pairs of rows that the column tells apart (Motwani and Xu, 2007)."""
        n = self.rows
        alike = float((self.counts.astype(np.float64) * (self.counts - 1)).sum())
        return 1 - alike / (n * (n - 1)) if n > 1 else 0.0

    @cached_property
    def told(self) -> list[str]:
        """The distinct values that are not missing, thinned out where there are very many."""
        told = [text for text in self.column.texts if text is not None]
        return told[:: max(1, len(told) // _SAMPLE)]

    @cached_property
    def told_counts(self) -> IntArray:
        """The rows of each value that is `told`."""
        counts = self.counts[[text is not None for text in self.column.texts]]
        return np.asarray(counts[:: max(1, len(counts) // _SAMPLE)])

    @cached_property
    def told_rows(self) -> int:
        """The number of rows that have a value."""
        return int(self.counts[[text is not None for text in self.column.texts]].sum())

    @cached_property
    def is_number(self) -> bool:
        """Whether all values are plain numbers and none is a code with a zero in front."""
        numbers = bool(self.told) and all(map(is_number, self.told))
        return numbers and not any(re.match(r"[+-]?0[0-9]", text) for text in self.told)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all values are whole numbers."""
        return self.is_number and not any("." in text.rstrip("0").rstrip(".") for text in self.told)

    @cached_property
    def numbers(self) -> FloatArray:
        """The number of every row where all are numbers, not-a-number where there is none."""
        return np.array([np.nan if text is None else float(text) for text in self.column.texts])[
            self.column.codes
        ]

    @cached_property
    def is_years(self) -> bool:
        """Whether all values are years that people of today have lived in."""
        return self.is_whole and len(self.told) > 2 and all(1900 <= float(text) <= 2040 for text in self.told)

    @cached_property
    def is_counted(self) -> bool:
        """Whether the values are small whole numbers, as counts are."""
        return self.is_whole and all(0 <= float(text) <= _COUNTED for text in self.told)

    @cached_property
    def is_measured(self) -> bool:
        """Whether the values are numbers with decimals."""
        return self.is_number and not self.is_whole

    @cached_property
    def date_format(self) -> str | None:
        """How the values are written where they are dates: `iso` or a format; None where they are not."""
        if not self.told:
            return None
        if pa.types.is_temporal(self.column.values.type) or all(map(is_iso, self.told)):
            return "iso" if all(map(is_iso, self.told)) else None
        if not all(SHORTEST <= len(text) <= LONGEST for text in self.told):
            return None
        return next(filter(self._fits, formats_like(self.told[0])), None)

    @cached_property
    def days(self) -> IntArray:
        """The days since 1970 of the values that are `told`, where they are dates."""
        pattern = None if self.date_format in (None, "iso") else date_pattern(str(self.date_format))
        return (iso_days(self.told) if pattern is None else format_days(self.told, pattern))[0]

    @property
    def is_ambiguous_date(self) -> bool:
        """Whether every date would be one too with day and month exchanged."""
        found = self.date_format
        if found is None or "%d/%m" not in found:
            return False
        return self._fits(found.replace("%d/%m", "%m/%d"))

    def _fits(self, date_format: str) -> bool:
        pattern = date_pattern(date_format)
        assert pattern is not None
        if not pattern.fullmatch(self.told[0]):
            return False
        days, fine = format_days(self.told, pattern)
        years = days.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970
        return bool(fine.all() and years.min() > 1850 and years.max() < 2100)

    @cached_property
    def shape(self) -> str | None:
        """What nine in ten of the values look like, where that is known."""
        if not self.told or self.is_number or self.date_format:
            return None
        if self.is_filled_up:
            return FILLED_UP
        enough = 0.9 * len(self.told)
        return next((name for name, shape in _SHAPES.items() if self._count(shape.fullmatch) >= enough), None)

    @cached_property
    def is_filled_up(self) -> bool:
        """Whether the values are numbers filled up to six digits or more with zeros, close together as counted ones are."""
        if len({len(text) for text in self.told}) != 1 or not _FILLED <= len(self.told[0]) <= _LONGEST:
            return False
        if not all(text.isascii() and text.isdigit() for text in self.told):
            return False
        numbers = [int(text) for text in self.told]
        return max(numbers) - min(numbers) < _APART * len(numbers) or any(
            text.startswith("000") for text in self.told
        )

    @cached_property
    def is_code(self) -> bool:
        """Whether the values are short codes: of one length, with a digit in each, or digits with zeros in front."""
        lengths = set(map(len, self.told))
        digits = self._count(lambda text: any(c.isdigit() for c in text)) == len(self.told)
        blank = any(" " in text for text in self.told)
        return digits and len(lengths) == 1 and 3 <= max(lengths) <= 10 and not blank

    @cached_property
    def is_prose(self) -> bool:
        """Whether the values are sentences rather than terms: long ones, or of some words and mostly nobody else's."""
        if not self.told or self.is_number or self.date_format:
            return False
        half = len(self.told) / 2
        long = sum(len(text) for text in self.told) / len(self.told) > 40
        if long and self._count(lambda text: text.count(" ") >= 4) > half:
            return True
        own = int((self.told_counts == 1).sum()) > half
        spoken = self._count(lambda text: text.count(" ") >= 2 and any(sign.isalpha() for sign in text))
        return own and len(self.told) >= 5 and spoken > half

    @cached_property
    def has_rare_phrases(self) -> bool:
        """Whether some values are of several words and stand in few rows: remarks among terms, or told once per visit."""
        if self.is_number or self.date_format:
            return False
        rare = zip(self.told, self.told_counts.tolist(), strict=True)
        return any(rows < _CROWD and len(text.split()) >= _PHRASE for text, rows in rare)

    @cached_property
    def has_strays(self) -> bool:
        """Whether some values in few rows look like somebody's name, address or number among values that do not."""
        if self.is_number or self.date_format:
            return False
        told = list(zip(self.told, self.told_counts.tolist(), strict=True))
        rare = [text for text, rows in told if rows < _CROWD]
        usual = [text for text, rows in told if rows >= _CROWD]
        shapes = [shape for name, shape in _SHAPES.items() if name != ICD]
        return any(
            is_full_name(text) or any(shape.fullmatch(text) for shape in shapes) or is_unlike(text, usual)
            for text in rare
        )

    @cached_property
    def has_phrases(self) -> bool:
        """Whether some values are of several words, as remarks and answers to open questions are."""
        if self.is_number or self.date_format or self.kind is not None:
            return False
        return any(len(text.split()) >= _PHRASE for text in self.told)

    @cached_property
    def own_share(self) -> float:
        """The share of the rows with a value whose value is nobody else's."""
        told = int(self.told_counts.sum())
        return int((self.told_counts == 1).sum()) / told if told else 0.0

    @property
    def points(self) -> bool:
        """Whether most rows that say something have a value of their own: all of them, or those beside a usual value."""
        return self.own_share > 0.5 or own_beside_usual(self.counts) > 0.5

    @cached_property
    def kind(self) -> Kind | None:
        """What kind of things nearly all of the values are, where that is known."""
        if not self.told or self.is_number or len(self.told) > _SAMPLE // 10:
            return None
        return kind_of(self.told)

    @cached_property
    def is_wordy(self) -> bool:
        """Whether nearly all values are a few words without digits, as names are, and of no kind that is known."""
        if not self.told or self.is_number or self.kind is not None:
            return False
        return self._count(is_wordy) >= _NEARLY_ALL * len(self.told)

    @cached_property
    def is_numbering(self) -> bool:
        """Whether the values are codes that few rows share, as numbers of cases are, and none of the ICD."""
        few = len(self.told) > _CODES and self.told_rows <= _SHARE * len(self.told)
        return few and self.is_code and not self.is_number and self.shape != ICD

    def names_people(self, said_otherwise: Collection[str] = ()) -> bool:
        """Whether the values are names of people, but for names that are `said_otherwise`."""
        if not self.is_wordy:
            return False
        return are_names(self.told, self.told_counts.tolist(), said_otherwise)

    @cached_property
    def repeats_in_blocks(self) -> int:
        """How many rows in a row each value stands in, where all stand in equally many; 0 where they do not.

        So do the numbers of people or households in a panel.
        """
        times = int(self.counts[0]) if self.distinct else 0
        if times < 2 or self.distinct < _PANEL or (self.counts != times).any():
            return 0
        starts = 1 + int((np.diff(self.column.codes) != 0).sum())
        return times if starts == self.distinct else 0

    @cached_property
    def may_be_degrees(self) -> bool:
        """Whether the values are numbers with decimals between -180 and 180."""
        return self.is_measured and all(abs(float(text)) <= 180 for text in self.told)

    @cached_property
    def is_degrees(self) -> bool:
        """Whether the values are numbers as coordinates are: of some decimals, between -180 and 180."""
        if not self.may_be_degrees:
            return False
        return self._count(lambda text: len(text.partition(".")[2]) >= 3) > len(self.told) / 2

    @cached_property
    def is_region(self) -> bool:
        """Whether coordinates of one part of the world would look like this: fine, of one sign and close together."""
        if not self.is_degrees or len(self.told) < _PANEL:
            return False
        finest = self._count(lambda text: len(text.partition(".")[2]) >= 4)
        numbers = np.array([float(text) for text in self.told])
        apart, one_sign = float(np.ptp(numbers)), bool((numbers > 1).all() or (numbers < -1).all())
        return finest > len(self.told) / 2 and one_sign and 0 < apart < _REGION

    def _count(self, holds: Callable[[str], object]) -> int:
        return sum(1 for text in self.told if holds(text))


def own_beside_usual(counts: IntArray) -> float:
    """Return the share of rows with a value of their own among those that do not hold the most frequent one.

    That one may be 0, none or missing. Too few rows beside it say nothing.
    """
    others = int(counts.sum() - counts.max(initial=0))
    return int((counts == 1).sum()) / others if others >= _BESIDE else 0.0


def share(share: float) -> str:
    """Return a share with two digits that count; one just below 1 is not rounded to it."""
    return "> 0.99" if 0.99 < share < 1 else f"{share:.2g}"
